// Which of the names that ls and find print are places that the session cannot do without, as far as the files and the words tell.

import type { Bytes } from "../policy/bytes.ts";
import { baseOf, isBelow, parentOf } from "../policy/resolve.ts";
import type { Call } from "./call.ts";
import { compile, matches } from "./patterns.ts";
import { absolutes } from "./places.ts";
import type { Word } from "./reading.ts";
import { known, textOf, unknown } from "./words.ts";

/** What is looked at. */
type Seen = Pick<Call, "m" | "state">;

/** A place below a directory, by the path from there. */
interface Below {
	rest: Bytes;
	/** It is the session's directory, or holds it. */
	directory: boolean;
}

/** The vital places below the directory that a text names. */
function placesBelow({ m, state }: Seen, text: Bytes): Below[] {
	const vital = m.around.vital?.();
	if (vital === undefined) return [];
	const found: Below[] = [];
	for (const path of absolutes(state, text)) {
		const real = m.around.files.real(path, true);
		if (!real) continue;
		for (let at = vital.directory; isBelow(at, real); at = parentOf(at))
			found.push({ rest: at.slice(real === "/" ? 1 : real.length + 1), directory: true });
		for (const file of vital.files)
			if (isBelow(file, real)) found.push({ rest: file.slice(real === "/" ? 1 : real.length + 1), directory: false });
	}
	return found;
}

const aside = (text: Bytes): Word => ({ ...known(text), aside: true });

/** What ls prints of them: the entries of a directory. */
export function listed(call: Seen, directory: Bytes, hidden: boolean): Word[] {
	const entries = placesBelow(call, directory).filter(({ rest }) => !rest.includes("/") && (hidden || !rest.startsWith(".")));
	return entries.map(({ rest }) => aside(rest));
}

/** A pattern with more of them is nobody's. */
const MOST_STARS = 8;

const HOW_OFTEN: Readonly<Record<string, string>> = { "@": "", "?": "?", "*": "*", "+": "+" };

/** An extended pattern (bash(1), Pattern Matching) without one in another; undefined for a stranger one. */
function expressionOf(pattern: Bytes): RegExp | undefined {
	const plain = (text: Bytes) =>
		text
			.replace(/[.+^${}()|\\]/g, "\\$&")
			.replace(/\*/g, ".*")
			.replace(/\?/g, ".");
	if (pattern.split("*").length > MOST_STARS) return undefined;
	let source = "";
	let at = 0;
	for (const found of pattern.matchAll(/([@?*+!])\(([^()]*)\)/g)) {
		const [whole, kind, inner] = found as unknown as [string, string, string];
		const any = `(?:${inner.split("|").map(plain).join("|")})`;
		const end = found.index + whole.length;
		// Whether longer ones stand there again and again may take for ever to tell.
		if ((kind === "*" || kind === "+") && !/^[^*?](\|[^*?])*$/.test(inner)) return undefined;
		// What is not to be there is told where nothing follows.
		if (kind === "!" && end < pattern.length) return undefined;
		source += plain(pattern.slice(at, found.index)) + (kind === "!" ? `(?!${any}$).*` : any + HOW_OFTEN[kind]);
		at = end;
	}
	return /[()[\]]/.test(pattern.replace(/[@?*+!]\([^()[\]]*\)/g, "")) ? undefined : new RegExp(`^${source}${plain(pattern.slice(at))}$`);
}

/** Which of them an extended pattern stands for, in a directory. */
export function globbedAside(seen: Seen, directory: Bytes, pattern: Bytes): Word[] {
	const expression = expressionOf(pattern);
	if (expression === undefined) return [];
	const names = listed(seen, directory || ".", false).flatMap((word) => textOf(word) ?? []);
	return names.flatMap((name) => (expression.test(name) ? [aside(directory + name)] : []));
}

/** What is left of names where some may be left out: that the session's directory is among them is not known any more. */
export function spared({ m, state }: Call, names: readonly Word[]): Word[] {
	const directory = m.around.vital?.().directory;
	return names.flatMap((name) => {
		if (name.aside) return [];
		const isOwn = absolutes(state, textOf(name)).some((path) => m.around.files.real(path, true) === directory);
		return [isOwn ? unknown(`(one of some names: ${textOf(name)})`) : name];
	});
}

/** Tests of find that say the same of every file that is met, or nothing that matters here. */
const INDIFFERENT = ["-print", "-print0", "-depth", "-d", "-xdev", "-mount", "-true", "-a", "-and"];

const likes = (pattern: Bytes, text: Bytes): boolean => {
	const compiled = compile([{ piece: pattern, quoted: false, expanded: false }], false);
	return compiled !== undefined && matches(compiled, text);
};

/** Whether tests that must all hold surely hold for a place below a starting point. Files are only meant by who asks for names. */
function holds(expression: readonly Bytes[], path: Bytes, { rest, directory }: Below): boolean {
	const depth = rest.split("/").length;
	// Or by who starts in the very directory that they are in.
	let named = directory || depth === 1;
	for (let at = 0; at < expression.length; at++) {
		const test = expression[at] as Bytes;
		if (INDIFFERENT.includes(test)) continue;
		const negated = test === "!" || test === "-not";
		const name = negated ? expression[++at] : test;
		const value = expression[++at] ?? "";
		let truth: boolean;
		if (name === "-maxdepth") truth = depth <= Number(value);
		else if (name === "-mindepth") truth = depth >= Number(value);
		else if (name === "-type") truth = value.split(",").includes(directory ? "d" : "f");
		else if (name === "-name" || name === "-path" || name === "-wholename") {
			truth = likes(value, name === "-name" ? baseOf(path) : path);
			named ||= !negated && value !== "*";
		} else return false;
		if (truth === negated) return false;
	}
	return named;
}

/** What find surely prints of them. @param expression its words; one that is not known is empty */
export function found(call: Call, starts: readonly Word[], expression: readonly Bytes[]): Word[] {
	return starts.flatMap((start) => {
		const text = textOf(start);
		if (text === undefined || text === "") return [];
		const paths = placesBelow(call, text).map((below) => ({ below, path: text + (text.endsWith("/") ? "" : "/") + below.rest }));
		return paths.flatMap(({ below, path }) => (holds(expression, path, below) ? [aside(path)] : []));
	});
}
