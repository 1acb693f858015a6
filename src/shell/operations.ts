// What ${x%y}, ${x/y/z}, ${x:1:2}, ${x^} and ${x@Q} make of a value.

import type { Bytes } from "../policy/bytes.ts";
import type { Expander } from "./expand.ts";
import type { ParameterExpansionPart, SyntaxWord } from "./parse.ts";
import { isBytewise, matches, type Pattern } from "./patterns.ts";
import type { Word } from "./reading.ts";
import { reckoned } from "./reckoned.ts";
import { held } from "./variables.ts";
import { known, textOf, unknown, wordOf } from "./words.ts";

type Operation = NonNullable<ParameterExpansionPart["operation"]>;

/** Longer values are not folded: trying each cut costs the square. */
const LONGEST = 300;

/** A value after an operation; a hole where that is not exact. */
export function applied(x: Expander, word: Word, operation: Operation, source: Bytes): Word {
	const text = textOf(word);
	const isSmall = text !== undefined && text.length <= LONGEST;
	if (isSmall) x.machine.step(1 + ((text.length * text.length) >> 9));
	switch (operation.type) {
		case "Remove": {
			const pattern = x.pattern(operation.operand);
			const removed = isSmall && pattern ? removedFrom(text, pattern, operation.operator) : undefined;
			return removed === undefined ? removedFromHole(word, operation, source) : known(removed);
		}
		case "Replace": {
			if (isTorn(operation.pattern)) return torn(x, operation.pattern, source);
			const pattern = x.pattern(operation.pattern);
			const replacement = textOf(x.single(operation.replacement));
			// An unquoted & is the match itself, since bash 5.2.
			if (!isSmall || pattern === undefined || replacement === undefined || replacement.includes("&")) return unknown(source);
			const result = replaced(text, pattern, replacement, operation.operator);
			return result === undefined ? unknown(source) : known(result);
		}
		case "Slice":
			return sliced(x, text, operation, source);
		case "CaseModification": {
			if (operation.operand !== undefined) x.single(operation.operand);
			if (text === undefined || operation.operand !== undefined || /[\x80-\xff]/.test(text)) return unknown(source);
			return known(cased(text, operation.operator));
		}
		case "Transform":
			// A prompt is expanded once more (bash(1), PROMPTING).
			if (operation.operand.text === "P") x.machine.again(text, x.state, true);
			return transformed(text, operation.operand.text, source);
		default:
			flagged(x, operation.operator, source);
			return unknown(source);
	}
}

/** `${(e)NAME}` of zsh: the value is expanded once more. */
function flagged(x: Expander, operator: string | undefined, source: Bytes): void {
	const name = /^\([^)]*e[^)]*\)([A-Za-z_]\w*)/.exec(operator ?? "")?.[1];
	if (name === undefined) return;
	const value = held(x.machine, x.state, name);
	x.machine.again(value.kind === "word" ? textOf(value.word) : undefined, x.state, true);
	x.machine.unclear("a text that zsh expands once more", source);
}

