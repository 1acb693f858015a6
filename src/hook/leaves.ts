// What a call leaves for the ones behind it on the line: the links that it makes, moves and takes away.

import type { Bytes } from "../policy/bytes.ts";
import type { Root } from "../policy/policy.ts";
import { baseOf, isBelow, join, namesDirectory, parentOf, type Resolver } from "../policy/resolve.ts";
import type { Evidence } from "../policy/verdict.ts";
import type { Judged } from "./finding.ts";
import type { Future } from "./future.ts";
import type { Session } from "./session.ts";

/** The operands of ln, mv or cp, and the directory that `-t` names; the value of `-S` in a word of its own is none. */
function operandsOf(argv: readonly Bytes[]): { words: Bytes[]; directory: Bytes | undefined } {
	const words: Bytes[] = [];
	let directory: Bytes | undefined;
	for (let at = 1; at < argv.length; at++) {
		const word = argv[at] as Bytes;
		const [into, glued] = /^(?:-[a-su-zA-RT-Z]*t|--target-d[a-z-]*=?)(.*)/s.exec(word) ?? [];
		if (into !== undefined) directory = glued || argv[++at];
		else if (/^-[a-zA-Z]*S$|^--suf[a-z]*$/.test(word)) at++;
		else if (!word.startsWith("-")) words.push(word);
	}
	return { words, directory };
}
const has = (argv: readonly Bytes[], option: RegExp) => argv.some((word) => option.test(word));

/** What the calls behind this one can count on. */
export interface Standing {
	session: Session;
	future: Future;
	look: Resolver;
	roots: readonly Root[];
	/** It may not run, or in another directory. */
	conditional: boolean;
}

/** A link comes to a place. Where something stands already, a call that does not replace it does nothing, unless an earlier one took that away. */
function put({ session, future, roots, conditional }: Standing, at: Bytes, to: Bytes, replaces: boolean): void {
	const there = !replaces && future.files.kind(at, false) !== undefined;
	if (there && !session.hasJudged) return;
	session.link(future, at, to, !conditional && !there, roots);
}

/** A directory, or a link to one, takes the new link in; where an earlier call took it away, the new one comes to its place. */
function putInItsPlace(standing: Standing, target: Bytes, to: Bytes): void {
	const { session, future, look } = standing;
	// Such a name is never a link's.
	if (namesDirectory(target)) return;
	const at = look.entry(target);
	if (future.vacated.has(at) || (session.hasJudged && future.files.readlink(at) !== undefined)) put(standing, at, to, false);
}

/** The path of a file that gets a second name: what is written under the one stands under the other (link(2)). */
const pathOf = ({ look }: Standing, source: Bytes, follows: boolean): Bytes =>
	follows ? look.target(source) : (look.files.readlink(look.standing(source)) ?? look.entry(source));

/** Links that `ln -s` makes, for the calls behind it. */
function rememberMade(standing: Standing, { verdict, argv }: Judged): void {
	if (verdict.decision !== "allow") return;
	const isSymbolic = has(argv, /^(-[a-zA-Z]*s|--sym)/);
	const { words: given } = operandsOf(argv);
	const words = isSymbolic ? given : given.map((word) => pathOf(standing, word, has(argv, /^(-[a-zA-Z]*L|--log)/)));
	const forced = has(argv, /^(-[a-zA-Z]*f|--force)/);
	const made = verdict.seen.filter(({ operand }) => operand.role === "written" && operand.leaf === "entry");
	made.forEach(({ resolved, operand }, k) => {
		const to = words[k];
		if (to !== undefined && !namesDirectory(operand.text)) put(standing, resolved, to, forced);
	});
	const [, target, more] = given;
	if (words[0] !== undefined && target !== undefined && more === undefined) putInItsPlace(standing, target, words[0]);
}

/** With it the last operand is the name itself, even where a directory stands (mv(1), cp(1)). */
const NO_DIRECTORY = /^(-[a-zA-Z]*T|--no-t[a-z-]*$)/;

/** No tree in which a copy is looked through for links has more entries; a larger one is taken to have none. */
const MOST_ENTRIES = 400;

/** Whether a link lies in a directory, on disk or made by an earlier call. */
function holdsLinks({ files }: Future, directory: Bytes): boolean {
	if (files.hasLinksBelow(directory)) return true;
	const open = [directory];
	let left = MOST_ENTRIES;
	for (let at = open.pop(); at !== undefined; at = open.pop()) {
		for (const { name, kind } of files.list(at) ?? []) {
			if (--left < 0) return false;
			if (kind === "link") return true;
			if (kind === "directory") open.push(join(at, name));
		}
	}
	return false;
}

