// What a shell knows at one point of a script: variables, functions, the working directory, options.

import type { Bytes } from "../policy/bytes.ts";
import { joinCases } from "./cased.ts";
import { commonFacts, type Facts } from "./facts.ts";
import type { CommandNode, CompoundList } from "./parse.ts";
import type { Hole, Word } from "./reading.ts";
import { Table } from "./table.ts";
import { sameWord, unknown } from "./words.ts";

/** What a variable holds; an array by its elements from 0 on, or by `keys` (`declare -A`); `unset` when it surely has no value. */
export type Value = { kind: "word"; word: Word } | { kind: "array"; items: Word[]; keys?: string[] } | { kind: "unset" };

const NONE: ReadonlySet<string> = new Set();

/** The body of a function, and the text that its positions count in. */
export interface Body {
	node: CommandNode | CompoundList;
	text: Bytes;
	/** Whether shells that are started know it, too (`export -f`). */
	exported?: true | undefined;
	/** Whether it is an alias: within itself its name is the tool's. */
	alias?: true | undefined;
}

/** Among the bodies of a name: that there may be none, and the name is the tool's. */
export const NO_FUNCTION: Body = { node: { type: "CompoundList", pos: 0, end: 0, commands: [] }, text: "" };

const sameBody = (a: Body, b: Body): boolean => a.node === b.node && a.exported === b.exported;

/** Whether a name has the same bodies in two states. */
export const sameBodies = (a: readonly Body[] | undefined, b: readonly Body[] | undefined): boolean =>
	a === b || (a !== undefined && a.length === b?.length && a.every((body, k) => sameBody(body, b[k] as Body)));

export interface Variable {
	/** Each is possible. */
	values: Value[];
	exported: boolean;
}

/** Alternatives beyond these are one hole. */
const MOST_VALUES = 8;
const MOST_NUMBERS = 2;
const MOST_DIRECTORIES = 4;

export const sameValue = (a: Value, b: Value): boolean => {
	if (a.kind === "word" && b.kind === "word") return sameWord(a.word, b.word);
	if (a.kind === "array" && b.kind === "array") {
		const keyed = a.keys?.join("\0") === b.keys?.join("\0");
		return keyed && a.items.length === b.items.length && a.items.every((item, k) => sameWord(item, b.items[k] as Word));
	}
	return a.kind === b.kind;
};

const union = <T>(a: readonly T[], b: readonly T[], same: (x: T, y: T) => boolean): T[] => [
	...a,
	...b.filter((y) => !a.some((x) => same(x, y))),
];

const equal = <T>(a: T, b: T) => a === b;

/** Working directories that are possible; [] when not known. */
export type Directories = readonly Bytes[];

const joinDirectories = (a: Directories, b: Directories): Directories => {
	if (a.length === 0 || b.length === 0) return [];
	const all = union(a, b, equal);
	return all.length > MOST_DIRECTORIES ? [] : all;
};

/** The state of one shell. */
export class State {
	variables: Table<Variable> = new Table();
	functions: Table<Body[]> = new Table();
	/** The options of `set` and `shopt` that are on. */
	options: ReadonlySet<string> = new Set();
	/** The variables that hold numbers alone (`declare -i`). */
	numbers: ReadonlySet<string> = NONE;
	/** The variables that keep what they hold (`readonly`). */
	constants: ReadonlySet<string> = NONE;
	/** The variables that stand for another one (`declare -n`). */
	references: ReadonlyMap<string, string> = new Map();
	/** The variables whose letters change (`declare -l`), by the letter that says how. */
	cases: ReadonlyMap<string, string> = new Map();
	/** The bodies of traps, by signal. */
	traps: ReadonlyMap<string, Word> = new Map();
	cwd: Directories = [];
	/** Where it stands as well if a `cd` failed that presumably works: the line may have made the directory. */
	astray: Directories = [];
	/** Whether it is here because such a `cd` failed. */
	strays = false;
	/** Where it stands, and nobody knows, if a variable without a value is without one there, too: `cd $UNSET` goes home. */
	homeward: Bytes | undefined;
	/** Whether nothing of the environment is handed on but what was set since (`env -i`). */
	cleared = false;
	/** Where `cd -` goes; undefined when nothing moved yet. */
	oldCwd: Directories | undefined;
	/** The stack of pushd, the working directory aside; undefined when it is not known. */
	stack: readonly Directories[] | undefined = [];
	/** $0. */
	zero: Word = unknown("$0");
	/** $1 and on; undefined when they are not known. */
	positional: readonly Word[] | undefined;
	/** Whether commands that nobody knows ran in this shell: they may have set any variable. */
	foreign = false;
	/** Whether something here may have more than one possible value. */
	forked = false;
	/** How commands ended on every way to here. */
	facts: Facts | undefined;

	/** No name is marked any more, as in a shell that starts. */
	unmarked(): void {
		this.numbers = NONE;
		this.constants = NONE;
		this.references = new Map();
		this.cases = new Map();
	}

