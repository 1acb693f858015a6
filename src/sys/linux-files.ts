// What Linux says of files: their identity, type and real path, what a directory holds. Numbers are of <fcntl.h> and <linux/stat.h>.

import { ffi } from "#ffi";
import type { Bytes } from "../policy/bytes.ts";
import type { Kind, Openness } from "../policy/resolve.ts";
import { buffer, bufferAt, c, cstring, drain, errno, libc, slurp, text } from "./libc.ts";
import { latin1 } from "./memory.ts";
import { isStream, kindOf } from "./mode.ts";
import type { Identity, Opened } from "./system.ts";

const arm = process.arch === "arm64";
const O_RDONLY = 0;
const O_ACCMODE = 3;
const O_NONBLOCK = 0o4000;
const O_DIRECTORY = arm ? 0o40000 : 0o200000;
const O_CLOEXEC = 0o2000000;
const O_PATH = 0o10000000;
export const AT_FDCWD = -100;
export const AT_SYMLINK_NOFOLLOW = 0x100;
const AT_NO_AUTOMOUNT = 0x800;
export const AT_EMPTY_PATH = 0x1000;
const STATX_BASIC = 0x7ff;

/** struct statx as 32-bit words, over memory of their own: a small array without it is moved once the optimizing compiler takes over. */
const words = new Uint32Array(new ArrayBuffer(256));
const statusAt = libc ? ffi.address(words) : 0;

/** statx(2) into `words`: whether it succeeded. */
export function stat(descriptor: number, path: Bytes, flags: number): boolean {
	return c.statx(descriptor, cstring(path), flags | AT_NO_AUTOMOUNT, STATX_BASIC, statusAt) === 0;
}

/** Of the last `stat`: the mode, how many names it has, which file it is, and all of it. */
export const fileMode = () => (words[7] as number) & 0xffff;
const links = () => words[4] as number;
export const fileId = () => `${words[34]}:${words[35]}:${words[9]}:${words[8]}`;

export function identityOf(): Identity {
	return {
		id: fileId(),
		uid: words[5] as number,
		mode: fileMode(),
		size: (words[10] as number) + (words[11] as number) * 4294967296,
		mtime: words[28] as number,
	};
}

export function readlink(path: Bytes): Bytes | undefined {
	const length = c.readlink(cstring(path), bufferAt, buffer.length);
	return length < 0 ? undefined : latin1(buffer, 0, length);
}

/** The kernel writes this behind the path of a file that has no name any more (proc(5), /proc/PID/fd). */
const DELETED = " (deleted)";

/** The path of an open file, "" when no path of ours leads to it; undefined when it is longer than the kernel tells (PATH_MAX). */
function pathOf(descriptor: number): Bytes | undefined {
	const found = readlink(`/proc/self/fd/${descriptor}`);
	if (found?.charCodeAt(0) !== 47 || !stat(descriptor, "", AT_EMPTY_PATH)) return found;
	// A path of another mount namespace reads like one of ours: only the same file under that name is proof.
	const id = fileId();
	const gone = links() === 0;
	if (stat(AT_FDCWD, found, AT_SYMLINK_NOFOLLOW) && fileId() === id) return found;
	// A file may truly be called so, and then it has a name.
	return gone && found.endsWith(DELETED) ? found.slice(0, -DELETED.length) : "";
}

/** The name of an open directory in its open parent. */
function nameIn(parent: number, directory: number): Bytes | undefined {
	const id = stat(directory, "", AT_EMPTY_PATH) ? fileId() : "";
	const same = (name: Bytes) => stat(parent, name, AT_SYMLINK_NOFOLLOW) && fileId() === id;
	const entries = list(`/proc/self/fd/${parent}`) ?? [];
	return entries.find(({ name, kind }) => (kind === undefined || kind === "directory") && same(name))?.name;
}

