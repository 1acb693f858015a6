// Parameter expansion: $x, ${x:-word}, ${x%pattern}, "$@" and the rest, folded where the result is exact.

import type { Bytes } from "../policy/bytes.ts";
import type { Expander } from "./expand.ts";
import { applied } from "./operations.ts";
import type { ParameterExpansionPart, SyntaxWord } from "./parse.ts";
import type { Hole, Word } from "./reading.ts";
import { reckoned } from "./reckoned.ts";
import { expandedTo, type Segment } from "./segments.ts";
import type { Value } from "./state.ts";
import { tilded } from "./tilde.ts";
import { assign, held, setVariable } from "./variables.ts";
import { known, shown, textOf, unknown, wordOf } from "./words.ts";
import { isZsh } from "./zsh.ts";

type Operation = NonNullable<ParameterExpansionPart["operation"]>;

/** $x and its like. */
export function simpleParameter(x: Expander, text: Bytes, quoted: boolean): Segment[] {
	const name = text.replace(/\\\n/g, "").slice(1);
	if (name === "@" || name === "*") return listed(x, x.state.positional, name, text, quoted);
	const value = held(x.machine, x.state, name);
	// An array by its name alone is all of it in zsh.
	if (value.kind === "array" && isZsh(x.machine)) return listed(x, value.items, "@", text, quoted);
	return expandedTo(wordIn(value) ?? known(""), quoted);
}

/** The word that a value is; undefined when it has none. */
function wordIn(value: Value, index = 0): Word | undefined {
	if (value.kind === "array") return value.items[index];
	return value.kind === "word" && index === 0 ? value.word : undefined;
}

/** All positional parameters or elements. */
function listed(x: Expander, items: readonly Word[] | undefined, name: string, source: Bytes, quoted: boolean): Segment[] {
	if (items === undefined) return expandedTo(unknown(source, { unquoted: true }), false);
	if (name === "*" && quoted) {
		const separators = x.separators();
		const between: Bytes | Hole = separators === undefined ? { source: "$IFS" } : separators.slice(0, 1);
		return expandedTo(wordOf(items.flatMap((item, k) => (k === 0 ? item.pieces : [between, ...item.pieces]))), true);
	}
	return items.flatMap((item, k) => [...(k === 0 ? [] : [null]), ...expandedTo(item, quoted)]);
}

/** What `${...}` speaks of: one word, or a list. */
type Subject = { one: Word | undefined } | { all: readonly Word[] | undefined; star: "@" | "*" };

function subjectOf(x: Expander, name: string, index: SyntaxWord | undefined): Subject {
	if (name === "@" || name === "*") return { all: x.state.positional, star: name };
	const value = held(x.machine, x.state, name);
	if (index === undefined) return value.kind === "array" && isZsh(x.machine) ? { all: value.items, star: "@" } : { one: wordIn(value) };
	if (index.text === "@" || index.text === "*") {
		if (value.kind === "array") return { all: value.items, star: index.text };
		const isKnown = value.kind === "unset" || textOf(value.word) !== undefined;
		return { all: isKnown ? (value.kind === "unset" ? [] : [value.word]) : undefined, star: index.text };
	}
	const at = textOf(x.single(index));
	reckoned(x.machine, x.state, at);
	if (value.kind === "array" && value.keys && at !== undefined) {
		// Numbers may be those of a list, where a subscript is reckoned.
		const isList = !value.keys.includes(at) && value.keys.some((key) => /^\d+$/.test(key));
		return { one: isList ? unknown(`\${${name}[${index.text}]}`) : wordIn(value, value.keys.indexOf(at)) };
	}
	const number = at === undefined ? undefined : subscript(x, at, value);
	if (number === undefined || value.kind === "word") {
		return { one: number === 0 && value.kind === "word" ? value.word : unknown(`\${${name}[${index.text}]}`) };
	}
	return { one: wordIn(value, isZsh(x.machine) ? number - 1 : number) };
}

/** Which element a subscript means: a number, one that counts from the end, or a variable that holds one. */
function subscript(x: Expander, at: string, value: Value): number | undefined {
	if (/^\d{1,6}$/.test(at)) return Number(at);
	if (value.kind !== "array") return undefined;
	const fromEnd = /^-\d{1,6}$/.test(at) ? value.items.length + Number(at) : -1;
	return fromEnd >= 0 ? fromEnd : numberIn(x, at);
}

function numberIn(x: Expander, name: string): number | undefined {
	const value = held(x.machine, x.state, name);
	const text = value.kind === "word" ? textOf(value.word) : undefined;
	return text !== undefined && /^\d{1,6}$/.test(text) ? Number(text) : undefined;
}

