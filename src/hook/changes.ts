// What the earlier calls of a line change in the file system, by real paths: links, and what goes or is made.

import type { Bytes } from "../policy/bytes.ts";
import { baseOf, type Files, isBelow, join, parentOf } from "../policy/resolve.ts";

/** Of a tree with more entries no more are looked at. */
const MOST_ENTRIES = 2000;

/** A symbolic link: where it stands, and its text. */
export type LinkAt = readonly [at: Bytes, to: Bytes];

/** What earlier calls of the line have changed, by real paths. */
export class Changes {
	constructor(
		/** Links that they make, and their texts. */
		readonly links = new Map<Bytes, Bytes>(),
		/** What they take away, with all that is on disk below it. */
		readonly taken = new Set<Bytes>(),
		/** Directories that they make. */
		readonly directories = new Set<Bytes>(),
	) {}

	get isEmpty(): boolean {
		return this.links.size + this.taken.size + this.directories.size === 0;
	}

	/** Whether what was on disk at a path was taken away. */
	hides(path: Bytes): boolean {
		if (this.taken.size === 0) return false;
		for (let at = path; at.length > 1; at = parentOf(at)) if (this.taken.has(at)) return true;
		return false;
	}

	/** Whether something was made or taken away at one of these paths. */
	concern(paths: readonly Bytes[]): boolean {
		return paths.some((path) => this.links.has(path) || this.taken.has(path) || this.directories.has(path));
	}

	/** Names of the links that stand right below a path. */
	namesIn(directory: Bytes): Bytes[] {
		const names: Bytes[] = [];
		for (const at of this.links.keys()) if (isBelow(at, directory) && parentOf(at) === directory) names.push(baseOf(at));
		return names;
	}

	/** Nothing that was made at a path or below it is left. */
	clear(path: Bytes): void {
		for (const made of [this.links, this.directories]) for (const at of made.keys()) if (at === path || isBelow(at, path)) made.delete(at);
	}

	/** From now on a symbolic link stands at a path. */
	link(at: Bytes, to: Bytes): void {
		this.clear(at);
		this.links.set(at, to);
	}

	/** From now on nothing stands there. */
	take(at: Bytes): void {
		this.clear(at);
		this.taken.add(at);
	}

	/** No directory that was made there or below stands any more. */
	forgetDirectory(at: Bytes): void {
		for (const each of this.directories) if (each === at || isBelow(each, at)) this.directories.delete(each);
	}

	/** The text of the link that stands at a path. */
	linkOn(path: Bytes, disk: Files): Bytes | undefined {
		return this.links.get(path) ?? (this.hides(path) || this.directories.has(path) ? undefined : disk.readlink(path));
	}

	/** The links below a path. */
	linksBelow(directory: Bytes, disk: Files): LinkAt[] {
		const found = [...this.links].filter(([at]) => isBelow(at, directory));
		const open = [directory];
		let left = MOST_ENTRIES;
		for (const at of open) {
			if (this.hides(at) || this.linkOn(at, disk) !== undefined) continue;
			for (const { name, kind } of disk.list(at) ?? []) {
				if (--left < 0) return found;
				const path = join(at, name);
				if (kind === "directory") open.push(path);
				else if (kind === "link" && !this.links.has(path) && !this.hides(path)) found.push([path, disk.readlink(path) ?? ""]);
			}
		}
		return found;
	}

	/** Links on disk that stand no more where they stood. */
	lost(disk: Files): LinkAt[] {
		const found: LinkAt[] = [];
		for (const at of new Set([...this.links.keys(), ...this.taken])) {
			const text = disk.readlink(at);
			if (text !== undefined && text !== this.links.get(at)) found.push([at, text]);
		}
		return found;
	}

	copy(): Changes {
		return new Changes(new Map(this.links), new Set(this.taken), new Set(this.directories));
	}

	isLike({ links, taken, directories }: Changes): boolean {
		if (this.links.size !== links.size || this.taken.size !== taken.size || this.directories.size !== directories.size) return false;
		for (const [at, to] of this.links) if (links.get(at) !== to) return false;
		for (const at of this.taken) if (!taken.has(at)) return false;
		for (const at of this.directories) if (!directories.has(at)) return false;
		return true;
	}
}
