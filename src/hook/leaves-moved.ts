// What mv, cp and rsync leave for the calls behind them: links at another place, and those in what is moved or copied.

import type { Bytes } from "../policy/bytes.ts";
import { baseOf, isBelow, join, namesDirectory, withoutSlashes } from "../policy/resolve.ts";
import type { LinkAt } from "./changes.ts";
import { type Effect, has, NO_DIRECTORY, operandsOf, SPARING, type Standing } from "./effects.ts";
import { putInItsPlace } from "./leaves-made.ts";

/** How links become of links. */
interface Manner {
	/** Which links of a source are followed. */
	follows: "none" | "operands" | "all";
	/** Whether directories are taken with what they hold. */
	deep: boolean;
	/** Whether all files become second names of the old ones (cp -l). */
	doubles: boolean;
	/** Whether each becomes a symbolic link (cp -s). */
	makes: boolean;
	/** Whether what stands there stays. */
	keepsOld: boolean;
	/** The name of a source in the directory that is entered. */
	nameIn(directory: Bytes, source: Bytes): Bytes;
}

/** Where a source comes to in a directory; what `.` and `..` name comes to its entries. */
export const placeIn = (directory: Bytes, source: Bytes): Bytes =>
	/(^|\/)\.\.?$/.test(source) ? directory : join(directory, baseOf(source));

/** The letter or the long option that comes last and says which links cp follows (cp(1)). */
function followsOf(argv: readonly Bytes[], deep: boolean): Manner["follows"] {
	let found: Manner["follows"] = deep ? "none" : "all";
	for (const word of argv.slice(1)) {
		if (word === "--") break;
		if (/^--(arc|no-de)/.test(word)) found = "none";
		else if (/^--der/.test(word)) found = "all";
		else if (/^-[^-]/.test(word))
			for (const letter of word) found = /[adP]/.test(letter) ? "none" : letter === "L" ? "all" : letter === "H" ? "operands" : found;
	}
	return found;
}

function mannerOf(tool: Bytes, argv: readonly Bytes[]): Manner {
	const isMove = tool === "mv";
	const makes = !isMove && has(argv, /^(-[a-zA-Z]*s[a-zA-Z]*|--symbolic-link)$/);
	const deep = isMove || has(argv, /^(-[a-zA-Z]*[arR]|--arc|--rec)/);
	const parents = !isMove && has(argv, /^--pa/);
	return {
		follows: isMove ? "none" : followsOf(argv, deep),
		deep,
		doubles: !isMove && has(argv, /^(-[a-zA-Z]*l[a-zA-Z]*|--link)$/),
		makes,
		keepsOld: makes ? !has(argv, /^(-[a-zA-Z]*f|--force|--rem)/) : has(argv, SPARING),
		nameIn: parents ? (directory, source) => join(directory, source) : placeIn,
	};
}

/** What comes of one source, with the source and the place. */
interface Landing {
	source: Bytes;
	at: Bytes;
	links: LinkAt[];
}

const isWithin = ({ roots }: Standing, path: Bytes) =>
	roots.some(({ real, dropped }) => dropped === undefined && (path === real || isBelow(path, real)));

/** The links below a directory as they stand below another one. */
export function copied({ future }: Standing, tree: Bytes, at: Bytes): LinkAt[] {
	return future.files.linksBelow(tree).map(([path, to]) => [at + path.slice(tree.length), to] as const);
}

/** What a source becomes at a place. */
function become(standing: Standing, source: Bytes, at: Bytes, manner: Manner): LinkAt[] {
	const { look } = standing;
	if (manner.makes) return [[at, source]];
	const text = manner.follows === "none" ? look.files.readlink(look.standing(source)) : undefined;
	if (text !== undefined) return [[at, text]];
	const isTree = look.isDirectory(source);
	const tree = look.target(source);
	// What is written to a second name outside is written to the file.
	if (manner.doubles && !(isTree && isWithin(standing, tree))) return [[at, isTree ? tree : look.entry(source)]];
	if (!manner.deep || !isTree || manner.follows === "all" || tree === "" || at === tree) return [];
	const links = copied(standing, tree, at);
	if (manner.doubles) for (const path of standing.session.protection.below(tree)) links.push([at + path.slice(tree.length), path]);
	return links;
}

