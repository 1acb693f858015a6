// A session's directory on disk: written beside and put in place in one step, and taken away when nobody uses it any more.

import * as fs from "node:fs";
import { diskFailure, kindAt, makeLink, move, removeTree } from "../guardfile/disk.ts";
import type { Bytes } from "../policy/bytes.ts";
import { join, parentOf } from "../policy/resolve.ts";
import type { System } from "../sys/system.ts";
import { everyPlace } from "./places.ts";
import { processOf } from "./processes.ts";
import { unusedSessions } from "./record.ts";

const toBuffer = (path: Bytes) => Buffer.from(path, "latin1");

/** What a session's directory holds: files by their path in it, and links by theirs. */
export interface Content {
	files: ReadonlyMap<Bytes, Bytes>;
	links: ReadonlyMap<Bytes, Bytes>;
}

/** A directory that is being written, and by whom: `.new-NAME-START`, where the name begins with its number. One that was given up: `.gone-NAME`. */
const STAGE = /^\.new-(\d+)-[0-9a-f]{6}-(\d+)$/;
const GONE = /^\.gone-\d+-[0-9a-f]{6}$/;

function makeDirectories(base: Bytes, names: Iterable<Bytes>): void {
	fs.mkdirSync(toBuffer(base), { mode: 0o700 });
	const made = new Set([base]);
	for (const name of names) {
		const parent = parentOf(join(base, name));
		if (made.has(parent)) continue;
		fs.mkdirSync(toBuffer(parent), { recursive: true, mode: 0o700 });
		made.add(parent);
	}
}

/** Make a directory for this user alone, with what it shall hold. Throws what node:fs throws. */
export function fill(system: System, base: Bytes, { files, links }: Content): void {
	makeDirectories(base, [...files.keys(), ...links.keys()]);
	for (const [name, content] of files) {
		const path = join(base, name);
		// A third of what node:fs takes, for forty files; which is asked only to say what is wrong.
		if (system.append(path, content) !== content.length) fs.writeFileSync(toBuffer(path), toBuffer(content), { mode: 0o600 });
	}
	for (const [name, to] of links) makeLink(join(base, name), to);
}

/** Remove a tree of ours; whoever is first does it. */
export function removeQuietly(path: Bytes): void {
	try {
		removeTree(path);
	} catch (error) {
		if (diskFailure(error) === undefined) throw error;
	}
}

/**
 * Make the directory of a session: complete, or not there. Throws what node:fs throws.
 * @param place the directory of all sessions
 * @param start the time at which this process started, by which others see whether it still works on it
 */
export function makeSession(system: System, place: Bytes, id: string, start: string, content: Content): void {
	const stage = join(place, `.new-${id}-${start}`);
	try {
		fill(system, stage, content);
		move(stage, join(place, id));
	} catch (error) {
		if (kindAt(stage) !== undefined) removeQuietly(stage);
		throw error;
	}
}

/** Take a session's directory away. It is renamed first, so that of two who do it one does it all. */
export function removeSession(directory: Bytes): void {
	const gone = join(parentOf(directory), `.gone-${directory.slice(directory.lastIndexOf("/") + 1)}`);
	try {
		if (kindAt(gone) !== undefined) removeQuietly(gone);
		move(directory, gone);
	} catch (error) {
		if (diskFailure(error) === undefined) throw error;
		return;
	}
	removeQuietly(gone);
}

/** The file whose time tells when it was last looked for what nobody uses, and how long that is good for, in milliseconds. */
const SWEPT = ".swept";
const SWEPT_FOR = 60_000;

/** Whether it was looked just now: looking means to ask every process, and a person waits. Else it is from now on. */
function wasSwept(place: Bytes): boolean {
	const mark = toBuffer(join(place, SWEPT));
	const age = Date.now() - (fs.statSync(mark, { throwIfNoEntry: false })?.mtimeMs ?? 0);
	if (age >= 0 && age < SWEPT_FOR) return true;
	fs.writeFileSync(mark, "", { mode: 0o600 });
	return false;
}

/** Take away what nobody uses, unless that was done just now. */
export function sweepSometimes(system: System, place: Bytes): void {
	if (!wasSwept(place)) sweep(system);
}

/** Take away what nobody uses: sessions whose processes have all ended, and what was left of one that was cut short. */
function sweep(system: System): void {
	for (const directory of unusedSessions(system)) removeSession(directory);
	for (const place of everyPlace(system)) {
		for (const { name } of system.list(place) ?? []) {
			const [, pid, start] = STAGE.exec(name) ?? [];
			const abandoned = pid !== undefined && processOf(system, Number(pid))?.start !== start;
			if (abandoned || GONE.test(name)) removeQuietly(join(place, name));
		}
	}
}
