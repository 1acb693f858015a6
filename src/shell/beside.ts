// What a call does beside what its words are read for, and its words as they are when files and variables of this line have their say.

import { baseOf } from "../policy/resolve.ts";
import type { Call } from "./call.ts";
import { readCommands, withStarts } from "./find-commands.ts";
import { handOver } from "./handed.ts";
import { nameProgram, withPrograms, withSettings } from "./programs.ts";
import type { Word } from "./reading.ts";
import { runTasks } from "./tasks.ts";
import { splitString } from "./unwrap.ts";
import { beginning, joinWords, known, shown, textOf, unknown } from "./words.ts";

/** What a variable holds that this line set for the command; one that the session was started with is its owner's. */
function given({ m, state }: Call, name: string): Word | undefined {
	const own = m.env.findLast((assignment) => assignment.name === name)?.value;
	if (own !== undefined) return own.pieces.length === 0 ? undefined : own;
	const variable = state.variables.get(name);
	const [value] = variable?.values ?? [];
	return variable?.exported && value?.kind === "word" && value.word.pieces.length > 0 ? value.word : undefined;
}

/** tar(1): TAR_OPTIONS stands before the other options, and TAPE is the archive where no other is named. */
function tar(call: Call): Word[] {
	const [options, tape] = [given(call, "TAR_OPTIONS"), given(call, "TAPE")];
	const named = call.words
		.slice(1)
		.some((word, k) => /^(-[a-zA-Z]*f|--fi)/.test(beginning(word)) || (k === 0 && /^[a-zA-Z]*f/.test(beginning(word))));
	const more = splitString(textOf(options ?? known("")) ?? "").map(known);
	return [...call.words, ...more, ...(tape !== undefined && !named ? [known("-f"), tape] : [])];
}

/** mktemp(1): a name without a place of its own comes to TMPDIR. */
function mktemp(call: Call): Word[] {
	const { words } = call;
	const directory = given(call, "TMPDIR");
	const [name = known("mktemp"), ...rest] = words;
	const has = (option: RegExp) => rest.some((word) => option.test(beginning(word)));
	const operands = rest.filter((word, k) => !beginning(word).startsWith("-") && !/^(-[a-z]*p|--suffix)$/.test(textOf(rest[k - 1]) ?? ""));
	if (directory === undefined || has(/^(-[a-z]*p|--tmpdir=)/) || !(operands.length === 0 || has(/^(-[a-z]*t|--tmpdir)$/))) return words;
	return [name, known("-p"), directory, ...rest.filter((word) => textOf(word) !== "--tmpdir")];
}

/** Variables that stand for an option. */
const OPTIONS: Readonly<Record<string, readonly [variable: string, option: string]>> = {
	cargo: ["CARGO_TARGET_DIR", "--target-dir"],
	pip: ["PIP_TARGET", "--target"],
	pip3: ["PIP_TARGET", "--target"],
	npm: ["npm_config_prefix", "--prefix"],
};

function withOption(call: Call, variable: string, option: string): Word[] {
	const [value, [name, ...rest]] = [given(call, variable), call.words];
	if (value === undefined || name === undefined || rest.some((word) => beginning(word).startsWith(option))) return call.words;
	return [name, joinWords([known(`${option}=`), value], ""), ...rest];
}

/** Variables whose words stand before the options of their tools (zip(1), unzip(1)). */
const BEFORE: Readonly<Record<string, readonly string[]>> = { zip: ["ZIPOPT", "ZIP"], unzip: ["UNZIP", "UNZIPOPT"] };

function withWordsBefore(call: Call, variables: readonly string[]): Word[] {
	const value = variables.map((name) => given(call, name)).find((word) => word !== undefined);
	if (value === undefined) return call.words;
	const text = textOf(value);
	const words = text === undefined ? [unknown(shown(value), { unquoted: true })] : splitString(text).map(known);
	return [...call.words.slice(0, 1), ...words, ...call.words.slice(1)];
}

/** The words of a call with what files and variables add to them. */
function wordsOf(call: Call, tool: string): Word[] {
	if (/^([gmn]?awk|g?sed)$/.test(tool)) return withPrograms(call);
	if (tool === "curl") return withSettings(call);
	if (tool === "tar" || tool === "bsdtar") return tar(call);
	if (tool === "mktemp") return mktemp(call);
	if (tool === "find") return withStarts(call);
	if (Object.hasOwn(BEFORE, tool)) return withWordsBefore(call, BEFORE[tool] as readonly string[]);
	const [variable, option] = (Object.hasOwn(OPTIONS, tool) ? OPTIONS[tool] : undefined) ?? [];
	return variable === undefined || option === undefined ? call.words : withOption(call, variable, option);
}

/** Reads what a call does beside itself. @returns the call with all its words */
export function besides(call: Call): Call {
	const tool = baseOf(textOf(call.words[0]) ?? "");
	const words = wordsOf(call, tool);
	handOver({ ...call, words }, tool);
	runTasks(call, tool);
	nameProgram(call);
	if (tool === "find") readCommands({ ...call, words });
	return words === call.words ? call : { ...call, words };
}
