// The type of a file out of its mode word; the numbers are the same on Linux and macOS (<sys/stat.h>).

import type { Kind } from "../policy/resolve.ts";

export const S_IFMT = 0o170000;
const S_IFDIR = 0o040000;
export const S_IFREG = 0o100000;
const S_IFLNK = 0o120000;
const S_IFBLK = 0o060000;

/** The type that st_mode holds. */
export function kindOf(mode: number): Kind {
	const type = mode & S_IFMT;
	if (type === S_IFDIR) return "directory";
	if (type === S_IFREG) return "file";
	return type === S_IFLNK ? "link" : "other";
}

/** Whether an open file holds nothing that anybody could miss: a pipe, a socket, a terminal or another character device, or a file without a name. */
export function isStream(mode: number, names: number): boolean {
	const type = mode & S_IFMT;
	return type === S_IFREG ? names === 0 : type !== S_IFDIR && type !== S_IFBLK && type !== S_IFLNK;
}
