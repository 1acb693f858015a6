// sh, bash and their kin: `-c STRING`, a script file, or a script on standard input.

import { baseOf } from "../policy/resolve.ts";
import type { Call } from "./call.ts";
import { endsFor } from "./facts.ts";
import { plainCall } from "./invoke.ts";
import { keptAt, keptLike } from "./places.ts";
import type { Output, Word } from "./reading.ts";
import { fileOutput, wholeInput } from "./redirections.ts";
import { started } from "./startup.ts";
import type { Outcome, State } from "./state.ts";
import { runScript, subshell } from "./statements.ts";
import { childOf } from "./variables.ts";
import { joinWords, known, shown, textOf, wordOf } from "./words.ts";

export const SHELLS = new Set(["sh", "bash", "dash", "zsh", "ksh", "mksh", "ash", "rbash", "ksh93", "fish", "csh", "tcsh"]);

/** Long options that take the next word (bash(1), zsh(1)). */
const TAKES = new Set(["--rcfile", "--init-file", "--emulate"]);
/** What says something and runs nothing. */
const ASKS = new Set(["--help", "--version", "-h"]);
/** Shells that take the name of an option behind `-o` in one word with it (zshoptions(1), ksh(1)). */
const GLUING = new Set(["zsh", "ksh", "ksh93", "mksh"]);
const LETTERS: Readonly<Record<string, string>> = { e: "errexit", f: "noglob", a: "allexport", u: "nounset" };

/** How a shell was called. */
export interface ShellCall {
	command: boolean;
	fromInput: boolean;
	/** It says something. */
	asks: boolean;
	/** It reads its script without running it. */
	idle: boolean;
	login: boolean;
	interactive: boolean;
	/** The file that --rcfile names. */
	rc?: Word | undefined;
	options: Set<string>;
	operands: Word[];
}

/** The options of a shell, in clusters and apart, before its operands. */
export function shellCall(words: readonly Word[]): ShellCall {
	const call: ShellCall = {
		command: false,
		fromInput: false,
		asks: false,
		idle: false,
		login: false,
		interactive: false,
		options: new Set(),
		operands: [],
	};
	const glues = GLUING.has(baseOf(textOf(words[0]) ?? ""));
	let at = 1;
	for (; at < words.length; at++) {
		const text = textOf(words[at]);
		if (text === undefined || text.length < 2 || !/^[-+]/.test(text)) break;
		if (text === "--") {
			at++;
			break;
		}
		if (ASKS.has(text)) call.asks = true;
		else if (text.startsWith("--")) {
			if (text === "--login") call.login = true;
			if (TAKES.has(text)) at++;
			if (text === "--rcfile" || text === "--init-file") call.rc = words[at];
		} else at += cluster(call, text, words.slice(at + 1), glues);
	}
	if (textOf(words[at]) === "-") at++;
	call.operands = words.slice(at);
	return call;
}

/** One cluster of letters: how many words more it takes. */
function cluster(call: ShellCall, text: string, after: readonly Word[], glues: boolean): number {
	let taken = 0;
	const on = text.startsWith("-");
	for (const [k, letter] of [...text.slice(1)].entries()) {
		if (letter === "c" && on) call.command = true;
		else if (letter === "s") call.fromInput = true;
		else if (letter === "l") call.login = true;
		else if (letter === "i") call.interactive = true;
		else if (letter === "n") call.idle = on;
		else if (letter === "o" || letter === "O") {
			const rest = glues ? text.slice(k + 2) : "";
			const option = rest === "" ? textOf(after[taken++]) : rest;
			if (option === "noexec") call.idle = on;
			if (option !== undefined) turned(call.options, option, on);
			if (rest !== "") break;
		} else if (Object.hasOwn(LETTERS, letter)) turned(call.options, LETTERS[letter] as string, on);
	}
	return taken;
}

function turned(options: Set<string>, name: string, on: boolean): void {
	if (on) options.add(name);
	else options.delete(name);
}

/** A shell: its script is read where it is known. */
export function runShell(call: Call, tool: string): Outcome {
	const { m, state, words } = call;
	const shell = shellCall(words);
	if (shell.asks || shell.idle) return plainCall(call);
	if (m.world.files.size > 0 || shell.interactive) started(call, tool, shell);
	const [first, ...rest] = shell.operands;
	if (shell.command) {
		if (first === undefined) return { bad: state };
		return inChild(call, shell, first, rest[0] ?? known(tool), rest.slice(1), `${tool} -c`);
	}
	if (first !== undefined && !shell.fromInput) {
		const output = fileOutput(m, state, first);
		const script = scriptOf(output);
		// A script on the disk meets the shims; what it is, nobody knows here.
		if (script === undefined) {
			for (const path of keptLike(m.world.files, state, shown(first))) {
				const own = scriptOf(fileOutput(m, state, known(path)));
				if (own !== undefined) m.perhaps(true, () => inChild(call, shell, own, known(path), rest, `${tool} ${path}`));
			}
			const isWritten = keptAt(m.world.files, state, textOf(first)) !== undefined;
			if (isWritten || textOf(first)?.startsWith("/dev/") || textOf(first) === "-")
				m.unclear(`${tool} of a text that is not known`, shown(first));
			return plainCall(call);
		}
		return inChild(call, shell, script, first, rest, `${tool} ${shown(first)}`);
	}
	const fed = wholeInput(m);
	const script = scriptOf(fed);
	if (script === undefined) {
		if (m.input !== undefined) m.unclear(`${tool} of a text that is not known`);
		return plainCall(call);
	}
	// What its commands read is the rest of the script.
	const input = { output: { kind: "unknown" } as const, lines: undefined, taken: 0 };
	return m.within({ input }, () => inChild(call, shell, script, known(tool), shell.operands, tool));
}

/** An output as a script. */
export function scriptOf(output: Output): Word | undefined {
	if (output.kind === "text") return output.word;
	if (output.kind === "names" && output.separator === "\n") return joinWords(output.names, "\n");
	return undefined;
}

function inChild(call: Call, shell: ShellCall, script: Word, zero: Word, positional: Word[], via: string): Outcome {
	const { m, state } = call;
	const child = childOf(m, state, /^r?bash/.test(via));
	child.zero = zero;
	child.positional = positional;
	child.options = shell.options;
	// fish sets variables in words of its own.
	if (via.startsWith("fish")) child.foreign = true;
	const outcome = m.within({ via: [...m.via, via], env: [], active: [] }, () =>
		subshell(m, child, (inner: State) => runScript(m, script, inner)),
	);
	return endsFor(state, outcome);
}

/** Words as the one line that a shell is handed, each kept whole. */
export function quotedLine(words: readonly Word[]): Word {
	return joinWords(
		words.map((word) => wordOf(word.pieces.map((piece) => (typeof piece === "string" ? piece.replace(/[^\w@%+=:,./-]/g, "\\$&") : piece)))),
		" ",
	);
}
