// read and mapfile: the built-ins that take lines of their input and give them to variables.

import type { Builtin } from "./call.ts";
import type { Machine } from "./machine.ts";
import type { Word } from "./reading.ts";
import { areAlike, roundsOf } from "./rows.ts";
import { calledBack } from "./runners.ts";
import { either, type State } from "./state.ts";
import type { Input } from "./streams.ts";
import { assign, held, setVariable } from "./variables.ts";
import { joinWords, known, linesOf, textOf, unknown } from "./words.ts";

/** The next line of an input, or what a NUL ends; `end` when there is none, undefined when that is not known. */
function nextLine(input: Input | undefined, separator: string): Word | "end" | undefined {
	if (input === undefined || input.output.kind === "unknown") return undefined;
	if (input.lines === undefined) {
		input.lines = input.output.kind === "names" ? input.output.names : linesOf(input.output.word, separator);
		input.cut = separator;
	}
	if (input.output.kind === "text" && input.cut !== separator) return undefined;
	const line = input.lines[input.taken];
	input.taken++;
	return line ?? "end";
}

const endsInNul = (input: Input | undefined) => input?.output.kind === "text" && String(input.output.word.pieces.at(-1)).endsWith("\0");

/** read: names get the words of a line; with -a one name gets all of them. */
export const read: Builtin = (call) => {
	const { m } = call;
	const { number, rest } = withoutNumber(call.words);
	const opened = number === undefined ? undefined : m.descriptors.get(number);
	if (opened === undefined || !("input" in opened)) return readLine(call);
	return m.within({ input: opened.input }, () => readLine({ ...call, words: rest }));
};

/** The descriptor that `-u` names, and the other words. */
function withoutNumber(words: readonly Word[]): { number?: string | undefined; rest: Word[] } {
	const at = words.findIndex((word) => /^-[a-zA-Z]*u\d*$/.test(textOf(word) ?? ""));
	if (at < 0) return { rest: [...words] };
	const [, others, glued] = /^-([a-zA-Z]*)u(\d*)$/.exec(textOf(words[at]) ?? "") ?? [];
	const rest = [...words.slice(0, at), ...(others ? [known(`-${others}`)] : []), ...words.slice(at + (glued ? 1 : 2))];
	return { number: glued || textOf(words[at + 1]), rest };
}

const readLine: Builtin = ({ m, state, words }) => {
	const names: string[] = [];
	let list: string | undefined;
	let [plain, raw, whole] = [true, false, false];
	for (let at = 1; at < words.length; at++) {
		const text = textOf(words[at]) ?? "";
		if (!text.startsWith("-") || text === "-") names.push(text);
		else if (/^-[rse]+$/.test(text)) raw ||= text.includes("r");
		else if (/^-[rse]*[dinNptua]$/.test(text)) {
			const value = textOf(words[++at]);
			raw ||= text.includes("r");
			whole ||= text.endsWith("d") && value === "" && m.input?.output.kind === "text";
			plain &&=
				whole ||
				/[pa]$/.test(text) ||
				(text.endsWith("d") && value === "" && m.input?.output.kind === "names" && m.input.output.separator === "\0");
			if (text.endsWith("a")) list = value ?? "";
		} else plain &&= /^-[rse]*[pt]/.test(text) || (/^-[rse]*d$/.test(text) && m.input?.output.kind === "names");
	}
	if (plain && !whole && list === undefined && isMany(m, state, names, raw)) {
		for (const name of names) assign(m, state, name, unknown(`$${name}`, { contained: true }));
		return either(state);
	}
	const line = plain ? nextLine(m.input, whole ? "\0" : "\n") : undefined;
	// What no NUL ends is taken, and the status is that of no line: a here-document, all at once.
	const isLast = whole && m.input?.taken === m.input?.lines?.length && !endsInNul(m.input);
	if (!plain && m.input !== undefined) m.input.output = { kind: "unknown" };
	const outcome =
		line === "end" || isLast ? { bad: state } : line === undefined || m.input?.output.kind === "names" ? either(state) : { ok: state };
	if (list !== undefined) {
		const items = line === "end" ? [] : fieldsOf(line, undefined, raw, m, state);
		m.assigned(list, items === undefined ? unknown(`\${${list}[@]}`) : joinWords(items, " "));
		if (/^[A-Za-z_]\w*$/.test(list))
			setVariable(m, state, list, items === undefined ? { kind: "word", word: unknown(`\${${list}[@]}`) } : { kind: "array", items });
		return outcome;
	}
	const targets = names.length > 0 ? names : ["REPLY"];
	const fields = line === "end" ? [] : fieldsOf(line, targets.length, raw, m, state);
	for (const [k, name] of targets.entries()) {
		if (!/^[A-Za-z_]\w*$/.test(name)) continue;
		if (line === "end") setVariable(m, state, name, { kind: "word", word: known("") });
		else assign(m, state, name, fields === undefined ? unknown(`$${name}`) : (fields[k] ?? known("")));
	}
	return outcome;
};

