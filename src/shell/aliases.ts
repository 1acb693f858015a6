// Aliases that a line gives: each is read as a function that may be there, since shells expand them only where they are told to.

import { type Builtin, letters } from "./call.ts";
import type { Machine } from "./machine.ts";
import { parseScript } from "./parse.ts";
import type { Word } from "./reading.ts";
import { type Body, NO_FUNCTION, type State } from "./state.ts";
import { beginning, textOf, withoutFirst } from "./words.ts";

const GIVEN = /^([^\s=/$`"'|&;()<>]+)=/;

/** The command that an alias stands for, with the words behind its name; undefined where it is no whole command. */
function bodyOf(m: Machine, value: Word): Body | undefined {
	const text = `${m.marked(value)} "$@"`;
	const script = parseScript(text);
	if (script.errors !== undefined && script.errors.length > 0) return undefined;
	return { node: { type: "CompoundList", pos: 0, end: text.length, commands: script.commands }, text, alias: true };
}

/** One word of alias(1): `NAME=TEXT` gives an alias, a name alone prints one. */
function give(m: Machine, state: State, word: Word): void {
	const [head, name] = GIVEN.exec(beginning(word)) ?? [];
	if (head === undefined || name === undefined) {
		if (textOf(word)?.includes("=") !== false) m.unclear("an alias");
		return;
	}
	const body = bodyOf(m, withoutFirst(word, head.length));
	if (body === undefined) {
		m.unclear("an alias", name);
		return;
	}
	const others = (state.functions.get(name) ?? [NO_FUNCTION]).filter((each) => !each.alias);
	m.step(1 + (state.functions.set(name, [...others, body]) >> 3));
}

/**
 * alias: in force on the lines behind it, in interactive shells and where expand_aliases is set, as the shells of some agents
 * have it (bash(1), ALIASES). The options of zsh make aliases of another kind.
 */
export const alias: Builtin = ({ m, state, words }) => {
	const { given, rest } = letters(words.slice(1), "p");
	if (given === "" && beginning(rest[0]).startsWith("-")) m.unclear("an alias");
	else for (const word of rest) give(m, state, word);
	return { ok: state };
};

/** unalias: the names stand for what they stood for before. */
export const unalias: Builtin = ({ state, words }) => {
	const { given, rest } = letters(words.slice(1), "a");
	for (const name of given === "" ? rest.map(textOf) : [...state.functions.keys()]) {
		const bodies = name === undefined ? undefined : state.functions.get(name);
		if (name === undefined || !bodies?.some((each) => each.alias)) continue;
		const others = bodies.filter((each) => !each.alias);
		if (others.length === 1 && others[0] === NO_FUNCTION) state.functions.delete(name);
		else state.functions.set(name, others);
	}
	return { ok: state };
};
