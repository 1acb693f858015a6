// What a word of a shell script comes to: variables that are known, names that are there, and a mark for what nobody can know.

import type { Bytes } from "../../policy/bytes.ts";
import { join, type Resolver } from "../../policy/resolve.ts";
import { matchesPattern } from "../patterns.ts";
import type { List, Part, Word } from "./syntax.ts";

/** Stands for text that is known only when the script runs. */
export const UNKNOWN = "\x01";
/** Stands for a blank that splits an unquoted value into words. */
const SPLIT = "\x02";

/** What the words of a script are read by. */
export interface Scope {
	/** The values that a variable may have; undefined when nothing is known of it. */
	value(name: Bytes): readonly Bytes[] | undefined;
	/** The positional parameters. */
	args: readonly Bytes[];
	look: Resolver;
	home: Bytes;
	/** What a command substitution prints, its commands having been looked at. */
	output(list: List): Bytes;
}

/** How many ways to read one command are tried when variables have several values. */
const MOST_WAYS = 16;
/** How many names a pattern may match before only those that may lead elsewhere are kept. */
const MOST_NAMES = 500;

/** The longest value of which a part is cut away. */
const LONGEST = 4096;

/** A character that a later matching of names must take as it is. */
const literal = (text: Bytes) => text.replace(/[*?[\\{]/g, "\\$&");
const unescaped = (text: Bytes) => text.replace(/\\([*?[\\{])/g, "$1");

/** Every combination of one from each. */
function combined<T>(choices: readonly (readonly T[])[]): T[][] {
	let found: T[][] = [[]];
	for (const options of choices) found = found.flatMap((head) => options.map((next) => [...head, next])).slice(0, MOST_WAYS);
	return found;
}

/** `${NAME%PATTERN}` and its like, for a pattern that is known. */
function cut(value: Bytes, operator: Bytes, pattern: Bytes): Bytes {
	if (value.length > LONGEST) return UNKNOWN;
	const starts = operator.startsWith("#");
	const lengths = [...Array(value.length + 1).keys()];
	if (operator.length === 2) lengths.reverse();
	for (const length of lengths) {
		const piece = starts ? value.slice(0, length) : value.slice(value.length - length);
		if (matchesPattern(pattern, piece) !== false) return starts ? value.slice(length) : value.slice(0, value.length - length);
	}
	return value;
}

function replaced(value: Bytes, all: boolean, operand: Bytes): Bytes {
	const [, from, to] = /^((?:\\.|[^/\\])*)\/?(.*)$/s.exec(operand) ?? [];
	if (from === undefined || /[*?[#%]/.test(from.replace(/\\./g, ""))) return UNKNOWN;
	const plain = from.replace(/\\(.)/g, "$1");
	return all ? value.replaceAll(plain, () => to ?? "") : value.replace(plain, () => to ?? "");
}

/** The values of a parameter with its operator. */
function parameter(part: Part & { is: "parameter" }, scope: Scope): Bytes[] {
	const { name, operator } = part;
	const operand = () => fieldsOf(part.operand, scope, false)[0]?.join(" ") ?? "";
	const values = scope.value(name);
	if (operator === "") return values === undefined ? [UNKNOWN] : [...values];
	const alternative = /^:?([-=+?])$/.exec(operator)?.[1];
	if (alternative === "+") return ["", operand()];
	if (alternative === "-" || alternative === "=") {
		const empty = values?.every((value) => value === "");
		return empty ? [operand()] : [...(values ?? [UNKNOWN]), ...(values?.includes("") === false ? [] : [operand()])];
	}
	if (values === undefined) return [UNKNOWN];
	if (alternative === "?") return [...values];
	const text = operand();
	return values.map((value) => {
		if (value.includes(UNKNOWN)) return UNKNOWN;
		return operator.startsWith("/") ? replaced(value, operator === "//", text) : cut(value, operator, text);
	});
}

/** The readings of one part, each with what is quoted made literal. */
function partTexts(part: Part, scope: Scope): Bytes[] {
	const value = (text: Bytes) => (part.quoted ? literal(text) : text.replace(/[ \t\n]+/g, SPLIT));
	switch (part.is) {
		case "text":
			return [part.quoted ? literal(part.text) : part.text];
		case "unknown":
			return [UNKNOWN];
		case "command":
			return [value(scope.output(part.list))];
		default:
			return parameter(part, scope).map(value);
	}
}

const isAll = (part: Part) => part.is === "parameter" && (part.name === "@" || part.name === "*") && part.operator === "";

/** `{a,b}` as two words (bash). */
function braces(text: Bytes): Bytes[] {
	let found = [text];
	for (let more = true; more && found.length < MOST_WAYS; ) {
		more = false;
		found = found.flatMap((word) => {
			const inner = /^(.*?)(?<!\\)\{([^{}\\]*,[^{}\\]*)\}(.*)$/s.exec(word);
			if (inner === null) return [word];
			more = true;
			return (inner[2] as Bytes).split(",").map((one) => `${inner[1]}${one}${inner[3]}`);
		});
	}
	return found;
}

/** The names that a pattern matches; the pattern itself where there are none. */
function names(pattern: Bytes, look: Resolver): Bytes[] {
	const parts = pattern.split("/");
	let found: Bytes[] = [""];
	for (const [k, part] of parts.entries()) {
		const head = (path: Bytes) => (k === 0 ? "" : `${path}/`);
		if (!/(?<!\\)[*?[]/.test(part)) found = found.map((path) => head(path) + unescaped(part));
		else found = found.flatMap((path) => entries(part, head(path), k < parts.length - 1, look)).slice(0, MOST_NAMES);
	}
	return found.length > 0 ? found : [unescaped(pattern)];
}

function entries(pattern: Bytes, directory: Bytes, inner: boolean, look: Resolver): Bytes[] {
	const real = look.directory(directory === "" ? "." : directory);
	const all = (look.files.list(real) ?? []).filter(({ name }) => {
		return (!name.startsWith(".") || pattern.startsWith(".")) && matchesPattern(pattern, name) !== false;
	});
	const some = all.length > MOST_NAMES ? all.filter(({ kind }) => kind === undefined || kind === "link" || kind === "directory") : all;
	const found = some.filter(({ name, kind }) => !inner || kind === "directory" || look.isDirectory(join(real, name)));
	const stand = some.length < all.length && !inner ? [directory + unescaped(pattern)] : [];
	return [...found.map(({ name }) => directory + name), ...stand];
}

function tilde(text: Bytes, word: Word, scope: Scope): Bytes {
	if (word[0]?.is !== "text" || word[0].quoted || !text.startsWith("~")) return text;
	const place = text.match(/^~([+-])(?=\/|$)/)?.[1];
	if (place !== undefined) return literal(scope.value(place === "+" ? "PWD" : "OLDPWD")?.[0] ?? UNKNOWN) + text.slice(2);
	// The home of another user is none of the session's, wherever it is.
	return text.replace(/^~([\w.-]*)(?=\/|$)/, (_, user: Bytes) => (user === "" ? literal(scope.home) : `/~${user}`));
}

/**
 * The readings of a word, each as the fields that it becomes.
 * @param splits whether it is split and matched against names, as the word of a command is and a value is not
 */
export function fieldsOf(word: Word, scope: Scope, splits: boolean): Bytes[][] {
	const all = word.findIndex(isAll);
	if (all >= 0) {
		const around = (parts: Word) => (parts.length === 0 ? "" : (fieldsOf(parts, scope, false)[0]?.[0] ?? ""));
		const [before, after] = [around(word.slice(0, all)), around(word.slice(all + 1))];
		const { args } = scope;
		if (splits) return [args.map((arg, k) => (k === 0 ? before : "") + arg + (k === args.length - 1 ? after : ""))];
		return [[before + args.join(" ") + after]];
	}
	const quoted = word.some((part) => part.quoted);
	return combined(word.map((part) => partTexts(part, scope))).map((texts) => {
		const text = tilde(texts.join(""), word, scope);
		if (!splits) return [unescaped(text.replaceAll(SPLIT, " "))];
		const fields = text.split(SPLIT).filter((field) => quoted || field !== "");
		return fields.flatMap(braces).flatMap((field) => (/(?<!\\)[*?[]/.test(field) ? names(field, scope.look) : [unescaped(field)]));
	});
}

/** The readings of the words of a command, each as its argv. */
export function argvsOf(words: readonly Word[], scope: Scope): Bytes[][] {
	return combined(words.map((word) => fieldsOf(word, scope, true))).map((fields) => fields.flat());
}