/** Whether the parser took a slash within a substitution for the end of the pattern. */
function isTorn({ parts }: SyntaxWord): boolean {
	const last = parts?.at(-1);
	if (last === undefined || !/^(Command|Arithmetic)Expansion$|^ProcessSubstitution$/.test(last.type)) return false;
	return last.text.startsWith("`") ? !/.`$/s.test(last.text) : !last.text.endsWith(")");
}

/** What follows the name is read again, as text that is expanded. */
function torn(x: Expander, { parts }: SyntaxWord, source: Bytes): Word {
	if (parts?.at(-1)?.type === "ProcessSubstitution") x.machine.unclear("a substitution that cannot be read", source);
	x.machine.again(source.slice(source.indexOf("/") + 1), x.state, true);
	return unknown(source);
}

const isUnsafe = (text: Bytes, pattern: Pattern) => isBytewise(pattern) && /[\x80-\xff]/.test(text);

function removedFrom(text: Bytes, pattern: Pattern, operator: string): Bytes | undefined {
	if (isUnsafe(text, pattern)) return undefined;
	const cuts = Array.from({ length: text.length + 1 }, (_, k) => k);
	const front = operator.startsWith("#");
	if (operator === "##" || operator === "%") cuts.reverse();
	const cut = cuts.find((at) => matches(pattern, front ? text.slice(0, at) : text.slice(at)));
	if (cut === undefined) return text;
	return front ? text.slice(cut) : text.slice(0, cut);
}

/** What is left of a name that ends in a contained hole, where that still holds. */
function removedFromHole(word: Word, operation: Operation & { type: "Remove" }, source: Bytes): Word {
	const last = word.pieces.at(-1);
	const open = typeof last !== "string" && last?.contained === true;
	const text = operation.operand.text;
	if (open && operation.operator === "##" && text === "*/") return unknown(source, { contained: true });
	if (open && operation.operator.startsWith("%") && /^[\w.]+$/.test(text)) {
		return wordOf([...word.pieces.slice(0, -1), { source, contained: true }]);
	}
	return unknown(source);
}

/** The end of the longest match at `at`; undefined when there is none. */
function matchAt(text: Bytes, pattern: Pattern, at: number): number | undefined {
	for (let end = text.length; end >= at; end--) if (matches(pattern, text.slice(at, end))) return end;
	return undefined;
}

function replaced(text: Bytes, pattern: Pattern, replacement: Bytes, operator: string): Bytes | undefined {
	if (isUnsafe(text, pattern) || text.length > 256) return undefined;
	if (operator === "/#") {
		const end = matchAt(text, pattern, 0);
		return end === undefined ? text : replacement + text.slice(end);
	}
	if (operator === "/%") {
		for (let at = 0; at <= text.length; at++) if (matches(pattern, text.slice(at))) return text.slice(0, at) + replacement;
		return text;
	}
	let result = "";
	for (let at = 0; at < text.length; ) {
		const end = matchAt(text, pattern, at);
		if (end === undefined || end === at) {
			result += text[at++];
			continue;
		}
		result += replacement;
		at = end;
		if (operator === "/") return result + text.slice(at);
	}
	return result;
}

function sliced(x: Expander, text: Bytes | undefined, operation: Operation & { type: "Slice" }, source: Bytes): Word {
	const number = (word: SyntaxWord) => {
		const digits = textOf(x.single(word))?.trim();
		reckoned(x.machine, x.state, digits);
		return digits !== undefined && /^-?\d{1,6}$/.test(digits) ? Number(digits) : undefined;
	};
	const offset = number(operation.offset);
	const length = operation.length === undefined ? Number.MAX_SAFE_INTEGER : number(operation.length);
	if (text === undefined || offset === undefined || length === undefined || /[\x80-\xff]/.test(text)) return unknown(source);
	const from = offset < 0 ? text.length + offset : offset;
	if (from < 0 || from > text.length) return known("");
	if (length < 0 && text.length + length < from) return unknown(source);
	return known(length < 0 ? text.slice(from, length) : text.slice(from, from + length));
}

/** ${x@Q} and its like, of a text that needs no more than quotes. */
function transformed(text: Bytes | undefined, letter: string, source: Bytes): Word {
	if (!text || /[^ -~]/.test(text)) return unknown(source);
	if (letter === "Q") return known(`'${text.replaceAll("'", "'\\''")}'`);
	if (letter === "U" || letter === "L") return known(cased(text, letter === "U" ? "^^" : ",,"));
	return (letter === "E" || letter === "P") && !/[\\$`!]/.test(text) ? known(text) : unknown(source);
}

function cased(text: Bytes, operator: string): Bytes {
	const change = (part: Bytes) => (operator.startsWith("^") ? part.toUpperCase() : part.toLowerCase());
	return operator.length === 2 ? change(text) : change(text.slice(0, 1)) + text.slice(1);
}
