// Taking a shadow off the disk and out of its repository: each step can be done again by whoever finds it half done.

import * as fs from "node:fs";
import { mountsBelow } from "../gates/mounts.ts";
import { kindAt, move, removeName } from "../guardfile/disk.ts";
import type { Bytes } from "../policy/bytes.ts";
import { join } from "../policy/resolve.ts";
import type { System } from "../sys/system.ts";
import { type Git, lineOf } from "./git.ts";
import { directoryOf, PROJECTS, recordOf, removingOf } from "./places.ts";
import type { ShadowRecord } from "./record.ts";

const toBuffer = (path: Bytes) => Buffer.from(path, "latin1");

/** Remove a tree. Links are names here and lead nowhere; directories that may not be written are made so, as they are ours. */
function removeAll(path: Bytes): void {
	const stats = fs.lstatSync(toBuffer(path), { throwIfNoEntry: false });
	if (stats === undefined) return;
	if (!stats.isDirectory()) {
		fs.unlinkSync(toBuffer(path));
		return;
	}
	if ((stats.mode & 0o700) !== 0o700) fs.chmodSync(toBuffer(path), 0o700);
	for (const name of fs.readdirSync(toBuffer(path), "buffer")) removeAll(join(path, name.toString("latin1")));
	fs.rmdirSync(toBuffer(path));
}

/** Whether something is mounted in a shadow: removing would walk into it. */
export function hasMounts(system: System, place: Bytes, id: string): boolean {
	const table = system.mounts();
	return [directoryOf(place, id), removingOf(place, id)].some((path) => mountsBelow(table, path) || table.includes(` ${path} `));
}

/** Take the worktree off the repository's list, and the branch when nothing but this shadow needed it. */
function unlist(git: Git, place: Bytes, { id, project, repository, drop }: ShadowRecord): void {
	const there = `--git-dir=${repository}`;
	// Its files are gone by now; twice, since the first force is for changes and the second for the lock.
	git(there, "worktree", "remove", "--force", "--force", join(join(directoryOf(place, id), PROJECTS), project));
	if (drop === undefined) return;
	const tip = lineOf(git(there, "rev-parse", "--verify", "--quiet", `refs/heads/${drop.branch}`));
	if (tip === drop.tip) git(there, "branch", "--quiet", "-D", "--", drop.branch);
}

/**
 * Remove what is left of a shadow; its record goes last. The directory has another name first: nobody finds a half of it.
 * Throws what node:fs throws; then it can be done again.
 */
export function finish(git: Git, place: Bytes, record: ShadowRecord): void {
	const directory = directoryOf(place, record.id);
	const removing = removingOf(place, record.id);
	removeAll(removing);
	if (kindAt(directory) !== undefined) move(directory, removing);
	removeAll(removing);
	unlist(git, place, record);
	const path = recordOf(place, record.id);
	if (kindAt(path) === "file") removeName(path);
}

/** Take away a shadow that no session has run in: what is in it came from the repository. */
export function withdraw(system: System, git: Git, place: Bytes, record: ShadowRecord): void {
	if (!hasMounts(system, place, record.id)) finish(git, place, { ...record, drop: { branch: record.branch, tip: record.base } });
}
