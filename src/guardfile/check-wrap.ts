// A wrap of a guardfile: which program it stands for, whether it gets a shim, and the gates that the tool is open to.

import { type Bytes, fromText } from "../policy/bytes.ts";
import type { GateRule } from "../policy/policy.ts";
import { checkGate, type RootSets } from "./check-gate.ts";
import type { KdlNode } from "./kdl.ts";
import { didYouMean } from "./nearest.ts";
import type { Once } from "./once.ts";
import { type Report, shown } from "./problem.ts";
import { type Allowed, blockOf, noBlock, oneArgument } from "./shape.ts";
import * as words from "./words.ts";

/** One guarded tool. */
export interface Wrap {
	tool: Bytes;
	exec: Bytes;
	/** The name of its shim, when it gets one. */
	link: Bytes | undefined;
	gates: GateRule[];
	/** The guardfile that it stands in. */
	path: Bytes;
}

const IN_WRAP: ReadonlyMap<string, Allowed> = new Map([
	["exec", { repeatable: false }],
	["replace", { repeatable: false }],
	["can", { repeatable: false }],
]);

/** What a wrap cannot do without, as a person would write it. */
const NEEDED: readonly [name: string, shown: string][] = [
	["exec", '"exec": the program that it stands for'],
	["can", '"can run": the block of its gates'],
];

const GATES: ReadonlyMap<string, Allowed> = new Map([["gate", { repeatable: true }]]);

/** The gates in the block of `can run "*"` or of `files`. */
export function gatesIn(node: KdlNode, argv: boolean, sets: RootSets, report: Report): GateRule[] {
	const found = blockOf(node, GATES, report);
	if ((node.children ?? []).length === 0) report.say(node, `${shown(node.name)} has no gate, so it guards nothing`);
	return found.flatMap((gate) => checkGate(gate, argv, sets, report) ?? []);
}

/** `can run "*" { ... }`: the whole tool is open to the gates. */
function checkCan(node: KdlNode, sets: RootSets, report: Report): GateRule[] {
	const [verb] = node.args;
	if (verb === undefined) report.say(node, '"can" needs the word "run"');
	else if (verb.value !== "run") report.say(verb, `"can" knows the word "run" alone${didYouMean(String(verb.value), ["run"])}`);
	else {
		const given = oneArgument(node, '"*"', report, 1);
		if (given && given.text !== "*") report.say(given.at, '"can run" takes only "*", which opens the whole tool to the gates');
	}
	return gatesIn(node, true, sets, report);
}

/** The right word that a node has, undefined (and reported) when it is wrong. */
function wordOf(node: KdlNode, what: string, check: (text: string) => string | undefined, report: Report): string | undefined {
	const given = oneArgument(node, what, report);
	const wrong = given && check(given.text);
	if (wrong) report.say(given.at, wrong);
	return wrong ? undefined : given?.text;
}

/** The name of the shim: the tool's own, or the one that is given. */
function linkOf(node: KdlNode, tool: string | undefined, once: Once | undefined, report: Report): Bytes | undefined {
	noBlock(node, report);
	const link = node.args.length === 0 ? tool : wordOf(node, "the name of the shim", words.tool, report);
	if (link === undefined) return undefined;
	once?.claim(`link ${link}`, node.args[0] ?? node, `the shim ${shown(link)} is made`, report);
	return fromText(link);
}

/** Check one `wrap NAME { ... }`; undefined when not even its name is right. */
export function checkWrap(node: KdlNode, once: Once, sets: RootSets, report: Report): Wrap | undefined {
	const tool = wordOf(node, "the name of a tool", words.tool, report);
	const first = tool !== undefined && once.claim(`tool ${tool}`, node.args[0] ?? node, `${shown(tool)} is wrapped`, report);
	const wrap: Wrap = { tool: fromText(tool ?? ""), exec: "", link: undefined, gates: [], path: report.source.path };
	for (const child of blockOf(node, IN_WRAP, report)) {
		if (child.name === "can") wrap.gates = checkCan(child, sets, report);
		else if (child.name === "replace") {
			// A second wrap of a tool has been reported; that it makes the same shim again is no news.
			wrap.link = linkOf(child, tool, first ? once : undefined, report);
		} else {
			noBlock(child, report);
			wrap.exec = fromText(wordOf(child, "the name of a program", words.program, report) ?? "");
		}
	}
	for (const [name, needed] of NEEDED) {
		const there = node.children?.some((child) => child.name === name);
		if (!there) report.say(node, `a wrap needs ${needed}`);
	}
	return tool === undefined ? undefined : wrap;
}
