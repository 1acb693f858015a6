// The file operations of an installation, on names that are bytes; nothing here follows a link in the last component.

import * as fs from "node:fs";
import type { Bytes } from "../policy/bytes.ts";

const toBuffer = (path: Bytes) => Buffer.from(path, "latin1");
const toBytes = (buffer: Buffer) => buffer.toString("latin1");

/** Error codes of node:fs in words. */
const WORDS: Readonly<Record<string, string>> = {
	EACCES: "permission denied",
	EPERM: "permission denied",
	EROFS: "the file system is read-only",
	ENOSPC: "no space is left on the disk",
	EDQUOT: "the disk quota is used up",
	ENOENT: "a part of the path does not exist, or cannot be made",
	ENOTDIR: "a part of the path is not a directory",
	EEXIST: "something else stands there",
	ENAMETOOLONG: "the name is too long",
	ELOOP: "the links lead in a circle",
};

/** The codes that the caller's choice of a directory brings about; any other failure is the machine's. */
const CALLERS: readonly string[] = ["EACCES", "EPERM", "EROFS", "ENOENT", "ENOTDIR", "EEXIST", "ENAMETOOLONG", "ELOOP"];

/** A failure of the file system in words, and whether the caller's choice of a path brought it about. */
export interface DiskFailure {
	words: string;
	callers: boolean;
}

/** What a thrown error of node:fs says; undefined for any other error. */
export function diskFailure(error: unknown): DiskFailure | undefined {
	const { code, syscall } = error as { code?: string; syscall?: string };
	if (code === undefined || syscall === undefined) return undefined;
	return { words: WORDS[code] ?? `${syscall} failed with ${code}`, callers: CALLERS.includes(code) };
}

/** What stands at a path, a link not followed; undefined when nothing does. */
export function kindAt(path: Bytes): "directory" | "file" | "link" | "other" | undefined {
	const stats = fs.lstatSync(toBuffer(path), { throwIfNoEntry: false });
	if (stats === undefined) return undefined;
	if (stats.isSymbolicLink()) return "link";
	if (stats.isDirectory()) return "directory";
	return stats.isFile() ? "file" : "other";
}

/** The text of a link, undefined when the path is none. */
export function linkText(path: Bytes): Bytes | undefined {
	return kindAt(path) === "link" ? toBytes(fs.readlinkSync(toBuffer(path), "buffer")) : undefined;
}

/** The names in a directory; none when there is no such directory. */
export function namesIn(path: Bytes): Bytes[] {
	if (kindAt(path) !== "directory") return [];
	return fs.readdirSync(toBuffer(path), "buffer").map(toBytes).sort();
}

/** The content of a regular file, undefined when the path is none. */
export function contentOf(path: Bytes): Bytes | undefined {
	return kindAt(path) === "file" ? toBytes(fs.readFileSync(toBuffer(path))) : undefined;
}

/** Make a directory with this very mode, whatever the umask. */
export function makeDirectory(path: Bytes): void {
	fs.mkdirSync(toBuffer(path));
	fs.chmodSync(toBuffer(path), 0o755);
}

/** Make the directory of the shims, for everybody to use, and those that lead to it as the umask has it. Whether it was not there. */
export function makeShimDirectory(path: Bytes): boolean {
	if (fs.statSync(toBuffer(path), { throwIfNoEntry: false })?.isDirectory()) return false;
	const parent = path.replace(/\/+$/, "").replace(/\/[^/]*$/, "");
	if (parent !== "") fs.mkdirSync(toBuffer(parent), { recursive: true });
	try {
		makeDirectory(path);
	} catch (error) {
		// Another build made it a moment ago.
		if ((error as { code?: string }).code === "EEXIST" && kindAt(path) === "directory") return false;
		throw error;
	}
	return true;
}

/** Write a new file for everybody to read, and have it on the disk before its name can be. */
export function writeFile(path: Bytes, content: Bytes): void {
	const descriptor = fs.openSync(toBuffer(path), "wx", 0o644);
	try {
		fs.writeFileSync(descriptor, toBuffer(content));
		fs.fchmodSync(descriptor, 0o644);
		fs.fsyncSync(descriptor);
	} finally {
		fs.closeSync(descriptor);
	}
}

/** Have the names in a directory on the disk, where the file system does that for directories (fsync(2), EINVAL). */
export function syncDirectory(path: Bytes): void {
	const descriptor = fs.openSync(toBuffer(path), "r");
	try {
		fs.fsyncSync(descriptor);
	} catch (error) {
		if ((error as { code?: string }).code !== "EINVAL") throw error;
	} finally {
		fs.closeSync(descriptor);
	}
}

export const makeLink = (path: Bytes, text: Bytes): void => fs.symlinkSync(toBuffer(text), toBuffer(path));
export const move = (from: Bytes, to: Bytes): void => fs.renameSync(toBuffer(from), toBuffer(to));
export const removeName = (path: Bytes): void => fs.unlinkSync(toBuffer(path));
export const removeEmpty = (path: Bytes): void => fs.rmdirSync(toBuffer(path));

/** Remove a directory of ours with all that is in it. */
export function removeTree(path: Bytes): void {
	for (const name of namesIn(path)) {
		const here = `${path}/${name}`;
		if (kindAt(here) === "directory") removeTree(here);
		else removeName(here);
	}
	removeEmpty(path);
}
