// A COMMAND that is no agent but a person's shell or terminal multiplexer: which files it reads, and what a person should know of it.

import type { Bytes } from "../policy/bytes.ts";
import { baseOf } from "../policy/resolve.ts";

/** Words of bash that take another rc file than ours, or none; a login shell reads none either (bash(1), INVOCATION). */
const OTHER_FILES = /^--(?:rcfile|init-file|norc|posix|login|version|help)$/;

/** The words before the first operand, and whether there is one. */
function optionsOf(words: readonly Bytes[]): { options: Bytes[]; operands: boolean } {
	const options: Bytes[] = [];
	for (let at = 0; at < words.length; at++) {
		const word = words[at] as Bytes;
		if (!/^[-+]./.test(word) || word === "--") return { options, operands: word === "--" ? at + 1 < words.length : true };
		options.push(word);
		// `-o NAME` and `-O NAME` have their value in the next word.
		if (/^[-+][a-zA-Z]*[oO]$/.test(word)) at++;
	}
	return { options, operands: false };
}

const has = (options: readonly Bytes[], letter: string) => options.some((word) => /^-[a-zA-Z]+$/.test(word) && word.includes(letter));
const isLogin = (options: readonly Bytes[]) => options.includes("--login") || has(options, "l");

/** Whether this bash prompts, or is told to behave so: without `-c`, operand and `-s`, or with `-i`. */
function isInteractive(words: readonly Bytes[]): boolean {
	const { options, operands } = optionsOf(words);
	return has(options, "i") || !(operands || has(options, "c"));
}

/** Whether COMMAND is an interactive bash that reads a `.bashrc`. It reads no BASH_ENV, and its `.bashrc` may put something else first on PATH. */
export function readsBashrc(program: Bytes, words: readonly Bytes[]): boolean {
	if (baseOf(program) !== "bash" || !isInteractive(words)) return false;
	const { options } = optionsOf(words);
	return !(isLogin(options) || options.some((word) => OTHER_FILES.test(word)));
}

/** Programs whose windows are started by a server, which may run already, outside of the session. */
const MULTIPLEXERS: readonly Bytes[] = ["tmux", "screen", "zellij", "byobu"];

const LOGIN = "a login bash that prompts reads profiles, which may put other directories before the shims";
const MEND = '"tmx install --write" mends that, and "tmx doctor" within tells';

/** What a person should know of a COMMAND before it starts. */
export function notesOn(program: Bytes, words: readonly Bytes[]): string[] {
	const name = baseOf(program);
	if (name === "bash" && isInteractive(words) && isLogin(optionsOf(words).options)) return [`${LOGIN}: ${MEND}`];
	if (!MULTIPLEXERS.includes(name)) return [];
	return [`a server of ${name} that runs already is not in this session, nor are its windows; of windows in it, ${LOGIN}: ${MEND}`];
}
