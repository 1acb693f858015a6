// What a subcommand is: its options and operands as data, and the function that runs it.

import { type ArgsDef, type CommandDef, defineCommand, type ParsedArgs } from "citty";
import { fromText } from "../policy/bytes.ts";
import { EXIT, type Failure, message } from "../sys/exit.ts";
import type { System } from "../sys/system.ts";

/** What a command is given besides its options. */
export interface Given {
	system: System;
	/** The words before the first `--` that are no options, as text (`fromText` gives the bytes back). */
	operands: string[];
	/** Each value of each option as it was given, for what may be given several times and may hold a comma. */
	values: ReadonlyMap<string, readonly string[]>;
	/** The words after the first `--`, as bytes; undefined when there is no `--`. */
	rest: string[] | undefined;
	/** All commands, for what is made from their definitions: completions and the manual page. */
	catalogue(): Promise<Listed[]>;
}

/** What a shell may propose for a word: files, directories, or some words; given the names of all commands. */
export type Choices = "file" | "directory" | ((commands: readonly string[]) => readonly string[]);

/** The words that a command takes besides options; without them every such word is refused. */
export interface Operands {
	/** As the usage line shows it, such as `FILE...`. */
	name: string;
	description: string;
	least: number;
	most: number;
	choices?: Choices;
}

/** What a command's file says. Options are citty's: `boolean`, `string`, `enum`; names and one-letter aliases. */
interface Definition<Options extends ArgsDef> {
	args: Options;
	operands?: Operands;
	/** What stands after `--`; without it a `--` is refused. */
	rest?: { name: string; description: string };
	/** Options that may be given several times; their values come joined by commas. */
	lists?: readonly string[];
	/** What may be proposed for the values of options, where the hint of a value does not say it. */
	choices?: Readonly<Record<string, Choices>>;
	/** Options that may stand without a value, and what is meant then; a value follows an equals sign. */
	alone?: Readonly<Record<string, string>>;
	/** Does the work; the number is the exit status. */
	run(given: Given & { args: ParsedArgs<Options> }): number | Promise<number>;
}

/** A command as the registry loads it. */
export interface Command {
	citty: CommandDef<ArgsDef>;
	options: ArgsDef;
	operands: Operands | undefined;
	rest: { name: string; description: string } | undefined;
	lists: readonly string[];
	choices: Readonly<Record<string, Choices>>;
	alone: Readonly<Record<string, string>>;
}

/** A command with its name, and what it does in one line. */
export interface Listed {
	name: string;
	summary: string;
	command: Command;
}

/** Operands and `--` as citty shows them in the usage text. */
function positionals(definition: Pick<Command, "operands" | "rest">): ArgsDef {
	const shown: ArgsDef = {};
	const { operands, rest } = definition;
	if (operands) shown[operands.name] = { type: "positional", description: operands.description, required: operands.least > 0 };
	if (rest) shown[`-- ${rest.name}`] = { type: "positional", description: rest.description, required: false };
	return shown;
}

/** Define a command; the default export of its file. */
export function command<const Options extends ArgsDef>(definition: Definition<Options>): Command {
	const { args, operands, rest, lists = [], choices = {}, alone = {}, run } = definition;
	const citty = defineCommand<ArgsDef>({
		args: { ...args, ...positionals({ operands, rest }) },
		run: (context) => run({ ...(context.data as Given), args: context.args as ParsedArgs<Options> }),
	});
	return { citty, options: args, operands, rest, lists, choices, alone };
}

/** Print a failure in the one form of messages and answer its exit status. */
export function fail(system: System, name: string, kind: Failure, words: string): number {
	system.write(2, fromText(message(name, kind, words)));
	return EXIT[kind];
}

/** Print text as data, on stdout. Complete before it returns, also into a slow pipe. */
export function print(system: System, text: string): void {
	system.write(1, fromText(text));
}
