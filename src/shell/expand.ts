// Word expansion (POSIX XCU 2.6, bash(1) EXPANSION): a word of the tree becomes the words that a tool would get.

import type { Bytes } from "../policy/bytes.ts";
import { decoded } from "./ansi.ts";
import { evaluate, numberWord } from "./arithmetic.ts";
import { braced } from "./braces.ts";
import { globbed } from "./globs.ts";
import type { Machine } from "./machine.ts";
import { parameter, simpleParameter } from "./parameters.ts";
import type { ArithmeticExpression, SyntaxWord, WordPart } from "./parse.ts";
import { compile, type Pattern } from "./patterns.ts";
import type { Output, Word } from "./reading.ts";
import { reckoned } from "./reckoned.ts";
import { expandedTo, joined, type Segment, split, written } from "./segments.ts";
import type { Outcome, State } from "./state.ts";
import { tilded } from "./tilde.ts";
import { assign, held, setVariable } from "./variables.ts";
import { known, textOf, unknown, withoutNewlines } from "./words.ts";

/** Where a word stands: text between quotes and in a here-document knows other escapes. */
type Ground = "bare" | "quotes" | "document";

const ESCAPED: Readonly<Record<Ground, RegExp>> = {
	bare: /\\([\s\S])/g,
	quotes: /\\([$`"\\\n])/g,
	document: /\\([$`\\\n])/g,
};

/** Text that no expansion changes; most words are such, and they need no more than this look. */
const PLAIN = /^[\w./:,@%+=-]+$/;

/** The expansions of one command, in one state. */
export class Expander {
	/** Whether the word that is read may become several. */
	#splits = false;
	/** Whether what follows a brace would become a part of a variable's name within it. */
	#glues = false;

	constructor(
		readonly machine: Machine,
		readonly state: State,
	) {}

	/** The words that one word becomes. */
	fields(word: SyntaxWord): Word[] {
		this.machine.step();
		if (word.parts === undefined && PLAIN.test(word.text)) return [known(word.text)];
		const separators = this.separators();
		this.#splits = true;
		return braced(this.segments(word)).flatMap((segments) => {
			const fields = split(tilded(this.machine, this.state, segments, "argument"), separators ?? " \t\n");
			this.machine.step(fields.length);
			return fields.flatMap((field) => globbed(this.machine, this.state, field));
		});
	}

	/** A word that stays one: the value of an assignment, the target of a redirection, the word of a case. */
	single(word: SyntaxWord, place: "assignment" | "word" = "word"): Word {
		this.machine.step();
		this.#splits = false;
		return joined(tilded(this.machine, this.state, this.segments(word), place));
	}

	/** A word as a pattern; undefined when it is not known. */
	pattern(word: SyntaxWord): Pattern | undefined {
		this.machine.step();
		const segments = tilded(this.machine, this.state, this.segments(word), "word");
		const field = segments.map((segment) => segment ?? { piece: " ", quoted: true, expanded: true });
		return compile(field, true);
	}

	/** The body of a here-document. */
	document(text: Bytes, parts: readonly WordPart[] | undefined): Word {
		if (parts === undefined) return joined(this.literal(text, "document"));
		return joined(parts.flatMap((part) => (part.type === "Literal" ? this.literal(part.text, "document") : this.part(part, true))));
	}

	separators(): Bytes | undefined {
		const value = held(this.machine, this.state, "IFS");
		return value.kind === "word" ? textOf(value.word) : " \t\n";
	}

	segments(word: SyntaxWord, quoted = false): Segment[] {
		const parts = word.parts;
		if (parts !== undefined) {
			this.machine.step(parts.length >> 3);
			return parts.flatMap((part, k) => {
				if (isTorn(parts, k)) return expandedTo(unknown(part.text), quoted);
				const next = parts[k + 1];
				this.#glues = part.type === "BraceExpansion" && next !== undefined && (next.type === "BraceExpansion" || /^\w/.test(next.text));
				return this.part(part, quoted);
			});
		}
		return this.literal(word.text, quoted ? "quotes" : "bare");
	}

