// A session's directory, written beside and put in place in one step. No node: module: it takes longer to load than all of this takes.

import type { Bytes } from "../policy/bytes.ts";
import { join, parentOf } from "../policy/resolve.ts";
import type { System } from "../sys/system.ts";

/** What a session's directory holds: files by their path in it, and links by theirs. */
export interface Content {
	files: ReadonlyMap<Bytes, Bytes>;
	links: ReadonlyMap<Bytes, Bytes>;
}

/** Error numbers of <errno.h> that writing brings about, in words. */
const ERRORS: Readonly<Record<number, string>> = {
	13: "permission denied",
	28: "no space is left on the disk",
	30: "the file system is read-only",
	122: "the disk quota is used up",
};

/** A directory that is being written, and by whom: `.new-NAME-START`, where the name begins with its number. One that was given up: `.gone-NAME`. */
export const STAGE = /^\.new-(\d+)-[0-9a-f]{6}-(\d+)$/;
export const GONE = /^\.gone-\d+-[0-9a-f]{6}$/;

/** The directories that lead to names below a base, each before those in it. */
function directoriesOf(base: Bytes, names: Iterable<Bytes>): Set<Bytes> {
	const found = new Set([base]);
	for (const name of names) {
		let at = base;
		for (const part of name.split("/").slice(0, -1)) {
			at = join(at, part);
			found.add(at);
		}
	}
	return found;
}

/** Make a directory for this user alone, with what it shall hold; why it could not be done, in words. */
export function fill(system: System, base: Bytes, { files, links }: Content): string | undefined {
	for (const directory of directoriesOf(base, [...files.keys(), ...links.keys()])) {
		if (!system.mkdir(directory, 0o700)) return "a directory cannot be made";
	}
	for (const [name, content] of files) {
		const size = system.append(join(base, name), content);
		if (size !== content.length) return ERRORS[-size] ?? `a file cannot be written (error ${-size})`;
	}
	for (const [name, to] of links) if (!system.symlink(to, join(base, name))) return "a link cannot be made";
	return undefined;
}

/** The path under which a session is written until it is complete. @param start the time at which this process started, by which others see whether it still works on it */
export const stageOf = (directory: Bytes, start: string): Bytes =>
	join(parentOf(directory), `.new-${directory.slice(directory.lastIndexOf("/") + 1)}-${start}`);

/** Make the directory of a session: complete, or not there. Why it could not be done, in words. */
export function makeSession(system: System, directory: Bytes, start: string, content: Content): string | undefined {
	const stage = stageOf(directory, start);
	const failed = fill(system, stage, content);
	if (failed !== undefined) return failed;
	return system.rename(stage, directory) ? undefined : "it cannot be put in its place";
}

/** The file whose time tells when it was last looked for what nobody uses, and how many seconds that is good for. */
const SWEPT = ".swept";
const SWEPT_FOR = 60;

/** Whether to look for what nobody uses, now: looking means to ask every process, and a person waits. */
export function isTimeToSweep(system: System, place: Bytes): boolean {
	const mark = join(place, SWEPT);
	const age = Date.now() / 1000 - (system.identity(mark)?.mtime ?? 0);
	if (age >= -1 && age < SWEPT_FOR) return false;
	const fresh = `${mark}-${system.pid()}`;
	return system.append(fresh, "\n") > 0 && system.rename(fresh, mark);
}
