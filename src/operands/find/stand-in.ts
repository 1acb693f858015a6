// Names that stand for any file below a starting point of find, and what a command does that is given one of them.

import type { Bytes } from "../../policy/bytes.ts";
import type { Operand } from "../../policy/call.ts";
import { type Files, isBelow, join, type Kind, parentOf, Resolver } from "../../policy/resolve.ts";

/** A name that no file is likely to have, and one that has an ending. */
export const ANY = "{}";
export const ANY_WITH_ENDING = "{}.{}";

/** A path without `.` components and doubled slashes; `..` and links stay. */
const plain = (path: Bytes): Bytes => {
	const parts = path.split("/").filter((part) => part !== "" && part !== ".");
	return (path.startsWith("/") ? "/" : "") + parts.join("/");
};

/** A path below a base, each as a command spells it and as it really is. */
export interface StandIn {
	base: Bytes;
	path: Bytes;
	realBase: Bytes;
	realPath: Bytes;
}

/** A resolver for which a path below a starting point is there, of a type, and the directories that lead to it. */
export function imagined(look: Resolver, { base, path, realBase, realPath }: StandIn, kind: Kind): Resolver {
	const standing = (text: Bytes) => plain(look.cwd === "" || text.startsWith("/") ? text : join(look.cwd, text));
	const pairs = [[standing(path), standing(base)] as const, [realPath, realBase] as const];
	const { files } = look;
	const there: Files = Object.create(files);
	there.kind = (text, follow) => {
		const asked = plain(text);
		for (const [whole, start] of pairs) {
			if (asked === whole) return kind;
			if (isBelow(whole, asked) && (start === "" || isBelow(asked, start))) return "directory";
		}
		return files.kind(text, follow);
	};
	return new Resolver(there, look.cwd);
}

/** What the operands of a command say about the files that find has to look for, patterns with `*` for what is met. */
export class Concerns {
	/** Whether a link that is met would be followed, or a directory gone into. */
	links = false;
	/** Names that are looked up in each directory that is met, and in the directory of each file. */
	readonly below = new Set<Bytes>();
	readonly beside = new Set<Bytes>();
	/** Directories elsewhere in which names are looked up that carry the ones that are met. */
	readonly elsewhere = new Map<Bytes, Set<Bytes>>();
	/** Directories elsewhere that get whole paths. */
	readonly paths = new Set<Bytes>();
	/** Whether the command walks what it is given by rules of its own, so that each directory has to be looked at. */
	walks = false;
	/** Whether something is done to what is met, or where it stands. */
	acts = false;

	/**
	 * @param base the directory that find starts in, a real path
	 * @param met what stands for a file, a real path
	 */
	constructor(
		readonly base: Bytes,
		readonly met: Bytes,
		readonly match: Bytes,
	) {}

	/** Note what one operand asks for. `path` is the entry that it names, a real path. */
	add(operand: Operand, path: Bytes): void {
		const { met, match, base } = this;
		const { text, leaf, role } = operand;
		if (path === met || isBelow(path, met)) {
			this.acts = true;
			// What stands behind the name is looked up where it leads.
			if (path !== met) this.below.add(first(path.slice(met.length + 1)));
			if (path !== met || leaf !== "entry" || role === "into" || text.endsWith("/")) this.links = true;
			return;
		}
		if (text.includes(`${match}/`)) this.links = true;
		const beside = parentOf(met);
		if (path === beside || isBelow(path, beside)) {
			this.acts = true;
			if (path !== beside) this.beside.add(first(path.slice(beside.length + 1)));
		} else if (isBelow(path, base) && path.slice(base.length + 1).startsWith(ANY)) this.acts = true;
		else if (path.includes(ANY)) this.#elsewhere(path);
	}

	#elsewhere(path: Bytes): void {
		const parts = path.split("/");
		const at = parts.findIndex((part) => part.includes(ANY));
		const directory = parts.slice(0, at).join("/") || "/";
		if (parts.slice(at + 1).some((part) => part.includes(ANY))) this.paths.add(directory);
		else this.elsewhere.set(directory, (this.elsewhere.get(directory) ?? new Set()).add(parts[at] as Bytes));
	}
}

/** The first component of a path as a pattern. */
function first(path: Bytes): Bytes {
	const [name = ""] = path.split("/");
	return name.replaceAll(ANY_WITH_ENDING, ANY).replace(/\\/g, "\\\\").replaceAll("{}", "*").replaceAll("{?}", "*");
}
