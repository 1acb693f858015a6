// What a shell finds under a name on PATH, in order: our shims, other programs of that name, and links that lead nowhere.

import type { Bytes } from "../policy/bytes.ts";
import { kindOf } from "../sys/mode.ts";
import type { System } from "../sys/system.ts";

/** One place of PATH that has a file of the name. */
export interface Spot {
	/** The element of PATH as it is written. */
	directory: Bytes;
	path: Bytes;
	/** `blocked`: there, but this user may not run it; `dangling`: a link to nothing. A shell passes both by. */
	kind: "shim" | "tool" | "blocked" | "dangling";
	/** Device and inode, "" when dangling. */
	id: string;
}

/** Where execvp(3) looks when PATH is unset (confstr(3), _CS_PATH). */
const DEFAULT_PATH = "/bin:/usr/bin";

/** The elements of PATH; an empty one is the working directory (POSIX 8.3). */
export function elements(system: System): Bytes[] {
	return (system.env("PATH") ?? DEFAULT_PATH).split(":");
}

/** The files that are shims: this binary, and what the shim directory has under the name (an installed tmx may be another file). */
function shimIds(system: System, name: Bytes, shims: Bytes): string[] {
	const own = system.identity("/proc/self/exe")?.id;
	const theirs = shims === "" ? undefined : system.identity(`${shims}/${name}`)?.id;
	return [own, theirs].filter((id) => id !== undefined);
}

/**
 * All places of PATH that have `name`.
 * @param shims the directory of the shims in use, "" when there is none
 */
export function spotsOf(system: System, name: Bytes, shims: Bytes): Spot[] {
	const ours = shimIds(system, name, shims);
	const found: Spot[] = [];
	for (const directory of elements(system)) {
		const path = `${directory === "" ? "." : directory}/${name}`;
		const file = system.identity(path);
		if (file === undefined) {
			if (system.readlink(path) !== undefined) found.push({ directory, path, kind: "dangling", id: "" });
		} else if (kindOf(file.mode) === "file") {
			const kind = !system.executable(path) ? "blocked" : ours.includes(file.id) ? "shim" : "tool";
			found.push({ directory, path, kind, id: file.id });
		}
	}
	return found;
}

/** What a shell runs: the first place that it can. */
export function firstOf(spots: readonly Spot[]): Spot | undefined {
	return spots.find(({ kind }) => kind === "shim" || kind === "tool");
}

/** The programs behind the shims, each file once. */
export function toolsOf(spots: readonly Spot[]): Spot[] {
	const seen = new Set<string>();
	return spots.filter(({ kind, id }) => kind === "tool" && !seen.has(id) && seen.add(id));
}
