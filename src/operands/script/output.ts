// What goes through a pipe or a here-document into a command that takes paths or commands from there.

import type { Bytes } from "../../policy/bytes.ts";
import { baseOf } from "../../policy/resolve.ts";
import { UNKNOWN } from "./words.ts";

/** Commands that print the paths which they are given, or names below them. */
const LISTS = ["find", "ls", "fd", "grep", "rg", "du", "tree"];
/** Commands that hand on lines of what they read. */
const FILTERS = ["sort", "head", "tail", "uniq", "grep", "egrep", "tac", "cat", "tee"];

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", t: "\t", "0": "\0", "\\": "\\" };

/** What echo and printf print; the mark of the unknown in place of what is formatted in other ways. */
export function printedText(argv: readonly Bytes[]): Bytes | undefined {
	const [command = "", ...words] = argv;
	const name = baseOf(command);
	if (name === "echo") return words.filter((word, k) => k > 0 || !/^-[neE]+$/.test(word)).join(" ");
	if (name !== "printf") return undefined;
	const [format = "", ...values] = words[0] === "--" ? words.slice(1) : words;
	const plain = format.replace(/\\([nt0\\])/g, (_, letter: string) => ESCAPES[letter] ?? "");
	let next = 0;
	let text = "";
	// The format is used again for what is left of the values.
	do
		text += plain.replace(/%(%|[-\d.]*[a-zA-Z])/g, (_, kind: string) =>
			kind === "%" ? "%" : (values[next++] ?? (kind === "s" ? "" : UNKNOWN)),
		);
	while (next > 0 && next < values.length);
	return text;
}

/** The lines that a command hands on to the next one of a pipe; undefined when nothing is known of them. */
export function handedOn(argv: readonly Bytes[], input: readonly Bytes[] | undefined): Bytes[] | undefined {
	const text = printedText(argv);
	if (text !== undefined) return text.split(/[\n\0]/).filter((line) => line !== "");
	const name = baseOf(argv[0] ?? "");
	const words = argv.slice(1);
	if (LISTS.includes(name) && (input === undefined || !FILTERS.includes(name))) {
		const end = name === "find" ? words.findIndex((word) => /^[-(!]/.test(word) && !/^-[HLP]$/.test(word)) : words.length;
		const paths = words.slice(0, end < 0 ? undefined : end).filter((word) => !word.startsWith("-") && /[/.]/.test(word));
		return paths.flatMap((path) => [path, `${path}/${UNKNOWN}`]);
	}
	return FILTERS.includes(name) && input !== undefined ? [...input] : undefined;
}

/** What xargs and parallel make of their input: one argv with all of it, or one for each line where -I names a place for it. */
export function fed(argv: readonly Bytes[], input: readonly Bytes[]): Bytes[][] {
	const at = argv.findIndex((word) => /^(-I|-i|--replace)/.test(word));
	if (at < 0) return [[...argv, ...input.flatMap((line) => line.trim().split(/\s+/))]];
	const option = argv[at] as Bytes;
	const place = option === "-I" ? (argv[at + 1] ?? "") : option.replace(/^(-I|-i|--replace=?)/, "") || "{}";
	if (place === "") return [[...argv]];
	return input.map((line) => argv.map((word, k) => (k > at + (option === "-I" ? 1 : 0) ? word.replaceAll(place, () => line) : word)));
}
