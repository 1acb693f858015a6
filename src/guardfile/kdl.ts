// The door to the KDL package: text in, nodes with their places out, or what is wrong with the syntax.

import { type Document, type Entry, getLocation, type Node, parse } from "@bgotink/kdl";
import { parse as parseVersion1 } from "@bgotink/kdl/v1-compat";
import { type Problem, type Source, type Span, shown } from "./problem.ts";
import { syntaxProblems } from "./syntax.ts";

/** An argument of a node. */
export interface Argument extends Span {
	value: string | number | boolean | null;
	/** The type annotation before it. */
	annotation: Span | undefined;
}

/** A node with what stands on its line and in its block. Its own span is its name's. */
export interface KdlNode extends Span {
	name: string;
	annotation: Span | undefined;
	args: Argument[];
	properties: (Span & { name: string })[];
	/** The nodes in its block; undefined when it has none. */
	children: KdlNode[] | undefined;
}

type Located = Parameters<typeof getLocation>[0];

function spanOf(element: Located, shift: number): Span {
	const location = getLocation(element);
	return { start: (location?.start.offset ?? 0) + shift, end: (location?.end.offset ?? 0) + shift };
}

const annotationOf = (tag: Located | null, shift: number) => (tag === null ? undefined : spanOf(tag, shift));

/** The span of an argument: what the package counts to it, without the space behind it. */
function argumentOf(entry: Entry, text: string, shift: number): Argument {
	const { start, end } = spanOf(entry, shift);
	const width = text.slice(start, end).trimEnd().length;
	return { start, end: start + width, value: entry.value.value, annotation: annotationOf(entry.value.tag, shift) };
}

function nodeOf(node: Node, text: string, shift: number): KdlNode {
	return {
		...spanOf(node.name, shift),
		name: node.name.name,
		annotation: annotationOf(node.tag, shift),
		args: node.entries.filter((entry) => entry.name === null).map((entry) => argumentOf(entry, text, shift)),
		properties: node.entries.flatMap((entry) => (entry.name ? [{ ...spanOf(entry.name, shift), name: entry.name.name }] : [])),
		children: node.children?.nodes.map((child) => nodeOf(child, text, shift)),
	};
}

/** What KDL forbids anywhere in a document (KDL 2, section 3.19); the package overlooks some of it. */
const FORBIDDEN = /(?![\s\u0080-\u009f])\p{Cc}|[\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/u;

/** Whether the document has an escape that KDL 1 does not know; the package takes such a one for text. */
function hasUnknownEscape(nodes: readonly Node[], text: string): boolean {
	const unknown = (entry: Entry) => {
		const { start, end } = spanOf(entry, 0);
		const raw = text.slice(start, end);
		return raw.startsWith('"') && raw.replaceAll(/\\[nrt\\/"bf]/g, "").includes("\\");
	};
	return nodes.some((node) => node.entries.some(unknown) || hasUnknownEscape(node.children?.nodes ?? [], text));
}

/** A document in the spelling of KDL 1 (raw strings as r"..."), when it is one. */
function readVersion1(text: string): Document | undefined {
	try {
		const document = parseVersion1(text, { storeLocations: true });
		return hasUnknownEscape(document.nodes, text) ? undefined : document;
	} catch {
		return undefined;
	}
}

/** Parse KDL 2, or what only KDL 1 allows. */
export function parseKdl(source: Source): { nodes: KdlNode[] } | { problems: Problem[] } {
	// A byte order mark is no part of the first line.
	const shift = source.text.startsWith("\ufeff") ? 1 : 0;
	const text = source.text.slice(shift);
	const forbidden = FORBIDDEN.exec(text);
	if (forbidden) {
		const at = { start: forbidden.index + shift, end: forbidden.index + shift + 1 };
		return { problems: [{ source, at, words: `the character ${shown(forbidden[0])} may not stand in a KDL document` }] };
	}
	let document: Document;
	try {
		document = parse(text, { storeLocations: true });
	} catch (error) {
		const older = readVersion1(text);
		if (older === undefined) return { problems: syntaxProblems(error, source, text, shift) };
		document = older;
	}
	return { nodes: document.nodes.map((node) => nodeOf(node, source.text, shift)) };
}
