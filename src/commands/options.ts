// A command's words, read strictly: citty would accept unknown options in silence and take their values for operands.

import type { ArgsDef } from "citty";
import { didYouMean } from "../guardfile/nearest.ts";
import { fromText, quote } from "../policy/bytes.ts";
import type { Command } from "./command.ts";

/** The words of a command line, spelled so that citty can read them in one way only; or what is wrong with them. */
export type Words = { help: true } | { wrong: string } | { options: string[]; operands: string[]; values: Map<string, string[]> };

const shown = (word: string) => quote(fromText(word));

/** The option that a word such as `--out`, `-o` names. */
function optionOf(word: string, options: ArgsDef): string | undefined {
	const long = word.startsWith("--");
	const name = word.slice(long ? 2 : 1);
	if (long) return Object.hasOwn(options, name) ? name : undefined;
	return Object.keys(options).find((key) => [(options[key] as { alias?: string | string[] }).alias ?? []].flat().includes(name));
}

function spelled(options: ArgsDef): string[] {
	return ["--help", ...Object.keys(options).map((name) => `--${name}`)];
}

/** Whether a word is an option; `-` alone is an operand (POSIX 12.2, guideline 13). */
const isOption = (word: string) => word.length > 1 && word.startsWith("-");

function readOption(
	words: string[],
	at: number,
	{ options, alone }: Command,
): { wrong: string } | { name: string; value?: string; taken: number } {
	const word = words[at] as string;
	const equals = word.indexOf("=");
	const spelling = equals < 0 ? word : word.slice(0, equals);
	const name = optionOf(spelling, options);
	if (name === undefined) return { wrong: `unknown option ${shown(spelling)}${didYouMean(spelling, spelled(options))}` };
	const flag = (options[name]?.type ?? "boolean") === "boolean";
	if (flag) return equals < 0 ? { name, taken: 1 } : { wrong: `${shown(spelling)} takes no value` };
	const meant = alone[name];
	if (meant !== undefined && equals < 0) return { name, value: meant, taken: 1 };
	const value = equals < 0 ? words[at + 1] : word.slice(equals + 1);
	if (value === undefined || value === "") return { wrong: `${shown(spelling)} needs a value` };
	return { name, value, taken: equals < 0 ? 2 : 1 };
}

/** What is wrong with the words of a call where no `--` stands before them; undefined where the command takes none. */
const behindDashes = ({ rest }: Command) => (rest ? `the words of ${rest.name} stand after "--"` : undefined);

function wrongCount(count: number, command: Command): string | undefined {
	const { operands } = command;
	if (count > 0 && operands === undefined) return behindDashes(command) ?? "takes no operands";
	if (operands === undefined) return undefined;
	if (count < operands.least) return `needs ${operands.name}`;
	return count > operands.most ? (behindDashes(command) ?? `takes at most ${operands.most} of ${operands.name}`) : undefined;
}

/** The words that a required option lacks. */
function missingOption(given: ReadonlyMap<string, unknown>, options: ArgsDef): string | undefined {
	const missing = Object.keys(options).find((name) => options[name]?.required && !given.has(name));
	const hint = missing === undefined ? undefined : options[missing]?.valueHint;
	return missing === undefined ? undefined : `needs --${missing}${hint ? ` ${hint}` : ""}`;
}

/** Read the words before the first `--` by a command's definition. */
export function readWords(words: string[], command: Command): Words {
	const operands: string[] = [];
	const given = new Map<string, string[]>();
	for (let at = 0; at < words.length; ) {
		const word = words[at] as string;
		if (word === "--help" || word === "-h") return { help: true };
		if (!isOption(word)) {
			operands.push(word);
			at++;
			continue;
		}
		const read = readOption(words, at, command);
		if ("wrong" in read) return { wrong: (operands.length > 0 && behindDashes(command)) || read.wrong };
		const values = given.get(read.name);
		if (values !== undefined && !command.lists.includes(read.name)) return { wrong: `--${read.name} is given twice` };
		given.set(read.name, [...(values ?? []), ...(read.value === undefined ? [] : [read.value])]);
		at += read.taken;
	}
	const wrong = missingOption(given, command.options) ?? wrongCount(operands.length, command);
	const options = [...given].map(([name, values]) => (values.length === 0 ? `--${name}` : `--${name}=${values.join(",")}`));
	return wrong === undefined ? { options, operands, values: given } : { wrong };
}
