// A settings file read as a tree of values that know their places in the text; comments and trailing commas may stand in it.

import { type Node, type ParseError, parseTree } from "jsonc-parser";

export type { Node } from "jsonc-parser";

/** Some editors put it at the start of a file; it is no part of the JSON. */
const BOM = "\ufeff";

/** The mark that a text starts with, and the text without it. */
export function withoutMark(text: string): { mark: string; body: string } {
	return text.startsWith(BOM) ? { mark: BOM, body: text.slice(BOM.length) } : { mark: "", body: text };
}

/** Where a place in a text is, for people. */
function placeOf(text: string, offset: number): string {
	const lines = text.slice(0, offset).split("\n");
	return `line ${lines.length}, column ${(lines.at(-1) ?? "").length + 1}`;
}

/** The tree of a text, or what is wrong with it in words. */
export function readTree(text: string): Node | string {
	const errors: ParseError[] = [];
	let tree: Node | undefined;
	try {
		tree = parseTree(text, errors, { allowTrailingComma: true });
	} catch {
		return "it is nested too deeply to be read";
	}
	const [first] = errors;
	if (first !== undefined) return `it is no valid JSON at ${placeOf(text, first.offset)}`;
	if (tree === undefined) return "it is empty";
	return tree.type === "object" ? tree : "it is no JSON object";
}

/** The properties of an object with a name. More than one of a name is asking for trouble: readers differ in which they take. */
export function members(object: Node, name: string): Node[] {
	return (object.children ?? []).filter(({ children }) => children?.[0]?.value === name);
}

/** The value of a property. */
export const valueNode = (property: Node): Node | undefined => property.children?.[1];

/** The value of the first property with a name. */
export function memberValue(object: Node | undefined, name: string): Node | undefined {
	if (object?.type !== "object") return undefined;
	const [property] = members(object, name);
	return property && valueNode(property);
}

/** A node as plain values. */
export function plain(node: Node | undefined): unknown {
	if (node === undefined) return undefined;
	if (node.type === "array") return (node.children ?? []).map(plain);
	if (node.type !== "object") return node.value;
	return Object.fromEntries((node.children ?? []).map(({ children }) => [children?.[0]?.value as string, plain(children?.[1])]));
}
