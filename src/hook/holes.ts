// Words that are known in part only: how they pass through the operand readers, and what can be said of an operand with a hole in it.

import type { Bytes } from "../policy/bytes.ts";
import { type Operand, operandsOf, type Reader } from "../policy/call.ts";
import type { Root } from "../policy/policy.ts";
import { isBelow, type Resolver } from "../policy/resolve.ts";
import type { Hole, Word } from "../shell/reading.ts";

/** A hole within a word stands as its number between two NULs, which no argv can hold. */
const MARK = /\0(\d+)\0/g;

/** The holes of one call, by their numbers. */
export class Holes {
	readonly #holes: Hole[] = [];

	/** A word as a reader takes it. @param empty whether an unset variable is taken for empty, as a shell does */
	argument(word: Word, empty = false): Bytes {
		let text = "";
		for (const piece of word.pieces) {
			if (typeof piece === "string") text += piece;
			else if (!(empty && piece.unset)) text += `\0${this.#holes.push(piece) - 1}\0`;
		}
		return text;
	}

	get areNone(): boolean {
		return this.#holes.length === 0;
	}

	/** Whether every hole of a text stands for a name or for what lies below, and leads nowhere else. */
	areContained(text: Bytes): boolean {
		return [...text.matchAll(MARK)].every(([, number]) => this.#holes[Number(number)]?.contained === true);
	}

	/** The text as somebody wrote it. */
	written(text: Bytes): Bytes {
		return this.#holes.length === 0 ? text : text.replace(MARK, (_, number) => this.#holes[Number(number)]?.source ?? "?");
	}
}

/** The known text of a word, undefined when a part of it is not known. */
export function textOf({ pieces }: Word): Bytes | undefined {
	let text = "";
	for (const piece of pieces) {
		if (typeof piece !== "string") return undefined;
		text += piece;
	}
	return text;
}

/** Words of a call; a word that is nothing but unset variables outside quotes vanishes when they are empty. */
export function argumentsOf(words: readonly Word[], holes: Holes, empty = false): Bytes[] {
	const vanishes = ({ pieces }: Word) =>
		pieces.length > 0 && pieces.every((piece) => typeof piece !== "string" && piece.unset && piece.unquoted);
	const found: Bytes[] = [];
	for (const word of words) if (!empty || !vanishes(word)) found.push(holes.argument(word, empty));
	return found;
}

/** Streams of the process that runs, whatever they are; not this one's. */
const STREAM = /^\/dev\/(stdin|stdout|stderr|fd\/\d+)$|^\/proc\/(self|thread-self)\/fd\/\d+$/;
const OWN = /^\/proc\/(self|thread-self)(\/|$)/;
/** The process's working directory and root, which are known where the call's are (proc(5)). */
const OWN_PLACE = /^\/proc\/(?:self|thread-self)\/(cwd|root)(?=\/)/;

/** What an operand comes to when not all of it is known. */
type Known = { operand: Operand } | { unknown: Bytes } | undefined;

/** What is asked of the call that an operand belongs to. */
export interface Standing {
	look: Resolver;
	/** Whether its working directory is known. */
	known: boolean;
	roots: readonly Root[];
}

/** Whether a directory lies outside, and holds no root either: then nothing that is named from there on leads back in. */
function isForeign(directory: Bytes, roots: readonly Root[]): boolean {
	const kept = roots.filter(({ dropped }) => dropped === undefined);
	return kept.every(({ real }) => directory !== real && !isBelow(directory, real) && !isBelow(real, directory) && directory !== "/");
}

/** An operand with a hole: judged by its literal directory where that says enough. */
function ofHole(operand: Operand, holes: Holes, { look, roots }: Standing): Known {
	const { text } = operand;
	const hole = text.indexOf("\0");
	const slash = text.lastIndexOf("/", hole);
	const written = holes.written(text);
	const here = operand.at === undefined ? look : look.from(operand.at);
	const directory = slash < 0 ? "." : text.slice(0, slash + 1);
	const rest = text.slice(slash + 1);
	const climbs = /(^|\/)\.\.(\/|$)/.test(rest);
	if (slash < 0 && !holes.areContained(text)) return { unknown: written };
	const real = here.directory(directory);
	// A name in that directory, whichever it is: its last component is never followed by rm and mv.
	const oneName = holes.areContained(text) && !climbs && !holes.written(rest).includes("/");
	const isInside = roots.some((root) => root.dropped === undefined && (real === root.real || isBelow(real, root.real)));
	// What is followed may be a link that leads out, where it lies inside.
	if (oneName && (operand.leaf === "entry" || !isInside))
		return { operand: { ...operand, text: directory === "." ? written : directory + holes.written(rest), leaf: "entry" } };
	if (real !== "" && isForeign(real, roots)) return { operand: { ...operand, text: directory + holes.written(rest), leaf: "entry" } };
	// Below an inside directory a link may lead out; that is for whoever sees the real argv.
	return { unknown: written };
}

function known(given: Operand, holes: Holes, standing: Standing): Known {
	const isSpecial = given.text.startsWith("/proc/") || given.text.startsWith("/dev/");
	const place = isSpecial ? OWN_PLACE.exec(given.text) : null;
	const operand = place === null ? given : { ...given, text: `${place[1] === "cwd" ? "." : ""}${given.text.slice(place[0].length)}` };
	const { text } = operand;
	if (isSpecial && STREAM.test(text)) return undefined;
	if (isSpecial && OWN.test(text)) return { unknown: text };
	const relative = !text.startsWith("/");
	if (relative && operand.at === undefined && !standing.known && text !== "") return { unknown: holes.written(text) };
	if (operand.at?.includes("\0")) return { unknown: holes.written(text) };
	return text.includes("\0") ? ofHole(operand, holes, standing) : { operand };
}

/** What is known of operands; the others are collected in `unknown` as they are written. */
export function knownOperands(operands: readonly Operand[], holes: Holes, standing: Standing, unknown: Bytes[]): Operand[] {
	const kept: Operand[] = [];
	for (const operand of operands) {
		const found = known(operand, holes, standing);
		if (found === undefined) continue;
		if ("operand" in found) kept.push(found.operand);
		else unknown.push(found.unknown);
	}
	return kept;
}

/** A reader that knows no more than the text of a command line says. */
export function readerOfText(reader: Reader, holes: Holes, standing: Standing, unknown: Bytes[]): Reader {
	return {
		name: reader.name,
		read(call, look, readerOf) {
			const reading = reader.read(call, look, readerOf);
			const operands = knownOperands(operandsOf(reading), holes, standing, unknown);
			return { operands, unread: reading.unread.length === 0 ? [] : reading.unread.map((word) => holes.written(word)) };
		},
	};
}
