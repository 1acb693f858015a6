// xargs(1): the words of its input become calls.

import type { Call } from "./call.ts";
import { invokeFile } from "./invoke.ts";
import type { Machine } from "./machine.ts";
import type { Output, Word } from "./reading.ts";
import { fileOutput, wholeInput } from "./redirections.ts";
import { either, type Outcome } from "./state.ts";
import { readOptions, splitString } from "./unwrap.ts";
import { known, linesOf, textOf, unknown, wordOf } from "./words.ts";

const TAKES = "-a --arg-file -d --delimiter -E -I -L --max-lines -n --max-args -P --max-procs -s --max-chars -J -R -S";

/** How the input is cut, and what is made of it. */
interface Way {
	separator: string | undefined;
	replaced: string | undefined;
	most: number;
	byLine: boolean;
	/** It runs nothing where there is no item. */
	never: boolean;
}

function wayOf(given: readonly { name: string; value?: Word | undefined }[]): Way {
	const way: Way = { separator: undefined, replaced: undefined, most: Number.POSITIVE_INFINITY, byLine: false, never: false };
	for (const { name, value } of given) {
		const text = value === undefined ? undefined : textOf(value);
		if (name === "-0" || name === "--null") way.separator = "\0";
		else if (name === "-d" || name === "--delimiter")
			way.separator = text === "\\n" ? "\n" : text === "\\0" ? "\0" : text === "\\t" ? "\t" : (text ?? "\n");
		else if (name === "-I" || name === "-J") way.replaced = text ?? "{}";
		else if (name === "-i" || name === "--replace") way.replaced = text || "{}";
		else if (name === "-n" || name === "--max-args") way.most = Number(text) || 1;
		else if (name === "-L" || name === "-l" || name === "--max-lines") way.byLine = true;
		else if (name === "-r" || name === "--no-run-if-empty") way.never = true;
	}
	return way;
}

/** A text with holes cut at blanks; quotes are read where no hole is in the line. */
function blanks(word: Word): Word[] {
	const text = textOf(word);
	if (text !== undefined) return splitString(text).map(known);
	const words: Word[] = [];
	let pieces: Word["pieces"] = [];
	for (const piece of word.pieces) {
		if (typeof piece !== "string") {
			pieces.push(piece);
			continue;
		}
		for (const [k, part] of piece.split(/[ \t\n]+/).entries()) {
			if (k > 0) {
				words.push(wordOf(pieces));
				pieces = [];
			}
			pieces.push(part);
		}
	}
	words.push(wordOf(pieces));
	return words.filter(({ pieces: each }) => each.length > 0);
}

/** The items of an input; undefined when they are not known. */
function itemsOf(output: Output, way: Way): { items: Word[]; lines: Word[] } | undefined {
	if (output.kind === "unknown") return undefined;
	const lines =
		output.kind === "names"
			? output.names
			: linesOf(output.word, way.separator ?? "\n").filter((line) => way.separator !== undefined || line.pieces.length > 0);
	if (way.separator !== undefined) return { items: lines, lines };
	if (way.replaced !== undefined) {
		const items = lines.map((line) => (textOf(line) === undefined ? line : known(unquoted(textOf(line) as string))));
		return { items, lines };
	}
	return { items: output.kind === "names" ? lines.flatMap(blanks) : blanks(output.word), lines };
}

/** One line of `xargs -I`: leading blanks, quotes and backslashes are taken off. */
const unquoted = (line: string) =>
	line.replace(/^[ \t]+/, "").replace(/\\([\s\S])|"([^"]*)"|'([^']*)'/g, (_, escaped, double, single) => escaped ?? double ?? single ?? "");

/** A word with each mark replaced by an item. */
function withItem(word: Word, mark: string, item: Word): Word {
	return wordOf(
		word.pieces.flatMap((piece) => {
			if (typeof piece !== "string" || !piece.includes(mark)) return [piece];
			return piece.split(mark).flatMap((part, k) => (k === 0 ? [part] : [...item.pieces, part]));
		}),
	);
}

function chunks<T>(items: readonly T[], size: number): T[][] {
	if (!Number.isFinite(size)) return [[...items]];
	return Array.from({ length: Math.ceil(items.length / size) }, (_, k) => items.slice(k * size, (k + 1) * size));
}

/** The commands that xargs would run. */
function commands(m: Machine, command: readonly Word[], output: Output, way: Way): Word[][] {
	const found = itemsOf(output, way);
	if (found === undefined) {
		const item = unknown("(the input of xargs)");
		if (way.replaced !== undefined) return [command.map((word) => withItem(word, way.replaced as string, item))];
		return [[...command, unknown("(the input of xargs)", { unquoted: true })]];
	}
	m.step(found.items.length);
	if (way.replaced !== undefined) {
		return found.items.map((item) => command.map((word) => withItem(word, way.replaced as string, item)));
	}
	if (way.byLine) return found.lines.map((line) => [...command, ...blanks(line)]);
	if (found.items.length === 0) return output.kind === "names" || way.never ? [] : [[...command]];
	return chunks(found.items, way.most).map((items) => [...command, ...items]);
}

/** xargs, with what it reads. */
export function xargs({ m, state, words }: Call): Outcome {
	// -e, -i and -l take a value only in the same word.
	const glued = words.slice(1).map((word) => {
		const found = /^-([eil])(.+)$/s.exec(textOf(word) ?? "");
		return found
			? known(found[1] === "i" ? `--replace=${found[2]}` : found[1] === "l" ? `--max-lines=${found[2]}` : `--eof=${found[2]}`)
			: word;
	});
	const { given, rest } = readOptions(glued, TAKES);
	const file = given.find(({ name }) => name === "-a" || name === "--arg-file")?.value;
	const output = file === undefined ? wholeInput(m) : fileOutput(m, state, file);
	const command = rest.length > 0 ? rest : [known("echo")];
	const way = wayOf(given);
	const all = commands(m, command, output, way);
	const noInput = { output: { kind: "text", word: known("") } as const, lines: undefined, taken: 0 };
	const changes = { via: [...m.via, "xargs"], ...(file === undefined ? { input: noInput } : {}) };
	m.within(changes, () => {
		for (const each of all) m.perhaps(output.kind !== "text", () => invokeFile({ m, state: state.fork(), words: each }));
	});
	return either(state);
}
