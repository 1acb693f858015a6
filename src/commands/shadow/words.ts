// What a shadow holds, for people and as data.

import { type Bytes, quote, toText } from "../../policy/bytes.ts";
import type { Findings } from "../../shadow/findings.ts";
import type { ShadowRecord } from "../../shadow/record.ts";
import { span } from "../confine/table.ts";
import { counted } from "../problems.ts";

/** So many names are shown of each kind; the others are counted. */
const SHOWN = 5;

function names(paths: readonly Bytes[]): string {
	const shown = paths.slice(0, SHOWN).map(quote).join(" ");
	return paths.length > SHOWN ? `${shown} and ${paths.length - SHOWN} more` : shown;
}

const MS = 1000;

/** What would be lost, a line each. */
export function risksOf({ changed, unknown, ignored, beside, doing, inner, unreadable }: Findings): string[] {
	return [
		...(unreadable === undefined ? [] : [`what it holds cannot be said: ${unreadable}`]),
		...(changed.length > 0 ? [`${counted(changed.length, "changed file")}, not committed: ${names(changed)}`] : []),
		...(unknown.length > 0 ? [`${counted(unknown.length, "new file")}, not committed: ${names(unknown)}`] : []),
		...(ignored.length > 0 ? [`${counted(ignored.length, "path")} that git ignores: ${names(ignored)}`] : []),
		...(beside.length > 0 ? [`${counted(beside.length, "file")} beside the worktree: ${names(beside)}`] : []),
		...doing.map((what) => `${what} is under way`),
		...inner.map(({ path, files, commits }) => {
			return `the submodule ${quote(path)} has ${counted(files, "file")} not committed and ${counted(commits, "commit")} that its remote does not have`;
		}),
	];
}

/** The commits that only this shadow's branch has, a line each. */
export function commitsOf({ commits, subjects, unpushed }: Findings): string[] {
	const pushed = unpushed === undefined || unpushed === 0 ? "" : `; ${unpushed} on no remote`;
	if (commits === 0) return pushed === "" ? [] : [`every commit is on another branch${pushed}`];
	const more = commits > subjects.length ? [`  and ${commits - subjects.length} more`] : [];
	return [
		`${counted(commits, "commit")} on no other branch, which are kept${pushed}`,
		...subjects.map((one) => `  ${quote(one)}`),
		...more,
	];
}

/** One shadow for people. @param users the processes that use it, named */
export function shown(record: ShadowRecord, worktree: Bytes, findings: Findings, users: readonly string[]): string {
	const { id, state, checkout, repository, branch, since } = record;
	const age = span(Math.max(0, (Date.now() - Date.parse(since)) / MS));
	const unfinished = state === "ready" ? "" : state === "making" ? ", never finished" : ", half removed";
	const lines = [
		`of ${quote(checkout || repository)}, branch ${branch}`,
		`at ${quote(worktree)}`,
		...users.map((user) => `in use by ${user}`),
		...risksOf(findings),
		...commitsOf(findings),
	];
	return `${id}  ${age}${unfinished}\n${lines.map((line) => `  ${line}\n`).join("")}`;
}

/** One shadow as a line of JSON. */
export function json(record: ShadowRecord, worktree: Bytes, findings: Findings, users: readonly number[]): string {
	const { id, state, checkout, repository, branch, base, since } = record;
	const { changed, unknown, ignored, beside, doing, inner, commits, unpushed, unreadable } = findings;
	const lists = { changed: changed.map(toText), unknown: unknown.map(toText), ignored: ignored.map(toText), beside: beside.map(toText) };
	const places = { checkout: toText(checkout), repository: toText(repository), worktree: toText(worktree) };
	const submodules = inner.map(({ path, files, commits: own }) => ({ path: toText(path), files, commits: own }));
	return `${JSON.stringify({ shadow: id, state, ...places, branch, base, since, users, ...lists, underWay: doing, submodules, commits, unpushed, unreadable })}\n`;
}
