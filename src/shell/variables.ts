// Variables and parameters: what they hold in a state, and how they are set.

import type { Bytes } from "../policy/bytes.ts";
import { cased } from "./cased.ts";
import type { Machine } from "./machine.ts";
import type { Hole, Word } from "./reading.ts";
import { taken } from "./reckoned.ts";
import { NO_FUNCTION, State, sameBodies, sameValue, type Value } from "./state.ts";
import { known, textOf, unknown, wordOf } from "./words.ts";

/** Numbers that only the running shell knows. */
const COUNTERS = new Set([
	"$",
	"?",
	"!",
	"RANDOM",
	"SECONDS",
	"BASHPID",
	"PPID",
	"LINENO",
	"EPOCHSECONDS",
	"EPOCHREALTIME",
	"SRANDOM",
	"OPTIND",
]);
const IDENTITIES = new Set([
	"UID",
	"EUID",
	"SHLVL",
	"COLUMNS",
	"LINES",
	"BASH_SUBSHELL",
	"HOSTNAME",
	"HOSTTYPE",
	"MACHTYPE",
	"OSTYPE",
	"BASH_VERSION",
]);
/** Set by bash, to what is not followed here. */
const OWN = new Set([
	"-",
	"_",
	"BASH",
	"SHELL",
	"BASHOPTS",
	"SHELLOPTS",
	"BASH_SOURCE",
	"FUNCNAME",
	"GROUPS",
	"PIPESTATUS",
	"REPLY",
	"DIRSTACK",
	"BASH_COMMAND",
]);

/** Variables whose value tools hand to a shell: editors, pagers, and programs that reach other machines (environ(7), less(1), rsync(1)). */
const HANDED = /^(?!GIT_)(?:[A-Z_]*(?:EDITOR|PAGER)|VISUAL|LESS(?:OPEN|CLOSE)|(?:RSYNC|CVS)_RSH|SVN_SSH)$/;

const word = (value: Word): Value => ({ kind: "word", word: value });

/** A directory that may be one of several. */
function directory(machine: Machine, directories: readonly Bytes[] | undefined, name: string): Value {
	if (directories === undefined || directories.length === 0) return word(unknown(`$${name}`));
	if (directories.length > 1 && !machine.choosing) return word(unknown(`$${name}`));
	return word(known(directories[machine.choose(name === "PWD" ? "cwd" : name, directories.length)] as Bytes));
}

/** Positional parameters, counted from 1; undefined when they are not known. */
function positional(state: State, name: string): Value {
	if (name === "0") return word(state.zero);
	if (state.positional === undefined) return word(unknown(`$${name}`));
	const found = state.positional[Number(name) - 1];
	return found === undefined ? { kind: "unset" } : word(found);
}

/** What a name holds that no command of this line set. */
function given(machine: Machine, state: State, name: string): Value {
	if (name === "PWD") return directory(machine, state.cwd, name);
	// The hook's own says nothing of the shell that the command will run in.
	if (name === "OLDPWD") return state.oldCwd === undefined ? word(unknown("$OLDPWD")) : directory(machine, state.oldCwd, name);
	const outer = state.cleared ? undefined : machine.around.env(name);
	if (outer !== undefined) return word(known(outer));
	// Shells without a PATH have one of their own.
	if (state.cleared && name === "PATH") return word(unknown("$PATH"));
	if (name === "HOME" && !state.cleared) return word(known(machine.around.home));
	if (name === "IFS") return word(known(" \t\n"));
	if (COUNTERS.has(name) || IDENTITIES.has(name)) return word(unknown(`$${name}`, { contained: true }));
	// Under `set -u` the shell ends there; and what an unknown script set, nobody knows.
	const open = state.foreign || state.options.has("nounset") || OWN.has(name) || name.startsWith("BASH_");
	return word(unknown(`$${name}`, open ? {} : { unset: true }));
}

/** What a parameter holds. */
export function held(machine: Machine, state: State, name: string): Value {
	if (/^\d+$/.test(name)) return positional(state, name);
	if (name === "#") {
		return word(state.positional === undefined ? unknown("$#", { contained: true }) : known(String(state.positional.length)));
	}
	const variable = state.variables.get(target(state, name));
	if (variable === undefined) return given(machine, state, target(state, name));
	const { values } = variable;
	if (values.length > 1 && !machine.choosing) return word(unknown(`$${name}`));
	return values[machine.choose(`$${name}`, values.length)] as Value;
}

