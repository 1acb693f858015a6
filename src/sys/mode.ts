// The type of a file out of its mode word; the numbers are the same on Linux and macOS (<sys/stat.h>).

import type { Kind } from "../policy/resolve.ts";

export const S_IFMT = 0o170000;
const S_IFDIR = 0o040000;
export const S_IFREG = 0o100000;
const S_IFLNK = 0o120000;

/** The type that st_mode holds. */
export function kindOf(mode: number): Kind {
	const type = mode & S_IFMT;
	if (type === S_IFDIR) return "directory";
	if (type === S_IFREG) return "file";
	return type === S_IFLNK ? "link" : "other";
}