/** No more names that a pattern may stand for are looked at. */
const MOST_NAMES = 32;

/** A pattern that stands for names in one directory; undefined where it may stand for more. */
function patternOf(written: Bytes): RegExp | undefined {
	if (!/[*?]/.test(written) || /[^\w*?.@%+=:,-]/.test(written)) return undefined;
	return new RegExp(`^${written.replace(/[.+]/g, "\\$&").replace(/\?/g, ".").replace(/\*+/g, ".*")}$`, "s");
}

/** Sources that hold links, where a source is a pattern in a directory or what was found below it. */
function sourcesOf({ future, look, written }: Standing, word: Bytes): Bytes[] {
	const hole = word.indexOf("\0");
	if (hole < 0) return [word];
	const slash = word.lastIndexOf("/", hole);
	const directory = slash < 0 ? "" : word.slice(0, slash + 1);
	const real = look.directory(directory || ".");
	if (real === "") return [];
	const start = real === "/" ? 1 : real.length + 1;
	const links = future.files.linksBelow(real).slice(0, MOST_NAMES);
	// Whether a name of the directory is meant or one below, each may be.
	const names = new Set(links.flatMap(([path]) => [path.slice(start), path.slice(start).split("/", 1)[0] as Bytes]));
	const pattern = patternOf(written?.get(word)?.slice(directory.length) ?? "");
	return [...names].filter((name) => pattern?.test(name) ?? true).map((name) => directory + name);
}

/** Where the sources of a call come to. */
function landingsOf(standing: Standing, argv: readonly Bytes[], manner: Manner): { landings: Landing[]; inside: boolean; target: Bytes } {
	const { look } = standing;
	const { words, directory } = operandsOf(argv);
	const target = directory ?? words.pop() ?? "";
	if (target === "" || target.includes("\0")) return { landings: [], inside: false, target };
	const isNamed = directory !== undefined || words.length > 1 || namesDirectory(target);
	const inside = !has(argv, NO_DIRECTORY) && (isNamed || look.isDirectory(target));
	const strips = has(argv, /^--str/);
	const landings: Landing[] = [];
	for (const word of words) {
		const sources = sourcesOf(standing, strips ? withoutSlashes(word) : word);
		for (const source of sources) {
			const at = inside ? manner.nameIn(look.directory(target), source) : look.entry(target);
			if (at !== "") landings.push({ source, at, links: become(standing, source, at, manner).filter(([path, to]) => path !== to) });
		}
		// One of them alone has the name.
		if (!inside && sources.length > 1) return { landings: [], inside, target };
	}
	return { landings, inside, target };
}

/** Whether mv surely gives a name to another place: it is there, no directory stands in the way, and nothing on the line could have changed that. */
function surelyMoves({ session, look }: Standing, argv: readonly Bytes[]): boolean {
	const { words, directory } = operandsOf(argv);
	const [source, target, more] = words;
	if (source === undefined || target === undefined || more !== undefined || directory !== undefined) return false;
	if (session.hasJudged || has(argv, /^(-[a-zA-Z]*[biSu]|--)/) || look.kind(source, false) === undefined) return false;
	if (look.entry(source) === look.entry(target)) return false;
	// A directory comes to no place where something else stands (rename(2), ENOTDIR).
	const enters = !has(argv, NO_DIRECTORY) && look.isDirectory(target);
	if (look.kind(source, false) === "directory" && look.kind(target, false) !== undefined && !enters) return false;
	if (!enters) return !has(argv, /^-[a-zA-Z]*n/) || look.kind(target, false) === undefined;
	return look.files.kind(placeIn(look.directory(target), source), false) === undefined;
}

