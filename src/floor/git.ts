// Where git writes for a root besides the root itself: found by git's own files, and only believed where both ends name each other.

import { type Bytes, quote } from "../policy/bytes.ts";
import { baseOf, isBelow, join, parentOf } from "../policy/resolve.ts";
import type { System } from "../sys/system.ts";

/** Neither a `.git` file nor the files that lead back are longer. */
const LIMIT = 65536;

/** The `.git` of the repository that a directory is in, by its place; undefined outside of any. */
export function dotGitOf(system: System, directory: Bytes): Bytes | undefined {
	for (let at = directory; ; at = parentOf(at)) {
		const path = join(at, ".git");
		if (system.kind(path, false) !== undefined) return path;
		if (at === "/") return undefined;
	}
}

/** The directory that holds everything of a repository (gitrepository-layout(5)). */
const isRepository = (system: System, path: Bytes) =>
	system.kind(join(path, "HEAD"), true) === "file" &&
	system.kind(join(path, "objects"), true) === "directory" &&
	system.kind(join(path, "refs"), true) === "directory";

const standing = (directory: Bytes, path: Bytes) => (path.startsWith("/") ? path : join(directory, path));

/** One line of a small file. */
function line(system: System, path: Bytes): Bytes | undefined {
	return system.read(path, LIMIT)?.split("\n")[0]?.trim();
}

/** `core.worktree` of a submodule's own configuration (git-config(1)). */
function worktreeIn(system: System, gitDirectory: Bytes): Bytes | undefined {
	const text = system.read(join(gitDirectory, "config"), LIMIT) ?? "";
	const value = /^\s*worktree\s*=\s*(.*?)\s*$/m.exec(text)?.[1];
	return value?.replace(/^"(.*)"$/, "$1").replaceAll(/\\(.)/g, "$1");
}

/** The repository of a linked worktree: it keeps the worktree's own files in `worktrees/NAME`, and their `gitdir` names the worktree. */
function ofWorktree(system: System, dotGit: Bytes, gitDirectory: Bytes): Bytes | undefined {
	const back = line(system, join(gitDirectory, "gitdir"));
	if (back === undefined || system.real(standing(gitDirectory, back), false) !== system.real(dotGit, false)) return undefined;
	const all = parentOf(gitDirectory);
	const common = parentOf(all);
	const named = line(system, join(gitDirectory, "commondir"));
	if (baseOf(all) !== "worktrees" || named === undefined) return undefined;
	return system.real(standing(gitDirectory, named), true) === common ? common : undefined;
}

/** The directory of a submodule: its configuration names the submodule's files. */
function ofSubmodule(system: System, dotGit: Bytes, gitDirectory: Bytes): Bytes | undefined {
	const back = worktreeIn(system, gitDirectory);
	if (back === undefined) return undefined;
	return system.real(standing(gitDirectory, back), true) === system.real(parentOf(dotGit), true) ? gitDirectory : undefined;
}

/** A directory that git writes to, or why one is not believed. */
export type GitPlace = { path: Bytes } | { path: Bytes; doubt: string };

/**
 * The directory outside of a root that git needs for work in it; undefined where there is none.
 *
 * A `.git` file says where it is, and that file may have come with somebody's archive: it could name any directory. So it counts
 * only where a repository there names the root back, which whoever packed an archive cannot write.
 */
export function gitPlace(system: System, root: Bytes): GitPlace | undefined {
	const dotGit = dotGitOf(system, root);
	if (dotGit === undefined) return undefined;
	const inside = (path: Bytes) => path === root || isBelow(path, root);
	if (system.kind(dotGit, false) !== "file") {
		const real = system.real(dotGit, true) ?? "";
		if (real === "" || inside(real) || !isRepository(system, real)) return undefined;
		return real === dotGit ? { path: real } : { path: real, doubt: `${quote(dotGit)} is a link to it` };
	}
	const named = /^gitdir: (.+)$/.exec(line(system, dotGit) ?? "")?.[1];
	const gitDirectory = named === undefined ? "" : (system.real(standing(parentOf(dotGit), named), true) ?? "");
	if (gitDirectory === "") return undefined;
	const found = ofWorktree(system, dotGit, gitDirectory) ?? ofSubmodule(system, dotGit, gitDirectory);
	if (found !== undefined && isRepository(system, found)) return inside(found) ? undefined : { path: found };
	if (inside(gitDirectory)) return undefined;
	return { path: gitDirectory, doubt: `${quote(dotGit)} names it, and it does not name that back` };
}
