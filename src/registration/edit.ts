// Small edits of a JSON text: what is not ours keeps its bytes, and what was put in can be taken out again without a trace.

import { type Node, readTree } from "./tree.ts";

/** How a text is laid out. */
interface Layout {
	eol: string;
	/** One step of indentation. */
	unit: string;
	/** Whether a blank stands behind colons and commas. */
	airy: boolean;
}

function layoutOf(text: string): Layout {
	const eol = /\r?\n/.exec(text)?.[0] ?? "\n";
	const unit = /\n([ \t]+)["{[]/.exec(text)?.[1] ?? "  ";
	return { eol, unit, airy: !/":\S/.test(text) };
}

const endOf = ({ offset, length }: Node) => offset + length;

/** What stands at a place, by a pattern with the flag `y`. */
function skip(text: string, at: number, pattern: RegExp): number {
	pattern.lastIndex = at;
	return at + (pattern.exec(text)?.[0].length ?? 0);
}

/** Blanks and comments. */
const TRIVIA = /(?:\s|\/\/[^\n\r]*|\/\*[\s\S]*?\*\/)*/y;
/** Comments on the line that a value ends on; they are about that value. */
const BESIDE = /(?:[ \t]*(?:\/\*(?:(?!\*\/)[^\n\r])*\*\/|\/\/[^\n\r]*))*/y;
const BLANKS = /\s*/y;

/** Where the comma behind a value stands, -1 when there is none. */
function commaAfter(text: string, end: number): number {
	const at = skip(text, end, TRIVIA);
	return text[at] === "," ? at : -1;
}

/** Whether the members of a container stand on lines of their own. */
function isLined(text: string, container: Node): boolean {
	let gaps = "";
	let at = container.offset;
	for (const child of container.children ?? []) {
		gaps += text.slice(at, child.offset);
		at = endOf(child);
	}
	return /[\n\r]/.test(gaps + text.slice(at, endOf(container)));
}

/** The blanks at the start of the line that a place is on. */
function indentAt(text: string, at: number): string {
	const start = text.lastIndexOf("\n", at - 1) + 1;
	return text.slice(start, skip(text, start, /[ \t]*/y));
}

/** A value on one line. */
function onOneLine(value: unknown, airy: boolean): string {
	if (!airy) return JSON.stringify(value);
	// Line breaks in strings are escaped, so those that are left are the layout's.
	return JSON.stringify(value, null, 1)
		.replaceAll(/([[{])\n\s*/g, "$1")
		.replaceAll(/\n\s*([\]}])/g, "$1")
		.replaceAll(/\n\s*/g, " ");
}

const onLines = (value: unknown, { eol, unit }: Layout, indent: string) =>
	JSON.stringify(value, null, unit).replaceAll("\n", `${eol}${indent}`);

/** Put a text in at a place. */
const splice = (text: string, at: number, added: string, end = at) => text.slice(0, at) + added + text.slice(end);

function insertFirst(text: string, container: Node, written: (lined: boolean, indent: string) => string, layout: Layout): string {
	const open = container.offset + 1;
	const close = endOf(container) - 1;
	const base = indentAt(text, container.offset);
	const lined = /[\n\r]/.test(text.trimEnd()) || container.parent === undefined;
	const at = open + text.slice(open, close).trimEnd().length;
	if (!lined) return splice(text, at, written(false, base));
	const indent = base + layout.unit;
	const tail = /[\n\r]/.test(text.slice(at, close)) ? "" : layout.eol + base;
	return splice(text, at, layout.eol + indent + written(true, indent) + tail);
}

/**
 * Put a member at the end of an object or a list.
 * @param name the name of the property; undefined in a list
 */
export function insert(text: string, container: Node, name: string | undefined, value: unknown): string {
	const layout = layoutOf(text);
	const label = name === undefined ? "" : `${JSON.stringify(name)}:${layout.airy ? " " : ""}`;
	const written = (lined: boolean, indent: string) => label + (lined ? onLines(value, layout, indent) : onOneLine(value, layout.airy));
	const last = container.children?.at(-1);
	if (last === undefined) return insertFirst(text, container, written, layout);
	const end = endOf(last);
	const comma = commaAfter(text, end);
	// The comma that was there goes on standing behind the last member.
	const commaed = comma < 0 ? splice(text, end, ",") : text;
	const at = skip(commaed, (comma < 0 ? end : comma) + 1, BESIDE);
	const indent = indentAt(text, last.offset);
	if (isLined(text, container)) return splice(commaed, at, layout.eol + indent + written(true, indent) + (comma < 0 ? "" : ","));
	const many = /[\n\r]/.test(text.slice(last.offset, end));
	return splice(commaed, at, (layout.airy ? " " : "") + written(many, indent) + (comma < 0 ? "" : ","));
}

/** Take pieces out of a text, given in their order. */
function cut(text: string, pieces: readonly (readonly [from: number, to: number])[]): string {
	return pieces.toReversed().reduce((left, [from, to]) => splice(left, from, "", to), text);
}

/** Whether what comes behind blanks, commas and comments on the same line would belong to the last of them. */
const endsInComment = (trivia: string) => /^(?:[\s,]|\/\*(?:[^*]|\*(?!\/))*\*\/|\/\/[^\n\r]*[\n\r])*\/\/[^\n\r]*$/.test(trivia);

/** Take a member out of an object or a list. */
export function remove(text: string, container: Node, child: Node): string {
	const children = container.children ?? [];
	const k = children.indexOf(child);
	const previous = children[k - 1];
	const before = previous === undefined ? container.offset + 1 : endOf(previous);
	const end = endOf(child);
	const comma = commaAfter(text, end);
	const ownComma = comma < 0 ? [] : [[comma, comma + 1] as const];
	const left = before + text.slice(before, child.offset).trimEnd().length;
	// What follows on this line must not become part of a comment in front.
	const inComment = endsInComment(text.slice(before, left)) && !/^[ \t]*(?:,[ \t]*)?[\n\r]/.test(text.slice(end));
	const hasLine = /[\n\r]/.test(text.slice(left, child.offset));
	if (k < children.length - 1) {
		if (hasLine && !inComment) return cut(text, [[left, end], ...ownComma]);
		// On one line the blanks behind go, so that those in front stay.
		return cut(text, [
			[child.offset, end],
			[comma, skip(text, comma + 1, BLANKS)],
		]);
	}
	const close = endOf(container) - 1;
	const empties = previous === undefined && left === before && text.slice(end, close).trim() === "";
	if (empties) return cut(text, [[left, close]]);
	const commaBefore = previous && comma < 0 ? commaAfter(text, before) : -1;
	const gone = commaBefore < 0 ? [] : [[commaBefore, commaBefore + 1] as const];
	return cut(text, [...gone, [inComment ? child.offset : left, end], ...ownComma]);
}

/** Put another value in the place of one. */
export function replace(text: string, node: Node, value: unknown): string {
	return splice(text, node.offset, JSON.stringify(value), endOf(node));
}

/** The tree of a text that is known to be one. */
export function treeOf(text: string): Node {
	const tree = readTree(text);
	if (typeof tree === "string") throw new Error(`an edit went wrong: ${tree}`);
	return tree;
}
