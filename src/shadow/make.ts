// Making a shadow: a worktree of the repository at hand on a branch of its own, and the directories that a session has beside it.

import { diskFailure, removeName } from "../guardfile/disk.ts";
import { type Bytes, quote } from "../policy/bytes.ts";
import { baseOf, join } from "../policy/resolve.ts";
import type { System } from "../sys/system.ts";
import { fieldsOf, type Git, gitOf, inTurn, lineOf } from "./git.ts";
import { directoryOf, FOLDERS, fault, PROJECTS, type Refused, shadowsPlace, wrong } from "./places.ts";
import { newId, type ShadowRecord, selfOf, writeRecord } from "./record.ts";
import { lockReason, withdraw } from "./remove.ts";
import { fillSubmodules } from "./submodules.ts";

/** A shadow as a launcher needs it. */
export interface Shadow {
	id: string;
	/** The one directory that the session may change. */
	root: Bytes;
	/** The worktree in it: a directory of the session's too, so that a floor knows where its git writes, and rm leaves it standing. */
	worktree: Bytes;
	/** Where the command starts: the worktree, or the place in it that answers to the person's own. */
	directory: Bytes;
	/** Variables that tell a policy where the session is. */
	environment: [name: string, value: Bytes][];
	/** What the person should know. */
	notes: string[];
}

/** The repository that somebody stands in. */
interface Repository {
	common: Bytes;
	/** The top of the checkout; "" in a bare repository. */
	top: Bytes;
	/** From the top to where they stand, with a slash behind. */
	below: Bytes;
	head: string;
}

/** What is called `make` by the branch as well as by the record. */
const branchOf = (id: string) => `tmx-shadow-${id}`;

function repositoryAt(git: Git, here: Bytes): Repository | Refused {
	const ask = (...words: Bytes[]) => git("-C", here, "rev-parse", ...words);
	const found = ask("--path-format=absolute", "--git-common-dir");
	const common = lineOf(found);
	if (common === undefined) {
		const words = /not a git repository/.test(found.complaint) ? "it is in no git repository" : found.complaint;
		return wrong(`no shadow of ${quote(here)}: ${words}; a shadow is a worktree, so "git init" and a first commit come before it`);
	}
	// An older git takes the option for a word, and says it back.
	if (!common.startsWith("/")) return wrong(`no shadow of ${quote(here)}: a git of 2.31 or newer is needed`);
	const bare = lineOf(ask("--is-bare-repository")) === "true";
	const top = bare ? "" : lineOf(ask("--show-toplevel"));
	if (top === undefined) return wrong(`no shadow of ${quote(here)}: it is within the repository's own directory; go to a checkout of it`);
	const head = lineOf(ask("--verify", "--quiet", "HEAD^{commit}"));
	if (head === undefined)
		return wrong(`no shadow of ${quote(top || common)}: it has no commit yet; git commit --allow-empty -m start makes one`);
	return { common, top, below: lineOf(ask("--show-prefix")) ?? "", head };
}

/** A name for the worktree: the checkout's own, as long as every program can spell it. */
function projectOf({ top, common }: Repository): Bytes {
	const name = baseOf(top || common).replace(/\.git$/, "");
	return /^[\w@+.,-][\w@+., -]*$/.test(name) && !/^\.+$/.test(name) && name !== ".git" ? name : "project";
}

/** How much of the person's own work is not in the shadow, in words. */
function leftBehind(git: Git, top: Bytes): string[] {
	if (top === "") return [];
	const count = fieldsOf(git("-C", top, "status", "--porcelain", "-z", "--no-renames")).length;
	const [said, stays] = count === 1 ? ["1 change", "stays there, and is"] : [`${count} changes`, "stay there, and are"];
	return count === 0 ? [] : [`${said} that you have not committed in ${quote(top)} ${stays} not in the shadow`];
}