	/** Text as it is written: escapes are taken off, and marks become the holes that they stand for. */
	literal(text: Bytes, ground: Ground): Segment[] {
		const quoted = ground !== "bare";
		const segments: Segment[] = [];
		const add = (piece: Bytes, isQuoted: boolean) => {
			if (piece === "") return;
			for (const part of this.machine.unmarkedPieces(piece)) {
				if (typeof part === "string") segments.push(written(part, isQuoted));
				else segments.push(...expandedTo({ pieces: [part] }, isQuoted));
			}
		};
		if (!text.includes("\\")) add(text, quoted);
		else {
			let at = 0;
			for (const found of text.matchAll(ESCAPED[ground])) {
				add(text.slice(at, found.index), quoted);
				if (found[1] !== "\n") add(found[1] as string, true);
				at = found.index + 2;
			}
			add(text.slice(at), quoted);
		}
		return segments;
	}

	/** One part of a word. */
	part(part: WordPart, quoted: boolean): Segment[] {
		switch (part.type) {
			case "Literal":
				return this.literal(part.text, quoted ? "quotes" : "bare");
			case "SingleQuoted":
				return this.quotedText(part.text.slice(1, part.text.endsWith("'") ? -1 : undefined));
			case "AnsiCQuoted":
				return this.ansi(part.text);
			case "DoubleQuoted":
			case "LocaleString":
				return this.doubleQuoted(part.parts);
			case "SimpleExpansion":
				return simpleParameter(this, part.text, quoted);
			case "ParameterExpansion":
				return parameter(this, part, quoted);
			case "CommandExpansion":
				return this.substitution(part.script, part.text, quoted);
			case "ArithmeticExpansion":
				return expandedTo(numberWord(this.arithmetic(part.expression), part.text), quoted);
			case "ProcessSubstitution":
				return this.process(part.script, part.text, part.operator);
			default:
				return this.gapped(part);
		}
	}

	/** A part whose own parts leave gaps of plain text: braces, brackets and extended patterns. */
	gapped(part: WordPart & { parts?: readonly WordPart[] | undefined }): Segment[] {
		const segments: Segment[] = [];
		let at = part.pos;
		const plain = (end: number) => segments.push(...this.literal(part.text.slice(at - part.pos, end - part.pos), "bare"));
		for (const inner of part.parts ?? []) {
			plain(inner.pos);
			const torn = this.#glues && inner.type === "SimpleExpansion" && /^[,}]/.test(part.text.slice(inner.end - part.pos));
			segments.push(...(torn ? expandedTo(unknown(inner.text), false) : this.part(inner, false)));
			at = inner.end;
		}
		plain(part.end);
		return segments;
	}

	quotedText(text: Bytes): Segment[] {
		if (text === "") return [written("", true)];
		return this.machine
			.unmarkedPieces(text)
			.flatMap((piece) => (piece === "" ? [] : typeof piece === "string" ? [written(piece, true)] : expandedTo({ pieces: [piece] }, true)));
	}

	ansi(text: Bytes): Segment[] {
		const inside = decoded(text.slice(2, -1), "quotes");
		if (inside === undefined) return [written({ source: text }, true)];
		// The string ends at a NUL.
		return this.quotedText(inside.text.split("\0", 1)[0] as Bytes);
	}

	doubleQuoted(parts: readonly WordPart[]): Segment[] {
		const segments = parts.flatMap((part) => this.part(part, true));
		// "" is a word; "$@" without parameters is none.
		if (segments.length > 0 || parts.some(({ type, text }) => type !== "Literal" && /[@]/.test(text))) return segments;
		return [written("", true)];
	}

	/** $(...): its commands run, and its value is what they print. */
	substitution(script: Parameters<Machine["runTree"]>[0] | undefined, source: Bytes, quoted: boolean): Segment[] {
		const shown = this.machine.unmarked(source);
		const splits = this.#splits;
		const { output, certain } = this.captured(script, source);
		if (certain && output.kind === "text") return expandedTo(withoutNewlines(output.word), quoted);
		if (output.kind === "names") {
			if (!quoted && splits) return output.names.flatMap((name) => [null, ...expandedTo(name, false), null]);
			return expandedTo(oneOf(output.names, shown), quoted);
		}
		const hole = output.kind === "text" && output.word.pieces.length > 0 ? containedOf(output.word) : {};
		return expandedTo(unknown(shown, hole), quoted);
	}

