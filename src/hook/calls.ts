// One call of a command line judged by its tool's policy: for each directory that it may run in, and with unset variables empty.

import type { Bytes } from "../policy/bytes.ts";
import type { Call, Reader } from "../policy/call.ts";
import { judge } from "../policy/judge.ts";
import type { Root, ToolPolicy } from "../policy/policy.ts";
import { baseOf, isBelow } from "../policy/resolve.ts";
import type { Evidence, Verdict } from "../policy/verdict.ts";
import type { Facts } from "../shell/facts.ts";
import type { CallEvent, Word } from "../shell/reading.ts";
import { bound, rootsOf } from "./bound.ts";
import { type Standing, sharedName } from "./effects.ts";
import { type Finding, type Judged, refused } from "./finding.ts";
import type { Future } from "./future.ts";
import { guarded } from "./guarded.ts";
import { argumentsOf, Holes, readerOfText, textOf } from "./holes.ts";
import { remember } from "./leaves.ts";
import type { Session } from "./session.ts";

// The engine compiles its own map, filter, some and the like when they are first called, 15 to 60 microseconds each. What every line
// comes by is therefore written as loops, here and in the rooms around.

function hasUnset(words: readonly Word[]): boolean {
	for (const { pieces } of words) for (const piece of pieces) if (typeof piece !== "string" && piece.unset) return true;
	return false;
}

/** Where a call may be made. */
interface Place {
	future: Future;
	cwd: Bytes | undefined;
}

/** Each directory in each future. */
function placesOf(session: Session, directories: readonly Bytes[], after: Facts | undefined): Place[] {
	const places: Place[] = [];
	const futures = session.futuresAfter(after);
	for (const future of futures) {
		if (directories.length === 0) places.push({ future, cwd: undefined });
		for (const cwd of directories) places.push({ future, cwd });
	}
	return places;
}

/** A call as it is made there. */
interface Made extends Place {
	judged: Judged;
}

/** One way in which it may be made there. */
interface Variant extends Place {
	/** Unset variables are taken for empty. */
	empty: boolean;
}

/** By what a call is judged. */
interface Called {
	session: Session;
	policy: ToolPolicy;
	holes: Holes;
}

/** The environment of a call: what the line sets for it, else what it inherits. */
function environment(event: CallEvent, session: Session, holes: Holes): (name: string) => Bytes {
	return (name) => {
		const own = event.env.findLast((assignment) => assignment.name === name);
		return own === undefined ? session.world.env(name) : holes.argument(own.value);
	};
}

/** A call with its words, in which `holes` stand for what is not known. */
function callOf(event: CallEvent, { session, policy, holes }: Called, argv: Bytes[], cwd: Bytes | undefined): Call {
	const env = environment(event, session, holes);
	const isBusybox = event.via.includes("busybox");
	// To know it PATH is walked, and few readers ask.
	const implementation = () => (isBusybox ? "busybox" : session.implementation(argv[0] ?? "", policy));
	const posix =
		session.system.env("POSIXLY_CORRECT") !== undefined ||
		(event.env.length > 0 && event.env.some(({ name }) => name === "POSIXLY_CORRECT")) ||
		(session.system.platform === "darwin" && implementation() === "bsd");
	return {
		tool: policy.tool,
		argv,
		cwd: cwd ?? "",
		posix,
		get implementation() {
			return implementation();
		},
		env,
	};
}

/** The reader of a guarded tool's words, for a tool that runs it. */
function readerOfTool(session: Session, tool: string): Reader | undefined {
	const policy = session.policies.tool(tool);
	return policy === undefined || "unusable" in policy ? undefined : session.readers.get(policy.gates[0]?.operands ?? "");
}

function judgeVariant(event: CallEvent, session: Session, policy: ToolPolicy, { future, cwd, empty }: Variant): Judged {
	const holes = new Holes();
	const argv = argumentsOf(event.words, holes, empty);
	const world = future.worldAt(cwd);
	const unknown: Bytes[] = [];
	const standing = { look: world.look, known: cwd !== undefined, roots: rootsOf(future, policy, session.cwd) };
	const readerOf = (name: string) => {
		const reader = session.readers.get(name);
		return reader && readerOfText(reader, holes, standing, unknown);
	};
	const policyOfText = bound(future, policy, readerOf, (tool) => readerOfTool(session, tool));
	const shown: Bytes[] = [];
	for (const word of argv) shown.push(holes.written(word));
	if ("unusable" in policyOfText) return { verdict: refused(shown[0] ?? "", policyOfText.unusable), argv: shown, raw: argv, unknown };
	const shared = holes.areNone ? undefined : sharedName(argv, world.look, future.vacated);
	if (shared !== undefined) unknown.push(shared);
	const verdict = judge(policyOfText, callOf(event, { session, policy, holes }, argv, cwd), world, true);
	return { verdict, argv: shown, raw: argv, unknown };
}

