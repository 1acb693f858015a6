// Variables whose letters change with each value: `declare -l`, `-u` and `-c` (bash(1), declare).

import type { Bytes } from "../policy/bytes.ts";
import type { Word } from "./reading.ts";
import type { State, Value } from "./state.ts";
import { textOf, unknown, wordOf } from "./words.ts";

/** What each letter of declare makes of a text. */
const CHANGES: Readonly<Record<string, (text: Bytes) => Bytes>> = {
	l: (text) => text.toLowerCase(),
	u: (text) => text.toUpperCase(),
	c: (text) => text.slice(0, 1).toUpperCase() + text.slice(1).toLowerCase(),
};

/** A mark of two ways that met: nobody knows which one holds. */
const EITHER_CASE = "?";

function changedWord(name: string, mark: string, word: Word): Word {
	const change = Object.hasOwn(CHANGES, mark) ? CHANGES[mark] : undefined;
	const text = textOf(word);
	if (text !== undefined && !/[A-Za-z\x80-\xff]/.test(text)) return word;
	// Letters outside ASCII change by the locale.
	if (text !== undefined) return change === undefined || /[\x80-\xff]/.test(text) ? unknown(`$${name}`) : wordOf([change(text)]);
	const contained = word.pieces.every((piece) => typeof piece !== "string" && (piece.contained || piece.unset));
	const unset = word.pieces.every((piece) => typeof piece !== "string" && piece.unset);
	return unset ? word : unknown(`$${name}`, contained ? { contained: true } : {});
}

/** A value as its variable keeps it. */
export function cased(state: State, name: string, value: Value): Value {
	const mark = state.cases.get(name);
	if (mark === undefined || value.kind === "unset") return value;
	if (value.kind === "word") return { kind: "word", word: changedWord(name, mark, value.word) };
	return { ...value, items: value.items.map((item) => changedWord(name, mark, item)) };
}

/** The marks of names after declare with these letters; two of them take each other away, and so does a plus. */
export function markCases(state: State, names: readonly string[], given: string, taken: string): void {
	const marks = [...new Set(given)].filter((letter) => Object.hasOwn(CHANGES, letter));
	if (marks.length === 0 && !/[luc]/.test(taken)) return;
	const cases = new Map(state.cases);
	for (const name of names) {
		const [mark, other] = marks;
		if (mark !== undefined && other === undefined) cases.set(name, mark);
		else if (mark !== undefined || taken.includes(cases.get(name) ?? "-")) cases.delete(name);
	}
	state.cases = cases;
}

/** The marks where two ways meet. */
export function joinCases(a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
	if (a === b) return a;
	const all = new Map<string, string>();
	for (const name of [...a.keys(), ...b.keys()]) all.set(name, a.get(name) === b.get(name) ? (a.get(name) as string) : EITHER_CASE);
	return all;
}
