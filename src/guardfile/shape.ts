// The shapes that nodes of a guardfile have: which words, properties and blocks they take, and how often each may stand.

import type { Argument, KdlNode } from "./kdl.ts";
import { didYouMean } from "./nearest.ts";
import { lineOf, type Report, shown } from "./problem.ts";

/** Refuse what no node of the language has: type annotations and properties. */
export function plain(node: KdlNode, report: Report): void {
	for (const { annotation } of [node, ...node.args]) if (annotation) report.say(annotation, "a type annotation means nothing here");
	for (const property of node.properties) {
		report.say(property, `${shown(node.name)} takes no properties, and ${shown(property.name)} is one`);
	}
}

/** Refuse a block where there is nothing to say in one. */
export function noBlock(node: KdlNode, report: Report): void {
	if (node.children !== undefined) report.say(node, `${shown(node.name)} takes no block`);
}

function typeOf(argument: Argument): string {
	if (argument.value === null) return "null";
	return typeof argument.value === "boolean" ? "a truth value" : "a number";
}

/** The text of an argument; says so when it is something else. */
export function textOf(argument: Argument, report: Report): string | undefined {
	if (typeof argument.value === "string") return argument.value;
	report.say(argument, `a text is wanted here, and this is ${typeOf(argument)}; put it in quotes if it is meant as one`);
	return undefined;
}

/**
 * The one argument of a node, undefined (and reported) when it is missing or no text.
 * @param what what it is, such as `the name of a tool`
 * @param used how many arguments before it have been read
 */
export function oneArgument(node: KdlNode, what: string, report: Report, used = 0): { text: string; at: Argument } | undefined {
	const [argument, ...extra] = node.args.slice(used);
	for (const one of extra) report.say(one, `one word too many: ${shown(node.name)} takes ${what} and nothing else`);
	if (argument === undefined) {
		report.say(node, `${shown(node.name)} needs ${what}`);
		return undefined;
	}
	const text = textOf(argument, report);
	return text === undefined ? undefined : { text, at: argument };
}

/** Refuse arguments where none are read. */
export function noArguments(node: KdlNode, report: Report): void {
	const first = node.args[0];
	if (first) report.say(first, `${shown(node.name)} takes no words`);
}

/** Which nodes a block may hold. */
export interface Allowed {
	repeatable: boolean;
}

/**
 * The known nodes of a block in order; unknown ones and those that stand twice without leave are reported.
 * @param where what the block belongs to, for messages
 */
export function blockOf(node: KdlNode, known: ReadonlyMap<string, Allowed>, report: Report, where = shown(node.name)): KdlNode[] {
	const seen = new Map<string, KdlNode>();
	const found: KdlNode[] = [];
	for (const child of node.children ?? []) {
		const allowed = known.get(child.name);
		if (allowed === undefined) {
			report.say(child, `unknown word ${shown(child.name)} in ${where}${didYouMean(child.name, known.keys())}`);
			continue;
		}
		const first = seen.get(child.name);
		if (first && !allowed.repeatable) {
			report.say(child, `${shown(child.name)} is given twice; the first is in line ${lineOf(report.source, first.start)}`);
			continue;
		}
		seen.set(child.name, child);
		plain(child, report);
		found.push(child);
	}
	return found;
}
