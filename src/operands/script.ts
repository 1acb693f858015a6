// The text of a shell script that a tool is given: which paths it names, and whether its commands only read.

import type { Bytes } from "../policy/bytes.ts";
import type { Call, Leaf, Operand } from "../policy/call.ts";
import type { Resolver } from "../policy/resolve.ts";

/** Characters that end a word in shell text, quotes among them: a path is looked for, not a command understood. */
const BREAKS = /[\s;&|()<>`"'=,:{}]+/;

/** Directories of programs: a word there is what is run, not what is acted on. */
const PROGRAMS = /^\/(usr\/(local\/)?)?s?bin\/[^/]+$/;

const DEVICES = /^\/dev\/(null|zero|full|tty|stdin|stdout|stderr|fd\/\d+)$/;

/** A word at the place of a command is what is run, not what is acted on. */
const COMMAND_WORDS = /(^|[;&|({`\n]|\b(?:do|then|else|if|while|until|exec)\b)\s*(?:for\s+)?[\w.-]+(?=[\s;&|)]|$)/g;

/** The path that a word is, where it names one: it holds a slash, something of that name is there, or it could be the name of a new file. */
function pathIn(word: Bytes, home: Bytes, look: Resolver): Bytes | undefined {
	const text = word.replace(/^~(?=\/|$)/, home).replace(/\$HOME\b/g, home);
	if (DEVICES.test(text) || PROGRAMS.test(text)) return undefined;
	const names = text.includes("/") || text === ".." || /^\w[\w.-]*$/.test(text);
	return names || look.kind(text, false) !== undefined ? text : undefined;
}

/**
 * The paths that the text of a script names, each as if it were removed.
 * @param look stands where the script runs
 * @param leaf whether it may write through a link
 */
export function scriptOperands(call: Call, script: Bytes, look: Resolver, at: Bytes | undefined, leaf: Leaf): Operand[] {
	const found: Operand[] = [];
	const text = script.replace(/\$\{HOME\}/g, "$HOME").replace(COMMAND_WORDS, "$1");
	for (const word of text.split(BREAKS)) {
		const path = pathIn(word, call.env("HOME"), look);
		if (path !== undefined) found.push({ text: path, role: "removed", leaf, note: "named in the script", ...(at !== undefined && { at }) });
	}
	return found;
}

/** Redirections that write no file: into null, or a copy of a descriptor. */
const HARMLESS_REDIRECTIONS = /\d*>>?\s*(\/dev\/null|&\d+-?)|&>\s*\/dev\/null/g;

/** Words of a loop or a condition that stand before a command; `for` and what follows it name no command. */
const KEYWORDS = ["do", "then", "else", "elif", "if", "while", "until", "!"];
const NO_COMMAND = ["for", "done", "fi"];

/** The commands of a plain script; undefined where it is not plain (substitutions, redirections, groups). `{}` is a name to find. */
function plainCommands(script: Bytes): Bytes[][] | undefined {
	const text = script.replace(HARMLESS_REDIRECTIONS, " ").replaceAll("{}", "$0");
	if (/[`<>(){}\\]|\$\(/.test(text)) return undefined;
	const parts = text.split(/[;&|\n]+/).map((part) => part.trim().split(/\s+/));
	const commands = parts.map((words) => words.slice(words.findIndex((word) => !KEYWORDS.includes(word))));
	return commands.filter(([first]) => first !== "" && !NO_COMMAND.includes(first ?? ""));
}

/** Whether every command of the script passes a test. */
export function everyCommand(script: Bytes, passes: (words: Bytes[]) => boolean): boolean {
	return plainCommands(script)?.every(passes) === true;
}
