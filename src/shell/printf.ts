// What printf and echo print, where their words are known or have holes.

import { decoded } from "./ansi.ts";
import type { Word } from "./reading.ts";
import { joinWords, known, textOf, wordOf } from "./words.ts";

/** echo [-neE]: undefined when bash versions, or xpg_echo, differ. */
export function echoed(words: readonly Word[]): Word | undefined {
	let [newline, escapes, at] = [true, false, 0];
	for (; at < words.length; at++) {
		const text = textOf(words[at]);
		if (text === undefined || !/^-[neE]+$/.test(text)) break;
		if (text.includes("n")) newline = false;
		if (/[eE]/.test(text)) escapes = text.lastIndexOf("e") > text.lastIndexOf("E");
	}
	const joined = joinWords(words.slice(at), " ");
	const end = newline ? ["\n"] : [];
	if (!escapes) return wordOf([...joined.pieces, ...end]);
	const pieces: Word["pieces"] = [];
	for (const piece of joined.pieces) {
		if (typeof piece !== "string") pieces.push(piece);
		else {
			const result = decoded(piece, "echo");
			if (result === undefined) return undefined;
			pieces.push(result.text);
			if (result.stopped) return wordOf(pieces);
		}
	}
	return wordOf([...pieces, ...end]);
}

const DIRECTIVE = /%(%|(?:-?\d*)(?:\.\d+)?[sbdiuqc])/g;

/** An operand of %b; `stopped` when a \c ended all that is printed. */
function escaped(operand: Word | undefined): { pieces: Word["pieces"]; stopped: boolean } | undefined {
	const text = textOf(operand ?? known(""));
	const result = text === undefined ? undefined : decoded(text, "operand");
	return result && { pieces: [result.text], stopped: result.stopped };
}

/** Another directive with its operand. */
function formatted(directive: string, operand: Word | undefined): Word["pieces"] | undefined {
	if (directive === "%") return ["%"];
	const word = operand ?? known("");
	const kind = directive.at(-1);
	if (directive.length > 1) {
		const text = textOf(word);
		const width = /^(-?)(\d+)s$/.exec(directive);
		if (text === undefined || width === null || /[\x80-\xff]/.test(text)) return undefined;
		return [width[1] ? text.padEnd(Number(width[2])) : text.padStart(Number(width[2]))];
	}
	if (kind === "s") return word.pieces;
	const text = textOf(word);
	if (text === undefined) return undefined;
	if (kind === "b") return undefined;
	if (kind === "q") return /^[\w@%+=:,./-]+$/.test(text) ? [text] : undefined;
	if (kind === "c") return [text.slice(0, 1)];
	return /^(0|-?[1-9]\d{0,15})?$/.test(text) ? [text === "" ? "0" : text] : undefined;
}

/** printf FORMAT [OPERAND ...]: the format is used again until no operand is left. */
export function printed(words: readonly Word[]): Word | undefined {
	const operands = textOf(words[0]) === "--" ? words.slice(1) : words;
	const format = textOf(operands[0]);
	if (format === undefined || format.startsWith("-")) return undefined;
	const rest = operands.slice(1);
	const pieces: Word["pieces"] = [];
	let used = 0;
	do {
		let at = 0;
		const before = used;
		for (const found of format.matchAll(DIRECTIVE)) {
			const text = decoded(format.slice(at, found.index), "format");
			const read = found[1] === "b" ? escaped(rest[used]) : undefined;
			const value = read?.pieces ?? formatted(found[1] as string, rest[used]);
			if (text === undefined || text.text.includes("%") || value === undefined) return undefined;
			pieces.push(text.text, ...value);
			if (read?.stopped) return wordOf(pieces);
			if (found[1] !== "%") used++;
			at = found.index + found[0].length;
		}
		const text = decoded(format.slice(at), "format");
		if (text === undefined || text.text.includes("%")) return undefined;
		pieces.push(text.text);
		if (used === before) break;
	} while (used < rest.length);
	return wordOf(pieces);
}
