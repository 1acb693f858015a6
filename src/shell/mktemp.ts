// mktemp(1): a known directory and a name with random letters.

import type { Call } from "./call.ts";
import type { Output, Word } from "./reading.ts";
import { held } from "./variables.ts";
import { beginning, known, textOf, withoutFirst, wordOf } from "./words.ts";

/** The letters of a template that become random ones are a hole. */
function filled(template: Word): Word | undefined {
	const last = template.pieces.at(-1);
	if (typeof last !== "string") return undefined;
	const found = /^(.*?)(X{3,})([^X/]*)$/s.exec(last);
	if (found === null) return undefined;
	const [, head, letters, tail] = found as unknown as [string, string, string, string];
	return wordOf([...template.pieces.slice(0, -1), head, { source: letters, contained: true }, tail]);
}

function temporary({ m, state }: Call): Word {
	const value = held(m, state, "TMPDIR");
	if (value.kind !== "word") return known("/tmp");
	const missing = value.word.pieces.every((piece) => typeof piece !== "string" && piece.unset);
	return value.word.pieces.length === 0 || missing ? known("/tmp") : value.word;
}

/** What mktemp prints. */
export function mktemp(call: Call): Output {
	let directory: Word | undefined;
	let inTemporary = false;
	const operands: Word[] = [];
	const { words } = call;
	for (let at = 1; at < words.length; at++) {
		const word = words[at] as Word;
		const text = beginning(word);
		if (text.startsWith("--tmpdir=")) directory = withoutFirst(word, "--tmpdir=".length);
		else if (textOf(word) === "--tmpdir") inTemporary = true;
		else if (text.startsWith("--suffix")) return { kind: "unknown" };
		else if (/^-[duqt]*p$/.test(textOf(word) ?? "")) {
			if (text.includes("t")) inTemporary = true;
			directory = words[++at];
		} else if (/^-[duqt]*p/.test(text)) directory = withoutFirst(word, text.indexOf("p") + 1);
		else if (/^-[duqt]+$/.test(text)) inTemporary ||= text.includes("t");
		else if (text.startsWith("--")) continue;
		else if (text.startsWith("-")) return { kind: "unknown" };
		else operands.push(word);
	}
	if (operands.length > 1) return { kind: "unknown" };
	const template = operands[0] ?? known("tmp.XXXXXXXXXX");
	const name = filled(template);
	if (name === undefined) return { kind: "unknown" };
	const below = directory ?? (inTemporary || operands.length === 0 ? temporary(call) : undefined);
	if (below === undefined) return { kind: "text", word: wordOf([...name.pieces, "\n"]) };
	const base = below.pieces.length === 0 ? temporary(call) : below;
	const slash = textOf(base)?.endsWith("/") ? "" : "/";
	return { kind: "text", word: wordOf([...base.pieces, slash, ...name.pieces, "\n"]) };
}
