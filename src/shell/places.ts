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
