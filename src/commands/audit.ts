// tmx audit: read the record of verdicts back, as a table for people or as the JSON Lines that they are.

import { setTimeout } from "node:timers/promises";
import { type Log, openLogs, type Row, recordsOf } from "../audit-read.ts";
import { choosePolicy } from "../guardfile/choose.ts";
import { type Bytes, fromText, quote } from "../policy/bytes.ts";
import { EXIT } from "../sys/exit.ts";
import type { System } from "../sys/system.ts";
import { rowJson, rowText, titles } from "./audit/table.ts";
import { momentOf } from "./audit/when.ts";
import { auditFile } from "./audit/where.ts";
import { command, fail } from "./command.ts";
import { note } from "./note.ts";
import { policyOption } from "./policy-words.ts";
import { Progress } from "./progress.ts";
import { screenOf } from "./screen.ts";
import { Out } from "./stdout.ts";

/** How often a followed audit is looked at. */
const LOOK_MS = 200;
/** So many files stay open while they are followed: a closed one could give its inode number to a new one. */
const OPEN = 10;

interface Wish {
	json: boolean;
	rejects: boolean;
	/** Milliseconds since the epoch. */
	since: number | undefined;
	tool: string | undefined;
	follow: boolean;
}

function isWished({ entry }: Row, { rejects, since, tool }: Wish): boolean {
	if (rejects && entry.decision !== "reject") return false;
	if (tool !== undefined && entry.tool !== tool) return false;
	return since === undefined || !(Date.parse(entry.ts) < since);
}

/** Prints what is wished of an audit's files, and counts what nobody can read. */
class Reader {
	readonly out: Out;
	readonly #progress: Progress;
	readonly #text: (row: Row) => string;
	torn = 0;

	constructor(
		readonly system: System,
		readonly wish: Wish,
	) {
		const progress = new Progress(system);
		const screen = screenOf(system);
		this.#progress = progress;
		this.out = new Out(() => progress.clear());
		this.#text = wish.json ? ({ entry, text }) => rowJson(entry, text) : ({ entry }) => rowText(entry, screen);
		if (!wish.json) this.out.put(titles(screen));
	}

	/**
	 * Read on in a file.
	 * @param last whether nothing more is expected of it, so that its last line may lack a newline
	 * @param share how much of all the work is done, from 0 to 1
	 */
	read(log: Log, last: boolean, share?: () => number): void {
		for (const line of log.lines(last)) {
			const { rows, torn } = recordsOf(line);
			this.torn += torn;
			for (const row of rows) if (isWished(row, this.wish)) this.out.put(this.#text(row));
			if (this.out.closed) return;
			if (share) this.#progress.tick(() => `reading the audit: ${Math.round(100 * share())} %`);
		}
	}
}

/** Records older than this are not wished, so a file that was last written before need not be read. */
const isOld = (log: Log, since: number | undefined) => since !== undefined && log.facts().written < since;

function readAll(reader: Reader, logs: Log[]): void {
	const total = logs.reduce((sum, log) => sum + log.facts().size, 0);
	let before = 0;
	for (const log of logs) {
		const { size } = log.facts();
		if (isOld(log, reader.wish.since)) log.offset = size;
		else reader.read(log, !reader.wish.follow, () => (before + log.offset) / Math.max(1, total));
		if (reader.out.closed) break;
		before += size;
	}
	reader.out.flush();
}

/** Read on as the audit grows, through its rotations; ends when nobody reads stdout any more. */
async function follow(reader: Reader, path: Bytes, logs: Log[]): Promise<void> {
	while (!reader.out.closed) {
		await setTimeout(LOOK_MS);
		logs.push(...openLogs(path, logs));
		// A writer that had a file open when it was renamed still writes there, so the older ones are looked at too.
		for (const log of logs) reader.read(log, false);
		while (logs.length > OPEN) logs.shift()?.close();
		reader.out.flush();
	}
}

async function show(system: System, path: Bytes, wish: Wish): Promise<number> {
	const logs = openLogs(path);
	if (logs.length === 0) {
		const next = wish.follow ? "waiting for it" : "nothing was judged and recorded yet";
		note(system, "audit", `there is no ${quote(path)}: ${next}`);
		if (!wish.follow) return EXIT.ok;
	}
	const reader = new Reader(system, wish);
	readAll(reader, logs);
	if (wish.follow) await follow(reader, path, logs);
	if (reader.torn > 0) {
		const what = reader.torn === 1 ? "1 piece is no whole record and is" : `${reader.torn} pieces are no whole records and are`;
		note(system, "audit", `${quote(path)}: ${what} left out`);
	}
	return EXIT.ok;
}

export default command({
	args: {
		json: { type: "boolean", description: "print the records as JSON Lines instead of a table" },
		rejects: { type: "boolean", description: "only refusals" },
		since: { type: "string", valueHint: "WHEN", description: "only what is not older: RFC 3339, a date, or 30s, 10m, 2h, 3d, 1w ago" },
		tool: { type: "string", valueHint: "NAME", description: "only calls of this tool" },
		follow: { type: "boolean", alias: "f", description: "go on with what is recorded from now on" },
		...policyOption,
	},
	async run({ system, args }) {
		const since = args.since === undefined ? undefined : momentOf(args.since, Date.now());
		if (args.since !== undefined && since === undefined) {
			const known = "RFC 3339 such as 2026-01-31T13:30:00Z, a date such as 2026-01-31, or 10m, 2h, 3d";
			return fail(system, "audit", "user_error", `--since ${quote(fromText(args.since))} is no moment; known are ${known}`);
		}
		const choice = choosePolicy(system, args.policy === undefined ? undefined : fromText(args.policy));
		if ("unusable" in choice) return fail(system, "audit", "user_error", choice.unusable);
		const path = auditFile(system, choice);
		if (typeof path === "object") return fail(system, "audit", "internal", path.unusable);
		const { json = false, rejects = false, tool, follow = false } = args;
		try {
			return await show(system, path, { json, rejects, since, tool, follow });
		} catch (error) {
			const { code } = error as NodeJS.ErrnoException;
			if (code === undefined) throw error;
			return fail(system, "audit", "internal", `${quote(path)} cannot be read: ${code}`);
		}
	},
});