/** Make the directories and the worktree; answers why that failed, in words. */
function build(system: System, git: Git, place: Bytes, record: ShadowRecord, { common, head }: Repository): string | undefined {
	const root = directoryOf(place, record.id);
	for (const path of [root, ...FOLDERS.map((name) => join(root, name))]) {
		if (!system.mkdir(path, 0o700)) return `${quote(path)} cannot be made`;
	}
	const worktree = worktreeOf(place, record);
	// git calls what it keeps of a worktree by the last word of the path that it is given, and writes down where that leads.
	// By this name it is ours also when git is killed before it has written anything into it.
	const name = join(root, record.id);
	if (!system.mkdir(worktree, 0o700) || !system.symlink(worktree, name)) return `${quote(worktree)} cannot be made`;
	const words = ["worktree", "add", "--quiet", "--no-track", "--no-checkout", "--lock", "--reason", lockReason(record.id)];
	const added = inTurn(system, common, () => git(`--git-dir=${common}`, ...words, "-b", record.branch, name, head));
	removeName(name);
	if (added.status !== 0) return `git worktree add: ${added.complaint}`;
	// The checkout may take long, and nobody has to wait for it. What is asked of submodules comes later.
	const filled = git("-C", worktree, "reset", "--quiet", "--hard", "--no-recurse-submodules");
	return filled.status === 0 ? undefined : `git reset: ${filled.complaint}`;
}

/** Where the worktree of a shadow is. */
export const worktreeOf = (place: Bytes, { id, project }: ShadowRecord): Bytes => join(join(directoryOf(place, id), PROJECTS), project);

function startIn(system: System, worktree: Bytes, below: Bytes): Bytes {
	const inside = join(worktree, below.replace(/\/+$/, ""));
	return below !== "" && system.kind(inside, true) === "directory" ? inside : worktree;
}

function make(system: System, git: Git, place: Bytes, repository: Repository): Shadow | Refused {
	const { common, top, below, head } = repository;
	const id = newId(system);
	const names = { repository: common, checkout: top, project: projectOf(repository), gitdir: "", branch: branchOf(id), base: head };
	const record: ShadowRecord = { format: 1, id, state: "making", ...names, since: new Date().toISOString(), ...selfOf(system) };
	// It is written down before there is anything, so that whatever is left by a kill has a name.
	writeRecord(place, record);
	const failed = build(system, git, place, record, repository);
	const worktree = worktreeOf(place, record);
	const gitdir = failed === undefined ? lineOf(git("-C", worktree, "rev-parse", "--absolute-git-dir")) : undefined;
	if (gitdir === undefined) {
		withdraw(system, git, place, record);
		return wrong(`no shadow of ${quote(top || common)}: ${failed ?? "git does not know the worktree that it made"}; nothing is left of it`);
	}
	const notes = [...(top === "" ? [] : fillSubmodules(system, git, top, worktree)), ...leftBehind(git, top)];
	writeRecord(place, { ...record, gitdir, state: "ready" });
	const root = directoryOf(place, id);
	return {
		id,
		root,
		worktree,
		directory: startIn(system, worktree, below),
		environment: [["AOS_NATIVE_SESSION_PROJECTS", join(root, PROJECTS)]],
		notes,
	};
}

/**
 * Make a shadow of the repository that this process stands in. Of the repository itself only its list of worktrees and its
 * branches grow by one; the checkout, its index and its settings are not touched.
 */
export function makeShadow(system: System): Shadow | Refused {
	const here = system.real(".", true) ?? "";
	if (here === "") return wrong("no shadow: the working directory is gone; go to a checkout");
	const git = gitOf(system);
	if (git === undefined) return fault("no shadow: there is no git on PATH");
	const repository = repositoryAt(git, here);
	if ("failure" in repository) return repository;
	const place = shadowsPlace(system, true);
	if (place === undefined || typeof place !== "string") return place ?? fault("no shadow: there is no place for it");
	try {
		return make(system, git, place, repository);
	} catch (error) {
		const failure = diskFailure(error);
		if (failure === undefined) throw error;
		return fault(`no shadow: ${quote(place)}: ${failure.words}; "tmx shadow reap" takes away what is left of it`);
	}
}
