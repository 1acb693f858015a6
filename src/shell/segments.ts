// A word on its way through the expansions: segments that remember whether they were quoted and where they came from.

import type { Bytes } from "../policy/bytes.ts";
import type { Hole, Word } from "./reading.ts";
import { wordOf } from "./words.ts";

/** A piece of a word: quoted or not, written so or the result of an expansion; `null` ends a word ("$@", arrays). */
export type Segment = { piece: Bytes | Hole; quoted: boolean; expanded: boolean } | null;

/** One word after splitting. */
export type Field = Exclude<Segment, null>[];

export const written = (piece: Bytes | Hole, quoted: boolean): Segment => ({ piece, quoted, expanded: false });

/** The result of an expansion as segments. */
export function expandedTo(word: Word, quoted: boolean): Segment[] {
	const segments: Segment[] = word.pieces.map((piece) => ({
		piece: typeof piece === "string" || quoted ? (typeof piece === "string" ? piece : withoutMark(piece)) : { ...piece, unquoted: true },
		quoted,
		expanded: true,
	}));
	// A quoted expansion to nothing is still a word, and any parts a tilde from what follows.
	return segments.length === 0 ? [{ piece: "", quoted, expanded: true }] : segments;
}

function withoutMark(hole: Hole): Hole {
	const { unquoted: _, ...rest } = hole;
	return rest;
}

/** What segments amount to when they are not split. */
export function joined(segments: readonly Segment[]): Word {
	return wordOf(
		segments.map((segment) => (segment === null ? " " : typeof segment.piece === "string" ? segment.piece : withoutMark(segment.piece))),
	);
}

const SPACES = " \t\n";

/** Cuts segments into words at the separators that unquoted expansions brought in (POSIX XCU 2.6.5). */
export function split(segments: readonly Segment[], separators: Bytes): Field[] {
	const fields: Field[] = [];
	let field: Field = [];
	let afterSpaces = false;
	const close = (always: boolean) => {
		if (always || field.length > 0) fields.push(field);
		field = [];
	};
	for (const segment of segments) {
		if (segment === null) {
			close(false);
			afterSpaces = false;
		} else if (segment.quoted || !segment.expanded || typeof segment.piece !== "string") {
			if (segment.quoted || segment.piece !== "") field.push(segment);
			afterSpaces = false;
		} else {
			const text = segment.piece;
			let start = 0;
			for (let at = 0; at <= text.length; at++) {
				const character = text[at] ?? "";
				if (at < text.length && !separators.includes(character)) continue;
				if (at > start) {
					field.push({ ...segment, piece: text.slice(start, at) });
					afterSpaces = false;
				}
				start = at + 1;
				if (at === text.length) continue;
				if (SPACES.includes(character)) {
					if (field.length > 0) {
						close(false);
						afterSpaces = true;
					}
				} else if (afterSpaces) afterSpaces = false;
				else close(true);
			}
		}
	}
	close(false);
	return fields;
}
