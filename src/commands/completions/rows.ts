// The definitions of the commands as plain rows: what each shell's completions and the manual page are made of.

import type { ArgsDef } from "citty";
import type { Choices, Command, Listed } from "../command.ts";

/** What may be proposed for a word. */
export type Proposal = { words: readonly string[] } | { paths: "file" | "directory" } | "nothing";

export interface OptionRow {
	/** Without the dashes. */
	name: string;
	/** One-letter spellings, without the dash. */
	letters: readonly string[];
	about: string;
	/**
	 * What stands for the value in words, and what may be proposed for it; undefined where none is taken. It need not be there
	 * where the option also stands alone, and then only what is behind `=` is the value.
	 */
	value: { hint: string; proposal: Proposal; needed: boolean } | undefined;
	preset: string | undefined;
	required: boolean;
	/** Whether it may be given several times. */
	many: boolean;
}

export interface CommandRow {
	name: string;
	about: string;
	options: readonly OptionRow[];
	operands: { name: string; about: string; least: number; proposal: Proposal } | undefined;
	/** What stands behind `--`. */
	rest: { name: string; about: string } | undefined;
}

/** Hints that say what a value is. */
const HINTS: Readonly<Record<string, Choices>> = { DIR: "directory", FILE: "file" };

function proposalOf(choices: Choices | undefined, commands: readonly string[]): Proposal {
	if (choices === undefined) return "nothing";
	return typeof choices === "string" ? { paths: choices } : { words: choices(commands) };
}

function optionRow(name: string, option: ArgsDef[string], { lists, choices, alone }: Command, commands: readonly string[]): OptionRow {
	const { type = "boolean", description = "", valueHint = "VALUE" } = option;
	const { alias = [], default: preset } = option as { alias?: string | string[]; default?: unknown };
	const known = choices[name] ?? HINTS[valueHint];
	return {
		name,
		letters: [alias].flat(),
		about: description,
		value: type === "boolean" ? undefined : { hint: valueHint, proposal: proposalOf(known, commands), needed: alone[name] === undefined },
		preset: typeof preset === "string" ? preset : undefined,
		required: option.required === true,
		many: lists.includes(name),
	};
}

const HELP: OptionRow = {
	name: "help",
	letters: ["h"],
	about: "explain the command",
	value: undefined,
	preset: undefined,
	required: false,
	many: false,
};

/** One row a command. */
export function rowsOf(listed: readonly Listed[]): CommandRow[] {
	const commands = listed.map(({ name }) => name);
	return listed.map(({ name, summary, command }) => {
		const options = Object.entries(command.options).map(([option, given]) => optionRow(option, given, command, commands));
		const { operands, rest } = command;
		return {
			name,
			about: summary,
			options: [...options, HELP],
			operands: operands && {
				name: operands.name,
				about: operands.description,
				least: operands.least,
				proposal: proposalOf(operands.choices, commands),
			},
			rest: rest && { name: rest.name, about: rest.description },
		};
	});
}
