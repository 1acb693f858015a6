// Which lines a plain pattern of grep lets through.

import type { Bytes } from "../policy/bytes.ts";

/** Options by which a pattern is another one, or lines are turned round; beside those that change how a line looks. */
const LETTERS = /^-[vivEFGwxy]+$/;
const LONG = /^--(invert-match|ignore-case|extended-regexp|fixed-strings|word-regexp|line-regexp|color.*|colour.*)$/;

/** A pattern without anything that means more than itself, but for `.`, anchors and alternatives; undefined for any other. */
function expressionOf(pattern: Bytes, extended: boolean, fixed: boolean): string | undefined {
	const plain = (text: Bytes) => text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
	if (fixed) return pattern.split("\n").map(plain).join("|");
	const alternatives = pattern.split(extended ? "|" : /\\\|/).map((each) => {
		const [, start, body, end] = /^(\^?)(.*?)(\$?)$/s.exec(each) as unknown as [string, string, string, string];
		return /^([\w\s/@%,:=~-]|\.|\\[./-])*$/.test(body) ? start + body.replace(/\//g, "\\/").replace(/\\\\\//g, "\\/") + end : undefined;
	});
	return alternatives.includes(undefined) ? undefined : alternatives.join("|");
}

/** What grep with these words says of a line: whether it prints it; undefined where that is not known. */
export function printing(words: readonly (Bytes | undefined)[]): ((line: Bytes) => boolean) | undefined {
	const patterns: Bytes[] = [];
	let letters = "";
	for (let at = 0; at < words.length; at++) {
		const word = words[at];
		if (word === undefined) return undefined;
		if (word === "-e") patterns.push(words[++at] ?? "");
		else if (LETTERS.test(word)) letters += word.slice(1);
		else if (LONG.test(word))
			letters += { "--i": word.startsWith("--in") ? "v" : "i", "--e": "E", "--f": "F", "--w": "w", "--l": "x" }[word.slice(0, 3)] ?? "";
		else if (word.startsWith("-")) return undefined;
		else patterns.push(word);
	}
	if (patterns.length === 0 || (patterns.length > 1 && !words.includes("-e"))) return undefined;
	const all = patterns.map((each) => expressionOf(each, letters.includes("E"), letters.includes("F")));
	if (all.includes(undefined)) return undefined;
	const body = `(?:${all.join("|")})`;
	const whole = letters.includes("x") ? `^${body}$` : letters.includes("w") ? `(?<!\\w)${body}(?!\\w)` : body;
	const expression = new RegExp(whole, /[iy]/.test(letters) ? "i" : "");
	const turned = letters.includes("v");
	return (line) => expression.test(line) !== turned;
}