/**
 * What a moved or copied directory is read by: the old one, where links lie in it, since they lie in the new one too. With `doubles`
 * all files in it are the old ones themselves (cp -l).
 */
function treeOf(standing: Standing, source: Bytes, doubles: boolean): Bytes | undefined {
	const { future, look, roots } = standing;
	const tree = look.target(source);
	if (tree === "" || (doubles && !look.isDirectory(source))) return doubles ? look.entry(source) : undefined;
	if (!look.isDirectory(source)) return undefined;
	const isInside = roots.some(({ real, dropped }) => dropped === undefined && (tree === real || isBelow(tree, real)));
	return doubles || (isInside && holdsLinks(future, tree)) ? tree : undefined;
}

/** Where a source comes to in a directory; what `.` and `..` name comes to its entries. */
const placeIn = (directory: Bytes, source: Bytes): Bytes => (/(^|\/)\.\.?$/.test(source) ? directory : join(directory, baseOf(source)));

/** Of how many entries a pattern is tried. */
const MOST_NAMES = 400;

/** A pattern of the shell's, or what stands for a name that a command prints, as one for names. */
function patternOf(name: Bytes): RegExp | undefined {
	if (/^\(a name .*\)$/.test(name)) return /^/;
	if (!/[*?[]/.test(name)) return undefined;
	const text = name
		.replace(/[.+^${}()|\\]/g, "\\$&")
		.replace(/\[[^\]]*\]|[?[\]]/g, ".")
		.replace(/\*+/g, ".*");
	return new RegExp(`^${text}$`, "s");
}

/** A source as it is, or the links and directories that a pattern in its last part will find. */
function namesOf({ future, look }: Standing, source: Bytes): Bytes[] {
	const name = baseOf(source);
	const pattern = patternOf(name);
	if (pattern === undefined || look.kind(source, false) !== undefined) return [source];
	const slash = source.lastIndexOf(name);
	const entries = future.files.list(look.directory(source.slice(0, slash) || ".")) ?? [];
	const found = entries.slice(0, MOST_NAMES).filter((entry) => entry.kind !== "file" && pattern.test(entry.name));
	return found.map((entry) => source.slice(0, slash) + entry.name);
}

/** Which links a copy follows, by the last option that says so: all, those that it is given, or none (cp(1)). */
function followed(argv: readonly Bytes[]): "all" | "given" | "none" {
	let mode: "all" | "given" | "none" = "none";
	for (const word of argv) {
		if (/^--(deref|archive|no-deref)/.test(word)) mode = word.startsWith("--deref") ? "all" : "none";
		else if (/^-[a-zA-Z]/.test(word)) {
			for (const letter of word) if ("adPLH".includes(letter)) mode = letter === "L" ? "all" : letter === "H" ? "given" : "none";
		}
	}
	return mode;
}

/** Links that mv, or a cp that keeps or makes links, puts at another place; rsync puts what a source with a slash holds there. */
function rememberMoved(standing: Standing, tool: Bytes, argv: readonly Bytes[]): void {
	const { look } = standing;
	const mode = tool === "cp" ? followed(argv) : "none";
	if (mode === "all") return;
	const makes = has(argv, /^(-[a-zA-Z]*s[a-zA-Z]*|--symbolic-link)$/);
	const keepsOld = makes ? !has(argv, /^(-[a-zA-Z]*f|--force|--rem)/) : has(argv, /^(-[a-zA-Z]*[niu]|--(no-c|int|upd))/);
	const { words, directory } = operandsOf(argv);
	const target = directory ?? words.pop();
	if (target === undefined) return;
	const isNamed = directory !== undefined || words.length > 1 || namesDirectory(target);
	const inside = !has(argv, NO_DIRECTORY) && (isNamed || look.isDirectory(target));
	const doubles = has(argv, /^(-[a-zA-Z]*l[a-zA-Z]*|--link)$/);
	for (const source of words.flatMap((word) => namesOf(standing, word))) {
		const link = mode === "given" ? undefined : look.files.readlink(look.standing(source));
		const to = makes ? source : (link ?? treeOf(standing, source, doubles));
		const all = tool === "rsync" && source.endsWith("/") ? `${source}.` : source;
		const at = inside ? placeIn(look.directory(target), all) : look.entry(target);
		if (to === undefined || at === "" || at === to) continue;
		// Without its source it fails, and an earlier call may have taken that away.
		const unsure = { ...standing, conditional: standing.conditional || standing.session.hasJudged };
		put(unsure, at, to, !keepsOld);
		if (inside && words.length === 1) putInItsPlace(unsure, target, to);
	}
}

