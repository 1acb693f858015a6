// Paths as the shell itself keeps them: absolute, by their text.

import type { Bytes } from "../policy/bytes.ts";
import type { State } from "./state.ts";

/** A path without `.`, `..` and doubled slashes, by its text alone, as `cd` without -P does it. */
export function normal(path: Bytes): Bytes {
	const parts: Bytes[] = [];
	for (const part of path.split("/")) {
		if (part === "..") parts.pop();
		else if (part !== "" && part !== ".") parts.push(part);
	}
	return `/${parts.join("/")}`;
}

/** A path seen from a directory. */
export const from = (directory: Bytes, path: Bytes): Bytes => normal(path.startsWith("/") ? path : `${directory}/${path}`);

/** The absolute paths that a text may stand for. */
export function absolutes(state: State, text: Bytes | undefined): Bytes[] {
	if (text === undefined || text === "") return [];
	return text.startsWith("/") ? [normal(text)] : state.cwd.map((directory) => from(directory, text));
}

/** Stands in front of a relative path in a directory that nobody knows; no absolute path begins so. */
const SOMEWHERE = "?";

/** The places under which it is kept what a file holds. */
export function places(state: State, text: Bytes | undefined): Bytes[] {
	const known = absolutes(state, text);
	return known.length > 0 || !text ? known : [SOMEWHERE + normal(text)];
}

/** The files of this line that a pattern with stars means, which were not there to be found when it was expanded. */
export function keptLike(kept: ReadonlyMap<Bytes, unknown>, state: State, pattern: Bytes): Bytes[] {
	if (kept.size === 0 || !pattern.includes("*") || pattern.split("*").length > 4 || /[^\w./*+@%-]/.test(pattern)) return [];
	return absolutes(state, pattern).flatMap((path) => {
		const shape = new RegExp(`^${path.replace(/[.+]/g, "\\$&").replace(/\*+/g, "[^/]*")}$`);
		return [...kept.keys()].filter((each) => shape.test(each));
	});
}

/** What is kept of the file that a text names. Where a directory is not known, a file of that name is taken for it. */
export function keptAt<T>(kept: ReadonlyMap<Bytes, T>, state: State, text: Bytes | undefined): T | undefined {
	if (!text || kept.size === 0) return undefined;
	for (const path of absolutes(state, text)) {
		const found = kept.get(path);
		if (found !== undefined) return found;
	}
	if (text.startsWith("/")) return undefined;
	const somewhere = kept.get(SOMEWHERE + normal(text));
	if (somewhere !== undefined || state.cwd.length > 0) return somewhere;
	return [...kept].find(([path]) => path.endsWith(normal(text)))?.[1];
}