/** ${...}. */
export function parameter(x: Expander, part: ParameterExpansionPart, quoted: boolean): Segment[] {
	const { operation, index, prefix } = part;
	const source = x.machine.unmarked(part.text);
	let name = part.parameter;
	// `${=x}` of zsh: the value is split.
	if (name === "" && operation?.type === "Default" && operation.operator === "=")
		return simpleParameter(x, `$${operation.operand.text}`, false);
	if (prefix === "!") {
		const listing = index?.text === "@" || index?.text === "*" ? held(x.machine, x.state, name) : undefined;
		if (listing?.kind === "array") {
			const subscripts = listing.items.map((_, k) => known(listing.keys?.[k] ?? String(k)));
			return listed(x, subscripts, index?.text as "@" | "*", source, quoted);
		}
		const pointed = operation?.type === "Names" || index !== undefined ? undefined : wordIn(held(x.machine, x.state, name));
		const target = textOf(pointed);
		x.machine.again(target, x.state);
		if (target === undefined || !/^(\w+|[@*#?!$-])$/.test(target)) return expandedTo(unknown(source), quoted);
		name = target;
	}
	const subject = subjectOf(x, name, index);
	if (prefix === "#") return expandedTo(lengthOf(subject, source), quoted);
	if (operation === undefined) {
		if ("all" in subject) return listed(x, subject.all, subject.star, source, quoted);
		return expandedTo(subject.one ?? known(""), quoted);
	}
	if (operation.type === "Default") return defaulted(x, name, subject, operation, source, quoted);
	if ("all" in subject) {
		const items = subject.all === undefined ? undefined : listOperation(x, subject.all, name, operation, source);
		return listed(x, items, subject.star, source, quoted);
	}
	const subjected = applied(x, subject.one ?? known(""), operation, source);
	const stays = subject.one !== undefined && isUnset(subject.one) && textOf(applied(x, known(""), operation, source)) === "";
	return expandedTo(stays ? unknown(source, { unset: true }) : subjected, quoted);
}

/** Whether a word is a variable that has no value as far as anybody can see. */
const isUnset = ({ pieces }: Word) => pieces.length === 1 && typeof pieces[0] !== "string" && pieces[0]?.unset === true;

function lengthOf(subject: Subject, source: Bytes): Word {
	if ("all" in subject) return subject.all === undefined ? unknown(source, { contained: true }) : known(String(subject.all.length));
	const text = textOf(subject.one ?? known(""));
	return text === undefined || /[\x80-\xff]/.test(text) ? unknown(source, { contained: true }) : known(String(text.length));
}

function listOperation(
	x: Expander,
	items: readonly Word[],
	name: string,
	operation: Operation,
	source: Bytes,
): readonly Word[] | undefined {
	// Without separators bash joins the results by a byte of its own.
	if (x.separators() !== " \t\n") return undefined;
	if (operation.type !== "Slice") return items.map((item) => applied(x, item, operation, source));
	const number = (word: SyntaxWord | undefined) => {
		const text = word === undefined ? "" : textOf(x.single(word))?.trim();
		reckoned(x.machine, x.state, text);
		return text !== undefined && /^-?\d{1,6}$/.test(text) ? Number(text) : undefined;
	};
	const [offset, length] = [number(operation.offset), number(operation.length)];
	if (offset === undefined || (operation.length !== undefined && length === undefined)) return undefined;
	const isPositional = name === "@" || name === "*";
	const all = isPositional ? [x.state.zero, ...items] : items;
	// A negative offset counts from the end; one that lies before the beginning gives nothing.
	const from = offset < 0 ? all.length + offset : offset;
	if (length !== undefined && length < 0) return undefined;
	return from < 0 ? [] : all.slice(from, length === undefined ? undefined : from + length);
}

/** Whether a word is the empty text: yes, no, or not known. */
function isEmpty(word: Word): boolean | undefined {
	if (word.pieces.some((piece) => typeof piece === "string")) return false;
	if (word.pieces.length === 0 || word.pieces.every((piece) => typeof piece !== "string" && piece.unset)) return true;
	return undefined;
}

/** The operand of an operation, quoted as the expansion is. */
export function operandSegments(x: Expander, word: SyntaxWord, quoted: boolean): Segment[] {
	const segments = quoted ? x.segments(word, true) : tilded(x.machine, x.state, x.segments(word), "word");
	const marked = segments.map((segment) => segment && { ...segment, quoted: segment.quoted || quoted, expanded: true });
	return marked.length === 0 && quoted ? expandedTo(known(""), true) : marked;
}

function defaulted(
	x: Expander,
	name: string,
	subject: Subject,
	operation: Operation & { type: "Default" },
	source: Bytes,
	quoted: boolean,
): Segment[] {
	const { operator, operand } = operation;
	const whole = "all" in subject ? wholeOf(subject.all, source) : subject.one;
	const empty = whole === undefined || isUnset(whole) ? true : operator.startsWith(":") ? isEmpty(whole) : false;
	const kept = (): Segment[] =>
		"all" in subject ? listed(x, subject.all, subject.star, source, quoted) : expandedTo(subject.one ?? known(""), quoted);
	const kind = operator.at(-1);
	if (kind === "?") {
		if (empty !== true) return kept();
		operandSegments(x, operand, quoted);
		// The shell ends unless somebody else sets the variable.
		const word = unknown(source);
		if (/^[A-Za-z_]\w*$/.test(name)) setVariable(x.machine, x.state, name, { kind: "word", word });
		return expandedTo(word, quoted);
	}
	if (kind === "+") {
		if (empty === true) return quoted ? expandedTo(known(""), true) : [];
		const used = operandSegments(x, operand, quoted);
		return empty === false ? used : expandedTo(unknown(source), quoted);
	}
	if (empty === false) return kept();
	const used = operandSegments(x, operand, quoted);
	const value = wordOf(used.map((segment) => segment?.piece ?? " "));
	if (kind === "=" && /^[A-Za-z_]\w*$/.test(name)) {
		assign(x.machine, x.state, name, empty === true ? value : unknown(shown(wordOf([{ source }]))));
	}
	return empty === true ? used : expandedTo(unknown(source), quoted);
}

const wholeOf = (items: readonly Word[] | undefined, source: Bytes): Word | undefined =>
	items === undefined ? unknown(source) : items.length === 0 ? undefined : wordOf(items.flatMap((item) => item.pieces));
