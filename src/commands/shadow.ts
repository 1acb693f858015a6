// tmx shadow: the shadows of sessions, what each holds that stands nowhere else, and how they go.

import { didYouMean } from "../guardfile/nearest.ts";
import { type Bytes, fromText, quote } from "../policy/bytes.ts";
import { findingsOf, isAtRisk } from "../shadow/findings.ts";
import { type Git, gitOf, LOOKING } from "../shadow/git.ts";
import { makeShadow, worktreeOf } from "../shadow/make.ts";
import { shadowsPlace } from "../shadow/places.ts";
import { allRecords, type ShadowRecord, sweepRecords } from "../shadow/record.ts";
import { type Consent, release } from "../shadow/release.ts";
import { named, usersOf } from "../shadow/use.ts";
import { EXIT } from "../sys/exit.ts";
import type { System } from "../sys/system.ts";
import { command, fail, print } from "./command.ts";
import { note } from "./note.ts";
import { ask } from "./shadow/ask.ts";
import { commitsOf, json, risksOf, shown } from "./shadow/words.ts";

/** What a verb works with. */
interface Bench {
	system: System;
	git: Git;
	place: Bytes;
	records: ShadowRecord[];
	ignored: boolean;
	json: boolean;
}

/** Show them. */
function list({ system, git, place, records, json: asJson }: Bench): number {
	if (records.length === 0 && !asJson) print(system, "there is no shadow\n");
	for (const record of records) {
		const findings = findingsOf(git, place, record);
		const users = usersOf(system, place, record);
		const worktree = worktreeOf(place, record);
		print(system, asJson ? json(record, worktree, findings, users) : shown(record, worktree, findings, users.map(named)));
	}
	return EXIT.ok;
}

/** Release one, after what it holds was shown. Answers the exit status. */
function releaseOne({ system, git, place, ignored }: Bench, record: ShadowRecord, consent: Consent): number {
	const { id } = record;
	const commits = commitsOf(findingsOf(git, place, record));
	const outcome = release(system, git, place, id, !ignored, consent);
	if ("failure" in outcome) return fail(system, "shadow", outcome.failure, outcome.why);
	for (const line of outcome.kept.length > 0 ? commits : []) print(system, `${id}: ${line}\n`);
	const kept = outcome.kept.map((branch) => `branch ${branch}`).join(" and ");
	print(system, `${id} is released${kept === "" ? "" : `; ${kept} in ${quote(record.checkout || record.repository)} keeps its commits`}\n`);
	return EXIT.ok;
}

/** Release those that are named. */
function releaseNamed(bench: Bench, names: readonly string[]): number {
	const { system, place, records } = bench;
	if (names.length === 0) return fail(system, "shadow", "user_error", 'release needs the name of a shadow; "tmx shadow list" shows them');
	const known = records.map(({ id }) => id);
	const statuses = names.map((name) => {
		const record = records.find(({ id }) => id === name);
		if (record === undefined) {
			const words = `there is no shadow ${quote(fromText(name))}${didYouMean(name, known)}; "tmx shadow list" shows them`;
			return fail(system, "shadow", "user_error", words);
		}
		return releaseOne(bench, record, (findings) => ask(system, name, worktreeOf(place, record), findings));
	});
	return statuses.find((status) => status !== EXIT.ok) ?? EXIT.ok;
}

/** Release all that nobody uses and that hold nothing which would be lost; say why the others stay. */
function reap(bench: Bench): number {
	const { system, git, place, records, ignored } = bench;
	if (place !== "") sweepRecords(system, place);
	if (records.length === 0) print(system, "there is no shadow\n");
	const statuses = records.map((record) => {
		const { id } = record;
		const users = usersOf(system, place, record);
		const findings = findingsOf(git, place, record);
		const stays = users.length > 0 ? users.map((user) => `in use by ${named(user)}`) : risksOf(findings);
		if (users.length === 0 && (record.state !== "ready" || !isAtRisk(findings, !ignored))) {
			return releaseOne(bench, record, () => ({ failure: "user_error", why: `${id} stays, as it changed just now` }));
		}
		print(system, `${id} stays: ${stays.join("; ")}\n`);
		return EXIT.ok;
	});
	return statuses.find((status) => status !== EXIT.ok) ?? EXIT.ok;
}

/** Make one for a session that is started otherwise than by the launcher, and print where it is. */
function make(system: System): number {
	const shadow = makeShadow(system);
	if ("failure" in shadow) return fail(system, "shadow", shadow.failure, shadow.why);
	for (const words of shadow.notes) note(system, "shadow", words);
	system.write(1, `${shadow.directory}\n`);
	return EXIT.ok;
}

const VERBS = ["list", "make", "release", "reap"] as const;

export default command({
	args: {
		ignored: { type: "boolean", description: "with release and reap: what git ignores, such as build products, may go without a question" },
		json: { type: "boolean", description: "with list: print one JSON object a shadow, one a line" },
	},
	operands: {
		name: "VERB [NAME...]",
		description:
			"list: show them; release NAME...: remove them, asking where something would be lost; reap: remove those that are unused and hold nothing to lose; make: print the directory of a new one",
		least: 1,
		most: 1000,
		choices: () => VERBS,
	},
	run({ system, args, operands: [verb = "", ...names] }) {
		const wrong = (words: string) => fail(system, "shadow", "user_error", words);
		if (!(VERBS as readonly string[]).includes(verb)) {
			return wrong(`unknown verb ${quote(fromText(verb))}${didYouMean(verb, VERBS)}; known are ${VERBS.join(", ")}`);
		}
		if (names.length > 0 && verb !== "release") return wrong(`${verb} takes no names`);
		if (args.json && verb !== "list") return wrong("--json goes with list");
		if (args.ignored && verb !== "release" && verb !== "reap") return wrong("--ignored goes with release and reap");
		if (verb === "make") return make(system);
		const git = gitOf(system, LOOKING);
		if (git === undefined) return fail(system, "shadow", "internal", "there is no git on PATH");
		const place = shadowsPlace(system, false);
		if (typeof place === "object") return fail(system, "shadow", place.failure, place.why);
		const records = place === undefined ? [] : allRecords(place);
		const bench = { system, git, place: place ?? "", records, ignored: args.ignored === true, json: args.json === true };
		if (verb === "list") return list(bench);
		return verb === "reap" ? reap(bench) : releaseNamed(bench, names);
	},
});
