// What a call may do to links, as values: what it makes and takes away, whether it surely does, and what its status says about it.

import type { Bytes } from "../policy/bytes.ts";
import type { Root } from "../policy/policy.ts";
import { baseOf, namesDirectory, type Resolver } from "../policy/resolve.ts";
import type { LinkAt } from "./changes.ts";
import type { Change, Future } from "./future.ts";
import type { Session } from "./session.ts";

/** Where a call stands, and what the calls behind it can count on. */
export interface Standing {
	session: Session;
	future: Future;
	look: Resolver;
	roots: readonly Root[];
	/** It may not run, or in another directory. */
	conditional: boolean;
	/** Its number. */
	step: number;
	/** Words with holes in them, as somebody wrote them. */
	written?: ReadonlyMap<Bytes, Bytes>;
}

/** One thing that a call does, all of it or nothing. */
export interface Effect extends Change {
	sure: boolean;
	/** Whether the call works only if it does that. */
	told: boolean;
}

/** A link comes to a place. */
export const brings = (links: readonly LinkAt[], sure: boolean, told: boolean): Effect => ({
	links,
	taken: [],
	directories: [],
	sure,
	told,
});

/** Something goes. */
export const takes = (taken: readonly Bytes[], sure: boolean, told: boolean): Effect => ({ links: [], taken, directories: [], sure, told });

/** Effects of the same certainty are one. */
export function merged(effects: readonly Effect[]): Effect[] {
	const found: Effect[] = [];
	for (const one of effects) {
		const at = found.findIndex(({ sure, told }) => sure === one.sure && told === one.told);
		const like = found[at];
		if (like === undefined) found.push(one);
		else
			found[at] = {
				...like,
				links: [...like.links, ...one.links],
				taken: [...like.taken, ...one.taken],
				directories: [...like.directories, ...one.directories],
			};
	}
	return found;
}

export const has = (argv: readonly Bytes[], option: RegExp) => argv.some((word) => option.test(word));

/** The operands of a tool that copies, and the directory that `-t` names; the value of `-S` in a word of its own is none. */
export function operandsOf(argv: readonly Bytes[]): { words: Bytes[]; directory: Bytes | undefined } {
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

/** With it the last operand is the name itself, even where a directory stands (mv(1), cp(1)). */
export const NO_DIRECTORY = /^(-[a-zA-Z]*T|--no-t[a-z-]*$)/;

/** Options with which mv, cp and ln may do nothing and work all the same. */
export const SPARING = /^(-[a-zA-Z]*[niu]|--(no-c|int|upd|dry))/;

/** A name that any number of files may get one after the other, so that one may be a link that the next is put through; undefined where there is none. */
export function sharedName(argv: readonly Bytes[], look: Resolver, vacated: ReadonlySet<Bytes>): Bytes | undefined {
	if (!["mv", "cp", "ln"].includes(baseOf(argv[0] ?? ""))) return undefined;
	const { words, directory } = operandsOf(argv);
	const target = words.pop();
	if (target === undefined || directory !== undefined || target.includes("\0") || namesDirectory(target)) return undefined;
	return words.some((word) => word.includes("\0")) && (!look.isDirectory(target) || vacated.has(look.entry(target))) ? target : undefined;
}