	captured(script: Parameters<Machine["runTree"]>[0] | undefined, source: Bytes): { output: Output; certain: boolean } {
		const { machine } = this;
		if (script === undefined) {
			machine.unclear("a substitution that cannot be read", source);
			return { output: { kind: "unknown" }, certain: false };
		}
		machine.step(1 + (source.length >> 4));
		let outcome: Outcome = {};
		const captured = machine.captured(() => {
			outcome = machine.runTree(script, this.inSubstitution());
		});
		machine.substituted = outcome;
		return captured;
	}

	/** A command substitution goes on after a failure, unless it is told to inherit `set -e` (bash(1), COMMAND EXECUTION ENVIRONMENT). */
	inSubstitution(): State {
		const { options } = this.state;
		if (!options.has("errexit") || options.has("inherit_errexit") || options.has("posix")) return this.state;
		const inner = this.state.fork();
		inner.options = new Set([...options].filter((each) => each !== "errexit"));
		return inner;
	}

	process(script: Parameters<Machine["runTree"]>[0] | undefined, source: Bytes, operator: "<" | ">"): Segment[] {
		const { machine } = this;
		// What is written to it is not known yet.
		const fed =
			operator === ">" && machine.input === undefined
				? { output: { kind: "unknown" } as const, lines: undefined, taken: 0 }
				: machine.input;
		const { output } = machine.within({ input: fed }, () => this.captured(script, source));
		const path = `/dev/fd/${63 + this.machine.processes++}`;
		if (operator === "<") this.machine.world.files.set(path, output);
		return [written(path, true)];
	}

	arithmetic(expression: ArithmeticExpression | undefined): number | undefined {
		const { machine, state } = this;
		machine.step();
		return machine.nested(() =>
			evaluate(expression, {
				read: (name) => {
					const value = held(machine, state, name);
					const text = value.kind === "word" ? textOf(value.word) : value.kind === "unset" ? "" : undefined;
					// Each value that it may have, where it may have several.
					reckoned(machine, state, /^\d/.test(name) ? text : name);
					return text;
				},
				write: (name, value) => {
					if (value === undefined) setVariable(machine, state, name, { kind: "word", word: numberWord(value, `$${name}`) });
					else assign(machine, state, name, numberWord(value, ""));
				},
				meet: (text) => reckoned(machine, state, text),
				text: (parts) => {
					// Quotes within arithmetic do not keep a substitution from running.
					for (const { type, text } of parts) if (type === "SingleQuoted") machine.again(text, state, true);
					const text = textOf(joined(parts.flatMap((part) => this.part(part, true))));
					reckoned(machine, state, text);
					return text;
				},
			}),
		);
	}
}

/**
 * Braces come before everything else: `$x{a,b}` is `$xa $xb`, and a counter in the word counts for each of its words.
 */
function isTorn(parts: readonly WordPart[], k: number): boolean {
	const part = parts[k] as WordPart;
	if (part.type === "SimpleExpansion") return parts[k + 1]?.type === "BraceExpansion" && /^\$[A-Za-z_]/.test(part.text);
	const counts = part.type === "ArithmeticExpansion" && /\+\+|--|[^=!<>]=/.test(part.text);
	return counts && parts.some(({ type }) => type === "BraceExpansion");
}

/** Names where one word is wanted: one shape is kept when it is open, several are a hole. */
function oneOf(names: readonly Word[], source: Bytes): Word {
	const [first] = names;
	if (names.length === 1 && first !== undefined && textOf(first) === undefined) return first;
	const contained = names.every(({ pieces }) => pieces.length > 0 && typeof pieces[0] !== "string" && pieces[0]?.contained);
	return unknown(source, contained ? { contained: true } : {});
}

/** A text that is not certain to be printed still says what a hole cannot be. */
function containedOf(word: Word): { contained?: true } {
	const text = textOf(word);
	return text !== undefined && !text.startsWith("/") && !text.split(/[/\n]/).includes("..") ? { contained: true } : {};
}