/** What an unset variable is refused for: with nothing in its place the word is the whole machine, or holds a session's directory. */
function isRuinous({ operand, resolved }: Evidence, roots: readonly Root[]): boolean {
	if (resolved === "/" || /^\/+[^/]*[*?[]/.test(operand.text)) return true;
	return roots.some(({ real, dropped }) => dropped === undefined && isBelow(real, resolved));
}

/** Under an agent that does not say where a call runs, a relative path that climbs proves nothing. */
function proven(verdict: Verdict, session: Session, cwd: Bytes | undefined, unsure: boolean, unknown: Bytes[]): Verdict {
	if (!unsure || verdict.decision !== "deny" || cwd !== session.cwd) return verdict;
	const climbs = ({ operand: { text, at } }: Evidence) => at === undefined && !text.startsWith("/") && /(^|\/)\.\.(\/|$)/.test(text);
	const sure = verdict.refused.filter((evidence) => !climbs(evidence));
	if (sure.length === verdict.refused.length) return verdict;
	unknown.push(...verdict.refused.filter(climbs).map(({ operand }) => operand.text));
	if (sure.length > 0) return { ...verdict, refused: sure };
	return { ...verdict, decision: "allow" };
}

/** What a call leaves in each place that it may be made in. */
function leaves(
	{ cwd: directories, astray, undecided, given, step }: CallEvent,
	session: Session,
	policy: ToolPolicy,
	tool: Bytes,
	all: readonly Made[],
): void {
	// What was seen from each place was seen before the call did anything.
	const standings: Standing[] = [];
	for (const { future, cwd } of all) {
		const conditional = undecided || directories.length > 1 || astray !== undefined || !future.ensures(given);
		standings.push({ session, future, look: future.worldAt(cwd).look, roots: rootsOf(future, policy, session.cwd), conditional, step });
	}
	for (let k = 0; k < all.length; k++) remember(standings[k] as Standing, tool, (all[k] as Made).judged);
}

/** The worst of what the variants come to: a refusal, else what is not known. */
export function judgeCall(event: CallEvent, session: Session, unsure: boolean): Finding | undefined {
	const word = event.words[0] === undefined ? undefined : textOf(event.words[0]);
	if (word === undefined) return undefined;
	const tool = baseOf(word);
	const policy = session.policies.tool(tool);
	if (policy === undefined) return undefined;
	const finding = (judged: Judged, usable: ToolPolicy | undefined, left: Finding["left"]): Finding => {
		return { tool, argv: judged.argv, source: event.source, policy: usable, verdict: judged.verdict, unknown: judged.unknown, left };
	};
	if ("unusable" in policy)
		return finding({ verdict: refused(word, policy.unusable), argv: [word], raw: [word], unknown: [] }, undefined, "pass");
	const all: Made[] = [];
	const unknown: Bytes[] = [];
	for (const place of placesOf(session, event.cwd, event.after)) {
		const judged = judgeVariant(event, session, policy, { ...place, empty: false });
		const { look } = place.future.worldAt(place.cwd);
		const verdict = guarded(proven(judged.verdict, session, place.cwd, unsure, judged.unknown), session, look);
		if (verdict.decision === "deny") return finding({ ...judged, verdict }, policy, "pass");
		for (const text of judged.unknown) if (!unknown.includes(text)) unknown.push(text);
		all.push({ ...place, judged: { ...judged, verdict } });
		if (!hasUnset(event.words)) continue;
		const bare = judgeVariant(event, session, policy, { ...place, empty: true });
		const roots = rootsOf(place.future, policy, session.cwd);
		const ruinous = bare.verdict.decision === "deny" ? bare.verdict.refused.filter((evidence) => isRuinous(evidence, roots)) : [];
		if (bare.verdict.decision === "deny" && ruinous.length > 0)
			return finding({ ...bare, verdict: { ...bare.verdict, refused: ruinous } }, policy, "pass");
	}
	const last = all.at(-1)?.judged;
	if (last === undefined || last.verdict.decision === "inert") return undefined;
	for (const place of event.astray === undefined ? [] : placesOf(session, event.astray, event.after)) {
		const judged = judgeVariant(event, session, policy, { ...place, empty: false });
		if (judged.verdict.decision !== "deny") all.push({ ...place, judged });
		else for (const { operand } of judged.verdict.refused) if (!unknown.includes(operand.text)) unknown.push(operand.text);
	}
	session.later(() => leaves(event, session, policy, tool, all));
	const left = unknown.length === 0 ? "pass" : event.onPath && session.hasShim(tool) ? "shim" : session.onUnknown(policy);
	return finding({ ...last, unknown }, policy, left);
}
