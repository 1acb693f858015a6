// The text of a command line as simple commands, where it is made of nothing else: words in the open, operators, and redirections.

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

/** A redirection to a file. */
export interface Redirected {
	/** `>`, `>>`, `&>` and so on. */
	operator: Bytes;
	target: Scanned;
	/** As it is written. */
	source: Bytes;
}

/** A simple command (POSIX, XCU 2.9.1) without assignments. */
export interface Simple {
	words: Scanned[];
	/** What it opens for writing; the null device aside. */
	writes: Redirected[];
	/** The operators in front of it and behind it; "" at the ends of the line. */
	before: Bytes;
	behind: Bytes;
	/** Where it stands in the text. */
	start: number;
	end: number;
}

const [TAB, LF, SPACE, HASH, DOLLAR, AND, SEMICOLON, LESS, GREATER, BACKSLASH, PIPE] = [9, 10, 32, 35, 36, 38, 59, 60, 62, 92, 124];
const [DOUBLE, SINGLE, STAR, QUESTION, OPEN_BRACKET, CLOSE_BRACKET, TILDE_SIGN, BACKTICK] = [34, 39, 42, 63, 91, 93, 126, 96];

const isDigit = (code: number) => code >= 48 && code <= 57;
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
interface Cursor {
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
function scanWord(cursor: Cursor): Scanned | undefined {
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

/** The body of a here-document at the cursor is passed over; whether nothing in it is expanded. */
function skipBody(cursor: Cursor, { delimiter, quoted, tabs }: Cursor["pending"][number]): boolean {
	const { text } = cursor;
	while (cursor.at < text.length) {
		const next = text.indexOf("\n", cursor.at);
		const end = next < 0 ? text.length : next;
		const line = text.slice(cursor.at, end);
		cursor.at = Math.min(end + 1, text.length);
		if ((tabs ? line.replace(/^\t+/, "") : line) === delimiter) return true;
		if (!quoted && /[$`\\]/.test(line)) return false;
	}
	return false;
}

/** Blanks, lines that go on, and a comment. */
function skipBlanks(cursor: Cursor): void {
	const { text } = cursor;
	for (; ; cursor.at++) {
		const code = text.charCodeAt(cursor.at);
		if (code === BACKSLASH && text[cursor.at + 1] === "\n") cursor.at++;
		else if (code !== SPACE && code !== TAB) break;
	}
	if (text.charCodeAt(cursor.at) !== HASH) return;
	const end = text.indexOf("\n", cursor.at);
	cursor.at = end < 0 ? text.length : end;
}

/** The operators between commands that are known here; at the cursor, or "". */
function operatorAt({ text, at }: Cursor): Bytes {
	const code = text.charCodeAt(at);
	const twice = text.charCodeAt(at + 1) === code;
	if (code === AND) return text[at + 1] === ">" ? "" : twice ? "&&" : "&";
	if (code === PIPE) return twice ? "||" : text[at + 1] === "&" ? "" : "|";
	return code === LF ? "\n" : code === SEMICOLON && !twice ? ";" : "";
}

const OPERATOR = /&>>?|<<[<-]?|<[&>]?|>[>&|]?/y;

/** A redirection at the cursor, taken in; whether it can be said, undefined where none stands. */
function scanRedirection(cursor: Cursor, command: Simple): boolean | undefined {
	const { text, at } = cursor;
	let start = at;
	while (isDigit(text.charCodeAt(start))) start++;
	const descriptor = text.slice(at, start);
	const first = text.charCodeAt(start);
	if (first !== LESS && first !== GREATER && !(first === AND && descriptor === "" && text[start + 1] === ">")) return undefined;
	OPERATOR.lastIndex = start;
	const operator = OPERATOR.exec(text)?.[0] as string;
	const end = start + operator.length;
	cursor.at = end;
	if (operator === "<&" || operator === ">&") {
		// A copy of a descriptor; `>&file` is another form.
		if (!/^([012]|-)(?![^\s;|&])/.test(text.slice(end, end + 2))) return false;
		cursor.at = end + 1;
		return true;
	}
	skipBlanks(cursor);
	const target = scanWord(cursor);
	if (target === undefined) return false;
	if (operator === "<<" || operator === "<<-") {
		if (target.marks & (VALUE | PATTERN | TILDE) || target.text === "") return false;
		cursor.pending.push({ delimiter: target.text, quoted: target.marks !== 0, tabs: operator === "<<-" });
		return true;
	}
	if (operator === "<" || operator === "<<<") return true;
	if (target.text !== "/dev/null" || target.marks !== 0) command.writes.push({ operator, target, source: text.slice(at, cursor.at) });
	return true;
}

const commandAt = (before: Bytes, start: number): Simple => ({ words: [], writes: [], before, behind: "", start, end: start });

/**
 * The simple commands of a command line, in their order.
 * @returns undefined where anything else is written in it: an assignment is a word here, and the language's own words are too
 */
export function scan(text: Bytes): Simple[] | undefined {
	const cursor: Cursor = { text, at: 0, pending: [] };
	const commands: Simple[] = [];
	let command = commandAt("", 0);
	for (;;) {
		skipBlanks(cursor);
		const ended = cursor.at >= text.length;
		const operator = ended ? "" : operatorAt(cursor);
		if (ended || operator !== "") {
			const isEmpty = command.words.length === 0;
			if (isEmpty && (command.writes.length > 0 || (operator !== "\n" && !ended))) return undefined;
			if (!isEmpty) {
				command.behind = operator;
				commands.push(command);
			}
			if (ended) return cursor.pending.length === 0 ? commands : undefined;
			cursor.at += operator.length;
			if (operator === "\n") for (const document of cursor.pending.splice(0)) if (!skipBody(cursor, document)) return undefined;
			// A line that ends in an operator goes on in the next one.
			command = commandAt(isEmpty ? command.before : operator, cursor.at);
			continue;
		}
		const redirected = scanRedirection(cursor, command);
		if (redirected === false) return undefined;
		if (redirected === undefined) {
			const word = scanWord(cursor);
			if (word === undefined) return undefined;
			command.words.push(word);
		}
		command.end = cursor.at;
	}
}
