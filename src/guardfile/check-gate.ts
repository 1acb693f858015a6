// A gate of a guardfile: its name and options bound to what the code offers, a set of roots put in place of its name.

import { gates } from "../gates/index.ts";
import { readers } from "../operands/index.ts";
import { fromText } from "../policy/bytes.ts";
import type { Gate, GateOption, GateRule, Settings } from "../policy/policy.ts";
import type { KdlNode } from "./kdl.ts";
import { didYouMean } from "./nearest.ts";
import { lineOf, type Report, shown } from "./problem.ts";
import { type Allowed, blockOf, noBlock, oneArgument } from "./shape.ts";
import * as words from "./words.ts";

/** One option with its value, in the order of the guardfile. */
export type Setting = [option: string, value: string];

/** What `roots "NAME" { ... }` stands for, by name. */
export interface RootSets {
	sets: ReadonlyMap<string, Setting[]>;
	/** Whether these are all; a guardfile that cannot be read may hold more. */
	complete: boolean;
}

/** What the value of an option is called, and what it must look like. */
const VALUES: Record<Exclude<GateOption["value"], "choice">, { what: string; check(text: string): string | undefined }> = {
	variable: { what: "the name of a variable", check: words.variable },
	directory: { what: "a directory", check: words.directory },
	text: { what: "a text", check: words.text },
};

/** What a value must be that is one of some words. */
export function oneOf(choices: readonly string[]): { what: string; check(text: string): string | undefined } {
	const what = choices
		.map(shown)
		.join(", ")
		.replace(/, ([^,]*)$/, " or $1");
	return { what, check: (text) => (choices.includes(text) ? undefined : `${shown(text)} is not ${what}${didYouMean(text, choices)}`) };
}

/** The value of one option, undefined (and reported) when it is wrong. */
function settingOf(node: KdlNode, option: GateOption, report: Report): Setting | undefined {
	noBlock(node, report);
	const { what, check } = option.value === "choice" ? oneOf(option.choices ?? []) : VALUES[option.value];
	const given = oneArgument(node, what, report);
	if (given === undefined) return undefined;
	const wrong = check(given.text);
	if (wrong) report.say(given.at, wrong);
	return wrong ? undefined : [node.name, given.text];
}

/** The options that a set of roots may hold: those of any gate that name directories, or variables that hold some. */
const ROOT_OPTIONS: ReadonlyMap<string, GateOption> = new Map(
	[...gates.values()].flatMap((gate) =>
		Object.entries(gate.options).filter(([, option]) => option.value !== "text" && option.value !== "choice"),
	),
);

/** The settings in the block of `roots "NAME" { ... }`. */
export function rootSettings(node: KdlNode, report: Report): Setting[] {
	const settings: Setting[] = [];
	for (const child of blockOf(node, ROOT_OPTIONS, report)) {
		const setting = settingOf(child, ROOT_OPTIONS.get(child.name) as GateOption, report);
		if (setting) settings.push(setting);
	}
	if ((node.children ?? []).length === 0) report.say(node, `${shown(node.name)} names no roots: they stand in a block behind it`);
	return settings;
}

/** The settings that `roots "NAME"` within a gate stands for; undefined when they are not known. */
function namedRoots(node: KdlNode, gate: Gate, { sets, complete }: RootSets, report: Report): Setting[] | undefined {
	if (node.children !== undefined) {
		report.say(node, '"roots" with a block stands at the top of a guardfile; within a gate it names such a set');
		return undefined;
	}
	const given = oneArgument(node, "the name of a set of roots", report);
	if (given === undefined) return undefined;
	const set = sets.get(given.text);
	if (set === undefined) {
		if (complete) report.say(given.at, `there are no roots ${shown(given.text)}${didYouMean(given.text, sets.keys())}`);
		return undefined;
	}
	const foreign = set.find(([option]) => !Object.hasOwn(gate.options, option));
	if (foreign) report.say(given.at, `roots ${shown(given.text)} hold ${shown(foreign[0])}, which ${gate.name} does not take`);
	return foreign ? undefined : set;
}

function readerName(node: KdlNode, report: Report): string | undefined {
	noBlock(node, report);
	const given = oneArgument(node, "the name of an operand reader", report);
	if (given === undefined || readers.has(given.text)) return given?.text;
	report.say(given.at, `unknown operand reader ${shown(given.text)}${didYouMean(given.text, readers.keys())}`);
	return undefined;
}

/** `files` is about what has no argv, so nothing reads operands there. */
function noArgv(node: KdlNode, report: Report): undefined {
	report.say(node, '"operands" has no place in "files": what is judged there has no argv to read');
}

/** The words that a gate's block may hold: its own options, and the two that the language has for every gate. */
function allowedIn(gate: Gate): ReadonlyMap<string, Allowed> {
	const allowed = new Map<string, Allowed>(Object.entries(gate.options));
	return allowed.set("operands", { repeatable: false }).set("roots", { repeatable: true });
}

/** The gate that a node names. */
function gateOf(node: KdlNode, report: Report): Gate | undefined {
	const given = oneArgument(node, "the name of a gate", report);
	if (given === undefined) return undefined;
	const gate = gates.get(given.text);
	if (gate === undefined) report.say(given.at, `unknown gate ${shown(given.text)}${didYouMean(given.text, gates.keys())}`);
	return gate;
}

/** What is missing, or wrong with the settings as a whole. */
function checkWhole(node: KdlNode, gate: Gate, settings: Settings, operands: boolean, report: Report): void {
	const required = Object.keys(gate.options).filter((option) => gate.options[option]?.required);
	const missing = required.filter((option) => !Object.hasOwn(settings, option));
	if (operands) missing.unshift("operands");
	for (const option of missing) report.say(node, `${gate.name} needs ${shown(option)}`);
	const wrong = gate.check(settings);
	if (wrong) report.say(node, `${gate.name} ${wrong}`);
}

/**
 * Check one `gate NAME { ... }`.
 * @param argv whether it stands in a wrap, where operands are read
 */
export function checkGate(node: KdlNode, argv: boolean, sets: RootSets, report: Report): GateRule | undefined {
	const gate = gateOf(node, report);
	if (gate === undefined) return undefined;
	const before = report.problems.length;
	const settings: Settings = {};
	let operands: string | undefined;
	let known = true;
	const add = ([option, value]: Setting) => {
		settings[option] = [...(settings[option] ?? []), fromText(value)];
	};
	for (const child of blockOf(node, allowedIn(gate), report, `gate ${gate.name}`)) {
		if (child.name === "operands") operands = argv ? readerName(child, report) : noArgv(child, report);
		else if (child.name === "roots") {
			const set = namedRoots(child, gate, sets, report);
			if (set) set.forEach(add);
			else known = false;
		} else {
			const setting = settingOf(child, gate.options[child.name] as GateOption, report);
			if (setting) add(setting);
		}
	}
	// What is missing may be what was just refused, and saying so twice would help nobody.
	if (known && report.problems.length === before) checkWhole(node, gate, settings, argv && operands === undefined, report);
	const line = lineOf(report.source, node.start);
	return { gate: gate.name, line, settings, ...(operands !== undefined && { operands }) };
}
