// A session's directory on disk: written beside and put in place in one step, and taken away when nobody uses it any more.

import * as fs from "node:fs";
import { diskFailure, kindAt, makeLink, move, namesIn, removeTree } from "../guardfile/disk.ts";
import { replaceEach } from "../guardfile/install.ts";
import type { Bytes } from "../policy/bytes.ts";
import { join, parentOf } from "../policy/resolve.ts";
import { exchange } from "../sys/exchange.ts";
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

/** A directory that is being written, and by whom: `.new-NAME-PID-START`. One that was given up: `.gone-NAME`. */
const STAGE = /^\.new-[0-9a-f]{8}-(\d+)-(\d+)$/;
const GONE = /^\.gone-[0-9a-f]{8}$/;

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

function fill(base: Bytes, { files, links }: Content): void {
	makeDirectories(base, [...files.keys(), ...links.keys()]);
	for (const [name, content] of files) fs.writeFileSync(toBuffer(join(base, name)), toBuffer(content), { mode: 0o600, flag: "wx" });
	for (const [name, to] of links) makeLink(join(base, name), to);
}

/** Remove a tree of ours; whoever is first does it. */
function removeQuietly(path: Bytes): void {
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
	const stage = join(place, `.new-${id}-${system.pid()}-${start}`);
	try {
		fill(stage, content);
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

/** Take away what nobody uses: sessions whose processes have all ended, and what was left of one that was cut short. */
export function sweep(system: System): void {
	for (const directory of unusedSessions(system)) removeSession(directory);
	for (const place of everyPlace(system)) {
		for (const { name } of system.list(place) ?? []) {
			const [, pid, start] = STAGE.exec(name) ?? [];
			const abandoned = pid !== undefined && processOf(system, Number(pid))?.start !== start;
			if (abandoned || GONE.test(name)) removeQuietly(join(place, name));
		}
	}
}

/** Put new files in the place of a session's policy, all of them in one step where the file system can. Throws what node:fs throws. */
export function replacePolicy(shims: Bytes, name: string, files: ReadonlyMap<Bytes, Bytes>): void {
	const fresh = join(shims, `.policy-${name}`);
	const policy = join(shims, "policy");
	try {
		fill(fresh, { files, links: new Map() });
		if (!exchange(fresh, policy)) replaceEach(fresh, policy);
	} finally {
		if (kindAt(fresh) !== undefined) removeQuietly(fresh);
	}
}

/** Write one file anew, in one step. Throws what node:fs throws. */
export function replaceFile(path: Bytes, name: string, content: Bytes): void {
	const fresh = `${path}.${name}`;
	fs.writeFileSync(toBuffer(fresh), toBuffer(content), { mode: 0o600, flag: "wx" });
	move(fresh, path);
}

/** The names in a session's policy, without their `.json`. */
export const policyNames = (shims: Bytes): Bytes[] =>
	namesIn(join(shims, "policy"))
		.filter((name) => name.endsWith(".json"))
		.map((name) => name.slice(0, -".json".length));
