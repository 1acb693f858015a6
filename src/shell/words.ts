// Words: made, joined and looked into.

import type { Bytes } from "../policy/bytes.ts";
import { Exhausted, LONGEST_WORD, MOST_PIECES } from "./bounds.ts";
import type { Hole, Word } from "./reading.ts";

/** A word of known text. */
export const known = (text: Bytes): Word => ({ pieces: text === "" ? [] : [text] });

/** A word of one hole. */
export const unknown = (source: Bytes, more: Partial<Hole> = {}): Word => ({ pieces: [{ source, ...more }] });

/** The text of a word without holes. */
export function textOf(word: Word | undefined): Bytes | undefined {
	if (word === undefined) return undefined;
	let text = "";
	for (const piece of word.pieces) {
		if (typeof piece !== "string") return undefined;
		text += piece;
	}
	return text;
}

/** A word of these pieces, neighbouring texts joined. */
export function wordOf(pieces: Iterable<Bytes | Hole>): Word {
	const joined: (Bytes | Hole)[] = [];
	for (const piece of pieces) {
		const last = joined.at(-1);
		if (piece === "") continue;
		if (typeof piece === "string" && typeof last === "string") joined[joined.length - 1] = last + piece;
		else joined.push(piece);
	}
	if (String(joined.at(-1)).length > LONGEST_WORD) throw new Exhausted("a word that is too long");
	// A long text with something unknown in each line is no name of a file, and as a script it is not known.
	return { pieces: joined.length > MOST_PIECES ? [{ source: "(a text with many parts that are not known)" }] : joined };
}

/** A word that was one word of several: what it holds is not split again. */
export const whole = (word: Word): Word => ({
	pieces: word.pieces.map((piece) => {
		if (typeof piece === "string" || !piece.unquoted) return piece;
		const { unquoted: _, ...rest } = piece;
		return rest;
	}),
});

/** Words joined with a text between them. */
export function joinWords(words: readonly Word[], between: Bytes): Word {
	return wordOf(words.flatMap((word, k) => (k === 0 ? word.pieces : [between, ...word.pieces])));
}

/** The known text that a word begins with. */
export function beginning(word: Word | undefined): Bytes {
	const first = word?.pieces[0];
	return typeof first === "string" ? first : "";
}

/** A word without its first `count` bytes, which are known. */
export function withoutFirst(word: Word, count: number): Word {
	const [first, ...rest] = word.pieces;
	return typeof first === "string" ? wordOf([first.slice(count), ...rest]) : word;
}

/** A word without the newlines at its end, as a command substitution drops them. */
export function withoutNewlines(word: Word): Word {
	const pieces = [...word.pieces];
	for (let last = pieces.at(-1); typeof last === "string" && last.endsWith("\n"); last = pieces.at(-1)) {
		pieces.pop();
		const rest = last.replace(/\n+$/, "");
		if (rest !== "") pieces.push(rest);
	}
	return { pieces };
}

/** The lines of a text with holes, the last newline aside; a hole is taken to hold no newline. */
export function linesOf(word: Word, separator: Bytes = "\n"): Word[] {
	const lines: Word[] = [];
	let pieces: (Bytes | Hole)[] = [];
	for (const piece of word.pieces) {
		if (typeof piece !== "string") pieces.push(piece);
		else {
			const parts = piece.split(separator);
			for (const [k, part] of parts.entries()) {
				if (k > 0) {
					lines.push(wordOf(pieces));
					pieces = [];
				}
				pieces.push(part);
			}
		}
	}
	const last = wordOf(pieces);
	if (last.pieces.length > 0) lines.push(last);
	return lines;
}

/** Whether two words are the same. */
export function sameWord(a: Word, b: Word): boolean {
	return (
		a === b ||
		(a.pieces.length === b.pieces.length &&
			a.pieces.every((piece, k) => {
				const other = b.pieces[k];
				if (typeof piece === "string" || typeof other === "string" || other === undefined) return piece === other;
				return piece.source === other.source && piece.unset === other.unset && piece.contained === other.contained;
			}))
	);
}

/** A word as text for a message: its holes as they are written. */
export const shown = (word: Word): Bytes => word.pieces.map((piece) => (typeof piece === "string" ? piece : piece.source)).join("");

/** Whether a word is nothing but variables without a value outside of quotes: with none, it vanishes. */
export const isNothing = ({ pieces }: Word): boolean =>
	pieces.length > 0 && pieces.every((piece) => typeof piece !== "string" && piece.unset === true && piece.unquoted === true);
