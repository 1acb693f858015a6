// What a case says about the guard: right, a hole, an over-refusal, or a refusal that nobody can blame.

import type { Operand } from "../../src/policy/call.ts";
import { isBelow } from "../../src/policy/resolve.ts";
import type { Evidence } from "../../src/policy/verdict.ts";
import { aimsOutside, isMissing, namesNothing } from "./aims.ts";
import type { Findings } from "./oracle.ts";
import type { Ran } from "./run.ts";

/**
 * - `hole`: allowed, and something outside was touched or tried.
 * - `over`: refused, and nothing outside was.
 * - `stops`: refused, and the tool itself stops: before any change, or (all but find) at those operands, which do lead outside.
 * - `idle`: refused, aimed outside, and this time there was nothing to do (no match, -n, -c, a directory that is there already); or
 *   about a root that stays all the same (`find ./ -delete`) or lies in another root.
 * - `endless`: refused or allowed, nothing outside was touched, and the tool was stopped after some seconds.
 * - `fault`: the two verdicts differ, or the oracle cannot explain what happened.
 */
export type Kind = "allowed" | "refused" | "hole" | "over" | "stops" | "idle" | "endless" | "fault";

export interface Outcome {
	index: number;
	tool: string;
	kind: Kind;
	/** The class of the case among its kind. */
	group: string;
	shim: boolean;
}

/** Options that make a tool do nothing where something stands, or where nothing does. */
const MAY_DO_NOTHING = /^(-[a-zA-Z]*[nucC]|--(no-c|up|no-clobber|update|no-create|compare|silent).*|conv=(excl|nocreat).*)/;

/** A reason without the names in it. */
const general = (why: string) => why.replace(/\$?'[^']*'|\/[^\s,;:]*/g, "PATH");

function groupOf(evidence: Evidence | undefined): string {
	if (evidence === undefined) return "";
	const { operand, why } = evidence;
	return `${operand.role} (${operand.note ?? "operand"}): ${general(why ?? "")}`;
}

/** What find opens before anything else; where it cannot, it stops. */
const OPENED = "opened for writing by find";

/** A starting point that is not there is reported and passed over. */
const missingStart = (operand: Operand, { found, before }: Ran) => operand.role === "started" && isMissing(operand, found.cwd, before.tree);

/** Whether the tool, or a command that find ran, stopped at what was refused and does lead outside, or stopped before any change. */
function stopped(ran: Ran, refused: readonly Evidence[]): boolean {
	const { found, findings, status, before } = ran;
	if (status !== 0 && findings.changes === 0) return true;
	const failed = found.tool === "find" ? findings.failures > (status === 0 ? 0 : 1) : status !== 0;
	if (failed) return refused.every((evidence) => aimsOutside(evidence, found.cwd, before.tree, before.roots));
	return status !== 0 && refused.every(({ operand }) => operand.note === OPENED || missingStart(operand, ran));
}

/** Whether find came to the action that an operand belongs to. */
function reached({ operand }: Evidence, { programs, removals }: Findings): boolean {
	const note = operand.note ?? "";
	if (note === "named in the script") return programs.has("sh") || programs.has("dash") || programs.has("bash");
	const command = /^(?:run by find:|named to) (.*)$/.exec(note)?.[1];
	return command === undefined ? removals > 0 || operand.role === "written" : programs.has(command);
}

/** A starting point that ends in a dot or two: rmdir stops at the dots, so that directory stays (rmdir(2), EINVAL and ENOTEMPTY). */
const endsInDot = ({ operand }: Evidence) => operand.role === "started" && /(^|\/)\.{1,2}\/*$/.test(operand.text);

/** A root within a root is inside, and is a root: whether it may go is a matter of taste. */
function isInnerRoot({ resolved }: Evidence, { found, before }: Ran): boolean {
	return found.roots.includes(resolved) && found.roots.some((root) => isBelow(resolved, root)) && before.roots.size > 1;
}

/** Whether the refusal is about something outside that the tool this time found no reason to touch. */
function isIdle(ran: Ran, refused: readonly Evidence[]): boolean {
	const { found, findings, status, before } = ran;
	if (findings.outside.some(({ weight }) => weight === "idle")) return true;
	if (refused.every((evidence) => endsInDot(evidence) || isInnerRoot(evidence, ran))) return true;
	if (found.tool === "find") return !refused.some((evidence) => reached(evidence, findings));
	if (found.tool === "rm") return refused.every(({ operand }) => namesNothing(operand, found.cwd, before.tree));
	return status === 0 && findings.changes === 0 && found.argv.some((word) => MAY_DO_NOTHING.test(word));
}

/** Judge the guard by one case. */
export function outcomeOf(ran: Ran): Outcome {
	const { found, verdict, findings, changed, shim } = ran;
	const of = (kind: Kind, group: string): Outcome => ({ index: found.index, tool: found.tool, kind, group, shim: shim !== undefined });
	const heavy = findings.outside.find(({ weight }) => weight !== "idle");
	const touched = heavy?.what ?? (changed.length > 0 ? `${changed[0]} is different` : undefined);
	if (verdict.decision !== "deny" && touched !== undefined) return of("hole", touched);
	if (ran.endless) return of("endless", "");
	if (findings.faults.length > 0) return of("fault", findings.faults[0] as string);
	if (shim !== undefined && (shim === 2) !== (verdict.decision === "deny")) return of("fault", `the compiled shim ended with ${shim}`);
	if (changed.length > 0 && heavy === undefined) return of("fault", `strace shows nothing, but ${changed[0]} is different`);
	if (verdict.decision !== "deny") return of("allowed", "");
	if (touched !== undefined) return of("refused", "");
	const group = groupOf(verdict.refused[0]);
	if (stopped(ran, verdict.refused)) return of("stops", group);
	return of(isIdle(ran, verdict.refused) ? "idle" : "over", group);
}
