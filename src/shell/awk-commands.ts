// What a program of awk runs by a shell, as far as it stands there: system(...), print | ... and ... | getline (POSIX awk).

import type { Bytes } from "../policy/bytes.ts";
import type { Call } from "./call.ts";
import { plainCall } from "./invoke.ts";
import type { Word } from "./reading.ts";
import type { Outcome } from "./state.ts";
import { runScript, subshell } from "./statements.ts";
import { readOptions } from "./unwrap.ts";
import { childOf } from "./variables.ts";
import { beginning, known, shown, textOf, unknown, withoutFirst, wordOf } from "./words.ts";

/** Options of awk, gawk and mawk that take the next word. */
const TAKES = "-F --field-separator -v --assign -f --file -i --include -l --load -e --source -E --exec -W";

const TEXT = String.raw`"(?:[^"\\\n]|\\.)*"`;
/** Where a command begins behind `system(` or a bar, and what stands before a bar and `getline`. */
const STARTS = /\bsystem[ \t]*\(|(?<!\|)\|(?!\|)&?(?![ \t]*getline\b)/g;
const READS = new RegExp(String.raw`((?:${TEXT}|[A-Za-z_]\w*|[ \t])+)\|&?[ \t]*getline\b`, "g");
/** A part of what is put together: a text, a name, or something that is not known. */
const PART = new RegExp(String.raw`[ \t]*(?:(${TEXT})|([A-Za-z_]\w*)(?![\w(\[])|([^ \t;{}\n)]+))`, "y");
const ASSIGNS = /(?<![\w.$])([A-Za-z_]\w*)[ \t]*=(?!=)/g;

const ESCAPES: Readonly<Record<string, string>> = { a: "\x07", b: "\b", f: "\f", n: "\n", r: "\r", t: "\t", v: "\v" };

/** A text of awk without its escapes. */
const decoded = (text: Bytes): Bytes =>
	text.replace(/\\(?:x([0-9a-fA-F]{1,2})|([0-7]{1,3})|([\s\S]))/g, (_, hex, octal, other) =>
		other === undefined ? String.fromCharCode(Number.parseInt(hex ?? octal, hex === undefined ? 8 : 16) & 0xff) : (ESCAPES[other] ?? other),
	);

type Variables = ReadonlyMap<string, readonly Word[]>;

/** What stands at a place, put together, with each variable as its assignment of this number has it; nothing where none stands there. */
function joined(program: Bytes, from: number, variables: Variables, number: number): Word {
	const pieces: Word["pieces"] = [];
	for (let at = from; ; at = PART.lastIndex) {
		PART.lastIndex = at;
		const [, text, name, other] = PART.exec(program) ?? [];
		if (text !== undefined) pieces.push(decoded(text.slice(1, -1)));
		else if (name !== undefined) {
			const values = variables.get(name) ?? [];
			pieces.push(...(values[Math.min(number, values.length - 1)] ?? unknown("(what awk adds)")).pieces);
		} else if (other !== undefined) pieces.push(...unknown("(what awk adds)").pieces);
		else return wordOf(pieces);
	}
}

/** The variables that are assigned by words before the program, or in it; one after the other as they stand there. */
function variablesOf(program: Bytes, given: readonly Word[]): Variables {
	const variables = new Map<string, Word[]>();
	const put = (name: string, value: Word) => variables.set(name, [...(variables.get(name) ?? []), value]);
	for (const word of given) {
		const name = /^([A-Za-z_]\w*)=/.exec(beginning(word))?.[1];
		const value = name === undefined ? undefined : withoutFirst(word, name.length + 1);
		if (name !== undefined && value !== undefined)
			put(name, wordOf(value.pieces.map((piece) => (typeof piece === "string" ? decoded(piece) : piece))));
	}
	for (const found of program.matchAll(ASSIGNS)) put(found[1] as string, joined(program, found.index + found[0].length, variables, 0));
	return variables;
}

/** No variable is looked at with more of its assignments. */
const MOST = 8;

/** The lines of a program for a shell; a hole stands for what is not known of one. */
function linesIn(program: Bytes, given: readonly Word[]): Word[] {
	const variables = variablesOf(program, given);
	const rounds = Math.min(MOST, Math.max(1, ...[...variables.values()].map((values) => values.length)));
	const lines: Word[] = [];
	/** A name that is no variable with a text may be anything, in a pattern as well. */
	const isCommand = (line: Word) => line.pieces.some((piece) => typeof piece === "string");
	for (let round = 0; round < rounds; round++) {
		for (const found of program.matchAll(STARTS)) {
			const line = joined(program, found.index + found[0].length, variables, round);
			if (isCommand(line) || (found[0].startsWith("s") && line.pieces.length > 0)) lines.push(line);
		}
		for (const [, before = ""] of program.matchAll(READS)) {
			const line = joined(before.replace(/^[ \t]*(?:while|if|else|do|return|print)\b/, ""), 0, variables, round);
			if (isCommand(line)) lines.push(line);
		}
	}
	const texts = lines.map((line) => shown(line));
	return lines.filter((_, k) => texts.indexOf(texts[k] as Bytes) === k);
}

/** awk: the call itself, and what its program hands to a shell. */
export function awk(call: Call): Outcome {
	const { m, state, words } = call;
	const outcome = plainCall(call);
	const { given, rest } = readOptions(words.slice(1), TAKES);
	const valuesOf = (names: RegExp) => given.flatMap(({ name, value }) => (names.test(name) && value ? [value] : []));
	const named = valuesOf(/^(-e|--source)$/);
	const isElsewhere = named.length > 0 || given.some(({ name }) => /^(-f|--file|-E|--exec)$/.test(name));
	const [own = known(""), ...operands] = isElsewhere ? [known(""), ...rest] : rest;
	const assigned = [...valuesOf(/^(-v|--assign)$/), ...operands];
	const lines = linesIn([...named, own].map((word) => textOf(word) ?? "").join("\n"), assigned);
	if (lines.length === 0) return outcome;
	const input = { output: { kind: "unknown" } as const, lines: undefined, taken: 0 };
	m.within({ via: [...m.via, "awk"], env: [], active: [], input }, () =>
		m.perhaps(true, () => {
			for (const line of lines) subshell(m, childOf(m, state), (inner) => runScript(m, line, inner));
		}),
	);
	return outcome;
}
