// Claude Code's tool shells: the fragment beside tmx's data, a line in each shell snapshot, and a path unit for those to come.

import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import fragment from "../../../shims/tool-confine.sh" with { type: "text" };
import { addLines } from "../../confine/snapshots.ts";
import { putFile, SNAPSHOT_PATH, snapshotFiles, systemctl } from "../../confine/units.ts";
import { fromText, quote } from "../../policy/bytes.ts";
import type { System } from "../../sys/system.ts";
import { print } from "../command.ts";
import { note } from "../note.ts";
import { binaryOf } from "./binary.ts";
import { installedFragment, lineHere, snapshotDirectory, unitDirectory } from "./places.ts";
import { internal, type Problem } from "./problem.ts";

/** Shells may read it at any moment, so it changes in one step. */
function putFragment(path: string): void {
	mkdirSync(dirname(path), { recursive: true });
	const staged = `${path}.${process.pid}`;
	// One of a killed tmx that had our number.
	rmSync(staged, { force: true });
	writeFileSync(staged, fragment, { flag: "wx", mode: 0o644 });
	renameSync(staged, path);
}

/** The units that look for new snapshots. Answers what went wrong. */
function putUnits(system: System, directory: string, snapshots: string, path: string): Problem[] {
	const binary = binaryOf(system);
	if (binary === undefined) return [internal("only the compiled binary can look for new snapshots")];
	for (const file of snapshotFiles(binary, snapshots, path)) {
		const put = putFile(directory, file);
		const shown = quote(fromText(`${directory}/${file.name}`));
		if (put === "foreign") return [internal(`${shown} is not tmx's, and stays as it is`)];
		print(system, `${put === "written" ? "wrote" : "there is"} ${shown}\n`);
	}
	const failed = systemctl("daemon-reload") ?? systemctl("enable", SNAPSHOT_PATH) ?? systemctl("restart", SNAPSHOT_PATH);
	return failed === undefined ? [] : [internal(`new snapshots are not seen: ${failed}`)];
}

/** Install all three. Answers what went wrong. */
export function installSnapshots(system: System): Problem[] {
	const path = installedFragment(system);
	const units = unitDirectory(system);
	const snapshots = snapshotDirectory(system);
	if (path === undefined || units === undefined || snapshots === undefined) return [internal("this user has no usable home directory")];
	putFragment(path);
	print(system, `wrote ${quote(fromText(path))}\n`);
	const problems: Problem[] = [];
	for (const { path: snapshot, did } of addLines(snapshots, lineHere(path))) {
		const shown = quote(fromText(snapshot));
		if (typeof did === "object") problems.push(internal(`${shown}: ${did.failed}`));
		else print(system, `${did === "added" ? "added a line to" : "the line is in"} ${shown}\n`);
	}
	problems.push(...putUnits(system, units, snapshots, path));
	note(
		system,
		"install",
		"a session makes its snapshot at its first command, which may run before the line is in it; CLAUDE_ENV_FILE has no such gap",
	);
	return problems;
}