/** The path of a directory deeper than the kernel tells: its last names are looked up one by one, from below. */
function deepPath(descriptor: number): Bytes | undefined {
	let below = "";
	for (let at = descriptor; ; ) {
		const parent = c.open(cstring(`/proc/self/fd/${at}/..`), O_PATH | O_CLOEXEC | O_DIRECTORY, 0);
		if (parent < 0) return undefined;
		const name = nameIn(parent, at);
		const above = name === undefined ? "" : pathOf(parent);
		below = `/${name}${below}`;
		if (at !== descriptor) c.close(at);
		at = parent;
		if (above === undefined) continue;
		c.close(at);
		return above === "" ? "" : (above === "/" ? "" : above) + below;
	}
}

export function real(path: Bytes, directory: boolean): Bytes | undefined {
	const flags = O_PATH | O_CLOEXEC | (directory ? O_DIRECTORY : 0);
	const descriptor = c.open(cstring(path), flags, 0);
	if (descriptor < 0) return undefined;
	const found = pathOf(descriptor) ?? deepPath(descriptor);
	c.close(descriptor);
	return found;
}

/** How a descriptor of this process is open (/proc/self/fdinfo, proc(5)). */
export function opened(descriptor: number): Openness | undefined {
	if (!stat(descriptor, "", AT_EMPTY_PATH)) return undefined;
	if (isStream(fileMode(), links())) return "stream";
	const flags = /^flags:\s*([0-7]+)/m.exec(text(`/proc/self/fdinfo/${descriptor}`))?.[1] ?? "0";
	return (Number.parseInt(flags, 8) & O_ACCMODE) === O_RDONLY ? "readable" : "writable";
}

const DIRENT_KINDS: Record<number, Kind> = { 4: "directory", 8: "file", 10: "link" };

export function list(path: Bytes): { name: Bytes; kind: Kind | undefined }[] | undefined {
	const descriptor = c.open(cstring(path), O_CLOEXEC | O_DIRECTORY | O_NONBLOCK, 0);
	if (descriptor < 0) return undefined;
	const found: { name: Bytes; kind: Kind | undefined }[] = [];
	const entries = new Uint8Array(32768);
	const entriesAt = ffi.address(entries);
	for (;;) {
		const length = c.getdents64(descriptor, entriesAt, entries.length);
		if (length <= 0) break;
		for (let at = 0; at < length; at += (entries[at + 16] as number) + 256 * (entries[at + 17] as number)) {
			const end = entries.indexOf(0, at + 19);
			const name = latin1(entries, at + 19, end);
			const type = entries[at + 18] as number;
			if (name !== "." && name !== "..") found.push({ name, kind: type === 0 ? undefined : (DIRENT_KINDS[type] ?? "other") });
		}
	}
	c.close(descriptor);
	return found;
}

export function open(path: Bytes): Opened | number {
	const descriptor = c.open(cstring(path), O_CLOEXEC | O_NONBLOCK, 0);
	if (descriptor < 0) return errno();
	const length = stat(descriptor, "", AT_EMPTY_PATH) ? drain(descriptor) : -1;
	const failed = length < 0 ? errno() : 0;
	c.close(descriptor);
	return length < 0 ? failed : { ...identityOf(), content: latin1(buffer, 0, length) };
}

export function read(path: Bytes, limit: number): Bytes | undefined {
	if (!stat(AT_FDCWD, path, 0) || kindOf(fileMode()) !== "file" || identityOf().size > limit) return undefined;
	const length = slurp(path);
	return length < 0 ? undefined : latin1(buffer, 0, length);
}

/** The type of a file, its last component followed or not. */
export function kind(path: Bytes, follow: boolean): Kind | undefined {
	return stat(AT_FDCWD, path, follow ? 0 : AT_SYMLINK_NOFOLLOW) ? kindOf(fileMode()) : undefined;
}

export function identity(path: Bytes): Identity | undefined {
	return stat(AT_FDCWD, path, 0) ? identityOf() : undefined;
}
