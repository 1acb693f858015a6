// Commands that run another one: what `env A=b nice -n5 rm x` runs is `rm x`.

import type { Bytes } from "../../policy/bytes.ts";
import { baseOf } from "../../policy/resolve.ts";
import { parseScript } from "../script/parser.ts";
import { fieldsOf } from "../script/words.ts";
import { isAmong, type Wrapper, wrapperOf } from "./wrappers.ts";

const ASSIGNMENT = /^([A-Za-z_][A-Za-z0-9_]*)=(.*)$/s;

/** A command without its wrapper. */
export interface Unwrapped {
	/** The command that is run; empty where there is none. */
	words: Bytes[];
	/** Command lines that a shell is given. */
	lines: Bytes[];
	/** What its environment gets; undefined for a variable that is taken away. */
	variables: Map<string, Bytes | undefined>;
	/** The directory that it goes to. */
	chdir: Bytes | undefined;
	/** Files that the wrapper writes. */
	written: Bytes[];
	/** A file that it makes where there is none. */
	made: Bytes[];
}

/** A word of options as one option and the value glued to it; a bundle counts by its first letter that takes a value. */
function optionOf(word: Bytes, takes: string): { option: Bytes; glued: Bytes | undefined } {
	const long = /^(--[^=]+)(?:=(.*))?$/s.exec(word);
	if (long !== null) return { option: long[1] as Bytes, glued: long[2] };
	for (let k = 1; k < word.length; k++) {
		const option = `-${word[k]}`;
		if (isAmong(takes, option)) return { option, glued: k + 1 < word.length ? word.slice(k + 1) : undefined };
	}
	return { option: word, glued: undefined };
}

/** A command line split as `env -S` does it: quotes, no more. */
function split(line: Bytes): Bytes[] {
	const command = parseScript(line)?.[0]?.commands[0];
	if (command?.is !== "simple") return line.trim().split(/\s+/);
	const look = undefined as never;
	const scope = { value: () => undefined, args: [], look, home: "~", output: () => "" };
	return command.words.flatMap((word) => fieldsOf(word, scope, false)[0] ?? []);
}

class Reading {
	at = 1;
	readonly found: Unwrapped = { words: [], lines: [], variables: new Map(), chdir: undefined, written: [], made: [] };

	constructor(
		readonly name: Bytes,
		readonly wrapper: Wrapper,
		readonly words: readonly Bytes[],
	) {}

	/** Its options; false when they say that nothing can be told. */
	options(): boolean {
		const { wrapper, words } = this;
		for (; /^-./.test(words[this.at] ?? ""); ) {
			const word = words[this.at++] as Bytes;
			if (word === "--") break;
			if (wrapper.opaque?.test(word)) return false;
			const { option, glued } = optionOf(word, wrapper.takes ?? "");
			const takes = isAmong(wrapper.takes, option) || isAmong(wrapper.line, option);
			this.#option(option, takes ? (glued ?? words[this.at++] ?? "") : glued);
		}
		return true;
	}

	#option(option: Bytes, value: Bytes | undefined): void {
		const { wrapper, found, name } = this;
		if (name === "env" && (option === "-i" || option === "--ignore-environment")) found.variables.set("POSIXLY_CORRECT", undefined);
		if (value === undefined) return;
		if (name === "env" && /^(-u|--unset)$/.test(option)) found.variables.set(value, undefined);
		else if (isAmong(wrapper.chdir, option)) found.chdir = value;
		else if (isAmong(wrapper.writes, option)) found.written.push(value);
		else if (isAmong(wrapper.line, option)) found.lines.push(value);
	}

	operands(): void {
		const { wrapper, found, words, name } = this;
		if (name === "env" && words[this.at] === "-") this.at++;
		for (; ["env", "sudo"].includes(name) && this.at < words.length; this.at++) {
			const [, variable, value] = ASSIGNMENT.exec(words[this.at] as Bytes) ?? [];
			if (variable === undefined) break;
			found.variables.set(variable, value ?? "");
		}
		for (let left = wrapper.operands ?? 0; left > 0 && this.at < words.length; left--) {
			const operand = words[this.at++] as Bytes;
			if (name === "script") found.written.push(operand);
			else if (wrapper.makes && !/^\d+$/.test(operand)) found.made.push(operand);
		}
		// Behind its operand flock has one more option, and script(1) and su(1) may have all of them.
		if (wrapper.makes || name === "sg" || name === "su") this.options();
	}

	rest(): void {
		const { wrapper, found, name } = this;
		const rest = this.words.slice(this.at);
		if (name === "env" && found.lines.length > 0) found.words = [...split(found.lines.pop() as Bytes), ...rest];
		else if (name.startsWith("parallel") || name === "sem") found.lines.push(...parallelLines(rest));
		else if (name === "hyperfine") found.lines.push(...rest);
		else if (wrapper.joins && rest.length > 0) found.lines.push(rest.join(" "));
		else if (!wrapper.lineOnly) found.words = rest;
		if (name === "script" && found.written.length === 0) found.written.push("typescript");
	}
}

/** The command lines of parallel: the command with each argument behind `:::`. */
function parallelLines(words: readonly Bytes[]): Bytes[] {
	const end = words.findIndex((word) => word.startsWith(":::"));
	const line = words.slice(0, end < 0 ? undefined : end).join(" ");
	if (end < 0) return [line];
	return words.slice(end + 1).map((word) => (line === "" ? word : `${line} ${word}`));
}

/** Take one wrapper off; undefined when there is none, or one that nobody can see through. */
export function unwrapped(words: readonly Bytes[]): Unwrapped | undefined {
	const name = baseOf(words[0] ?? "");
	const wrapper = wrapperOf(name);
	if (wrapper === undefined) return undefined;
	const reading = new Reading(name, wrapper, words);
	if (!reading.options()) return undefined;
	reading.operands();
	reading.rest();
	return reading.found;
}
