// What arithmetic meets in a text: names, whose values are arithmetic in turn, and subscripts, which bash expands again.

import type { Bytes } from "../policy/bytes.ts";
import type { Machine } from "./machine.ts";
import type { Word } from "./reading.ts";
import type { State, Value } from "./state.ts";
import { textOf, unknown } from "./words.ts";

/** Numbers alone are no names. */
const isNumber = (text: Bytes) => /^[\s\d+*/%()-]*$/.test(text);

/** A text that is reckoned (bash(1), ARITHMETIC EVALUATION): each substitution in a subscript runs, also in the value of a name. */
export function reckoned(m: Machine, state: State, text: Bytes | undefined, seen: Set<string> = new Set()): void {
	if (text === undefined || isNumber(text)) return;
	if (/\$\(|`/.test(text)) {
		const subscript = /[A-Za-z_]\w*\[/.exec(text);
		if (subscript !== null) m.again(text.slice(subscript.index), state);
	}
	for (const [name] of text.matchAll(/[A-Za-z_]\w*/g)) {
		if (seen.has(name)) continue;
		seen.add(name);
		m.step();
		for (const value of state.variables.get(name)?.values ?? []) {
			if (value.kind === "word") reckoned(m, state, textOf(value.word), seen);
		}
	}
}

/** A word that is reckoned: where a part of it is a variable that is not known, each value that it may have. */
export function reckonedWord(m: Machine, state: State, word: Word): void {
	const text = textOf(word);
	if (text !== undefined) reckoned(m, state, text);
	for (const piece of text === undefined ? word.pieces : []) {
		reckoned(m, state, typeof piece === "string" ? piece : /^\$\{?([A-Za-z_]\w*)\}?$/.exec(piece.source)?.[1]);
	}
}

/** What bash expands before it prints it: in front of each command under `set -x`, and as a prompt (bash(1), PROMPTING). */
const PRINTED = new Set(["PS4", "PS0", "PS1", "PS2"]);

/** A value as its variable takes it: a variable that holds numbers reckons each, and prompts are expanded. */
export function taken(m: Machine, state: State, name: string, value: Value): Value {
	if (value.kind !== "word") return value;
	const text = textOf(value.word);
	if (PRINTED.has(name)) m.again(text, state, true);
	if (!state.numbers.has(name) || (text !== undefined && /^-?(0|[1-9]\d*)$/.test(text))) return value;
	reckoned(m, state, text);
	return { kind: "word", word: unknown(`$${name}`, { contained: true }) };
}