/** The variable that a name stands for. */
function target(state: State, name: string): string {
	let at = name;
	for (let k = 0; state.references.size > 0 && k < 8; k++) at = state.references.get(at) ?? at;
	return at;
}

/** Gives a variable a value. */
export function setVariable(machine: Machine, state: State, given: string, value: Value, exported = false): void {
	const name = target(state, given);
	if (HANDED.test(name) && value.kind === "word") machine.handedOver(textOf(value.word), state);
	const before = state.variables.get(name);
	const inherited = !state.cleared && machine.around.env(name) !== undefined;
	const isExported = exported || (before?.exported ?? inherited) || state.options.has("allexport");
	const now = taken(machine, state, name, cased(state, name, value));
	// What it holds stays, and the shell may go on with it.
	const kept = before !== undefined && state.constants.has(name) ? before.values.filter((each) => !sameValue(each, now)) : [];
	if (kept.length > 0) state.forked = true;
	machine.step(state.variables.set(name, { values: [...kept, now], exported: isExported }) >> 3);
}

/** A variable that gets one of several words, and nobody knows which. */
export function setOneOf(machine: Machine, state: State, name: string, words: readonly Word[]): void {
	setVariable(machine, state, name, { kind: "unset" });
	const exported = state.variables.get(name)?.exported === true;
	state.variables.set(name, { values: words.map((each) => cased(state, name, word(each))), exported });
	state.forked ||= words.length > 1;
}

/** A variable that gets a word, said as an event. */
export function assign(machine: Machine, state: State, name: string, value: Word, exported = false): void {
	machine.assigned(name, value);
	setVariable(machine, state, name, word(value), exported);
}

/** Lets no variable be known any more that a part changed which runs an unknown number of times. */
export function widened(machine: Machine, before: State, after: State): State {
	const wide = after.fork();
	for (const name of before.variables.differing(after.variables)) {
		const [old, now] = [before.variables.get(name), after.variables.get(name)];
		if (old === now || now === undefined) continue;
		const numbers = now.values.every((value) => value.kind === "word" && isNumber(value.word));
		const hole: Hole = numbers ? { source: `$${name}`, contained: true } : { source: `$${name}` };
		machine.step(wide.variables.set(name, { values: [word(wordOf([hole]))], exported: now.exported }) >> 3);
	}
	if (before.cwd.join("\0") !== after.cwd.join("\0")) wide.cwd = [];
	if (before.stack !== after.stack) wide.stack = undefined;
	if (before.positional !== after.positional) wide.positional = undefined;
	return wide;
}

const isNumber = ({ pieces }: Word) =>
	pieces.length === 1 && pieces.every((piece) => (typeof piece === "string" ? /^-?\d+$/.test(piece) : piece.contained === true));

/** Whether two states hold the same, as far as a loop could change it; its own variable aside. */
export function isSettled(machine: Machine, before: State, after: State, own?: string): boolean {
	if (before === after) return true;
	if (before.cwd.join("\0") !== after.cwd.join("\0") || before.stack !== after.stack || before.positional !== after.positional)
		return false;
	if (!before.functions.same(after.functions)) {
		for (const name of before.functions.differing(after.functions))
			if (!sameBodies(before.functions.get(name), after.functions.get(name))) return false;
	}
	if (before.variables.same(after.variables)) return true;
	machine.step(1 + (before.variables.distance(after.variables) >> 3));
	for (const name of before.variables.differing(after.variables)) {
		if (name !== own && before.variables.get(name) !== after.variables.get(name)) return false;
	}
	return true;
}

/**
 * The state of a new shell: it knows the environment alone.
 * @param isBash whether it surely takes functions out of it
 */
export function childOf(machine: Machine, state: State, isBash = false): State {
	const child = state.fork();
	const fresh = new State();
	for (const name of state.variables.keys()) {
		const variable = state.variables.get(name);
		if (variable?.exported) fresh.variables.set(name, variable);
		else if (variable !== undefined && machine.around.env(name) !== undefined)
			fresh.variables.set(name, { values: [{ kind: "unset" }], exported: false });
	}
	machine.step(1 + (state.variables.size >> 3));
	child.variables = fresh.variables;
	for (const name of state.functions.keys()) {
		const all = state.functions.get(name) ?? [];
		const bodies = all.filter(({ exported }) => exported);
		if (bodies.length > 0) fresh.functions.set(name, isBash && bodies.length === all.length ? bodies : [...bodies, NO_FUNCTION]);
	}
	child.functions = fresh.functions;
	child.traps = new Map();
	child.unmarked();
	child.options = new Set();
	child.stack = [];
	return child;
}