/** Whether a loop has so many lines left, all of one kind, that one round stands for theirs. */
function isMany(m: Machine, state: State, names: readonly string[], raw: boolean): boolean {
	const { input } = m;
	if (input?.lines === undefined || input.output.kind !== "text") return false;
	const { most, first } = roundsOf(m);
	const { lines } = input;
	if (names.length === 0 || input.taken < first || lines.length - input.taken < most - first) return false;
	const separators = held(m, state, "IFS");
	const key = `${names.length} ${raw} ${separators.kind === "word" ? textOf(separators.word) : ""}`;
	input.alike ??= new Map();
	const before = input.alike.get(key);
	if (before !== undefined) return before;
	const fields = lines
		.slice(input.taken)
		.flatMap((line): (Word | undefined)[] => fieldsOf(line, names.length, raw, m, state) ?? [undefined]);
	const answer = areAlike(m, state, fields);
	input.alike.set(key, answer);
	return answer;
}

/** A line cut for `count` names, the last of which takes what is left; or into as many words as there are. */
function fieldsOf(line: Word | undefined, count: number | undefined, raw: boolean, m: Machine, state: State): Word[] | undefined {
	if (line === undefined) return undefined;
	const text = textOf(line);
	if (text === undefined) return count === 1 ? [line] : undefined;
	const separators = held(m, state, "IFS");
	const ifs = separators.kind === "word" ? textOf(separators.word) : " \t\n";
	if (ifs === undefined || (!raw && text.includes("\\"))) return undefined;
	if (ifs === "") return [line];
	const escaped = ifs.replace(/[\]\\^-]/g, "\\$&");
	const spaces = [...ifs].filter((each) => " \t\n".includes(each)).join("");
	const blank = spaces === "" ? "" : `[${spaces}]*`;
	// One separator that is no blank with the blanks around it, or a run of blanks (POSIX XCU 2.6.5).
	const others = [...ifs].filter((each) => !" \t\n".includes(each)).length > 0;
	const cut = new RegExp(others ? `${blank}[${escaped}]${blank}` : `[${escaped}]+`);
	const trimmed = spaces === "" ? text : text.replace(new RegExp(`^${blank}|${blank}$`, "g"), "");
	let rest = trimmed;
	const fields: Word[] = [];
	while (rest !== "" && (count === undefined || fields.length < count - 1)) {
		m.step();
		const found = cut.exec(rest);
		fields.push(known(found === null ? rest : rest.slice(0, found.index)));
		rest = found === null ? "" : rest.slice(found.index + found[0].length);
	}
	if (count === undefined) return fields;
	// A single separator at the end of the last name goes, too.
	const last = others && rest !== "" ? new RegExp(`^([^${escaped}]*)${cut.source}$`).exec(rest) : null;
	return [...fields, ...(rest === "" ? [] : [known(last?.[1] ?? rest)])];
}

/** mapfile and readarray: the lines of an input as an array. */
export const mapfile: Builtin = ({ m, state, words }) => {
	const given = m.input?.output;
	calledBack(
		{ m, state, words },
		given?.kind === "text" ? linesOf(given.word) : given?.kind === "names" && given.names.length === 0 ? [] : undefined,
	);
	const name =
		words
			.slice(1)
			.map((word) => textOf(word) ?? "")
			.findLast((word) => /^[A-Za-z_]\w*$/.test(word)) ?? "MAPFILE";
	const trims = words.some((word) => /^-[a-z]*t/.test(textOf(word) ?? ""));
	const output = m.input?.output;
	const strange = words.slice(1).some((word) => !/^(-t|-td|-d|\w*|)$/.test(textOf(word) ?? "?"));
	const lines =
		!trims || strange ? undefined : output?.kind === "names" ? output.names : output?.kind === "text" ? linesOf(output.word) : undefined;
	const value = lines ? ({ kind: "array", items: lines } as const) : ({ kind: "word", word: unknown(`\${${name}[@]}`) } as const);
	m.assigned(name, lines ? joinWords(lines, " ") : unknown(`\${${name}[@]}`));
	setVariable(m, state, name, value);
	return { ok: state };
};
