// Rows and names of which there are so many that one hole stands for all behind the first few.

import type { Bytes } from "../policy/bytes.ts";
import type { Machine } from "./machine.ts";
import { from } from "./places.ts";
import type { Word } from "./reading.ts";
import type { State } from "./state.ts";
import { textOf } from "./words.ts";

/** More names or rows than these are not looked at each: for a loop, for one within it, and for one within that. */
const MOST_NAMES = [64, 16, 4];
const FIRST_NAMES = [8, 2, 1];

/** How many of a loop's rounds are looked at each where there are more than are; as loops lie within each other. */
export function roundsOf(m: Machine): { most: number; first: number } {
	const depth = Math.min(m.frames.filter(({ kind }) => kind === "loop").length, 2);
	return { most: MOST_NAMES[depth] as number, first: FIRST_NAMES[depth] as number };
}

/** A word that leads down or nowhere: no option, no way up, nothing that a shell expands. */
const PLAIN = /^\w[\w.+:@%,=~&#/()!-]*$/;
/** A way up, or a path from the top behind a mark at which it may be cut; the marks of an address are none. */
const CLIMBS = /(^|[^\w.])\.\.([^\w.]|$)|[^\w./](?<!\w:)\//;

/** Whether words all lead down from here without a link on their way: what one of them may do the others may. */
export function areAlike(m: Machine, state: State, words: readonly (Word | Bytes | undefined)[]): boolean {
	const seen = new Set<Bytes>();
	const [cwd, other] = state.cwd;
	// What earlier commands linked is not on the disk yet.
	if (m.events.some((event) => event.kind === "call" && /^(ln|link|cp|mv)$/.test(textOf(event.words[0]) ?? ""))) return false;
	for (const word of words) {
		const text = typeof word === "object" ? textOf(word) : word;
		if (text === undefined) return false;
		for (const token of text.split(/[ \t]+/)) {
			if (token === "") continue;
			if (!PLAIN.test(token) || CLIMBS.test(token)) return false;
			if (other !== undefined || (cwd !== undefined && meetsLink(m, cwd, token, seen))) return false;
		}
	}
	return true;
}

/** Whether a link lies on the way of a path, or at its end. */
function meetsLink(m: Machine, cwd: Bytes, token: Bytes, seen: Set<Bytes>): boolean {
	let at = "";
	for (const part of token.split("/")) {
		at = at === "" ? part : `${at}/${part}`;
		if (seen.has(at)) continue;
		seen.add(at);
		const path = from(cwd, at);
		if (m.around.files.readlink(path) !== undefined) return true;
		if (m.around.files.kind(path, false) !== "directory") return false;
	}
	return false;
}
