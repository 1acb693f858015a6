// A command whose words are known, on its way through functions, built-ins and wrappers.

import type { Machine } from "./machine.ts";
import type { Word } from "./reading.ts";
import type { Outcome, State, Value } from "./state.ts";
import { textOf } from "./words.ts";

/** A command of words in a state. */
export interface Call {
	m: Machine;
	state: State;
	/** words[0] is its name. */
	words: Word[];
	/** What array assignments among the words hold. */
	values?: Map<Word, Value>;
}

/** What a built-in does with a call of it. */
export type Builtin = (call: Call) => Outcome;

/** Options at the front of a built-in's words: the letters that were given, and what is left. */
export function letters(words: readonly Word[], known: string): { given: string; rest: Word[] } {
	let given = "";
	for (let at = 0; at < words.length; at++) {
		const text = textOf(words[at]);
		if (text === "--") return { given, rest: words.slice(at + 1) };
		if (text === undefined || text.length < 2 || !text.startsWith("-") || [...text.slice(1)].some((letter) => !known.includes(letter))) {
			return { given, rest: words.slice(at) };
		}
		given += text.slice(1);
	}
	return { given, rest: [] };
}
