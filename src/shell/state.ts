// What a shell knows at one point of a script: variables, functions, the working directory, options.

import type { Bytes } from "../policy/bytes.ts";
import { commonFacts, type Facts } from "./facts.ts";
import type { CommandNode, CompoundList } from "./parse.ts";
import type { Word } from "./reading.ts";
import { sameWord, unknown } from "./words.ts";

/** What a variable holds; an array by its elements from 0 on, or by `keys` (`declare -A`); `unset` when it surely has no value. */
export type Value = { kind: "word"; word: Word } | { kind: "array"; items: Word[]; keys?: string[] } | { kind: "unset" };

/** The body of a function, and the text that its positions count in. */
export interface Body {
	node: CommandNode | CompoundList;
	text: Bytes;
	/** Whether shells that are started know it, too (`export -f`). */
	exported?: true;
}

export interface Variable {
	/** Each is possible. */
	values: Value[];
	exported: boolean;
}

/** Alternatives beyond these are one hole. */
const MOST_VALUES = 8;
const MOST_DIRECTORIES = 4;
const MOST_BODIES = 4;

/** A table that copies share until one of them writes. */
class Table<T> {
	#map: Map<string, T>;
	#shared: boolean;

	constructor(map: Map<string, T> = new Map(), shared = false) {
		this.#map = map;
		this.#shared = shared;
	}

	fork(): Table<T> {
		this.#shared = true;
		return new Table(this.#map, true);
	}

	get size(): number {
		return this.#map.size;
	}

	get(name: string): T | undefined {
		return this.#map.get(name);
	}

	/** @returns the entries that had to be copied. */
	set(name: string, value: T): number {
		const copied = this.#shared ? this.#map.size : 0;
		if (this.#shared) this.#map = new Map(this.#map);
		this.#shared = false;
		this.#map.set(name, value);
		return copied;
	}

	delete(name: string): void {
		if (!this.#map.has(name)) return;
		if (this.#shared) this.#map = new Map(this.#map);
		this.#shared = false;
		this.#map.delete(name);
	}

	keys(): Iterable<string> {
		return this.#map.keys();
	}

	same(other: Table<T>): boolean {
		return this.#map === other.#map;
	}
}

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
	/** The bodies of traps, by signal. */
	traps: ReadonlyMap<string, Word> = new Map();
	cwd: Directories = [];
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

	/** A copy that goes its own way. */
	fork(): State {
		const copy = new State();
		Object.assign(copy, this);
		copy.variables = this.variables.fork();
		copy.functions = this.functions.fork();
		return copy;
	}
}

const holeNamed = (name: string): Variable => ({ values: [{ kind: "word", word: unknown(`$${name}`) }], exported: false });

function joinVariables(name: string, a: Variable | undefined, b: Variable | undefined, outer: (name: string) => Value): Variable {
	const [first, second] = [a?.values ?? [outer(name)], b?.values ?? [outer(name)]];
	const exported = a?.exported === true || b?.exported === true;
	const values = union(first, second, sameValue);
	return values.length > MOST_VALUES ? { ...holeNamed(name), exported } : { values, exported };
}

const samePositional = (a: readonly Word[] | undefined, b: readonly Word[] | undefined) =>
	a === b || (a !== undefined && b !== undefined && a.length === b.length && a.every((word, k) => sameWord(word, b[k] as Word)));

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
		for (const name of new Set([...a.variables.keys(), ...b.variables.keys()])) {
			const [one, other] = [a.variables.get(name), b.variables.get(name)];
			if (one === other) continue;
			const variable = joinVariables(name, one, other, outer);
			joined.variables.set(name, variable);
			joined.forked ||= variable.values.length > 1;
		}
	}
	if (!a.functions.same(b.functions)) {
		for (const name of b.functions.keys()) {
			const bodies = union(a.functions.get(name) ?? [], b.functions.get(name) ?? [], equal);
			joined.functions.set(name, bodies.slice(0, MOST_BODIES));
		}
	}
	joined.cwd = joinDirectories(a.cwd, b.cwd);
	joined.forked ||= joined.cwd.length > 1;
	joined.oldCwd = a.oldCwd === undefined || b.oldCwd === undefined ? (a.oldCwd ?? b.oldCwd) : joinDirectories(a.oldCwd, b.oldCwd);
	joined.stack = joinStacks(a.stack, b.stack);
	joined.traps = new Map([...b.traps, ...a.traps]);
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
