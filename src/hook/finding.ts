// What the hook finds: one verdict of one call, redirection, assignment or file, and what it did not know.

import type { Bytes } from "../policy/bytes.ts";
import type { Operand } from "../policy/call.ts";
import type { ToolPolicy } from "../policy/policy.ts";
import type { Evidence, Verdict } from "../policy/verdict.ts";

/** One thing that was judged. */
export interface Finding {
	/** The guarded tool, or what else acts: `redirection`, `assignment`, a file tool. */
	tool: Bytes;
	/** The call as far as it is known, its holes as somebody wrote them. */
	argv: Bytes[];
	/** Where in the command line it stands. */
	source: Bytes;
	policy: ToolPolicy | undefined;
	verdict: Verdict;
	/** Operands that cannot be known from the text, as written. */
	unknown: Bytes[];
	/** What follows from them: a shim will see them, or the guardfile says. */
	left: "shim" | "pass" | "ask" | "deny";
}

/** What judging a call came to. */
export interface Judged {
	verdict: Verdict;
	argv: Bytes[];
	/** The same with NULs where a hole is. */
	raw: Bytes[];
	/** Operands that cannot be known from the text, as written. */
	unknown: Bytes[];
}

/** A refusal that no gate's rule gave. */
export function refused(text: Bytes, why: string, verdict?: Verdict, evidence?: Evidence): Verdict {
	const operand: Operand = { text, role: "written", leaf: "entry" };
	const judged = verdict !== undefined && "seen" in verdict ? verdict : undefined;
	return {
		decision: "deny",
		gate: judged?.gate ?? "tmx",
		line: judged?.line ?? 0,
		guardfile: judged?.guardfile ?? "",
		refused: [{ operand: evidence?.operand ?? operand, resolved: evidence?.resolved ?? "", links: evidence?.links ?? [], why }],
		seen: judged?.seen ?? [],
		roots: judged?.roots ?? [],
		reason: "",
		unread: [],
	};
}

/** Whether a finding refuses. */
export const isRefused = ({ verdict, left }: Finding) => verdict.decision === "deny" || left === "deny";
