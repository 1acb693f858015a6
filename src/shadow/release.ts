// Releasing a shadow: what git has is kept by a branch, what nothing has goes only when somebody was asked, and in use it stays.

import { diskFailure } from "../guardfile/disk.ts";
import { type Bytes, quote } from "../policy/bytes.ts";
import type { System } from "../sys/system.ts";
import { elsewhere, type Findings, findingsOf, isAtRisk, tipsOf } from "./findings.ts";
import { type Git, lineOf } from "./git.ts";
import { directoryOf, fault, type Refused, recordOf, removingOf, wrong } from "./places.ts";
import { readRecord, type ShadowRecord, writeRecord } from "./record.ts";
import { finish, hasMounts, isAdminOf, withdraw } from "./remove.ts";
import { named, usersOf } from "./use.ts";

/** What became of a shadow; the branches that keep what stands nowhere else. */
export type Released = { kept: string[] };

/** How somebody is asked: whether what is found may go. A refusal says why not. */
export type Consent = (findings: Findings) => true | Refused;

/** Whether a commit is in a branch, a tag or a remote besides one branch. */
const isElsewhere = (git: Git, { gitdir }: ShadowRecord, tip: string, branch: string) =>
	lineOf(git(`--git-dir=${gitdir}`, "rev-list", "--count", tip, ...elsewhere(branch))) === "0";

/** Have a branch for where the worktree stands, when no other name leads there. Answers its name. */
function keepHead(git: Git, record: ShadowRecord): string | undefined {
	const there = `--git-dir=${record.gitdir}`;
	const head = lineOf(git(there, "rev-parse", "--verify", "--quiet", "HEAD^{commit}"));
	// Its own branch counts here: what is on it, that keeps.
	if (head === undefined || isElsewhere(git, record, head, "")) return undefined;
	for (let k = 1; ; k++) {
		const name = `${record.branch}-head${k === 1 ? "" : `-${k}`}`;
		// The zeros say that there must be no such branch yet (git-update-ref(1)).
		if (git(there, "update-ref", `refs/heads/${name}`, head, "0".repeat(head.length)).status === 0) return name;
		if (k > 9) throw new Error(`no branch could be made for ${head}`);
	}
}

/** What is kept, and whether the shadow's own branch goes with it. */
function settle(git: Git, record: ShadowRecord): { kept: string[]; drop?: ShadowRecord["drop"] } {
	if (tipsOf(git, record).length === 0) return { kept: [] };
	const head = keepHead(git, record);
	const kept = head === undefined ? [] : [head];
	const { branch, gitdir } = record;
	const tip = lineOf(git(`--git-dir=${gitdir}`, "rev-parse", "--verify", "--quiet", `refs/heads/${branch}^{commit}`));
	if (tip === undefined) return { kept };
	if (isElsewhere(git, record, tip, branch)) return { kept, drop: { branch, tip } };
	return { kept: [branch, ...kept] };
}

/** Why a shadow cannot be touched now; undefined when it can. */
function busy(system: System, place: Bytes, record: ShadowRecord): Refused | undefined {
	const users = usersOf(system, place, record);
	if (users.length > 0) {
		const [first = 0] = users;
		const more = users.length > 1 ? ` and ${users.length - 1} more` : "";
		return wrong(`${record.id} is in use by ${named(first)}${more}; end it, or leave the directory, first`);
	}
	return hasMounts(system, place, record.id)
		? wrong(`something is mounted below ${quote(directoryOf(place, record.id))}; unmount it first`)
		: undefined;
}

function releaseAlone(system: System, git: Git, place: Bytes, id: string, ignored: boolean, consent: Consent): Released | Refused {
	const record = readRecord(place, id);
	if (record === undefined) return { kept: [] };
	const refused = busy(system, place, record);
	if (refused !== undefined) return refused;
	if (record.state === "making") {
		withdraw(system, git, place, record);
		return { kept: [] };
	}
	const isThere = system.kind(directoryOf(place, id), false) !== undefined;
	// Cut short in the middle of its removal: that was agreed to.
	if (record.state === "removing" && !isThere) {
		finish(system, git, place, record);
		return { kept: [] };
	}
	const findings = findingsOf(git, place, record);
	if (isAtRisk(findings, ignored)) {
		const agreed = consent(findings);
		if (agreed !== true) return agreed;
		const again = JSON.stringify(findingsOf(git, place, record));
		if (again !== JSON.stringify(findings) || busy(system, place, record))
			return wrong(`${id} changed meanwhile, and stays; look at it again`);
	}
	// Where git knows nothing of the worktree any more, there is nothing to settle either.
	const { kept, drop } = isAdminOf(place, record, record.gitdir) ? settle(git, record) : { kept: [], drop: undefined };
	const { drop: _, ...bare } = record;
	writeRecord(place, { ...bare, state: "removing", ...(drop ? { drop } : {}) });
	finish(system, git, place, { ...bare, ...(drop ? { drop } : {}) });
	return { kept };
}

/**
 * Release one shadow, while no other tmx does.
 * @param ignored whether what git ignores must be asked for, too
 * @param consent asked when something would be lost
 */
export function release(system: System, git: Git, place: Bytes, id: string, ignored: boolean, consent: Consent): Released | Refused {
	let outcome: Released | Refused = fault(`another tmx is at work on ${id}`);
	const act = () => {
		outcome = releaseAlone(system, git, place, id, ignored, consent);
	};
	// The directory keeps its inode when it is renamed, and the record is the last to go.
	const held =
		[directoryOf(place, id), removingOf(place, id)].find((path) => system.kind(path, false) === "directory") ?? recordOf(place, id);
	try {
		if (system.exact) system.locked(held, act);
		else act();
		return outcome;
	} catch (error) {
		const failure = diskFailure(error);
		if (failure === undefined) throw error;
		return fault(`${quote(held)}: ${failure.words}; what is left of it is taken away by "tmx shadow reap"`);
	}
}
