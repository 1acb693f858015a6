// Pathname resolution (POSIX 4.13) as the tools do it, and the one place where paths are compared.

import type { Bytes } from "./bytes.ts";

/** The type of a file. */
export type Kind = "directory" | "file" | "link" | "other";

/**
 * How a descriptor is open. A `stream` holds nothing that anybody could miss: a pipe, a terminal, a file without a name. A file
 * that is `writable` through it can be changed without being opened anew; one that is `readable` cannot.
 */
export type Openness = "stream" | "writable" | "readable";

/** What resolution asks of the kernel. Every path is handed on as it stands; a relative one stands on the process's own directory. */
export interface Files {
	/**
	 * The real path of what `path` leads to, every link followed by the kernel itself; undefined when it cannot be opened,
	 * "" when it is open but has no path that leads to the same file (another mount namespace).
	 */
	real(path: Bytes, directory: boolean): Bytes | undefined;
	/** The text of the symbolic link `path`, or undefined when it is none. */
	readlink(path: Bytes): Bytes | undefined;
	/** The type of `path`, its last component followed or not; undefined when there is none. */
	kind(path: Bytes, follow: boolean): Kind | undefined;
	/** The names in a directory, `.` and `..` aside; undefined when it cannot be read. */
	list(path: Bytes): { name: Bytes; kind: Kind | undefined }[] | undefined;
	/** The content of a regular file of at most `limit` bytes; undefined when it is no such file. */
	read(path: Bytes, limit: number): Bytes | undefined;
	/** How a descriptor of this process is open; undefined when it is not. */
	opened(descriptor: number): Openness | undefined;
	/** The mount table of this process, /proc/self/mountinfo (proc(5)); "" when there is none. */
	mounts(): Bytes;
}

/** A symbolic link on the way: where it stands (real path) and its text. */
export interface Link {
	at: Bytes;
	to: Bytes;
}

/** A path walked component by component: where it ends, and the links passed. `lost` when it has no end that can be named. */
export interface Walk {
	path: Bytes;
	links: Link[];
	exists: boolean;
	lost: boolean;
}

/** The kernel's limit of links in one resolution (MAXSYMLINKS, path_resolution(7)). */
const MAX_LINKS = 40;

/** A path of this length the kernel does not take (PATH_MAX); a tool may stand deeper, and then names are relative. */
export const TOO_LONG = 4096;

/** Tools that go down step by step come a little further; where a text of this length leads is nobody's to tell. */
const MOST = 4 * TOO_LONG;

/** Whether `path` is a proper descendant of `root`; both are real paths. By components: /run/hostage is not below /run/host. */
export function isBelow(path: Bytes, root: Bytes): boolean {
	if (root === "/") return path.length > 1 && path.charCodeAt(0) === 47;
	return path.length > root.length + 1 && path.charCodeAt(root.length) === 47 && path.startsWith(root);
}

/** `directory` and `name` as one path. */
export function join(directory: Bytes, name: Bytes): Bytes {
	return directory.endsWith("/") ? directory + name : `${directory}/${name}`;
}

/** The directory that holds a real path; "/" holds itself. */
export function parentOf(path: Bytes): Bytes {
	const slash = path.lastIndexOf("/");
	return slash <= 0 ? "/" : path.slice(0, slash);
}

/** The last component of a path, trailing slashes aside (basename(3)); "/" for the root directory. */
export function baseOf(path: Bytes): Bytes {
	let end = path.length;
	while (end > 1 && path.charCodeAt(end - 1) === 47) end--;
	return path.slice(path.lastIndexOf("/", end - 1) + 1, end) || "/";
}

/** A path without the slashes behind its last component; "/" stays. */
export const withoutSlashes = (path: Bytes): Bytes => path.replace(/(?<=.)\/+$/s, "");

/** Whether the last component cannot be a link to leave alone: a trailing slash, `.` or `..` name the directory itself. */
export function namesDirectory(text: Bytes): boolean {
	const last = text.slice(text.lastIndexOf("/") + 1);
	return last === "" || last === "." || last === "..";
}

/** Magic links of /proc lead where their text does not say (proc(5)): only the kernel may follow them. */
const isMagic = (directory: Bytes) => directory.startsWith("/proc/") && directory.charCodeAt(6) <= 57;

/** Whether a name is left among components; slashes leave empty ones. */
function goesOn(rest: readonly Bytes[]): boolean {
	for (const name of rest) if (name !== "") return true;
	return false;
}

/** Resolves the paths of one call. Results are remembered, since many operands share a directory. */
export class Resolver {
	readonly #directories = new Map<Bytes, Bytes>();
	readonly #walks = new Map<Bytes, Walk>();

	/** @param cwd the directory that relative paths stand on; "" leaves them to the kernel, which also knows one that was deleted. */
	constructor(
		readonly files: Files,
		readonly cwd: Bytes = "",
	) {}

	/** The same files, seen from another directory. */
	from(cwd: Bytes): Resolver {
		return cwd === this.cwd ? this : new Resolver(this.files, cwd);
	}

