// An explanation as data, for programs: names as text, a byte that is not UTF-8 as a lone surrogate.

import { toText } from "../../policy/bytes.ts";
import type { Root } from "../../policy/policy.ts";
import type { Evidence } from "../../policy/verdict.ts";
import type { Explanation } from "./explanation.ts";

/** The object that `--json` prints. */
export function explanationData(explanation: Explanation): object {
	const { argv, tool, cwd, choice, found, judged } = explanation;
	const verdict = judged?.verdict;
	const full = verdict && (verdict.decision === "allow" || verdict.decision === "deny") ? verdict : undefined;
	return {
		decision: verdict?.decision ?? "unguarded",
		tool: toText(tool),
		argv: argv.map(toText),
		cwd: toText(cwd),
		policy: { how: choice.how, directory: toText(choice.directory) },
		...(judged && { guardfile: toText(judged.guardfile), line: full?.line ?? judged.lines[0] }),
		...(full && { gate: full.gate }),
		shim: found?.kind === "shim" ? toText(found.path) : null,
		becomes: judged && !("missing" in judged.becomes) ? toText(judged.becomes.path) : null,
		variables: judged?.variables.map(({ name, value }) => ({ name: toText(name), value: toText(value) })) ?? [],
		operands: full?.seen.map(evidenceData) ?? [],
		roots: full?.roots.map(rootData) ?? [],
		unread: full?.unread.map(toText) ?? [],
		...(full?.decision === "deny" && { reason: toText(full.reason) }),
	};
}

function rootData({ text, from, real, dropped }: Root): object {
	return { text: toText(text), from: toText(from), real: dropped ? null : toText(real), ...(dropped && { dropped }) };
}

function evidenceData({ operand, resolved, links, root, why }: Evidence): object {
	const { text, role, note } = operand;
	return {
		text: toText(text),
		role,
		...(note && { note }),
		resolved: text === "" || resolved === "" ? null : toText(resolved),
		links: links.map(({ at, to }) => ({ at: toText(at), to: toText(to) })),
		root: root && text !== "" ? toText(root.real) : null,
		refused: why !== undefined,
		...(why !== undefined && { why }),
	};
}
