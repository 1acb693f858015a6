// The text of a command line as simple commands, where it is made of nothing else: words in the open, operators, and redirections.

import type { Bytes } from "../policy/bytes.ts";
import { type Cursor, isDigit, PATTERN, type Scanned, scanWord, TILDE, VALUE } from "./scan-word.ts";

/** A redirection to a file. */
export interface Redirected {
	/** `>`, `>>`, `&>` and so on. */
	operator: Bytes;
	target: Scanned;
	/** As it is written. */
	source: Bytes;
}

const [TAB, LF, SPACE, HASH, AND, SEMICOLON, LESS, GREATER, BACKSLASH, PIPE] = [9, 10, 32, 35, 38, 59, 60, 62, 92, 124];

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
