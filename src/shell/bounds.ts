// The bounds of one reading, and the error that ends it where one is reached.

import type { Limits } from "./reading.ts";

/** Thrown where a bound is reached, caught at the door. */
export class Exhausted extends Error {}

/** execve(2) in Linux: an argv string has at most 32 pages, so that no longer command line can be handed to a shell. */
const LONGEST_ARGUMENT = 131072;

export const DEFAULT_LIMITS: Limits = { text: LONGEST_ARGUMENT, steps: 11000, depth: 48 };

/** What a long text may take beside these: it has more to read, and each of its commands is read once at least. */
const STEPS_PER_BYTE = 4;
const LONG = 1000;
const MOST_STEPS = 44000;

/** The steps for a text of this length. */
export const stepsFor = (length: number): number =>
	Math.min(MOST_STEPS, DEFAULT_LIMITS.steps + STEPS_PER_BYTE * Math.max(0, length - LONG));

/** No word may grow beyond these: bytes, and pieces. */
export const LONGEST_WORD = 262144;
export const MOST_PIECES = 1000;

/** A text that is shorter than this is read whatever it holds. */
const SHORT = 8000;

/** More operators than any text has that is read to its end: each command of one takes more than one step. */
const MOST_OPERATORS = 8000;

/** More here-documents than any text has: for each the parser looks through all that follows. */
const MOST_DOCUMENTS = 2000;

/** Expansions within expansions: far more than are followed, and each makes the parser look through all that it holds. */
const MOST_OPEN = 300;

const occurrences = (text: string, part: string) => text.split(part).length - 1;

/** Whether the reading of a text would only take long to fail. In here-documents operators are mostly data. */
export function isOverfull(text: string): boolean {
	if (text.length < SHORT) return false;
	if (occurrences(text, "${") + occurrences(text, "$((") > MOST_OPEN && isDeep(text)) return true;
	const documents = occurrences(text, "<<");
	if (documents > 0) return documents > MOST_DOCUMENTS;
	let count = 0;
	for (const operator of [";", "&", "|", "`"]) count += occurrences(text, operator);
	return count > MOST_OPERATORS;
}

/** Whether more expansions are open somewhere than are followed. */
function isDeep(text: string): boolean {
	let [braces, parentheses] = [0, 0];
	for (const [mark] of text.matchAll(/\$\{|\}|\$\(\(|\)\)/g)) {
		if (mark === "${") braces++;
		else if (mark === "$((") parentheses++;
		else if (mark === "}") braces -= Math.min(braces, 1);
		else parentheses -= Math.min(parentheses, 1);
		if (braces + parentheses > MOST_OPEN) return true;
	}
	return false;
}
