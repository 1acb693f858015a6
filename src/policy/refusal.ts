// A refusal in words: what, where, and what to do next.

import { type Bytes, quote, toText } from "./bytes.ts";
import type { Operand } from "./call.ts";
import type { Root, ToolPolicy } from "./policy.ts";
import { isBelow } from "./resolve.ts";
import type { Evidence, Verdict } from "./verdict.ts";

/** So many operands are named; the others are counted. */
const NAMED = 5;

const VERBS: Record<Operand["role"], string> = {
	removed: "remove",
	moved: "move",
	written: "write",
	into: "put something into",
	started: "act below",
};

/** A name longer than this is shown by its beginning. */
const SHOWN = 240;

/** A name as a message has it: quoted, and cut with a word on its length where it is very long. */
function brief(bytes: Bytes): string {
	if (bytes.length <= SHOWN) return quote(bytes);
	let end = SHOWN;
	// Not within a character of several bytes.
	while (end > 0 && (bytes.charCodeAt(end) & 0xc0) === 0x80) end--;
	return `${quote(bytes.slice(0, end))}... (${bytes.length} bytes)`;
}

function operandLine({ operand, resolved, links, why }: Evidence): string {
	const is = resolved !== "" && resolved !== operand.text ? ` is ${brief(resolved)}` : "";
	const link = links.length > 0 ? ` through the link ${links.map(({ at, to }) => `${brief(at)} -> ${brief(to)}`).join(", ")}` : "";
	const note = operand.note ? ` (${operand.note})` : "";
	return `  ${VERBS[operand.role]} ${brief(operand.text)}${note}:${is}${link}${is || link ? "," : ""} ${why}`;
}

function rootWords(root: Root): string {
	return root.dropped ? `${quote(root.text)} (${root.from}) does not count: ${root.dropped}` : `${quote(root.real)} (${root.from})`;
}

/** A variable that names directories, none of which counts. */
function spoiledVariable(roots: Root[]): string | undefined {
	const dropped = roots.filter((root) => root.dropped !== undefined);
	return dropped.find(({ from }) => !roots.some((root) => root.from === from && root.dropped === undefined))?.from;
}

/** So many directories of a session are spelled out for a person who starts it again. */
const SPELLED = 4;

/**
 * The words with which a session is started again with one directory more. `--root` takes the place of the checkout, so
 * what the session has is named too.
 * @param directories the session's own
 */
export function restart(directories: readonly Bytes[]): string {
	const own = directories.filter((one) => !directories.some((other) => isBelow(one, other)));
	const kept = own.length > SPELLED ? ["--root ..."] : own.map((root) => `--root ${quote(root)}`);
	return ["tmx wrap --floor", ...kept, "--root DIR"].join(" ");
}

/** What a person can do: open one directory more to a session that runs; or start it again, since what the kernel refuses stays refused. */
function opening(roots: Root[], session: string, floor: boolean): string {
	if (!floor) {
		return `the person whose machine this is can let this session change a directory DIR that holds it, in another terminal: tmx allow DIR --session ${session}`;
	}
	const own = roots.filter(({ from, dropped }) => from === "session" && dropped === undefined).map(({ real }) => real);
	return `the person whose machine this is can start the session again with a directory DIR more that holds it: ${restart(own)}`;
}

/** Where nothing is left that may be changed. */
function adviceWithout(session: string | undefined, floor: boolean): string {
	if (floor) return "the session's directories are gone; ask the person whose machine this is to start it again";
	if (session !== undefined)
		return `the session's directories are gone; ask the person whose machine this is, who can name others: tmx allow DIR --session ${session}`;
	return "no directory is left to work in: set one of the variables above to an existing directory that is not a home";
}

/** What would pass: the advice must itself be allowed. */
function advice(refused: readonly Evidence[], roots: Root[], policy: Pick<ToolPolicy, "session" | "floor">): string {
	const { session } = policy;
	const floor = policy.floor === true;
	const first = roots.find((root) => root.dropped === undefined);
	if (first === undefined) return adviceWithout(session, floor);
	// The directory that a session stands on stays; what is in it may go.
	const standing = refused.find(({ resolved }) => roots.some(({ real, dropped }) => real === resolved && dropped === undefined));
	const instead = standing
		? `name what is in ${quote(standing.resolved)}, and not the directory itself`
		: `name a path below ${quote(first.real)}`;
	if (session !== undefined && (!standing || refused.length > 1)) return `${instead}, or ask: ${opening(roots, session, floor)}`;
	const spoiled = spoiledVariable(roots);
	const correct = spoiled === undefined ? "" : ` to correct ${spoiled}, which names no directory that counts`;
	return `${instead}, or ask the person whose machine this is${correct}`;
}

/**
 * The message of a refusal, several lines; the first one says it all.
 * @param policy the session that the policy was written for, and whether it has a floor
 */
export function refusalText(
	tool: string,
	verdict: Extract<Verdict, { decision: "deny" }>,
	policy: Pick<ToolPolicy, "session" | "floor"> = {},
): string {
	const { refused, roots, unread } = verdict;
	const count = refused.length;
	const first = refused[0] as Evidence;
	const lines = [`tmx: ${quote(tool)}: policy_denied: ${brief(first.operand.text)}: ${first.why}; nothing was run`];
	for (const evidence of refused.slice(0, NAMED)) lines.push(operandLine(evidence));
	if (count > NAMED) lines.push(`  and ${count - NAMED} more`);
	if (unread.length > 0) lines.push(`  not understood, so every word was judged: ${unread.map(brief).join(" ")}`);
	const kept = roots.filter((root) => root.dropped === undefined);
	lines.push(`  allowed: ${kept.length > 0 ? kept.map(rootWords).join(", ") : "nothing"}`);
	for (const root of roots) if (root.dropped) lines.push(`  ${rootWords(root)}`);
	lines.push(`  rule: ${quote(verdict.guardfile)}:${verdict.line}, ${verdict.gate}`);
	lines.push(`  next: ${advice(refused, roots, policy)}`);
	if (verdict.reason !== "") lines.push(`  ${toText(verdict.reason)}`);
	return `${lines.join("\n")}\n`;
}
