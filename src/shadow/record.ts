// What is written down of a shadow: which repository it is of, its branch, whose session it is, and how far its making or removal got.

import { contentOf, move, namesIn, removeName, writeFile } from "../guardfile/disk.ts";
import { hereOf, processOf } from "../launch/processes.ts";
import type { Bytes } from "../policy/bytes.ts";
import type { System } from "../sys/system.ts";
import { recordOf } from "./places.ts";

/** `making`: no session has run in it yet. `removing`: a person said yes to that, or there was nothing to lose. */
export type State = "making" | "ready" | "removing";

/** `ID.json`. Strings in it are bytes as the file holds them. */
export interface ShadowRecord {
	format: 1;
	id: string;
	state: State;
	/** The directory of the repository that all its worktrees share. */
	repository: Bytes;
	/** The checkout that the person stood in; "" for a bare repository. */
	checkout: Bytes;
	/** The worktree's name below projects/. */
	project: Bytes;
	/** The worktree's own directory in the repository; "" until there is one. */
	gitdir: Bytes;
	branch: string;
	/** The commit that it began with. */
	base: string;
	since: string;
	/** The process that it was made for, which became the session's command. */
	pid: number;
	start: string;
	here: Bytes;
	/** While it is removed: the branch that goes with it, and the commit that it must still be at. */
	drop?: { branch: string; tip: string };
}

/** Names of shadows, which become names of files and of a branch. */
const ID = /^\d{8}-[0-9a-f]{6}$/;

/** A name for a new shadow: the day, and enough to tell those of a day apart. */
export function newId(system: System): string {
	const digits = Array.from(system.random().slice(0, 3), (byte) => byte.toString(16).padStart(2, "0"));
	return `${new Date().toISOString().slice(0, 10).replaceAll("-", "")}-${digits.join("")}`;
}

/** Who this process is, in a record. */
export function selfOf(system: System): Pick<ShadowRecord, "pid" | "start" | "here"> {
	const pid = system.pid();
	return { pid, start: processOf(system, pid)?.start ?? "", here: hereOf(system) };
}

/** Whether the process that a shadow was made for still runs. */
export function runs(system: System, { pid, start, here }: ShadowRecord): boolean {
	return here === hereOf(system) && processOf(system, pid)?.start === start;
}

const TEXTS = ["id", "state", "repository", "checkout", "project", "gitdir", "branch", "base", "since", "start", "here"] as const;

function isRecord(value: unknown): value is ShadowRecord {
	const one = value as Record<string, unknown> | null;
	return one?.format === 1 && typeof one.pid === "number" && TEXTS.every((name) => typeof one[name] === "string");
}

/** Write a record in one step. Throws what node:fs throws. */
export function writeRecord(place: Bytes, record: ShadowRecord): void {
	const path = recordOf(place, record.id);
	const staged = `${path}.${process.pid}`;
	if (contentOf(staged) !== undefined) removeName(staged);
	writeFile(staged, `${JSON.stringify(record)}\n`);
	move(staged, path);
}

/** A record that is being written, and the process that does it. */
const STAGED = /^\d{8}-[0-9a-f]{6}\.json\.(\d+)$/;

/** Take away what writers that were killed have left. */
export function sweepRecords(system: System, place: Bytes): void {
	for (const name of namesIn(place)) {
		const pid = STAGED.exec(name)?.[1];
		if (pid !== undefined && processOf(system, Number(pid)) === undefined) removeName(`${place}/${name}`);
	}
}

/** The record of a shadow; undefined when there is none that can be read. */
export function readRecord(place: Bytes, id: string): ShadowRecord | undefined {
	if (!ID.test(id)) return undefined;
	try {
		const value: unknown = JSON.parse(contentOf(recordOf(place, id)) ?? "");
		return isRecord(value) && value.id === id && !/[/\0]/.test(value.project) ? value : undefined;
	} catch {
		// A file that is none of ours.
		return undefined;
	}
}

/** All shadows, the oldest first. */
export function allRecords(place: Bytes): ShadowRecord[] {
	const ids = namesIn(place)
		.filter((name) => name.endsWith(".json"))
		.map((name) => name.slice(0, -".json".length));
	const records = ids.map((id) => readRecord(place, id)).filter((record) => record !== undefined);
	return records.sort((a, b) => (a.since < b.since ? -1 : 1));
}
