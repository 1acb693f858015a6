// What the KDL package says about a broken document, at the right place and in plain words.

import { InvalidKdlError } from "@bgotink/kdl";
import { type Problem, Report, type Source, type Span, shown } from "./problem.ts";

/** No word that is looked at is longer. */
const LONGEST = 200;

/** How the package says it, and how we do. */
const WORDS: readonly [RegExp, string][] = [
	[/^Strings with single quotes cannot/, "a string ends on the line that it begins on; is its closing quote missing?"],
	[/^Raw strings with single quotes cannot/, "a raw string ends on the line that it begins on; is its closing quote missing?"],
	[/^Unexpected EOF/, "the file ends within a raw string"],
	[/^Unexpected slashdash/, "there is nothing here that /- could take away"],
	[/^Expected a value/, "a value is missing after the equals sign"],
];

/** An unclosed string is noticed at the end of the file; it most likely begins on the first line with an odd number of quotes. */
function unclosedString(text: string): Span | undefined {
	for (const { 0: line, index } of text.matchAll(/[^\r\n]+/g)) {
		const quotes = [...line.replaceAll(/\\./g, "xx").replaceAll('"""', '"xx').matchAll(/"/g)];
		const last = quotes.at(-1);
		if (last && quotes.length % 2 === 1) return { start: index + last.index, end: index + last.index + 1 };
	}
	return undefined;
}

/** The end of what is written, for problems at the end of the file. */
function lastPlace(text: string): Span {
	const end = text.trimEnd().length;
	return { start: Math.max(0, end - 1), end: Math.max(1, end) };
}

/** The word around an offset, as a person sees it. */
function wordAround(text: string, offset: number): Span {
	const before = /[^\s;{}]*$/.exec(text.slice(Math.max(0, offset - LONGEST), offset))?.[0].length ?? 0;
	const after = /^[^\s;{}]*/.exec(text.slice(offset, offset + LONGEST))?.[0].length ?? 0;
	return { start: offset - before, end: offset + after };
}

/** A token where none of its kind may stand. */
function unexpected(error: InvalidKdlError, text: string, at: Span): { at: Span; words: string } {
	if (at.end >= text.trimEnd().length && error.token?.text === "") return { at, words: 'a block is not closed: "}" is missing' };
	if (error.token === undefined) {
		const word = wordAround(text, at.start);
		return { at: word, words: `${shown(text.slice(word.start, word.end))} needs quotes around it` };
	}
	const token = error.token.text.replace(/[\r\n][\s\S]*$/, "...");
	const advice = token === "}" ? "no block is open here, or a name is missing" : "is a space, a quote or a line break missing?";
	return { at, words: `unexpected ${shown(token)}: ${advice}` };
}

/** Where the package saw it: what is noticed at the end of the file is shown at the end of what is written. */
function placeOf(error: InvalidKdlError, text: string): Span {
	const start = error.start?.offset ?? 0;
	return text.slice(start).trim() === "" ? lastPlace(text) : { start, end: Math.max(error.end?.offset ?? 0, start + 1) };
}

function syntaxProblem(error: InvalidKdlError, text: string): { at: Span; words: string } {
	const said = error.message.replace(/ at (\d+:\d+|end of input)$/, "");
	const at = placeOf(error, text);
	if (/^Unexpected EOF inside string/.test(said))
		return { at: unclosedString(text) ?? at, words: "a string begins here and is not closed" };
	if (/^Unexpected EOF in multiline comment/.test(said)) {
		const start = Math.max(0, text.lastIndexOf("/*"));
		return { at: { start, end: start + 2 }, words: "a comment begins here and is not closed" };
	}
	const keyword = /^Invalid keyword "([^"]+)"/.exec(said)?.[1];
	if (keyword !== undefined) {
		// The package has read on when it says so.
		const start = Math.max(0, text.lastIndexOf(keyword, at.start));
		return {
			at: { start, end: start + keyword.length },
			words: `${shown(keyword)} is a keyword; put it in quotes if it is meant as a text`,
		};
	}
	if (/^(Invalid node children|Unexpected (token|character))/.test(said)) return unexpected(error, text, at);
	const known = WORDS.find(([pattern]) => pattern.test(said));
	return { at, words: known ? known[1] : `${said.charAt(0).toLowerCase()}${said.slice(1)}` };
}

/** What is wrong with the syntax of a document, one problem a place. `shift` is where the parsed text begins in the source. */
export function syntaxProblems(error: unknown, source: Source, text: string, shift: number): Problem[] {
	const report = new Report(source);
	// A stack that overflows is the one other thing that a parser of nested text can do.
	if (!(error instanceof InvalidKdlError) || error.cause !== undefined) {
		report.say({ start: 0, end: 1 }, "the blocks or comments are nested too deeply");
		return report.problems;
	}
	const seen = new Set<number>();
	for (const one of error.flat()) {
		const { at, words } = syntaxProblem(one, text);
		if (seen.has(at.start)) continue;
		seen.add(at.start);
		if (one.cause !== undefined) report.say({ start: 0, end: 1 }, "the blocks or comments are nested too deeply");
		else report.say({ start: at.start + shift, end: at.end + shift }, words);
	}
	return report.problems;
}
