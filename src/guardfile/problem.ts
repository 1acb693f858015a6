// One thing that is wrong with a guardfile: where it is, in words, and how a person sees it.

import { type Bytes, quote } from "../policy/bytes.ts";
import { type Failure, message } from "../sys/exit.ts";

/** A guardfile as it was read. */
export interface Source {
	/** As the caller spelled it, for messages. */
	name: Bytes;
	/** Its absolute path, for the policy. */
	path: Bytes;
	text: string;
	/** Offsets at which its lines begin; filled when first asked for. */
	lines?: number[];
}

/** Offsets into a source's text, the end not included. */
export interface Span {
	start: number;
	end: number;
}

export interface Problem {
	/** The guardfile, by name alone when it could not be read. */
	source: Source | Pick<Source, "name">;
	/** Where; absent when it concerns the whole file. */
	at?: Span;
	words: string;
}

/** Where the lines of a text begin, as editors count them. */
function lineStarts(source: Source): number[] {
	if (source.lines) return source.lines;
	const starts = [0];
	for (const match of source.text.matchAll(/\r\n|\n|\r/g)) starts.push(match.index + match[0].length);
	source.lines = starts;
	return starts;
}

/** The line that holds an offset, from 1. */
export function lineOf(source: Source, offset: number): number {
	const starts = lineStarts(source);
	let low = 0;
	let high = starts.length;
	while (high - low > 1) {
		const middle = (low + high) >> 1;
		if ((starts[middle] as number) <= offset) low = middle;
		else high = middle;
	}
	return low + 1;
}

/** So much of a line stands before the caret at most, and so much in all. */
const BEFORE = 60;
const WIDTH = 120;

const WIDE = /\p{Emoji_Presentation}|\p{Script=Han}|\p{Script=Hangul}|\p{Script=Hiragana}|\p{Script=Katakana}|[\uff01-\uff60]/u;
const UNSEEN = /\p{Cc}|\p{Cf}|\p{Zl}|\p{Zp}|\p{Cs}/u;

/** A character of the source as it may stand on a terminal, and how many columns it takes there. */
function cell(character: string): { shown: string; width: number } {
	if (character === "\t") return { shown: "    ", width: 4 };
	if (UNSEEN.test(character)) return { shown: "\ufffd", width: 1 };
	if (/\p{M}/u.test(character)) return { shown: character, width: 0 };
	return { shown: character, width: WIDE.test(character) ? 2 : 1 };
}

/** The source line and the line of carets below it; a long line is cut around them. */
function excerpt(line: string, from: number, to: number): [string, string] {
	const characters = [...line];
	const first = from > BEFORE ? from - BEFORE : 0;
	let shown = first > 0 ? "..." : "";
	let caret = first > 0 ? "   " : "";
	const last = Math.min(characters.length, first + WIDTH);
	for (let k = first; k < last; k++) {
		const { shown: text, width } = cell(characters[k] as string);
		shown += text;
		if (k < to) caret += (k < from ? " " : "^").repeat(width);
	}
	if (last < characters.length) shown += "...";
	return [`    ${shown.trimEnd()}`, `    ${caret.includes("^") ? caret : `${caret}^`}`];
}

function place(source: Source, at: Span): { line: number; column: number; shown: [string, string] } {
	const line = lineOf(source, at.start);
	const begin = lineStarts(source)[line - 1] as number;
	const whole = source.text.slice(begin, lineStarts(source)[line] ?? source.text.length).replace(/[\r\n]+$/, "");
	const from = [...source.text.slice(begin, at.start)].length;
	const to = [...source.text.slice(begin, Math.min(at.end, begin + whole.length))].length;
	return { line, column: from + 1, shown: excerpt(whole, from, Math.max(to, from + 1)) };
}

/** The message of one problem: `tmx: COMMAND: user_error: FILE:LINE:COLUMN: words`, the source line, and carets. */
export function render(problem: Problem, command: string, kind: Failure = "user_error"): string {
	const { source, at, words } = problem;
	const name = quote(source.name);
	if (at === undefined || !("text" in source)) return message(command, kind, `${name}: ${words}`);
	const { line, column, shown } = place(source, at);
	return message(command, kind, `${name}:${line}:${column}: ${words}\n${shown.join("\n")}`);
}

/** The longest piece of somebody's text that a message repeats. */
const REPEATED = 60;

/** A piece of a guardfile for a message: in double quotes, cut when long, with what could deceive a terminal escaped. */
export function shown(text: string): string {
	const cut = text.length > REPEATED ? `${[...text.slice(0, 2 * REPEATED)].slice(0, REPEATED).join("")}...` : text;
	const hostile = /\p{Cc}|\p{Cf}|\p{Zl}|\p{Zp}|\p{Cs}/gu;
	const plain = cut.replaceAll("\\", "\\\\").replaceAll('"', '\\"');
	return `"${plain.replace(hostile, (character) => `\\u{${(character.codePointAt(0) as number).toString(16)}}`)}"`;
}

/** Keeps what is wrong with one source. */
export class Report {
	readonly problems: Problem[] = [];

	constructor(readonly source: Source) {}

	say(at: Span, words: string): void {
		this.problems.push({ source: this.source, at, words });
	}
}