/** What mv, or a cp that keeps or makes links, does to them. @param replaced links in the place of which a new name comes */
export function moved(standing: Standing, tool: Bytes, argv: readonly Bytes[], replaced: readonly Bytes[] = []): Effect[] {
	const { session, look, future, conditional } = standing;
	const manner = mannerOf(tool, argv);
	const { landings, inside, target } = landingsOf(standing, argv, manner);
	const told = !has(argv, SPARING);
	// Nothing moves into itself.
	const all = landings.filter(({ source, at, links }) => links.length > 0 && !(tool === "mv" && isBelow(at, look.entry(source))));
	const alternatives: Effect[] = [];
	const effect = { links: [] as LinkAt[], taken: [...replaced], directories: [] as Bytes[] };
	// Without its source it fails, and an earlier call may have taken that away.
	const sure = !conditional && (tool === "mv" ? surelyMoves(standing, argv) : !session.hasJudged);
	let isFree = true;
	for (const { source, at, links } of all) {
		const stands = manner.keepsOld && future.files.kind(at, false) !== undefined;
		if (stands && !session.hasJudged) continue;
		if (stands) isFree = false;
		if (tool === "mv") effect.taken.push(look.entry(source));
		effect.links.push(...links);
		if (links.some(([path]) => isBelow(path, at))) effect.directories.push(at);
		const [own] = links;
		if (inside && landings.length === 1 && own?.[0] === at)
			alternatives.push(...putInItsPlace({ ...standing, conditional: true }, target, own[1]));
	}
	if (effect.links.length + effect.taken.length === 0) return alternatives;
	const isSure = sure && isFree;
	return [{ ...effect, sure: isSure, told: told && isFree }, ...alternatives];
}

/** Options of rsync of which the value is a word of its own. */
const RSYNC_TAKES =
	/^(-[a-zA-Z]*[efTB]|--(rsh|filter|exclude|include|exclude-from|include-from|files-from|temp-dir|compare-dest|copy-dest|link-dest|log-file|suffix|backup-dir|chmod|max-size|min-size|port|timeout|bwlimit|info|out-format|partial-dir))$/;

/** With these a link becomes no link, or none that leads out (rsync(1)). */
const RSYNC_DROPS = /^(-[a-zA-Z]*[Ln]|--(copy-links|copy-unsafe-links|safe-links|no-l|no-links|dry-run|list-only))/;

/** Links in what rsync copies. */
export function copiedByRsync(standing: Standing, argv: readonly Bytes[]): Effect[] {
	const { look } = standing;
	if (!has(argv, /^(-[a-zA-Z]*[al]|--arc|--links)/) || has(argv, RSYNC_DROPS)) return [];
	const words = argv.filter((word, k) => k > 0 && !word.startsWith("-") && !RSYNC_TAKES.test(argv[k - 1] as Bytes));
	const target = words.pop();
	if (target === undefined || target.includes("\0") || [target, ...words].some((word) => /^[^/]+:/.test(word))) return [];
	const links: LinkAt[] = [];
	for (const source of words.flatMap((word) => sourcesOf(standing, word))) {
		const real = look.target(source);
		const text = namesDirectory(source) ? undefined : look.files.readlink(look.standing(source));
		const at = source.endsWith("/") ? look.directory(target) : placeIn(look.directory(target), source);
		if (text !== undefined) links.push([namesDirectory(target) || look.isDirectory(target) ? at : look.entry(target), text]);
		else if (look.isDirectory(source) && real !== "" && at !== "" && at !== real) links.push(...copied(standing, real, at));
	}
	return links.length === 0
		? []
		: [{ links, taken: [], directories: [], sure: false, told: !has(argv, /^(-[a-zA-Z]*u|--(ex|inc|fil|ignore|upd))/) }];
}
