// Options in every spelling that getopt_long takes: short, bundled, glued, separate, long, any prefix, before and after the operands.

import type { Bytes } from "../../src/policy/bytes.ts";
import type { Random } from "./random.ts";

/** Whether an option takes a value: an optional one only glued. */
export type Takes = "no" | "required" | "optional";

/** One option that a tool knows: a short letter, a long name, either may be "". */
export type Row = readonly [short: string, long: string, takes?: Takes, values?: readonly string[]];

/** One option of a call. */
export interface Chosen {
	short: string;
	long: string;
	takes: Takes;
	value?: Bytes;
}

/** Some of the options that a table has. */
export function choose(random: Random, rows: readonly Row[], probability: number): Chosen[] {
	return random.some(rows, probability).map(([short, long, takes = "no", values = []]) => {
		const wanted = takes === "required" || (takes === "optional" && random.chance(0.5));
		return { short, long, takes, ...(wanted && values.length > 0 && { value: random.pick(values) }) };
	});
}

function longWord(random: Random, { long, value, takes }: Chosen): Bytes[] {
	const least = Math.min(long.length, 2);
	const name = random.chance(0.35) ? long.slice(0, least + random.below(long.length - least + 1)) : long;
	if (value === undefined) return [`--${name}`];
	return takes === "optional" || random.chance(0.6) ? [`--${name}=${value}`] : [`--${name}`, value];
}

function shortWords(random: Random, letters: string, { short, value, takes }: Chosen): Bytes[] {
	const word = `-${letters}${short}`;
	if (value === undefined) return [word];
	return takes === "optional" || random.chance(0.5) ? [word + value] : [word, value];
}

/** The options as words; each inner list stays together. */
function units(random: Random, options: readonly Chosen[]): Bytes[][] {
	const made: Bytes[][] = [];
	let letters = "";
	for (const option of options) {
		const short = option.short !== "" && (option.long === "" || random.chance(0.6));
		if (!short) made.push(longWord(random, option));
		else if (option.takes === "no" && random.chance(0.6)) letters += option.short;
		else {
			made.push(shortWords(random, letters, option));
			letters = "";
		}
	}
	if (letters !== "") made.push([`-${letters}`]);
	return made;
}

/** Now and then a word that the tool does not know, or that makes it print and stop. */
function oddity(random: Random): Bytes[][] {
	if (!random.chance(0.02)) return [];
	return [[random.pick(["--help", "--version", "-Z", "--bogus", "--no", "--ver", "-9", "--force=x", "--x=/fz/c/O/f"])]];
}

/** Options among operands: anywhere, with and without `--`. */
export function arrange(random: Random, options: readonly Chosen[], operands: readonly Bytes[]): Bytes[] {
	const words: Bytes[][] = operands.map((operand) => [operand]);
	const flags = [...units(random, options), ...oddity(random)];
	const dashes = operands.some((operand) => operand.startsWith("-")) ? 0.7 : 0.12;
	if (random.chance(dashes)) return [...flags.flat(), "--", ...operands];
	for (const flag of flags) words.splice(random.chance(0.65) ? 0 : random.below(words.length + 1), 0, flag);
	if (random.chance(0.03)) words.splice(random.below(words.length + 1), 0, ["--"]);
	return words.flat();
}
