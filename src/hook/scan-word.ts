// One word of a command line in the open: its text without quotes, and what the shell would do with it beside.

import type { Bytes } from "../policy/bytes.ts";

/** What the shell does with a word beside taking off its quotes; the bits of `marks`. */
export const VALUE = 1;
export const PATTERN = 2;
export const TILDE = 4;
/** A backslash that took the meaning of a character. */
export const ESCAPE = 8;
export const QUOTE = 16;

/** A word without its quotes: known text, but for what its marks say. */
export interface Scanned {
	text: Bytes;
	marks: number;
}

const [SPACE, HASH, DOLLAR, BACKSLASH] = [32, 35, 36, 92];
const [DOUBLE, SINGLE, STAR, QUESTION, OPEN_BRACKET, CLOSE_BRACKET, TILDE_SIGN, BACKTICK] = [34, 39, 42, 63, 91, 93, 126, 96];

export const isDigit = (code: number) => code >= 48 && code <= 57;
const isLetter = (code: number) => (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 95;
/** Characters that mean themselves wherever they stand: letters, digits, `_`, `,-./:@%+=^` and bytes of other scripts. */
const isOrdinary = (code: number) =>
	isLetter(code) || (code >= 44 && code <= 58) || code === 64 || [37, 43, 61, 94].includes(code) || code > 127;

/** The end of `$NAME`, `${NAME}` or `$?` at a place; -1 where something else stands, which may do more than give a value. */
function endOfValue(text: Bytes, at: number): number {
	const braced = text[at + 1] === "{";
	const start = at + (braced ? 2 : 1);
	let end = start;
	while (end < text.length && (isLetter(text.charCodeAt(end)) || isDigit(text.charCodeAt(end)))) end++;
	if (braced) return end > start && text[end] === "}" ? end + 1 : -1;
	return end > start ? end : text[end] === "?" ? end + 1 : -1;
}

/** Where a scan stands, and what it found of a word. */
export interface Cursor {
	text: Bytes;
	at: number;
	/** Here-documents whose bodies begin in the next line. */
	pending: { delimiter: Bytes; quoted: boolean; tabs: boolean }[];
}

/** How a message in a here-document begins, as agents write it: `$(cat <<'WORD'`. */
const MESSAGE = /\$\(cat <<'(\w+)'(?=\n)/y;

/** The text of `$(cat <<'WORD' ... WORD)` at a place, and where it ends. */
function messageAt(text: Bytes, at: number): { body: Bytes; end: number } | undefined {
	MESSAGE.lastIndex = at;
	const [start, delimiter] = MESSAGE.exec(text) ?? [];
	if (start === undefined) return undefined;
	const from = at + start.length;
	// The first line of that name ends it, whatever follows.
	const last = text.indexOf(`\n${delimiter}\n`, from);
	if (last < 0) return undefined;
	let end = last + (delimiter as string).length + 2;
	while (text[end] === " " || text[end] === "\t") end++;
	const body = text.slice(from + 1, last);
	return text[end] === ")" && !body.includes("\0") ? { body: body.replace(/\n+$/, ""), end: end + 1 } : undefined;
}

/** What stands between double quotes, `cursor` behind the first one; whether it can be said. */
function scanQuoted(cursor: Cursor, word: Scanned): boolean {
	const { text } = cursor;
	for (let { at } = cursor, from = at; at < text.length; ) {
		const code = text.charCodeAt(at);
		if (code === 0 || code === BACKTICK) return false;
		if (code !== DOUBLE && code !== BACKSLASH && code !== DOLLAR) {
			at++;
			continue;
		}
		word.text += text.slice(from, at);
		if (code === DOUBLE) {
			cursor.at = at + 1;
			return true;
		}
		let end = at + 2;
		if (code === BACKSLASH) {
			const escaped = text[at + 1] ?? "\0";
			if (escaped === "\0") return false;
			// Before any other character it stays, and a line that ends in it goes on.
			if (escaped !== "\n") word.text += '$`"\\'.includes(escaped) ? escaped : `\\${escaped}`;
			word.marks |= ESCAPE;
		} else if (text[at + 1] === "(") {
			const message = messageAt(text, at);
			if (message === undefined) return false;
			word.text += message.body;
			end = message.end;
		} else {
			end = endOfValue(text, at);
			if (end < 0) return false;
			word.text += text.slice(at, end);
			word.marks |= VALUE;
		}
		from = end;
		at = end;
	}
	return false;
}

/** The word at the cursor; undefined where something else is written, or what does more than give text. */
export function scanWord(cursor: Cursor): Scanned | undefined {
	const { text } = cursor;
	const word: Scanned = { text: "", marks: 0 };
	const start = cursor.at;
	for (;;) {
		const from = cursor.at;
		while (cursor.at < text.length && isOrdinary(text.charCodeAt(cursor.at))) cursor.at++;
		if (cursor.at > from) word.text += text.slice(from, cursor.at);
		const { at } = cursor;
		const code = at < text.length ? text.charCodeAt(at) : SPACE;
		if (code === SINGLE) {
			const end = text.indexOf("'", at + 1);
			if (end < 0) return undefined;
			word.text += text.slice(at + 1, end);
			word.marks |= QUOTE;
			cursor.at = end + 1;
		} else if (code === DOUBLE) {
			word.marks |= QUOTE;
			cursor.at++;
			if (!scanQuoted(cursor, word)) return undefined;
		} else if (code === DOLLAR) {
			const end = endOfValue(text, at);
			if (end < 0) return undefined;
			word.text += text.slice(at, end);
			word.marks |= VALUE;
			cursor.at = end;
		} else if (code === BACKSLASH) {
			// At the end of a line the word goes on in the next one.
			if (at + 1 >= text.length || text[at + 1] === "\n" || text[at + 1] === "\0") return undefined;
			word.text += text[at + 1];
			word.marks |= ESCAPE;
			cursor.at += 2;
		} else if (code === STAR || code === QUESTION || code === OPEN_BRACKET || code === CLOSE_BRACKET) {
			word.text += text[at];
			if (code !== CLOSE_BRACKET) word.marks |= PATTERN;
			cursor.at++;
		} else if (code === TILDE_SIGN) {
			word.text += "~";
			word.marks |= TILDE;
			cursor.at++;
		} else if (code === HASH && at > start) {
			word.text += "#";
			cursor.at++;
		} else {
			// The tool of that name: without an end it is no pattern.
			if (word.text === "[" && word.marks === PATTERN) word.marks = 0;
			return at > start ? word : undefined;
		}
	}
}