/** Options with which rm asks first, or does nothing. */
const SPARES = /^(-[a-zA-Z]*[iI]|--(int|help|ver).*)/;

/** Whether mv surely gives a name to another place: it is there, no directory stands in the way, and nothing on the line could have changed that. */
function surelyMoves({ session, look }: Standing, argv: readonly Bytes[]): boolean {
	const { words, directory } = operandsOf(argv);
	const [source, target, more] = words;
	if (source === undefined || target === undefined || more !== undefined || directory !== undefined) return false;
	if (session.hasJudged || has(argv, /^(-[a-zA-Z]*[biSu]|--)/) || look.kind(source, false) === undefined) return false;
	if (look.entry(source) === look.entry(target)) return false;
	// A directory comes to no place where something else stands (rename(2), ENOTDIR).
	if (look.kind(source, false) === "directory" && look.kind(target, false) !== undefined && !look.isDirectory(target)) return false;
	if (!look.isDirectory(target)) return !has(argv, /^-[a-zA-Z]*n/) || look.kind(target, false) === undefined;
	return look.files.kind(placeIn(look.directory(target), source), false) === undefined;
}

/** Whether what a call takes away surely goes. */
function surelyTakes(standing: Standing, tool: Bytes, { verdict, argv }: Judged): boolean {
	if (standing.conditional || verdict.decision !== "allow" || verdict.unread.length > 0 || has(argv, SPARES)) return false;
	return tool === "rm" || tool === "install" || (tool === "unlink" && argv.length === 2) || (tool === "mv" && surelyMoves(standing, argv));
}

/** Tools that put a new file where a name stands, whatever it was. */
const REPLACERS = ["mv", "install"];

/** Whether a name goes. With a slash behind it, it is what a link leads to, and cannot go. */
const goes = ({ operand: { role, text } }: Evidence): boolean => (role === "removed" || role === "moved") && !text.endsWith("/");

/** Links that a call takes away, and of all else the places. */
function taken({ future }: Standing, tool: Bytes, { verdict }: Judged): Map<Bytes, Bytes> {
	const links = new Map<Bytes, Bytes>();
	if (verdict.decision !== "allow") return links;
	for (const evidence of verdict.seen) {
		const { operand, resolved } = evidence;
		// A new file in the place of a name is no link.
		const replaces = operand.role === "written" && operand.leaf === "entry" && REPLACERS.includes(tool);
		const text = goes(evidence) || replaces ? future.files.readlink(resolved) : undefined;
		if (text !== undefined) links.set(resolved, text);
		if (goes(evidence)) future.vacated.add(resolved);
	}
	return links;
}

/** What a call leaves for the ones behind it: links that it makes, and links that go. */
export function remember(standing: Standing, tool: Bytes, judged: Judged): void {
	const { argv, verdict } = judged;
	const links = taken(standing, tool, judged);
	const sure = links.size > 0 && surelyTakes(standing, tool, judged);
	if (tool === "ln") rememberMade(standing, judged);
	if (tool === "mkdir" && verdict.decision === "allow" && !standing.conditional) {
		const parents = has(argv, /^(-[a-zA-Z]*p|--parents)/);
		// Without -p it fails where the one above is not there.
		for (const { resolved } of verdict.seen)
			if (parents || standing.future.files.kind(parentOf(resolved), true) === "directory") standing.future.makeDirectory(resolved);
	}
	const keeps =
		tool === "mv" ||
		(tool === "rsync" && has(argv, /^(-[a-zA-Z]*[al]|--archive|--links)/)) ||
		(tool === "cp" && has(argv, /^(-[a-zA-Z]*[adlPrRs]|--archive|--no-dereference|--recursive|--symbolic|--link)/));
	if (keeps && verdict.decision === "allow") rememberMoved(standing, tool, argv);
	// Where the call put another link, that one stands.
	const { session, future } = standing;
	for (const [link, text] of links) if (future.files.readlink(link) === text) session.unlink(future, link, sure);
	if (verdict.decision === "allow") for (const one of verdict.seen) if (goes(one)) future.files.directory(one.resolved, false);
	session.hasJudged = true;
}
