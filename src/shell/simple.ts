// A simple command: its words, redirections and assignments, in the order in which bash takes them.

import { Expander } from "./expand.ts";
import { invoke } from "./invoke.ts";
import type { Machine } from "./machine.ts";
import type { Assignment, Command, Redirection, SyntaxWord } from "./parse.ts";
import type { CallEvent, Word } from "./reading.ts";
import { reckoned } from "./reckoned.ts";
import { redirect, redirected, redirectedForGood, redirectedTo, wholeInput } from "./redirections.ts";
import { renamed } from "./runners.ts";
import type { Outcome, State, Value, Variable } from "./state.ts";
import { held, setVariable } from "./variables.ts";
import { beginning, joinWords, known, textOf, unknown, withoutFirst, wordOf } from "./words.ts";

/** A simple command. */
export function runSimple(m: Machine, node: Command, state: State): Outcome {
	return m.within({ source: m.text.slice(node.pos, node.end), env: [] }, () =>
		state.forked ? m.eachChoice(state, (fork) => runOnce(m, node, fork)) : runOnce(m, node, state),
	);
}

const isRedirection = (part: { type: string }): part is Redirection => ["Redirect", "HereString", "HereDoc"].includes(part.type);

function runOnce(m: Machine, node: Command, state: State): Outcome {
	const x = new Expander(m, state);
	const words: Word[] = [];
	m.substituted = undefined;
	/** What array assignments among the arguments hold (`declare -a x=(a b)`). */
	const values = new Map<Word, Value>();
	if (node.name !== undefined) words.push(...x.fields(node.name));
	for (const [k, part] of node.suffix.entries()) {
		if (part.type === "Word") {
			const [first, ...more] = x.fields(part);
			// A substitution of a process goes on with the word before it: `--file=<(..)`.
			const before = /^[<>]\(/.test(part.text) && node.suffix[k - 1]?.end === part.pos ? words.pop() : undefined;
			if (first !== undefined) words.push(before === undefined ? first : joinWords([before, first], ""), ...more);
		} else if (part.type === "Assignment") {
			const word = argument(x, part, values);
			words.push(word);
		}
	}
	const parts = [...node.prefix, ...node.suffix];
	forced(x, node.suffix);
	const result = redirect(x, parts.filter(isRedirection));
	const assignments = node.prefix.filter((part): part is Assignment => part.type === "Assignment");
	if (isBareExec(words)) return redirectedForGood(m, state, result);
	return redirected(m, state, result, () => {
		if (words.length === 0) return withoutCommand(x, assignments, result.input !== undefined);
		return withCommand(x, words, values, assignments);
	});
}

/** `>! FILE` and `>>! FILE` of zsh: what stands behind the mark is written. */
function forced(x: Expander, suffix: Command["suffix"]): void {
	for (const [k, part] of suffix.entries()) {
		const behind = suffix[k + 1];
		if (part.type !== "Redirect" || part.target?.text !== "!" || behind?.type !== "Word") continue;
		redirectedTo(x.machine, x.state, x.single(behind), part.operator.endsWith(">>") ? ">>" : ">");
	}
}

/** `exec` without a command: its redirections stay. */
const isBareExec = (words: readonly Word[]) =>
	textOf(words.at(-1)) === "exec" && words.slice(0, -1).every((word) => /^(command|builtin)$/.test(textOf(word) ?? ""));

/** An assignment among the arguments: NAME=VALUE as one word, which `declare` and its like read. */
function argument(x: Expander, part: Assignment, values: Map<Word, Value>): Word {
	const head = part.append ? `${part.name}+=` : `${part.name}=`;
	const value = assignedValue(x, part);
	const text = value.kind === "word" ? value.word.pieces : [];
	const word = wordOf([head, ...text]);
	if (value.kind === "array" || part.index !== undefined) values.set(word, value);
	return word;
}

/** What an assignment gives to its variable. */
function assignedValue(x: Expander, { name, value, append, index }: Assignment): Value {
	const before = append || index !== undefined ? held(x.machine, x.state, name) : undefined;
	if (value.type === "ArrayValue") {
		if (value.elements.some((element) => /^\[/.test(element.text))) return keyed(x, name, value.elements, append ? before : undefined);
		const items = value.elements.flatMap((element) => x.fields(element));
		const first = append && before?.kind === "array" ? before.items : append && before?.kind === "word" ? [before.word] : [];
		return { kind: "array", items: [...first, ...items] };
	}
	const word = x.single(value, "assignment");
	if (index !== undefined) {
		const at = textOf(x.single(index));
		reckoned(x.machine, x.state, at);
		return withElement(x, name, at, word, append === true, before);
	}
	if (!append) return { kind: "word", word };
	if (before?.kind === "array") return { kind: "word", word: unknown(`\${${name}[@]}`) };
	if (x.state.numbers.has(name)) {
		reckoned(x.machine, x.state, textOf(word));
		return { kind: "word", word: unknown(`$${name}`, { contained: true }) };
	}
	return { kind: "word", word: wordOf([...(before?.kind === "word" ? before.word.pieces : []), ...word.pieces]) };
}

/** `([key]=value ...)`: an array by its keys, in their order here; unknown where a key is. */
function keyed(x: Expander, name: string, elements: readonly SyntaxWord[], before: Value | undefined): Value {
	const items = before?.kind === "array" ? [...before.items] : [];
	const keys = before?.kind === "array" && before.keys ? [...before.keys] : [];
	const isClear = before === undefined || (before.kind === "array" && before.keys !== undefined);
	const words = elements.map((element) => x.single(element, "assignment"));
	for (const word of words) {
		reckoned(x.machine, x.state, /^\[(.*)\]\+?=/s.exec(beginning(word))?.[1]);
		const [head, key] = /^\[([^[\]]+)\]=/.exec(beginning(word)) ?? [];
		if (head === undefined || key === undefined || !isClear) {
			return { kind: "word", word: unknown(`\${${name}[@]}`) };
		}
		const at = keys.indexOf(key);
		const place = at < 0 ? keys.push(key) - 1 : at;
		items[place] = withoutFirst(word, head.length);
	}
	return { kind: "array", items, keys };
}

function withElement(x: Expander, name: string, index: string | undefined, word: Word, append: boolean, before: Value | undefined): Value {
	x.machine.step();
	if (before?.kind === "array" && before.keys && index !== undefined && !append) {
		const at = before.keys.indexOf(index);
		if (at >= 0) return { ...before, items: before.items.toSpliced(at, 1, word) };
		return { kind: "array", items: [...before.items, word], keys: [...before.keys, index] };
	}
	const items = before?.kind === "array" ? before.items : before?.kind === "unset" || isMissing(before) ? [] : undefined;
	if (items === undefined || append || index === undefined || !/^\d{1,4}$/.test(index) || Number(index) > items.length) {
		return { kind: "word", word: unknown(`\${${name}[@]}`) };
	}
	return { kind: "array", items: items.toSpliced(Number(index), 1, word) };
}

const isMissing = (value: Value | undefined) =>
	value?.kind === "word" && value.word.pieces.length === 1 && typeof value.word.pieces[0] !== "string" && value.word.pieces[0]?.unset;

/** The word that an event shows for a value. */
export const shownValue = (value: Value): Word =>
	value.kind === "word" ? value.word : value.kind === "array" ? joinWords(value.items, " ") : known("");

/** Assignments alone stay; `< file` alone in a substitution prints the file. */
function withoutCommand(x: Expander, assignments: readonly Assignment[], reads: boolean): Outcome {
	const { machine, state } = x;
	for (const assignment of assignments) {
		const value = assignedValue(x, assignment);
		machine.assigned(assignment.name, shownValue(value));
		if (assignment.name === "BASH_CMDS") remembered(x, assignment);
		if (assignment.name === "BASH_ALIASES") machine.unclear("an alias");
		setVariable(machine, state, assignment.name, value);
	}
	if (reads && machine.sink !== undefined) machine.print(wholeInput(machine));
	const { ok, bad } = machine.substituted ?? { ok: state };
	return { ok: ok && state, bad: bad && state };
}

/** `BASH_CMDS[NAME]=PROGRAM`: what is remembered for a name, as `hash -p` sets it. */
function remembered(x: Expander, { index, value }: Assignment): void {
	const name = index && textOf(x.single(index));
	if (name !== undefined && value.type !== "ArrayValue") renamed(x.machine, x.state, name, x.single(value, "assignment"));
	else x.machine.unclear("programs under other names");
}

function withCommand(x: Expander, words: Word[], values: Map<Word, Value>, assignments: readonly Assignment[]): Outcome {
	const { machine, state } = x;
	const env: CallEvent["env"] = [];
	const before = new Map<string, Variable | undefined>();
	const put = new Map<string, Variable | undefined>();
	for (const assignment of assignments) {
		const value = assignedValue(x, assignment);
		machine.assigned(assignment.name, shownValue(value));
		for (const [name, variable] of put)
			if (state.variables.get(name) !== variable) before.set(name, alsoNow(before.get(name), state, name));
		if (!put.has(assignment.name)) before.set(assignment.name, state.variables.get(assignment.name));
		setVariable(machine, state, assignment.name, value, true);
		put.set(assignment.name, state.variables.get(assignment.name));
		env.push({ name: assignment.name, value: shownValue(value) });
	}
	const outcome = machine.within({ env }, () => invoke({ m: machine, state, words, values }));
	// They hold for this command alone.
	for (const end of new Set([outcome.ok, outcome.bad])) {
		for (const [name, variable] of before) if (end !== undefined) restore(machine, end, name, variable);
	}
	return outcome;
}

/** A variable that an expansion set which an assignment for the command hides: it stays in bash, and not in zsh. */
function alsoNow(before: Variable | undefined, state: State, name: string): Variable | undefined {
	const now = state.variables.get(name);
	if (now === undefined) return before;
	state.forked = true;
	return { values: [...now.values, ...(before?.values ?? [{ kind: "unset" }])], exported: before?.exported ?? false };
}

/** Puts a variable back to what it was. */
export function restore(m: Machine, state: State, name: string, variable: ReturnType<State["variables"]["get"]>): void {
	if (variable !== undefined) state.variables.set(name, variable);
	else state.variables.delete(name);
	m.step();
}
