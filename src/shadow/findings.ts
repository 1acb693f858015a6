// What would be lost with a shadow: what git does not have, and which commits stand nowhere else.

import * as fs from "node:fs";
import { kindAt, namesIn } from "../guardfile/disk.ts";
import type { Bytes } from "../policy/bytes.ts";
import { join } from "../policy/resolve.ts";
import { fieldsOf, type Git, lineOf } from "./git.ts";
import { directoryOf, FOLDERS, PROJECTS } from "./places.ts";
import type { ShadowRecord } from "./record.ts";
import { isAdminOf } from "./remove.ts";
import { gitlinksOf } from "./submodules.ts";

/** A submodule with work of its own. */
export interface Inner {
	path: Bytes;
	/** Files that are not committed there. */
	files: number;
	/** Commits and stashes that its remote does not have. */
	commits: number;
}

export interface Findings {
	/** Files of the worktree that differ from the last commit, that git does not know, and that it is told to ignore. */
	changed: Bytes[];
	unknown: Bytes[];
	ignored: Bytes[];
	/** Files beside the worktree, which are in no repository of the person's. */
	beside: Bytes[];
	/** What is under way: a merge, a rebase. */
	doing: string[];
	inner: Inner[];
	/** Commits of the shadow that no other branch, tag or remote has; they are kept in any case. */
	commits: number;
	subjects: Bytes[];
	/** Commits that no remote has; undefined where there is no remote. */
	unpushed: number | undefined;
	/** Why it cannot be said what there is, in words. */
	unreadable: string | undefined;
}

/** Whether something would be lost. @param ignored whether what git ignores counts */
export function isAtRisk(findings: Findings, ignored: boolean): boolean {
	const { changed, unknown, beside, doing, inner, unreadable } = findings;
	const lists = [changed, unknown, beside, doing, inner, ...(ignored ? [findings.ignored] : [])];
	return unreadable !== undefined || lists.some((list) => list.length > 0);
}

/** So many files are named of a directory that nobody expects to hold many. */
const MOST = 1000;

/** Everything below a directory that is no directory. */
function filesBelow(path: Bytes, found: Bytes[] = []): Bytes[] {
	for (const name of namesIn(path)) {
		if (found.length >= MOST) break;
		const here = join(path, name);
		if (kindAt(here) === "directory") filesBelow(here, found);
		else found.push(here);
	}
	return found;
}

/** What lies in a shadow beside its worktree. */
function besideOf(root: Bytes, project: Bytes): Bytes[] {
	const tops = namesIn(root).map((name) => join(root, name));
	const projects = join(root, PROJECTS);
	const others = namesIn(projects)
		.filter((name) => name !== project)
		.map((name) => join(projects, name));
	const places = [...tops.filter((path) => path !== projects), ...others];
	const folders = new Set(FOLDERS.map((name) => join(root, name)));
	return places
		.flatMap((path) => (kindAt(path) === "directory" ? filesBelow(path) : folders.has(path) ? [] : [path]))
		.map((path) => path.slice(root.length + 1));
}

/** What git keeps in a worktree's own directory while something is under way (gitrepository-layout(5)). */
const UNDER_WAY: readonly [name: string, what: string][] = [
	["rebase-merge", "a rebase"],
	["rebase-apply", "a rebase, or an am"],
	["MERGE_HEAD", "a merge"],
	["CHERRY_PICK_HEAD", "a cherry-pick"],
	["REVERT_HEAD", "a revert"],
	["BISECT_LOG", "a bisect"],
];

/** Settings under which no filter of the repository's own is run: whoever worked there could have named any program (gitattributes(5), filter). */
function withoutFilters(git: Git, repository: readonly Bytes[]): Bytes[] {
	const named = fieldsOf(
		git(...repository, "config", "--show-scope", "-z", "--name-only", "--get-regexp", "^filter\\..*\\.(clean|process)$"),
	);
	// Scopes and names in turn; what stands in the person's own settings is theirs.
	const own = named.filter((_, k) => k % 2 === 1 && /^(local|worktree)$/.test(named[k - 1] ?? ""));
	const drivers = new Set(own.map((name) => name.slice(0, name.lastIndexOf("."))));
	return [...drivers].flatMap((driver) => ["-c", `${driver}.clean=`, "-c", `${driver}.process=`, "-c", `${driver}.required=false`]);
}

/** The lists of `git status`, by the two letters in front of each path (git-status(1), Short Format). */
function statusOf(git: Git, repository: readonly Bytes[]): Pick<Findings, "changed" | "unknown" | "ignored"> | { wrong: string } {
	const words = ["--porcelain=v1", "-z", "--no-renames", "--untracked-files=all", "--ignored=matching", "--ignore-submodules=dirty"];
	// Git hands no such setting on to the submodules that it looks into, so it looks into none; innerOf does.
	const answer = git(...withoutFilters(git, repository), ...repository, "status", ...words);
	if (answer.status !== 0) return { wrong: answer.complaint };
	const entries = fieldsOf(answer);
	const of = (test: (letters: string) => boolean) => entries.filter((entry) => test(entry.slice(0, 2))).map((entry) => entry.slice(3));
	return {
		changed: of((letters) => letters !== "??" && letters !== "!!"),
		unknown: of((letters) => letters === "??"),
		ignored: of((letters) => letters === "!!"),
	};
}

