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
