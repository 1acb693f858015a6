// What cut, tr and sed make of a text, as far as that is exact.

import type { Bytes } from "../policy/bytes.ts";

/** One field of a line; a line without the separator is printed as it is (POSIX cut). */
export function cutLine(line: Bytes, separator: Bytes, field: number): Bytes {
	return line.includes(separator) ? (line.split(separator)[field - 1] ?? "") : line;
}

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", "0": "\0", "\\": "\\" };
const CLASSES: Readonly<Record<string, string>> = { lower: "a-z", upper: "A-Z", digit: "0-9" };

/** The characters of a set of tr(1); undefined where it is more than characters, ranges and the plainest classes. */
function setOf(text: Bytes): Bytes[] | undefined {
	const spelled = text.replace(/\[:(lower|upper|digit):\]/g, (_, name: string) => CLASSES[name] as string);
	if (/\[[:=.]|\*\]|\\[0-7]{2}/.test(spelled)) return undefined;
	const characters: Bytes[] = [];
	for (let at = 0; at < spelled.length; at++) {
		let character = spelled[at] as string;
		if (character === "\\") {
			const escaped = spelled[++at] ?? "\\";
			character = ESCAPES[escaped] ?? escaped;
		} else if (spelled[at + 1] === "-" && at + 2 < spelled.length) {
			const [from, to] = [character.charCodeAt(0), (spelled[at + 2] as string).charCodeAt(0)];
			if (!/^([a-z]-[a-z]|[A-Z]-[A-Z]|\d-\d)$/.test(spelled.slice(at, at + 3)) || to < from) return undefined;
			for (let code = from; code <= to; code++) characters.push(String.fromCharCode(code));
			at += 2;
			continue;
		}
		characters.push(character);
	}
	return characters.some((each) => each > "\x7f") ? undefined : characters;
}

/** What tr(1) makes of a text; undefined where its words are more than one or two sets and -d. */
export function translated(words: readonly (Bytes | undefined)[], text: Bytes): Bytes | undefined {
	const [first, second] = words;
	if (words.length !== 2 || first === undefined || second === undefined) return undefined;
	if (first === "-d") {
		const gone = setOf(second);
		return gone && [...text].filter((each) => !gone.includes(each)).join("");
	}
	if (first.startsWith("-")) return undefined;
	const [from, to] = [setOf(first), setOf(second)];
	if (from === undefined || to === undefined || to.length === 0) return undefined;
	return [...text].map((each) => (from.includes(each) ? (to[from.lastIndexOf(each)] ?? to.at(-1)) : each)).join("");
}

/** What `s/text/text/` of sed makes of a line; undefined for any other script, and for a pattern that is more than text between ^ and $. */
export function substituted(script: Bytes, line: Bytes): Bytes | undefined {
	const found = /^s([^\\\n\w])((?:(?!\1)[^\\\n]|\\[./])*)\1((?:(?!\1)[^\\\n]|\\[./])*)\1(g?)$/.exec(script);
	if (found === null) return undefined;
	const [, , pattern, replaced, everywhere] = found as unknown as [string, string, string, string, string];
	const [, start, spelled, end] = /^(\^?)(.*?)(\$?)$/s.exec(pattern) as unknown as [string, string, string, string];
	const [inner, replacement] = [spelled, replaced].map((each) => each.replace(/\\([./])/g, "$1")) as [string, string];
	if (/[.*[\]^$\\]/.test(spelled.replace(/\\[./]/g, "")) || replacement.includes("&") || (inner === "" && start + end === ""))
		return undefined;
	if (start !== "" && end !== "") return line === inner ? replacement : line;
	if (start !== "") return line.startsWith(inner) ? replacement + line.slice(inner.length) : line;
	if (end !== "") return line.endsWith(inner) ? line.slice(0, line.length - inner.length) + replacement : line;
	return everywhere === "g" ? line.split(inner).join(replacement) : line.replace(inner, () => replacement);
}