/** Files that git was told not to look at, and that are there: nobody knows whether they changed (git-update-index(1)). */
function hiddenOf(git: Git, repository: readonly Bytes[], worktree: Bytes): Bytes[] {
	const entries = fieldsOf(git(...repository, "ls-files", "-v", "-z"));
	const hidden = entries.filter((entry) => /^[a-zS] /.test(entry)).map((entry) => entry.slice(2));
	return hidden.filter((path) => fs.lstatSync(Buffer.from(join(worktree, path), "latin1"), { throwIfNoEntry: false }));
}

const countOf = (git: Git, ...words: Bytes[]) => Number(lineOf(git(...words)) ?? Number.NaN);

/** Submodules with work that would be lost, those of submodules too. */
function innerOf(git: Git, repository: readonly Bytes[], worktree: Bytes, depth = 0): Inner[] {
	if (depth > 8) return [];
	return gitlinksOf(git, ...repository).flatMap(({ path }) => {
		const at = join(worktree, path);
		if (kindAt(join(at, ".git")) === undefined) return [];
		const status = statusOf(git, ["-C", at]);
		const files = "wrong" in status ? 1 : status.changed.length + status.unknown.length;
		const commits = countOf(git, "-C", at, "rev-list", "--count", "--all", "HEAD", "--not", "--remotes");
		// What cannot be counted is there.
		const own = files > 0 || commits !== 0 ? [{ path: at, files, commits: Number.isNaN(commits) ? 1 : commits }] : [];
		return [...own, ...innerOf(git, ["-C", at], at, depth + 1)];
	});
}

/** What the shadow's own commits hang on: where its worktree stands, and its branch. */
export function tipsOf(git: Git, { gitdir, branch }: ShadowRecord): string[] {
	const ask = (name: string) => lineOf(git(`--git-dir=${gitdir}`, "rev-parse", "--verify", "--quiet", `${name}^{commit}`));
	return [...new Set([ask("HEAD"), ask(`refs/heads/${branch}`)])].filter((tip) => tip !== undefined);
}

/** Words of rev-list for what everybody else has. @param branch one that does not count, "" where all do */
export function elsewhere(branch: string): string[] {
	const others = branch === "" ? [] : [`--exclude=${branch}`];
	return ["--not", ...others, "--branches", "--tags", "--remotes"];
}

/** How many commits are named. */
const NAMED = 5;

function commitsOf(git: Git, record: ShadowRecord): Pick<Findings, "commits" | "subjects" | "unpushed"> {
	const there = `--git-dir=${record.gitdir}`;
	const tips = tipsOf(git, record);
	if (tips.length === 0) return { commits: 0, subjects: [], unpushed: undefined };
	const others = elsewhere(record.branch);
	const commits = countOf(git, there, "rev-list", "--count", ...tips, ...others);
	const log = fieldsOf(git(there, "log", "-z", "--format=%h %s", `--max-count=${NAMED}`, ...tips, ...others));
	const hasRemote = fieldsOf(git(there, "for-each-ref", "--count=1", "--format=%(refname)", "refs/remotes")).length > 0;
	return {
		commits,
		subjects: log,
		unpushed: hasRemote ? countOf(git, there, "rev-list", "--count", ...tips, "--not", "--remotes") : undefined,
	};
}

/** Look into a shadow. Nothing is changed by that. */
export function findingsOf(git: Git, place: Bytes, record: ShadowRecord): Findings {
	const root = directoryOf(place, record.id);
	const worktree = join(join(root, PROJECTS), record.project);
	const nothing = { changed: [], unknown: [], ignored: [], doing: [], inner: [], commits: 0, subjects: [], unpushed: undefined };
	const beside = besideOf(root, record.project);
	if (!isAdminOf(place, record, record.gitdir)) {
		const has = filesBelow(worktree).length > 0;
		return { ...nothing, beside, unreadable: has ? "its repository, or what it knows of this worktree, is gone" : undefined };
	}
	const commits = commitsOf(git, record);
	if (kindAt(worktree) !== "directory") return { ...nothing, beside, ...commits, unreadable: undefined };
	// The worktree's own word for where its repository is could be anybody's.
	const repository = [`--git-dir=${record.gitdir}`, `--work-tree=${worktree}`];
	const status = statusOf(git, repository);
	if ("wrong" in status) return { ...nothing, beside, ...commits, unreadable: status.wrong };
	return {
		...status,
		changed: [...new Set([...status.changed, ...hiddenOf(git, repository, worktree)])],
		beside,
		doing: UNDER_WAY.filter(([name]) => kindAt(join(record.gitdir, name)) !== undefined).map(([, what]) => what),
		inner: innerOf(git, repository, worktree).map((one) => ({ ...one, path: one.path.slice(worktree.length + 1) })),
		...commits,
		unreadable: undefined,
	};
}
