// The file system as it will be when a call of the command line comes to run: what is on disk, and the links that earlier calls make or take away.

import type { Bytes } from "../policy/bytes.ts";
import { baseOf, type Files, isBelow, parentOf, Resolver } from "../policy/resolve.ts";

/** Where a path is the reading process's own: this process is another one than the call's, so such a path says nothing here. */
const OWN = ["/proc/self", "/proc/thread-self", "/dev/fd"];

/** Whether a path cannot be looked at: a part of it is not known, or it is this process's own. Asked for every path, so without a regular expression. */
function isBlind(path: Bytes): boolean {
	if (path.includes("\0")) return true;
	for (const own of OWN) if (path.startsWith(own) && (path.length === own.length || path[own.length] === "/")) return true;
	return false;
}

/** What is on disk, with the links that are yet to be made laid over it. Members are values, so that a reader may lay more over them. */
export class FutureFiles implements Files {
	/** From now on a symbolic link stands at a real path. */
	readonly link: (at: Bytes, to: Bytes) => void;
	/** From now on none stands there; whether one did. */
	readonly unlink: (at: Bytes) => boolean;
	/** From now on a directory stands at a real path, or no more. */
	readonly directory: (at: Bytes, stands: boolean) => void;
	/** Whether an earlier call made a link below a real path. */
	readonly hasLinksBelow: (directory: Bytes) => boolean;
	/** The same files with the same links, which go their own way. */
	readonly fork: () => FutureFiles;
	readonly real: Files["real"];
	readonly readlink: Files["readlink"];
	readonly kind: Files["kind"];
	readonly list: Files["list"];
	readonly read: Files["read"];
	readonly mounts: Files["mounts"];
	/** Descriptors are this process's own, and the call's are others. */
	readonly opened: Files["opened"] = () => undefined;

	/**
	 * @param machine the files of this machine
	 * @param disk the same, looked at once
	 * @param links real paths of links that earlier calls make, and their texts; no text where they take one away
	 * @param directories real paths of directories that earlier calls make
	 */
	constructor(machine: Files, disk = remembering(machine), links = new Map<Bytes, Bytes | undefined>(), directories = new Set<Bytes>()) {
		const linkOn = (path: Bytes) => (links.has(path) ? links.get(path) : disk.readlink(path));
		const isGone = (path: Bytes) => [...links].some(([at, to]) => to === undefined && (path === at || path.startsWith(`${at}/`)));
		const walker = new Resolver({ ...disk, readlink: linkOn });
		/** Real paths that were asked for already: every call asks for the roots anew, and nothing changes while a line is judged. */
		const reals = new Map<string, Bytes | undefined>();
		this.link = (at, to) => {
			links.set(at, to);
			reals.clear();
		};
		/** Names of the links that earlier calls made right below a real path. */
		const namesIn = (directory: Bytes): Bytes[] => {
			const names: Bytes[] = [];
			for (const [at, to] of links) if (to !== undefined && parentOf(at) === directory) names.push(baseOf(at));
			return names;
		};
		this.directory = (at, stands) => {
			if (stands) directories.add(at);
			else for (const each of directories) if (each === at || isBelow(each, at)) directories.delete(each);
		};
		this.hasLinksBelow = (directory) => [...links].some(([at, to]) => to !== undefined && isBelow(at, directory));
		this.fork = () => new FutureFiles(machine, disk, new Map(links), new Set(directories));
		this.unlink = (at) => {
			if (isBlind(at) || linkOn(at) === undefined) return false;
			links.set(at, undefined);
			reals.clear();
			return true;
		};
		const real = (path: Bytes, directory: boolean): Bytes | undefined => {
			if (isBlind(path)) return undefined;
			if (links.size === 0) return disk.real(path, directory);
			const { path: found, lost } = walker.walk(path, true);
			return lost ? "" : isGone(found) ? undefined : disk.real(found, directory);
		};
		this.real = (path, directory) => {
			const key = directory ? `${path}/` : path;
			if (!reals.has(key)) reals.set(key, real(path, directory));
			return reals.get(key);
		};
		this.readlink = (path) => (isBlind(path) ? undefined : linkOn(path));
		this.kind = (path, follow) => {
			if (isBlind(path)) return undefined;
			if (links.size + directories.size === 0) return disk.kind(path, follow);
			const at = follow ? walker.walk(path, true).path : walker.entry(path);
			if (isGone(at)) return undefined;
			if (!follow && links.has(at)) return "link";
			// What a link was made in is a directory by then.
			return disk.kind(at, follow) ?? (directories.has(at) || namesIn(at).length > 0 ? "directory" : undefined);
		};
		this.list = (path) => {
			const entries = isBlind(path) ? undefined : disk.list(path);
			if (links.size + directories.size === 0 || isBlind(path)) return entries;
			const at = walker.walk(path, true).path;
			const made = namesIn(at);
			const fresh = [...directories].filter((each) => parentOf(each) === at && disk.kind(each, false) === undefined).map(baseOf);
			return withMade(entries, made, fresh);
		};
		this.read = (path, limit) => (isBlind(path) ? undefined : disk.read(path, limit));
		this.mounts = () => disk.mounts();
	}
}

/** The entries of a directory with the links and directories that are made in it. */
function withMade(entries: ReturnType<Files["list"]>, links: readonly Bytes[], directories: readonly Bytes[]): ReturnType<Files["list"]> {
	if (links.length + directories.length === 0) return entries;
	const kept = entries?.filter(({ name }) => !links.includes(name)) ?? [];
	const made = links.map((name) => ({ name, kind: "link" as const }));
	return [...kept, ...made, ...directories.map((name) => ({ name, kind: "directory" as const }))];
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

/** What is on disk, looked at once: a command line has hundreds of calls in the same few directories. */
function remembering(files: Files): Files {
	const entry = once((path: Bytes) => files.kind(path, false));
	const target = once((path: Bytes) => files.kind(path, true));
	const mounts = once(() => files.mounts());
	return {
		real: (path, directory) => files.real(path, directory),
		readlink: once((path: Bytes) => files.readlink(path)),
		kind: (path, follow) => (follow ? target(path) : entry(path)),
		list: (path) => files.list(path),
		read: (path, limit) => files.read(path, limit),
		opened: (descriptor) => files.opened(descriptor),
		mounts: () => mounts(undefined),
	};
}
