// The bounds of one reading, and the error that ends it where one is reached.

import type { Limits } from "./reading.ts";

/** Thrown where a bound is reached, caught at the door. */
export class Exhausted extends Error {}

/** execve(2) in Linux: an argv string has at most 32 pages, so that no longer command line can be handed to a shell. */
const LONGEST_ARGUMENT = 131072;

export const DEFAULT_LIMITS: Limits = { text: LONGEST_ARGUMENT, steps: 12000, depth: 48 };

/** No word may grow beyond these: bytes, and pieces. */
export const LONGEST_WORD = 262144;
export const MOST_PIECES = 1000;

/** More operators than any text has that is read to its end: each command of one takes more than one step. */
const MOST_OPERATORS = 8000;

/** Whether a text has so many operators that reading it would only take long to fail. In here-documents they are mostly data. */
export function isOverfull(text: string): boolean {
	if (text.length < MOST_OPERATORS || text.includes("<<")) return false;
	let count = 0;
	for (let k = 0; k < text.length; k++) {
		const code = text.charCodeAt(k);
		// ; & | and the backquote
		if ((code === 59 || code === 38 || code === 124 || code === 96) && ++count > MOST_OPERATORS) return true;
	}
	return false;
}
