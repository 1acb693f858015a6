// judge(policy, call): read the operands, resolve them, ask the gates, keep what they refuse. The only decision there is.

import type { Bytes } from "./bytes.ts";
import { type Call, type Operand, type Reader, type Reading, removedEntry } from "./call.ts";
import { leadsOut } from "./leads-out.ts";
import type { ActiveGate, Gate, GateRule, ToolPolicy, World } from "./policy.ts";
import { namesDirectory, parentOf, type Resolver, withoutSlashes } from "./resolve.ts";
import type { Evidence, Verdict } from "./verdict.ts";

/** A rule whose names are bound to code. */
export interface BoundRule {
	rule: GateRule;
	gate: Gate;
	reader: Reader;
}

/** A policy whose names are bound to code, by guardfile/load.ts. */
export interface BoundPolicy {
	policy: ToolPolicy;
	rules: BoundRule[];
	/** The reader of another guarded tool, for what `find -exec` runs. */
	readerOf(tool: string): Reader | undefined;
}

/** One operand is refused for one reason; the rest of its paths need not be looked at. */
function refusal(operand: Operand, gate: ActiveGate, look: Resolver): Evidence | undefined {
	const { leaf, text } = operand;
	if (leaf !== "target") {
		const path = look.entry(text);
		const why = gate.refuses(operand, path);
		if (why !== undefined) return { operand, resolved: path, links: look.walk(text, false).links, why };
		// A slash behind a link means what it leads to, but the name itself is tried as well (rm -r, rename(2)).
		if (text.length > 1 && text.endsWith("/")) return refusal({ ...operand, leaf: "entry", text: withoutSlashes(text) }, gate, look);
		// The name of a directory has no leaf to leave alone, so both readings are the same path.
		if (leaf === "entry" || namesDirectory(text)) return undefined;
	}
	const path = look.target(text);
	const why = gate.refuses(operand, path);
	return why === undefined ? undefined : { operand, resolved: path, links: look.walk(text, true).links, why };
}

/** Whether a path that does not exist yet may come to be by one of these, or below it; what climbs out of it tells nothing. */
function mayBeMade(path: Bytes, text: Bytes, after: ReadonlySet<Bytes>): boolean {
	if (path === "" || /(^|\/)\.\.(\/|$)/.test(text)) return true;
	for (let at = path; at.length > 1; at = parentOf(at)) if (after.has(at)) return true;
	return false;
}

/** A link on the way that an earlier operand of the same call replaces, or a directory that such a one makes. */
function madeOnTheWay(operand: Operand, look: Resolver): Evidence | undefined {
	const { after } = operand;
	if (after === undefined || !operand.text.includes("/")) return undefined;
	const walk = look.wayTo(operand.text);
	const replaced = walk.links.some((link) => after.has(link.at));
	if (!replaced && (walk.exists || !mayBeMade(walk.path, operand.text, after))) return undefined;
	const why = "its directory is made by an earlier operand of the same call, so where it leads is not known yet";
	return { operand, resolved: walk.path, links: walk.links, why };
}

/** Judge one operand. Operands of the same directory share the resolver's memory. */
function judgeOperand(operand: Operand, gate: ActiveGate, look: Resolver): Evidence | undefined {
	// The empty string names nothing, not the working directory (POSIX 4.13).
	if (operand.text === "") return undefined;
	if (operand.unknowable !== undefined) return { operand, resolved: "", links: [], why: operand.unknowable };
	const here = operand.look ?? (operand.at === undefined ? look : look.from(operand.at));
	return (
		refusal(operand, gate, here) ??
		(operand.after && madeOnTheWay(operand, here)) ??
		(operand.below && leadsOut(operand, operand.below, gate, here))
	);
}

/** What an allowed operand resolves to, for people. */
function shown(operand: Operand, gate: ActiveGate, look: Resolver): Evidence {
	const here = operand.look ?? (operand.at === undefined ? look : look.from(operand.at));
	const follow = operand.leaf !== "entry";
	const resolved = follow ? here.target(operand.text) : here.entry(operand.text);
	const root = gate.rootOf(resolved);
	const evidence: Evidence = { operand, resolved, links: here.walk(operand.text, follow).links };
	if (root) evidence.root = root;
	return evidence;
}

/** The directory part of a text that names an entry of it; undefined when it names the directory itself. */
function directoryOfEntry(text: Bytes): Bytes | undefined {
	const slash = text.lastIndexOf("/");
	if (text.length - slash < 4 && namesDirectory(text)) return undefined;
	return slash < 0 ? "." : text.slice(0, slash + 1);
}

function judgeRule(rule: GateRule, reading: Reading, gate: ActiveGate, look: Resolver, all: boolean): Verdict {
	const refused: Evidence[] = [];
	const seen: Evidence[] = [];
	const passes = (operand: Operand) => {
		const evidence = judgeOperand(operand, gate, look);
		if (evidence) refused.push(evidence);
		if (all) seen.push(evidence ?? shown(operand, gate, look));
		return evidence === undefined;
	};
	for (const operand of reading.operands) passes(operand);
	// A long argv names entries of one directory. Where any entry of it may go, the name makes no difference.
	let open: Bytes | undefined;
	for (const text of reading.removed ?? []) {
		const directory = all ? undefined : directoryOfEntry(text);
		if (directory !== undefined && directory === open) continue;
		if (passes(removedEntry(text)) && directory !== undefined && gate.passesAny(look.directory(directory))) open = directory;
	}
	if (refused.length === 0) for (const operand of reading.more?.() ?? []) passes(operand);
	const common = { gate: rule.gate, line: rule.line, guardfile: "", unread: reading.unread, seen };
	if (refused.length === 0) return { decision: "allow", ...common, roots: all ? gate.roots() : [] };
	return { decision: "deny", ...common, refused, roots: gate.roots(), reason: gate.reason };
}

/**
 * Judge a call by a policy.
 * @param all whether to keep the evidence of every operand (explain), not only of the refused ones
 * @returns `inert` while no gate is switched on; `deny` as soon as one gate refuses an operand; else `allow`
 */
export function judge(bound: BoundPolicy, call: Call, world: World, all = false): Verdict {
	let allowed: Verdict = { decision: "inert" };
	for (const { rule, gate, reader } of bound.rules) {
		const active = gate.activate(rule.settings, world);
		if (active === undefined) continue;
		const reading = reader.read(call, world.look, bound.readerOf);
		const verdict = judgeRule(rule, reading, active, world.look, all);
		if (verdict.decision === "deny" || verdict.decision === "allow") verdict.guardfile = bound.policy.guardfile;
		if (verdict.decision === "deny") return verdict;
		allowed = verdict;
	}
	return allowed;
}
