// The paths that a word names which is given to a command that nobody knows: by their look, and by what is there.

import type { Bytes } from "../../policy/bytes.ts";
import { parentOf, type Resolver } from "../../policy/resolve.ts";

/** Characters that end a word in a program text; what stands between them may be a path. */
const BREAKS = /(?:[\s;&|()<>`"'=,[\]]|\{(?!\})|(?<!\{)\})+/;

const URL = /^[a-zA-Z][\w+.-]*:\/\//;
const ASSIGNMENT = /^[A-Za-z_][\w.-]*=(.*)$/s;

/** Options whose value is read by whoever has them: configurations, things to load, what is left out. */
const READS =
	/^--?(\w+-)*(config|configuration|conf|rc|rcfile|rulesdir|rules|settings|ignore|exclude|include|plugins?|parser|schema|template|reference|load|require|import|from|license|style|stylesheet|tsconfig|env|cacert|python|interpreter|classpath|manifest)(-(file|path|dir|from))?$/;

/** A path is no longer (PATH_MAX). */
const LONGEST = 4096;

/** The home of the user in a path. */
const homed = (text: Bytes, home: Bytes) => text.replace(/^~(?=\/|$)/, home).replace(/^\$(HOME\b|\{HOME\})/, home);

/** Whether an absolute path leads to something: `/x/` of a pattern does not, nor does a path of which only `/` is there. */
function leadsSomewhere(text: Bytes, look: Resolver): boolean {
	if (look.kind(text, false) !== undefined) return true;
	const parts = text.split("/").filter((part) => part !== "");
	if (parts.length < 2) return parts.length === 1 && !text.endsWith("/") && /^[\w.-]+$/.test(parts[0] as string);
	for (let above = parentOf(text.replace(/\/+$/, "")); above !== "/"; above = parentOf(above)) if (look.isDirectory(above)) return true;
	return false;
}

/** Whether a word is a path by its look; one without a leading slash or dots only where its directory is there (`s/a/b/` is none). */
function isPath(text: Bytes, look: Resolver): boolean {
	if (text.length > LONGEST) return false;
	if (text.startsWith("/")) return leadsSomewhere(text, look);
	if (/^\.\.?(\/|$)/.test(text)) return true;
	const slash = text.lastIndexOf("/");
	return (slash > 0 && look.isDirectory(text.slice(0, slash))) || look.kind(text, false) !== undefined;
}

/** Values that are glued to a letter of a bundle: absolute ones, ones that climb, and names that are links. */
function glued(word: Bytes, look: Resolver): Bytes[] {
	// Where compilers and their like look for things.
	if (/^-[IL]/.test(word) || word.length > LONGEST) return [];
	for (let k = 2; k < word.length; k++) {
		const rest = word.slice(k);
		if (rest.startsWith("/") || /^\.\.(\/|$)/.test(rest)) return [rest];
		if (/\//.test(word[k - 1] as string)) return [];
		if (look.kind(rest.split("/")[0] as Bytes, false) === "link") return [rest];
	}
	return [];
}

/** Paths that the text of a program may name: absolute ones, ones that climb, and what is there. */
export function pathsInText(text: Bytes, home: Bytes, look: Resolver): Bytes[] {
	const words = new Set(text.split(BREAKS).map((word) => homed(word, home)));
	return [...words].filter((word) => word !== "" && word !== "." && word !== "./" && !URL.test(word) && isPath(word, look));
}

/** The paths that one word names. */
function inWord(word: Bytes, home: Bytes, look: Resolver): Bytes[] {
	if (word === "" || (URL.test(word) && !word.startsWith("file:"))) return [];
	const text = homed(word.replace(/^file:\/\/(localhost)?(?=\/)/, ""), home);
	if (text.startsWith("--")) {
		const equals = text.indexOf("=");
		return equals < 0 || READS.test(text.slice(0, equals)) ? [] : inWord(text.slice(equals + 1), home, look);
	}
	if (text.startsWith("-")) {
		const [, option, value] = /^(-[\w-]+)=(.*)$/s.exec(text) ?? [];
		return value !== undefined && !READS.test(option as string) ? inWord(value, home, look) : glued(text, look);
	}
	if (isPath(text, look)) return [text];
	const value = ASSIGNMENT.exec(text)?.[1];
	if (value !== undefined) return inWord(value, home, look);
	// Something with blanks or operators in it may be a script, or code.
	return /[\s;&|<>`$()]/.test(text) ? pathsInText(text, home, look) : [];
}

/** The paths that the words of a command name, the values of options that only read left out. */
export function namedPaths(words: readonly Bytes[], home: Bytes, look: Resolver): Bytes[] {
	return words.flatMap((word, k) => (READS.test(words[k - 1] ?? "") ? [] : inWord(word, home, look)));
}
