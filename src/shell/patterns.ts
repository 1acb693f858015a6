// Shell patterns (POSIX XCU 2.14): compiled from segments, and matched without backtracking twice over one star.

import type { Bytes } from "../policy/bytes.ts";
import type { Field } from "./segments.ts";

/** One place of a pattern: a character, any character, any text, or one of a set. */
type Token = string | { any: true } | { star: true } | { set: (code: number) => boolean };

export type Pattern = readonly Token[];

/** A character of a pattern, and whether it was quoted. */
type Character = { character: string; quoted: boolean };

const CLASSES: Readonly<Record<string, RegExp>> = {
	alpha: /[A-Za-z]/,
	digit: /[0-9]/,
	alnum: /[A-Za-z0-9]/,
	upper: /[A-Z]/,
	lower: /[a-z]/,
	space: /[ \t\n\r\f\v]/,
	blank: /[ \t]/,
	punct: /[!-/:-@[-`{-~]/,
	xdigit: /[0-9A-Fa-f]/,
	word: /[A-Za-z0-9_]/,
};

/** Whether a field has an unquoted character that makes a pattern of it. */
export function isPattern(field: Field, extended: boolean): boolean {
	let text = "";
	for (const { piece, quoted } of field) if (typeof piece === "string" && !quoted) text += piece;
	if (text.includes("*") || text.includes("?")) return true;
	const open = text.indexOf("[");
	return (open >= 0 && text.lastIndexOf("]") > open) || (extended && /[@!+]\(/.test(text));
}

/** The set that opens at `at`; "open" when the bracket is not closed, undefined when it holds what each locale reads differently. */
function bracket(characters: readonly Character[], at: number): { test: (code: number) => boolean; end: number } | "open" | undefined {
	let k = at + 1;
	const negated = !characters[k]?.quoted && (characters[k]?.character === "!" || characters[k]?.character === "^");
	if (negated) k++;
	const tests: ((code: number) => boolean)[] = [];
	for (let first = true; k < characters.length; first = false) {
		const { character, quoted } = characters[k] as Character;
		if (character === "]" && !quoted && !first) {
			return { test: (code) => tests.some((test) => test(code)) !== negated, end: k + 1 };
		}
		if (character === "[" && !quoted && ":.=".includes(characters[k + 1]?.character ?? " ")) {
			const rest = characters.slice(k, k + 12).map((each) => each.character);
			const named = CLASSES[/^\[:([a-z]+):\]/.exec(rest.join(""))?.[1] ?? ""];
			if (named === undefined) return undefined;
			tests.push((code) => named.test(String.fromCharCode(code)));
			k += rest.join("").indexOf(":]") + 2;
			continue;
		}
		const low = character.charCodeAt(0);
		const [dash, end] = [characters[k + 1], characters[k + 2]];
		if (dash?.character === "-" && !dash.quoted && end !== undefined && (end.character !== "]" || end.quoted)) {
			const high = end.character.charCodeAt(0);
			// Whether B lies in a-z depends on the locale's order.
			if (!/^(\d\d|[a-z][a-z]|[A-Z][A-Z])$/.test(character + end.character)) return undefined;
			tests.push((code) => code >= low && code <= high);
			k += 3;
		} else {
			tests.push((code) => code === low);
			k++;
		}
	}
	return "open";
}

/** No name is as long; what a bracket opens is looked for in all that follows. */
const LONGEST = 1000;

/** A pattern from a field; undefined when a hole, an extended pattern or an unusual bracket is in it. */
export function compile(field: Field, extended: boolean): Pattern | undefined {
	const characters: Character[] = [];
	for (const { piece, quoted } of field) {
		if (typeof piece !== "string" || characters.length + piece.length > LONGEST) return undefined;
		for (const character of piece) characters.push({ character, quoted });
	}
	const tokens: Token[] = [];
	for (let at = 0; at < characters.length; at++) {
		const { character, quoted } = characters[at] as Character;
		if (extended && !quoted && "?*+@!".includes(character) && characters[at + 1]?.character === "(" && !characters[at + 1]?.quoted) {
			return undefined;
		}
		if (quoted) tokens.push(character);
		else if (character === "*") tokens.push({ star: true });
		else if (character === "?") tokens.push({ any: true });
		// A backslash that an expansion brought in quotes what follows in some versions.
		else if (character === "\\") return undefined;
		else if (character === "[") {
			const set = bracket(characters, at);
			if (set === undefined) return undefined;
			tokens.push(set === "open" ? character : { set: set.test });
			if (set !== "open") at = set.end - 1;
		} else tokens.push(character);
	}
	return tokens;
}

const fits = (token: Token, text: Bytes, at: number) =>
	typeof token === "string" ? token === text[at] : "set" in token ? token.set(text.charCodeAt(at)) : "any" in token;

/** Whether a pattern matches the whole of a text. */
export function matches(pattern: Pattern, text: Bytes): boolean {
	let [at, token, star, from] = [0, 0, -1, 0];
	while (at < text.length) {
		const current = pattern[token];
		if (current !== undefined && typeof current !== "string" && "star" in current) {
			[star, from] = [token++, at];
		} else if (current !== undefined && fits(current, text, at)) {
			at++;
			token++;
		} else if (star >= 0) {
			token = star + 1;
			at = ++from;
		} else return false;
	}
	while (token < pattern.length) {
		const current = pattern[token++] as Token;
		if (typeof current === "string" || !("star" in current)) return false;
	}
	return true;
}

/** Whether a pattern can match one byte of a character that has several. */
export const isBytewise = (pattern: Pattern) => pattern.some((token) => typeof token !== "string" && !("star" in token));

/** Whether a text fits a pattern under these options of the shell; where case does not count, a "no" is not known. */
export function matchesUnder(options: ReadonlySet<string>, pattern: Pattern, text: Bytes): boolean | undefined {
	return matches(pattern, text) || (options.has("nocasematch") ? undefined : false);
}