	/** A copy that goes its own way. */
	fork(): State {
		const copy = new State();
		Object.assign(copy, this);
		copy.variables = this.variables.fork();
		copy.functions = this.functions.fork();
		return copy;
	}
}

/** A shell that did not get to where its line goes on. */
export function stranded(state: State): State {
	const here = state.fork();
	here.strays = true;
	return here;
}

const holeNamed = (name: string, more: Partial<Hole> = {}): Variable => ({
	values: [{ kind: "word", word: unknown(`$${name}`, more) }],
	exported: false,
});

/** A counter: which number it is says nothing about where it leads. */
const isNumeric = (value: Value) =>
	value.kind === "word" &&
	value.word.pieces.length === 1 &&
	value.word.pieces.every((piece) => (typeof piece === "string" ? /^\d+$/.test(piece) : piece.contained === true));

function joinVariables(name: string, a: Variable | undefined, b: Variable | undefined, outer: (name: string) => Value): Variable {
	const [first, second] = [a?.values ?? [outer(name)], b?.values ?? [outer(name)]];
	const exported = a?.exported === true || b?.exported === true;
	const values = union(first, second, sameValue);
	if (values.length > MOST_NUMBERS && values.every(isNumeric)) return { ...holeNamed(name, { contained: true }), exported };
	return values.length > MOST_VALUES ? { ...holeNamed(name), exported } : { values, exported };
}

const samePositional = (a: readonly Word[] | undefined, b: readonly Word[] | undefined) =>
	a === b || (a !== undefined && b !== undefined && a.length === b.length && a.every((word, k) => sameWord(word, b[k] as Word)));

/** Directories of which none is forgotten, up to a bound. */
const allOf = (...lists: readonly Directories[]): Directories => [...new Set(lists.flat())].slice(0, MOST_DIRECTORIES);

/**
 * What is known where two ways meet: either state is possible.
 * @param outer what a variable is that one of them did not assign
 */
export function joinStates(a: State, b: State, outer: (name: string) => Value): State {
	if (a === b) return a;
	const joined = a.fork();
	joined.forked ||= b.forked;
	joined.foreign ||= b.foreign;
	joined.facts = commonFacts(a.facts, b.facts);
	if (!a.variables.same(b.variables)) {
		for (const name of a.variables.differing(b.variables)) {
			const [one, other] = [a.variables.get(name), b.variables.get(name)];
			if (one === other) continue;
			const variable = joinVariables(name, one, other, outer);
			joined.variables.set(name, variable);
			joined.forked ||= variable.values.length > 1;
		}
	}
	if (!a.functions.same(b.functions)) {
		for (const name of a.functions.differing(b.functions)) {
			const [one, other] = [a.functions.get(name), b.functions.get(name)];
			if (one !== undefined || other !== undefined)
				joined.functions.set(name, union(one ?? [NO_FUNCTION], other ?? [NO_FUNCTION], sameBody));
		}
	}
	if (a.strays === b.strays) {
		joined.cwd = joinDirectories(a.cwd, b.cwd);
		joined.astray = allOf(a.astray, b.astray);
	} else {
		const [here, stray] = a.strays ? [b, a] : [a, b];
		joined.cwd = here.cwd;
		joined.astray = allOf(here.astray, stray.cwd, stray.astray);
		joined.strays = false;
	}
	joined.homeward = joined.cwd.length === 0 ? (a.homeward ?? b.homeward) : undefined;
	joined.forked ||= joined.cwd.length > 1;
	joined.oldCwd = a.oldCwd === undefined || b.oldCwd === undefined ? (a.oldCwd ?? b.oldCwd) : joinDirectories(a.oldCwd, b.oldCwd);
	joined.stack = joinStacks(a.stack, b.stack);
	joined.traps = new Map([...b.traps, ...a.traps]);
	if (a.numbers !== b.numbers) joined.numbers = new Set([...a.numbers, ...b.numbers]);
	if (a.constants !== b.constants) joined.constants = new Set([...a.constants, ...b.constants]);
	if (a.references !== b.references) joined.references = new Map([...a.references, ...b.references]);
	joined.cases = joinCases(a.cases, b.cases);
	if (!samePositional(a.positional, b.positional)) joined.positional = undefined;
	if (!sameWord(a.zero, b.zero)) joined.zero = unknown("$0");
	return joined;
}

function joinStacks(a: State["stack"], b: State["stack"]): State["stack"] {
	if (a === b || a === undefined || b === undefined) return a === b ? a : undefined;
	return a.length === b.length ? a.map((entry, k) => joinDirectories(entry, b[k] ?? [])) : undefined;
}

/** How a command may end: with status 0, with another one, or not at all (it leaves the script). */
export interface Outcome {
	ok?: State | undefined;
	bad?: State | undefined;
	/** The ends that are come to exactly if the facts hold that are known there and were not at the start. */
	exact?: "ok" | "bad" | "both" | undefined;
}

/** Both ends are possible. */
export const either = (state: State): Outcome => ({ ok: state, bad: state });
