// Whether a name matches a shell pattern or a regular expression of find: yes, no, or nobody can say.

import type { Bytes } from "../policy/bytes.ts";

/** Whether something holds; undefined when that is not known. */
export type Truth = boolean | undefined;

const ASCII = /^[ -~]*$/;

/** One place of a pattern: any string, or one character of a kind. */
type Piece = "*" | ((character: string) => boolean);

interface Pattern {
	pieces: Piece[];
	/** Whether it matches no more than fnmatch(3) would: with ranges and classes that depends on the locale. */
	exact: boolean;
}

/** Where the bracket expression that opens at `at` ends; -1 when it is an ordinary character (POSIX 2.13.1). */
function bracketEnd(pattern: Bytes, at: number): number {
	const first = at + (/[!^]/.test(pattern[at + 1] ?? "") ? 2 : 1);
	for (let k = first; k < pattern.length; k++) {
		if (pattern[k] === "]" && k > first) return k;
		const inner = pattern[k] === "[" && /[:.=]/.test(pattern[k + 1] ?? "") ? pattern.indexOf(`${pattern[k + 1]}]`, k + 2) : -1;
		if (inner > 0) k = inner + 1;
	}
	return -1;
}

/** A bracket expression. A range takes both cases, since some locales order letters so; a class may be anything. */
function bracket(text: Bytes): { piece: Piece; exact: boolean } {
	const negated = /^[!^]/.test(text);
	const list = negated ? text.slice(1) : text;
	if (/\[[:.=]|\\/.test(list)) return { piece: () => true, exact: false };
	const singles = list.replace(/(.)-(.)/gs, "");
	const ranges = [...list.matchAll(/(.)-(.)/gs)].map(([, from, to]) => [from as string, to as string] as const);
	const inRange = (character: string) => ranges.some(([from, to]) => from <= character && character <= to);
	const either = (character: string) => inRange(character) || inRange(character.toLowerCase()) || inRange(character.toUpperCase());
	const letters = ranges.some(([from, to]) => /[^0-9]/.test(from + to));
	if (!negated) return { piece: (character) => singles.includes(character) || either(character), exact: !letters };
	return { piece: (character) => !singles.includes(character) && (letters || !inRange(character)), exact: !letters };
}

/** A longer pattern may match anything: what a bracket opens is looked for in all that follows. */
const LONGEST = 1000;

/** Take a pattern apart. */
function piecesOf(pattern: Bytes): Pattern {
	if (pattern.length > LONGEST) return { pieces: ["*"], exact: false };
	const found: Pattern = { pieces: [], exact: true };
	for (let at = 0; at < pattern.length; at++) {
		const character = pattern[at] as string;
		const end = character === "[" ? bracketEnd(pattern, at) : -1;
		if (end > 0) {
			const { piece, exact } = bracket(pattern.slice(at + 1, end));
			found.pieces.push(piece);
			found.exact &&= exact;
			at = end;
		} else if (character === "*") found.pieces.push("*");
		else if (character === "?") found.pieces.push(() => true);
		else {
			const literal = character === "\\" ? (pattern[++at] ?? "\\") : character;
			found.pieces.push((other) => other === literal);
		}
	}
	return found;
}

/** Whether the pieces match a name: the last `*` is the only place to come back to, so this takes no exponential time. */
function matches(pieces: readonly Piece[], name: Bytes): boolean {
	let at = 0;
	let star = -1;
	let taken = 0;
	for (let k = 0; k < name.length; ) {
		const piece = pieces[at];
		if (piece === "*") {
			star = at++;
			taken = k;
		} else if (piece?.(name[k] as string)) {
			at++;
			k++;
		} else if (star >= 0) {
			at = star + 1;
			k = ++taken;
		} else return false;
	}
	while (pieces[at] === "*") at++;
	return at === pieces.length;
}

const remembered = new Map<Bytes, Pattern>();

/** Whether a name matches a shell pattern (fnmatch(3) without FNM_PERIOD and FNM_PATHNAME, as find calls it). */
export function matchesPattern(pattern: Bytes, name: Bytes, ignoringCase = false): Truth {
	const text = ignoringCase ? pattern.toLowerCase() : pattern;
	const known = remembered.get(text) ?? piecesOf(text);
	remembered.set(text, known);
	// A character of a name that is not ASCII is one byte or several, as the locale has it.
	const plain = ASCII.test(name) && ASCII.test(pattern);
	if (!plain && (ignoringCase || /[?[]/.test(pattern))) return undefined;
	if (!matches(known.pieces, ignoringCase ? name.toLowerCase() : name)) return false;
	return known.exact ? true : undefined;
}

/** Syntaxes in which `(`, `)`, `|` are operators as they stand (findutils manual, Regular Expressions). */
const EXTENDED = ["posix-extended", "posix-egrep", "egrep", "posix-awk", "gnu-awk", "awk"];
const EMACS = ["emacs", "findutils-default", ""];

/** More places to go back to, on longer paths, could take a long time. */
const MOST_STARS = 3;
const LONGEST_PATH = 400;

/** A regular expression of find as one of ours; undefined when it uses what differs or could take exponential time. */
function translated(text: Bytes, syntax: Bytes, flags: string): RegExp | undefined {
	const extended = EXTENDED.includes(syntax);
	if (!(extended || EMACS.includes(syntax)) || !ASCII.test(text)) return undefined;
	if (/\[[^\]]*[[\\]|\\[^.()|/_-]|[)*+?}][*+?{]|\{/.test(text)) return undefined;
	// In the syntax of Emacs the operators are the ones with a backslash.
	const swapped = extended ? text : text.replace(/\\?[()|]/g, (found) => (found.length > 1 ? found.slice(1) : `\\${found}`));
	if (/\)[*+?]/.test(swapped) || [...swapped.matchAll(/[*+]/g)].length > MOST_STARS) return undefined;
	try {
		return new RegExp(`^(?:${swapped.replaceAll("/", "\\/")})$`, flags);
	} catch {
		return undefined;
	}
}

/** Whether a whole path matches a regular expression of find. */
export function matchesRegex(text: Bytes, syntax: Bytes, path: Bytes, ignoringCase: boolean): Truth {
	if (!ASCII.test(path) || path.length > LONGEST_PATH) return undefined;
	return translated(text, syntax, ignoringCase ? "is" : "s")?.test(path);
}
