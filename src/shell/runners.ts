// Built-ins that run a text, name a program anew, or write a file: mapfile -C, compgen, fc, history, hash -p, and those of zsh.

import { type Builtin, type Call, letters } from "./call.ts";
import { invokeTool, plainCall } from "./invoke.ts";
import type { Machine } from "./machine.ts";
import { type CompoundList, parseScript } from "./parse.ts";
import type { Word } from "./reading.ts";
import { redirectedTo } from "./redirections.ts";
import { quotedLine } from "./shells.ts";
import { either, type Outcome, type State } from "./state.ts";
import { runScript } from "./statements.ts";
import { readOptions } from "./unwrap.ts";
import { held } from "./variables.ts";
import { joinWords, known, shown, textOf, unknown } from "./words.ts";

/** More calls of a callback than these are one with an unknown line. */
const MOST_CALLS = 8;

/** The value of the last option of these. */
const behind = (words: readonly Word[], takes: string, name: string): Word | undefined =>
	readOptions(words, takes).given.findLast((option) => option.name === name)?.value;

/** mapfile -C LINE: run with the number of an element and its line behind it, before the array is made (bash(1)). */
export function calledBack(call: Call, lines: readonly Word[] | undefined): void {
	const { m, state, words } = call;
	const callback = behind(words.slice(1), "-d -n -O -s -u -C -c", "-C");
	if (callback === undefined) return;
	const isKnown = lines !== undefined && lines.length <= MOST_CALLS;
	for (const [k, line] of (isKnown ? lines : [unknown("(a line)")]).entries()) {
		const script = joinWords([callback, known(isKnown ? String(k) : "0"), quotedLine([line])], " ");
		m.within({ via: [...m.via, "mapfile -C"], env: [] }, () => m.perhaps(true, () => runScript(m, script, state.fork())));
	}
}

/** compgen: -C runs a command, -F a function, and the list of -W is expanded. */
const compgen: Builtin = (call) => {
	const { m, state, words } = call;
	const takes = "-A -C -F -G -P -S -V -W -X -o";
	m.again(textOf(behind(words.slice(1), takes, "-W")), state, true);
	const script = behind(words.slice(1), takes, "-C") ?? behind(words.slice(1), takes, "-F");
	if (script !== undefined) m.within({ via: [...m.via, "compgen"], env: [] }, () => runScript(m, script, state.fork()));
	m.print({ kind: "unknown" });
	return either(state);
};

/** fc: what it runs again, nobody knows here. */
const fc: Builtin = ({ m, state, words }) => {
	const { given } = letters(words.slice(1), "lnrspaARWIfdDEimt");
	if (!/[lpaARWI]/.test(given)) m.unclear("a command of the history");
	const operand = words.slice(1).find((word) => !/^-/.test(textOf(word) ?? ""));
	if (/[AWp]/.test(given) && operand !== undefined) redirectedTo(m, state, operand, ">>");
	m.print({ kind: "unknown" });
	return either(state);
};

/** history -w and -a write it: into a file that they name, or into HISTFILE's. */
const history: Builtin = ({ m, state, words }) => {
	const { given, rest } = letters(words.slice(1), "cdanrwps");
	if (/[aw]/.test(given)) writesHistory(m, state, rest[0]);
	m.print({ kind: "unknown" });
	return either(state);
};

/** A shell with a history puts it into the file that HISTFILE names; its own default is the person's. */
export function writesHistory(m: Machine, state: State, file?: Word): void {
	const value = state.variables.get("HISTFILE") && held(m, state, "HISTFILE");
	const target = file ?? (value?.kind === "word" && value.word.pieces.length > 0 ? value.word : undefined);
	if (target !== undefined) redirectedTo(m, state, target, ">>");
}

/** From now on a name runs another program, as a function would. */
export function renamed(m: Machine, state: State, name: string, program: Word): void {
	const text = textOf(program);
	if (text === undefined || !/^[^\s/;&|<>()$`]+$/.test(name)) {
		m.unclear("a program under another name", shown(program));
		return;
	}
	const source = `{ ${textOf(quotedLine([program]))} "$@"; }`;
	const command = parseScript(source).commands[0]?.command;
	if (command?.type === "BraceGroup") state.functions.set(name, [{ node: command.body as CompoundList, text: source }]);
}

/** hash -p PROGRAM NAME; without it, what is remembered is what PATH has. */
const hash: Builtin = ({ m, state, words }) => {
	const { given, rest } = readOptions(words.slice(1), "-p");
	const program = given.find(({ name }) => name === "-p")?.value;
	const name = textOf(rest[0]);
	if (program !== undefined && name !== undefined) renamed(m, state, name, program);
	return { ok: state };
};

/** enable -f: a built-in from a file, which is any program. */
const enable: Builtin = (call) => {
	if (call.words.some((word) => /^-[a-zA-Z]*f/.test(textOf(word) ?? ""))) call.m.unclear("a built-in from a file", call.m.source);
	return plainCall(call);
};

/** emulate SHELL -c LINE (zsh): a line in this shell. */
const emulate: Builtin = (call) => {
	const { m, state, words } = call;
	const at = words.findIndex((word) => /^-[a-zA-Z]*c$/.test(textOf(word) ?? ""));
	const line = at < 0 ? undefined : words[at + 1];
	return line === undefined ? plainCall(call) : m.within({ via: [...m.via, "emulate -c"], env: [] }, () => runScript(m, line, state));
};

/** What zsh brings with it, and is not followed. */
const unfollowed: Builtin = (call): Outcome => {
	call.m.unclear("a command of zsh that is not followed", shown(joinWords(call.words, " ")));
	call.m.world.made = true;
	return plainCall(call);
};

/** zmodload: a module may write files by assignments and commands of its own. */
const zmodload: Builtin = (call) => {
	const strange = call.words.find((word) => /^zsh\/(mapfile|system|net|db)/.test(textOf(word) ?? ""));
	if (strange !== undefined) call.m.unclear("a module of zsh that can write files", shown(strange));
	return plainCall(call);
};

/** setopt: options of zsh under which `cd` takes names, or a name alone goes there. */
const setopt: Builtin = ({ m, state, words }) => {
	for (const word of words.slice(1)) {
		const name = (textOf(word) ?? "").toLowerCase().replaceAll("_", "");
		if (/^(cdablevars|autocd|shwordsplit|globsubst)$/.test(name)) m.unclear(`a shell with ${name}`);
	}
	return { ok: state };
};

export const RUNNERS: Readonly<Record<string, Builtin>> = {
	compgen,
	fc,
	history,
	hash,
	enable,
	emulate,
	zmodload,
	setopt,
	zmv: unfollowed,
	zcp: unfollowed,
	zln: unfollowed,
	zargs: unfollowed,
	sysopen: unfollowed,
	sched: unfollowed,
	// The built-ins of zsh/files do what the tools of their names do.
	...Object.fromEntries(
		["rm", "rmdir", "mv", "ln", "mkdir", "chmod", "chown", "chgrp"].map((tool): [string, Builtin] => [
			`zf_${tool}`,
			(call) => call.m.within({ offPath: true }, () => invokeTool({ ...call, words: [known(tool), ...call.words.slice(1)] })),
		]),
	),
};
