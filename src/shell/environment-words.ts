// What `env -S` makes of its string: words with quotes and escapes, and the variables that it names in braces.

import type { Bytes } from "../policy/bytes.ts";
import type { Call } from "./call.ts";
import type { Word } from "./reading.ts";
import { known, unknown, wordOf } from "./words.ts";

/** A part of a word: in single quotes, in double quotes, an escape, a variable, or as it stands (env(1), -S/--split-string). */
const PART = /'((?:[^'\\]|\\[\s\S])*)'?|"((?:[^"\\]|\\[\s\S])*)"?|\\([\s\S])|\$\{(\w+)\}|([^\s'"\\$]+|\$)/y;

const ESCAPES: Readonly<Record<string, string>> = { f: "\f", n: "\n", r: "\r", t: "\t", v: "\v" };

/** A variable as the environment of a command holds it: set for this command, exported on this line, or the session's own. */
export function exportedValue({ m, state }: Call, name: string): Word {
	const own = m.env.findLast((assignment) => assignment.name === name)?.value;
	if (own !== undefined) return own;
	const variable = state.variables.get(name);
	if (variable === undefined) return known(m.around.env(name) ?? "");
	if (!variable.exported) return known("");
	const [value, other] = variable.values;
	return value?.kind === "word" && other === undefined ? value.word : unknown(`$${name}`);
}

/** What stands in double quotes. */
function inQuotes(call: Call, text: Bytes): Word["pieces"] {
	return [...text.matchAll(/\\([\s\S])|\$\{(\w+)\}|[^\\$]+|[\\$]/g)].flatMap(([raw, escaped, name]) => {
		if (name !== undefined) return exportedValue(call, name).pieces;
		if (escaped === undefined) return [raw];
		return [escaped === "_" ? " " : (ESCAPES[escaped] ?? escaped)];
	});
}

/** The words of a string. */
export function environmentWords(call: Call, text: Bytes): Word[] {
	const words: Word[] = [];
	let pieces: Word["pieces"] | undefined;
	const end = () => {
		if (pieces !== undefined) words.push(wordOf(pieces));
		pieces = undefined;
	};
	for (let at = 0; at < text.length; ) {
		PART.lastIndex = at;
		const [raw, single, double, escaped, name, plain] = PART.exec(text) ?? [];
		if (raw === undefined || raw === "" || escaped === "_") {
			end();
			at += raw?.length || 1;
			continue;
		}
		if (escaped === "c" || (pieces === undefined && plain?.startsWith("#"))) break;
		pieces ??= [];
		if (single !== undefined) pieces.push(single.replace(/\\([\\'])/g, "$1"));
		else if (double !== undefined) pieces.push(...inQuotes(call, double));
		else if (name !== undefined) pieces.push(...exportedValue(call, name).pieces);
		else pieces.push(plain ?? ESCAPES[escaped as string] ?? (escaped as string));
		at += raw.length;
	}
	end();
	return words;
}