	/** The path to ask the kernel for. */
	standing(text: Bytes): Bytes {
		return this.cwd === "" || text.charCodeAt(0) === 47 ? text : join(this.cwd, text);
	}

	/** The real path of the directory that `text` leads to, as far as it exists; "" when it cannot be named. */
	directory(text: Bytes): Bytes {
		const known = this.#directories.get(text);
		if (known !== undefined) return known;
		const real = this.files.real(this.standing(text), true);
		const path = real ?? this.walk(text, true).path;
		this.#directories.set(text, path);
		return path;
	}

	/**
	 * The directory entry that `text` names: links in its directory followed, the last component left alone, as unlink(2)
	 * and rename(2) act. A trailing slash, `.` and `..` name the directory itself. "" when it cannot be named.
	 */
	entry(text: Bytes): Bytes {
		if (namesDirectory(text)) return this.target(text);
		const slash = text.lastIndexOf("/");
		const directory = this.directory(slash < 0 ? "." : text.slice(0, slash + 1));
		return directory === "" ? "" : join(directory, text.slice(slash + 1));
	}

	/** What `text` leads to, every link followed, as open(2) without O_NOFOLLOW; as far as it exists. "" when it cannot be named. */
	target(text: Bytes): Bytes {
		return this.files.real(this.standing(text), false) ?? this.walk(text, true).path;
	}

	/** The type of what `text` names. */
	kind(text: Bytes, follow: boolean): Kind | undefined {
		return text === "" ? undefined : this.files.kind(this.standing(text), follow);
	}

	/** Whether `text` leads to a directory. */
	isDirectory(text: Bytes): boolean {
		return this.kind(text, true) === "directory";
	}

	/** The names in the directory that `text` leads to. */
	list(text: Bytes): ReturnType<Files["list"]> {
		return this.files.list(this.standing(text));
	}

	/** The content of a small regular file. */
	read(text: Bytes, limit: number): Bytes | undefined {
		return this.files.read(this.standing(text), limit);
	}

	/** The remembered walk to the directory that holds `text`. */
	wayTo(text: Bytes): Walk {
		const slash = text.lastIndexOf("/");
		const directory = slash < 0 ? "." : text.slice(0, slash + 1);
		const known = this.#walks.get(directory) ?? this.walk(directory, true);
		this.#walks.set(directory, known);
		return known;
	}

	/** Where `text` leads when that is deeper than a path can tell: known where no link in the last place has to be read. */
	#deep(full: Bytes, last: boolean): Walk {
		const lost = { path: "", links: [], exists: false, lost: true };
		const kind = this.files.kind(full, false);
		if (namesDirectory(full) || (kind === "link" && last)) return lost;
		const slash = full.lastIndexOf("/");
		const parent = slash < 0 ? "." : full.slice(0, slash);
		const directory = this.files.real(parent, true) ?? (slash > 0 ? this.#deep(parent, true).path : "");
		if (directory === "") return lost;
		return { path: join(directory, full.slice(slash + 1)), links: [], exists: kind !== undefined, lost: false };
	}

	/**
	 * Walk `text` by its components, reading each link: the way for what does not exist (yet), for dangling links, and for
	 * showing which links lead there. A missing component counts as a directory that somebody may make; `..` is physical.
	 * @param last whether a link in the last component is followed
	 */
	walk(text: Bytes, last: boolean): Walk {
		const full = this.standing(text);
		const relative = full.charCodeAt(0) !== 47;
		// A working directory that may not be searched cannot be opened, and has a name all the same.
		const start = relative ? (this.files.real(".", true) ?? this.files.readlink("/proc/self/cwd") ?? "") : "/";
		const lost = { path: "", links: [], exists: false, lost: true };
		if (start === "" || full.length > MOST) return lost;
		const links: Link[] = [];
		const rest = full.split("/").reverse();
		let at = start;
		while (rest.length > 0) {
			const name = rest.pop() as Bytes;
			if (name === "" || name === ".") continue;
			if (name === "..") at = parentOf(at);
			else {
				const here = join(at, name);
				if (here.length >= TOO_LONG) return this.#deep(full, last);
				const follow = last || goesOn(rest) || full.endsWith("/");
				const to = follow ? this.files.readlink(here) : undefined;
				if (to === undefined) at = here;
				else {
					links.push({ at: here, to });
					// A loop has no end: what is left of the text names nothing.
					if (links.length > MAX_LINKS) return { path: here, links: links.slice(0, 3), exists: false, lost: false };
					const magic = isMagic(at) ? (this.files.real(here, false) ?? "") : undefined;
					if (magic === "") return { ...lost, links };
					if (magic !== undefined) at = magic;
					else {
						for (const part of to.split("/").reverse()) rest.push(part);
						if (to.charCodeAt(0) === 47) at = "/";
					}
				}
			}
		}
		return { path: at, links, exists: this.files.kind(at, false) !== undefined, lost: false };
	}
}
