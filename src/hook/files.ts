// The file system as it will be when a call of the command line comes to run: what is on disk, and what earlier calls make or take away.

import type { Bytes } from "../policy/bytes.ts";
import { type Files, join, Resolver } from "../policy/resolve.ts";
import { Changes, type LinkAt } from "./changes.ts";

/** Where a path is the reading process's own: this process is another one than the call's, so such a path says nothing here. */
const OWN = ["/proc/self", "/proc/thread-self", "/dev/fd"];

/** Whether a path cannot be looked at: a part of it is not known, or it is this process's own. Asked for every path, so without a regular expression. */
function isBlind(path: Bytes): boolean {
	if (path.includes("\0")) return true;
	for (const own of OWN) if (path.startsWith(own) && (path.length === own.length || path[own.length] === "/")) return true;
	return false;
}

/** What is on disk, with what earlier calls change laid over it. Members are values, so that a reader may lay more over them. */
export class FutureFiles implements Files {
	/** Something changes from now on. */
	readonly change: (how: (changes: Changes) => void) => void;
	/** The links below a real path. */
	readonly linksBelow: (directory: Bytes) => LinkAt[];
	/** Links on disk that stand no more where they stood. */
	readonly lost: () => LinkAt[];
	/** The same files with the same changes, which go their own way. */
	readonly fork: () => FutureFiles;
	readonly isLike: (other: FutureFiles) => boolean;
	readonly real: Files["real"];
	readonly readlink: Files["readlink"];
	readonly kind: Files["kind"];
	readonly list: Files["list"];
	readonly read: Files["read"];
	readonly mounts: Files["mounts"];
	readonly changes: Changes;
	/** Descriptors are this process's own, and the call's are others. */
	readonly opened: Files["opened"] = () => undefined;

	/**
	 * @param machine the files of this machine
	 * @param disk the same, looked at once
	 */
	constructor(machine: Files, disk = remembering(machine), changes = new Changes()) {
		this.changes = changes;
		const { links, taken, directories } = changes;
		const walker = new Resolver({ ...disk, readlink: (path) => changes.linkOn(path, disk) });
		/** Real paths that were asked for already: every call asks for the roots anew, and nothing changes while a call is judged. */
		const reals = new Map<string, Bytes | undefined>();
		this.change = (how) => {
			how(changes);
			reals.clear();
		};
		this.linksBelow = (directory) => changes.linksBelow(directory, disk);
		this.lost = () => changes.lost(disk);
		this.fork = () => new FutureFiles(machine, disk, changes.copy());
		this.isLike = (other) => changes.isLike(other.changes);
		const isGone = (path: Bytes) => !directories.has(path) && changes.hides(path);
		const real = (path: Bytes, directory: boolean): Bytes | undefined => {
			if (isBlind(path)) return undefined;
			if (links.size + taken.size === 0) return disk.real(path, directory);
			const way = disk.wayOf(path);
			if (way !== undefined && !changes.concern(way)) return disk.real(path, directory);
			const { path: found, lost } = walker.walk(path, true);
			return lost ? "" : changes.hides(found) ? undefined : disk.real(found, directory);
		};
		this.real = (path, directory) => {
			const key = directory ? `${path}/` : path;
			if (!reals.has(key)) reals.set(key, real(path, directory));
			return reals.get(key);
		};
		this.readlink = (path) => (isBlind(path) ? undefined : changes.linkOn(path, disk));
		this.kind = (path, follow) => {
			if (isBlind(path)) return undefined;
			if (changes.isEmpty) return disk.kind(path, follow);
			const at = follow ? walker.walk(path, true).path : walker.entry(path);
			if (links.has(at)) return follow ? undefined : "link";
			if (directories.has(at)) return "directory";
			// What a link was made in is a directory by then.
			return (changes.hides(at) ? undefined : disk.kind(at, follow)) ?? (changes.namesIn(at).length > 0 ? "directory" : undefined);
		};
		this.list = (path) => {
			const entries = isBlind(path) ? undefined : disk.list(path);
			if (links.size + taken.size === 0 || isBlind(path)) return entries;
			const { path: at } = walker.walk(path, true);
			const made = changes.namesIn(at);
			const kept = entries?.filter(({ name }) => !made.includes(name) && !isGone(join(at, name)));
			return made.length === 0 ? kept : [...(kept ?? []), ...made.map((name) => ({ name, kind: "link" as const }))];
		};
		this.read = (path, limit) => (isBlind(path) ? undefined : disk.read(path, limit));
		this.mounts = () => disk.mounts();
	}
}

/** An answer for each key, asked for once. */
function once<Key, Answer>(ask: (key: Key) => Answer): (key: Key) => Answer {
	const known = new Map<Key, Answer>();
	return (key) => {
		const answer = known.get(key);
		if (answer !== undefined || known.has(key)) return answer as Answer;
		const fresh = ask(key);
		known.set(key, fresh);
		return fresh;
	};
}

/** Where a longer path leads is not remembered. */
const MOST_BYTES = 1024;

/** The files on disk, and each path that is come by on the way to one of them. */
interface Disk extends Files {
	wayOf(path: Bytes): readonly Bytes[] | undefined;
}

/** What is on disk, looked at once: a command line has hundreds of calls in the same few directories. */
function remembering(files: Files): Disk {
	const entry = once((path: Bytes) => files.kind(path, false));
	const target = once((path: Bytes) => files.kind(path, true));
	const mounts = once(() => files.mounts());
	const directory = once((path: Bytes) => files.real(path, true));
	const file = once((path: Bytes) => files.real(path, false));
	const readlink = once((path: Bytes) => files.readlink(path));
	const wayOf = once((path: Bytes): Bytes[] | undefined => {
		const way: Bytes[] = [];
		const noting = (at: Bytes) => {
			way.push(at);
			return readlink(at);
		};
		const { lost } = new Resolver({ ...files, readlink: noting }).walk(path, true);
		return lost || path.length > MOST_BYTES ? undefined : way;
	});
	return {
		wayOf,
		real: (path, isDirectory) => (isDirectory ? directory(path) : file(path)),
		readlink,
		kind: (path, follow) => (follow ? target(path) : entry(path)),
		list: once((path: Bytes) => files.list(path)),
		read: (path, limit) => files.read(path, limit),
		opened: (descriptor) => files.opened(descriptor),
		mounts: () => mounts(undefined),
	};
}
