// What a process under a floor could do with one path.

import type { Bytes } from "../policy/bytes.ts";
import { isBelow, join, parentOf, Resolver } from "../policy/resolve.ts";
import type { System } from "../sys/system.ts";
import type { Entry, Floor } from "./floor.ts";

/** What a floor lets pass; the permission bits of the files are another matter. */
export interface Reach {
	/** As somebody wrote it. */
	text: Bytes;
	/** Where the name stands, links in its parents followed. */
	entry: Bytes;
	/** What it leads to, every link followed. */
	target: Bytes;
	/** Whether what it leads to may be written (a file), or written in (a directory). */
	write: boolean;
	/** Whether it may be emptied. */
	empty: boolean;
	/** Whether the name itself may be made, removed and renamed. */
	rename: boolean;
	/** The place that allows it. */
	by: Entry | undefined;
}

const holds = (tree: Entry, path: Bytes) => path === tree.path || isBelow(path, tree.path);

/** @param cwd the directory that a relative path stands on */
export function reachOf(system: System, { entries }: Floor, text: Bytes, cwd: Bytes): Reach {
	const look = new Resolver(system, cwd);
	const named = look.entry(text);
	const target = look.target(text);
	const counts = entries.filter(({ fate }) => fate === "granted" || fate === "made");
	// Only a directory is a tree; a file that is granted as one has no names in it.
	const trees = counts.filter(({ what, path }) => what === "tree" && (system.kind(path, true) ?? "directory") === "directory");
	const by = counts.find((entry) => (trees.includes(entry) ? holds(entry, target) : entry.path === target));
	const above = trees.find((tree) => named !== tree.path && holds(tree, parentOf(named)));
	return {
		text,
		entry: named,
		target,
		write: by !== undefined,
		empty: by !== undefined && by.what !== "keep",
		rename: above !== undefined,
		by: by ?? above,
	};
}

/**
 * The shortest `write` line that would open a path: its directory, so that it may also be removed and renamed. Where that would
 * open the whole of a home directory or a directory of the system's (`/etc`), the file alone, and nothing for what is none.
 */
export function placeToOpen(system: System, { entry, target }: Pick<Reach, "entry" | "target">, home: Bytes): Bytes | undefined {
	const kind = system.kind(target, true);
	const directory = kind === "directory" ? target : parentOf(entry);
	const real = home.startsWith("/") ? (system.real(home, true) ?? home) : "";
	const isHome = directory === real || (real !== "" && isBelow(real, directory));
	const isTooMuch = directory === "/" || isHome || (kind !== "directory" && parentOf(directory) === "/");
	if (isTooMuch && kind !== "file") return undefined;
	const place = isTooMuch ? target : directory;
	return real !== "" && isBelow(place, real) ? join("~", place.slice(real.length + 1)) : place;
}
