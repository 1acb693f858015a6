// Brace expansion: {a,b} and {1..9}, on segments that are written, unquoted text.

import type { Segment } from "./segments.ts";

/** Words that one word may become. */
const MOST_WORDS = 500;
/** Braces that one word may hold, and its characters: each is looked at again for each brace. */
const MOST_BRACES = 40;
const MOST_CHARACTERS = 4000;

/** One character of a word, or a segment that no brace can be in. */
type Unit = { character: string } | { segment: Segment };

function unitsOf(segments: readonly Segment[]): Unit[] {
	return segments.flatMap((segment): Unit[] => {
		if (segment === null || segment.quoted || segment.expanded || typeof segment.piece !== "string") return [{ segment }];
		return [...segment.piece].map((character) => ({ character }));
	});
}

function segmentsOf(units: readonly Unit[]): Segment[] {
	const segments: Segment[] = [];
	let text = "";
	const flush = () => {
		if (text !== "") segments.push({ piece: text, quoted: false, expanded: false });
		text = "";
	};
	for (const unit of units) {
		if ("character" in unit) text += unit.character;
		else {
			flush();
			segments.push(unit.segment);
		}
	}
	flush();
	return segments;
}

/** The brace that opens at `at`: where its commas are and where it closes; undefined when it stays open. */
function braceAt(units: readonly Unit[], at: number): { commas: number[]; close: number } | undefined {
	const commas: number[] = [];
	let depth = 0;
	for (let k = at + 1; k < units.length; k++) {
		const unit = units[k] as Unit;
		if (!("character" in unit)) continue;
		if (unit.character === "{") depth++;
		else if (unit.character === "}" && depth-- === 0) return { commas, close: k };
		else if (unit.character === "," && depth === 0) commas.push(k);
	}
	return undefined;
}

const NUMBERS = /^([-+]?\d{1,9})\.\.([-+]?\d{1,9})(?:\.\.([-+]?\d{1,9}))?$/;
const LETTERS = /^([A-Za-z])\.\.([A-Za-z])(?:\.\.([-+]?\d{1,9}))?$/;

/** The words of a sequence expression; undefined when it is none, "endless" when it is longer than is read. */
function sequence(text: string): string[] | "endless" | undefined {
	const [numbers, letters] = [NUMBERS.exec(text), LETTERS.exec(text)];
	const found = numbers ?? letters;
	if (found === null) return undefined;
	const end = (written: string) => (letters ? written.charCodeAt(0) : Number(written));
	const [from, to, step] = [end(found[1] as string), end(found[2] as string), Math.abs(Number(found[3] ?? 1)) || 1];
	if (Math.abs(to - from) / step >= MOST_WORDS) return "endless";
	// What lies between Z and a is quoted differently from version to version.
	if (letters && from > 90 !== to > 90) return "endless";
	const width = numbers && [found[1], found[2]].some((written) => /^[-+]?0\d/.test(written as string));
	const digits = width ? Math.max((found[1] as string).length, (found[2] as string).length) : 0;
	const words: string[] = [];
	for (let at = from; from <= to ? at <= to : at >= to; at += from <= to ? step : -step) {
		const sign = at < 0 ? "-" : "";
		words.push(letters ? String.fromCharCode(at) : sign + String(Math.abs(at)).padStart(digits - sign.length, "0"));
	}
	return words;
}

function alternatives(units: readonly Unit[], at: number, brace: { commas: number[]; close: number }): Unit[][] | undefined {
	const inside = units.slice(at + 1, brace.close);
	if (brace.commas.length > 0) {
		const cuts = [at, ...brace.commas, brace.close];
		return cuts.slice(1).flatMap((cut, k) => expandUnits(units.slice((cuts[k] as number) + 1, cut)));
	}
	const text = inside.map((unit) => ("character" in unit ? unit.character : "\0")).join("");
	const words = sequence(text);
	return words === "endless" ? tooMany : words?.map((word) => [...word].map((character) => ({ character })));
}

/** More words than are read: what calls it sees that. */
const tooMany: Unit[][] = new Array<Unit[]>(MOST_WORDS + 1).fill([]);

function expandUnits(units: readonly Unit[]): Unit[][] {
	for (let at = 0; at < units.length; at++) {
		const unit = units[at] as Unit;
		if (!("character" in unit) || unit.character !== "{") continue;
		const brace = braceAt(units, at);
		const inner = brace && alternatives(units, at, brace);
		if (brace === undefined || inner === undefined) continue;
		const before = units.slice(0, at);
		const after = expandUnits(units.slice(brace.close + 1));
		if (inner.length * after.length > MOST_WORDS) return tooMany;
		return inner.flatMap((middle) => after.map((rest) => [...before, ...middle, ...rest]));
	}
	return [[...units]];
}

/** The words that a word becomes; one hole when there would be too many. */
export function braced(segments: readonly Segment[]): Segment[][] {
	let [braces, characters] = [0, 0];
	for (const segment of segments) {
		if (segment === null || segment.quoted || segment.expanded || typeof segment.piece !== "string") continue;
		braces += segment.piece.split("{").length - 1;
		characters += segment.piece.length;
	}
	if (braces === 0) return [[...segments]];
	const words = braces > MOST_BRACES || characters > MOST_CHARACTERS ? undefined : expandUnits(unitsOf(segments));
	if (words !== undefined && words.length <= MOST_WORDS) return words.map(segmentsOf);
	const source = segments.map((segment) => (segment === null || typeof segment.piece !== "string" ? "" : segment.piece)).join("");
	return [[{ piece: { source: source.slice(0, 200), unquoted: true }, quoted: false, expanded: true }]];
}
