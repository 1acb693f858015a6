// The text of a shell script that a tool is given: which paths it names, and whether its commands only read.

import type { Bytes } from "../policy/bytes.ts";
import type { Call, Operand } from "../policy/call.ts";

/** Characters that end a word in shell text, quotes among them: a path is looked for, not a command understood. */
const BREAKS = /[\s;&|()<>`"'=,:{}]+/;

/** Directories of programs: a word there is what is run, not what is acted on. */
const PROGRAMS = /^\/(usr\/(local\/)?)?s?bin\/[^/]+$/;

const DEVICES = /^\/dev\/(null|zero|full|tty|stdin|stdout|stderr|fd\/\d+)$/;

function pathIn(word: Bytes, home: Bytes): Bytes | undefined {
	const text = word.replace(/^~(?=\/|$)/, home).replace(/\$HOME\b/g, home);
	if (DEVICES.test(text) || PROGRAMS.test(text)) return undefined;
	return text.startsWith("/") || /(^|\/)\.\.(\/|$)/.test(text) ? text : undefined;
}

/** The paths that the text of a script names, absolute or climbing, each as if it were removed. */
export function scriptOperands(call: Call, script: Bytes, at: Bytes | undefined): Operand[] {
	const found: Operand[] = [];
	for (const word of script.replace(/\$\{HOME\}/g, "$HOME").split(BREAKS)) {
		const text = pathIn(word, call.env("HOME"));
		if (text !== undefined)
			found.push({ text, role: "removed", leaf: "both", note: "named in the script", ...(at !== undefined && { at }) });
	}
	return found;
}

/** Redirections that write no file: into null, or a copy of a descriptor. */
const HARMLESS_REDIRECTIONS = /\d*>>?\s*(\/dev\/null|&\d+-?)|&>\s*\/dev\/null/g;

/** Whether every command of the script only reads. What is not plain (substitutions, redirections, assignments, loops) is not. */
export function scriptReads(script: Bytes, reads: (words: Bytes[]) => boolean): boolean {
	const text = script.replace(HARMLESS_REDIRECTIONS, " ");
	if (/[`<>(){}\\]|\$\(/.test(text)) return false;
	const commands = text.split(/[;&|\n]+/).map((part) => part.trim());
	return commands.every((part) => part === "" || reads(part.split(/\s+/)));
}
