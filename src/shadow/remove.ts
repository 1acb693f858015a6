// Taking a shadow off the disk and out of its repository: each step can be done again by whoever finds it half done.

import * as fs from "node:fs";
import { mountsBelow } from "../gates/mounts.ts";
import { contentOf, kindAt, move, namesIn, removeName } from "../guardfile/disk.ts";
import type { Bytes } from "../policy/bytes.ts";
import { join, parentOf } from "../policy/resolve.ts";
import type { System } from "../sys/system.ts";
import { type Git, inTurn } from "./git.ts";
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

/** Why git does not tidy the worktree away by itself; it names the shadow, so that what a kill left of it can be told from others. */
export const lockReason = (id: string): string => `a shadow of tmx: "tmx shadow release ${id}" removes it`;

/**
 * Whether a directory of the repository's is that of a shadow's worktree: it says so itself. The name alone may be another's by
 * now, if the person took ours away and made one that is called as ours was.
 */
export function isAdminOf(place: Bytes, { id, project, repository }: ShadowRecord, path: Bytes): boolean {
	if (parentOf(path) !== join(repository, "worktrees")) return false;
	const worktree = join(join(directoryOf(place, id), PROJECTS), project);
	return contentOf(join(path, "locked"))?.trimEnd() === lockReason(id) || contentOf(join(path, "gitdir")) === `${join(worktree, ".git")}\n`;
}

/** Without any of these git takes a directory for no worktree (gitrepository-layout(5)). */
const NEEDED = ["gitdir", "commondir", "HEAD"];

/** What the repository keeps of a shadow's worktree, also what a git that was killed has left of it. */
function adminsOf(place: Bytes, record: ShadowRecord): Bytes[] {
	const parent = join(record.repository, "worktrees");
	const all = namesIn(parent).map((name) => join(parent, name));
	const own = [record.gitdir, join(parent, record.id)];
	const isRest = (path: Bytes) => own.includes(path) && NEEDED.some((name) => kindAt(join(path, name)) === undefined);
	return all.filter((path) => isAdminOf(place, record, path) || isRest(path));
}

/**
 * Remove the lock that a git which was killed has left on the shadow's own branch; whether there was one. Nobody else has a
 * use for it: no process uses the shadow by now, and its branch is in no worktree.
 */
function removesLock({ id, repository, branch }: ShadowRecord, name: Bytes): boolean {
	const lock = join(repository, `${name}.lock`);
	if (name !== `refs/heads/${branch}` || !branch.includes(id) || kindAt(lock) !== "file") return false;
	removeName(lock);
	return true;
}

/** Take the worktree off the repository's list, and the branch when nothing but this shadow needed it. */
function unlist(system: System, git: Git, place: Bytes, record: ShadowRecord): void {
	const { id, project, repository, drop } = record;
	const there = `--git-dir=${repository}`;
	const admins = adminsOf(place, record);
	inTurn(system, repository, () => {
		// Its files are gone by now; twice, since the first force is for changes and the second for the lock.
		git(there, "worktree", "remove", "--force", "--force", join(join(directoryOf(place, id), PROJECTS), project));
		for (const path of admins) removeAll(path);
	});
	if (drop === undefined) return;
	const name = `refs/heads/${drop.branch}`;
	// Somebody may work on it in another worktree.
	if (git(there, "worktree", "list", "--porcelain").stdout.includes(`\nbranch ${name}\n`)) return;
	// `git branch -D` would write the settings anew also where they say nothing of the branch.
	const drops = () => git(there, "update-ref", "-d", name, drop.tip).status === 0;
	const deleted = drops() || (removesLock(record, name) && drops());
	const section = `branch.${drop.branch}`;
	const isNamed = git(there, "config", "--local", "--get-regexp", `^branch\\.${drop.branch}\\.`).status === 0;
	if (deleted && isNamed) git(there, "config", "--local", "--remove-section", section);
}

/**
 * Remove what is left of a shadow; its record goes last. The directory has another name first: nobody finds a half of it.
 * Throws what node:fs throws; then it can be done again.
 */
export function finish(system: System, git: Git, place: Bytes, record: ShadowRecord): void {
	const directory = directoryOf(place, record.id);
	const removing = removingOf(place, record.id);
	removeAll(removing);
	if (kindAt(directory) !== undefined) move(directory, removing);
	removeAll(removing);
	unlist(system, git, place, record);
	const path = recordOf(place, record.id);
	if (kindAt(path) === "file") removeName(path);
}

/** Take away a shadow that no session has run in: what is in it came from the repository. */
export function withdraw(system: System, git: Git, place: Bytes, record: ShadowRecord): void {
	if (!hasMounts(system, place, record.id)) finish(system, git, place, { ...record, drop: { branch: record.branch, tip: record.base } });
}
