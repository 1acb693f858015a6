// What find prints: names below its starting points, and those themselves unless its tests spare them.

import type { Bytes } from "../policy/bytes.ts";
import { baseOf } from "../policy/resolve.ts";
import type { Call } from "./call.ts";
import type { Output, Word } from "./reading.ts";
import { found } from "./vital.ts";
import { beginning, known, textOf, wordOf } from "./words.ts";

/** Words by which an expression is more than alternatives of tests that must all hold. */
const GROUPS = [",", "!", "-not", "(", ")"];

/** Whether find surely does not print a starting point, which is a directory: by its depth, or by the tests of each alternative. */
function sparesStart(expression: readonly Bytes[], start: Bytes | undefined): boolean {
	if (valued(expression, "-mindepth").some((depth) => Number(depth) > 0)) return true;
	if (expression.some((each) => GROUPS.includes(each))) return false;
	const alternatives: Bytes[][] = [[]];
	for (const each of expression) {
		if (each === "-o" || each === "-or") alternatives.push([]);
		else alternatives.at(-1)?.push(each);
	}
	// Where anything prints by its own word, an alternative without one prints nothing.
	const prints = (tests: readonly Bytes[]) => tests.some((each) => each === "-print" || each === "-print0");
	const count = alternatives.some(prints) ? alternatives.filter(prints) : alternatives;
	return count.every((tests) => missesDirectory(tests, start));
}

/** What follows each word of this name. */
const valued = (expression: readonly Bytes[], name: Bytes) =>
	expression.flatMap((each, k) => (each === name ? [expression[k + 1] ?? ""] : []));

/** Whether tests that must all hold fail for a starting point that is a directory. */
function missesDirectory(tests: readonly Bytes[], start: Bytes | undefined): boolean {
	const end = tests.findIndex((each) => each === "-print" || each === "-print0");
	const before = end < 0 ? tests : tests.slice(0, end);
	if (valued(before, "-type").some((type) => /^[a-z,]+$/.test(type) && !type.includes("d"))) return true;
	if (start === undefined) return false;
	const misses = (text: Bytes) => (pattern: Bytes) => !/[?[\\]/.test(pattern) && !couldMatch(pattern, text);
	return (
		valued(before, "-name").some(misses(baseOf(start))) || [...valued(before, "-path"), ...valued(before, "-wholename")].some(misses(start))
	);
}

/** Whether a pattern of names and `*` may match: its parts must stand in the name in their order. */
function couldMatch(pattern: Bytes, name: Bytes): boolean {
	const [first = "", ...rest] = pattern.split("*");
	if (rest.length === 0) return pattern === name;
	return name.startsWith(first) && name.endsWith(rest.at(-1) ?? "");
}

/** The starting points of a find, and the words of its expression. */
function partsOf(words: readonly Word[]): { starts: readonly Word[]; expression: Bytes[] } {
	let at = 1;
	for (; at < words.length; at++) {
		const option = textOf(words[at]) ?? "";
		if (/^-(H|L|P|O\d)$/.test(option)) continue;
		if (option === "-D") at++;
		else break;
	}
	const rest = words.slice(at);
	const end = rest.findIndex((word) => /^(-.|[(!])/s.test(beginning(word)));
	const starts = end < 0 ? rest : rest.slice(0, end);
	const expression = (end < 0 ? [] : rest.slice(end)).map((word) => textOf(word) ?? "");
	return { starts: starts.length > 0 ? starts : [known(".")], expression };
}

const below = (start: Word): Word => {
	const slash = textOf(start)?.endsWith("/") ? "" : "/";
	return wordOf([...start.pieces, slash, { source: "(a name that find prints)", contained: true }]);
};

/** What stands for any name below each start. */
export const namesBelow = (words: readonly Word[]): Word[] => partsOf(words).starts.map(below);

/** find START... EXPRESSION: names below each start. */
export function find(call: Call): Output {
	const { starts, expression } = partsOf(call.words);
	if (expression.some((each) => /^-(printf|ls|exec|execdir|ok|okdir|files0-from|quit)$/.test(each))) return { kind: "unknown" };
	const names = starts.flatMap((start): Word[] => (sparesStart(expression, textOf(start)) ? [below(start)] : [start, below(start)]));
	names.push(...found(call, starts, expression));
	return { kind: "names", names, separator: expression.includes("-print0") ? "\0" : "\n" };
}
