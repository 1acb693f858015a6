// tmx uninstall: takes away exactly what tmx install laid down.

import { lstatSync, unlinkSync } from "node:fs";
import { removeLines } from "../confine/snapshots.ts";
import { MONITOR, removeFile, SLICE, SNAPSHOT_PATH, SNAPSHOT_SERVICE, systemctl } from "../confine/units.ts";
import { fromText, quote } from "../policy/bytes.ts";
import { EXIT } from "../sys/exit.ts";
import type { System } from "../sys/system.ts";
import { command, fail, print } from "./command.ts";
import { installedFragment, snapshotDirectory, unitDirectory } from "./confine/places.ts";

/** Take the units away; each is stopped first, which does nothing where it does not run. */
function removeUnits(system: System, directory: string, names: readonly string[]): void {
	const services = names.filter((name) => !name.includes("/"));
	const ours = services.filter((name) => lstatSync(`${directory}/${name}`, { throwIfNoEntry: false }));
	if (ours.length > 0) systemctl("disable", "--now", ...ours);
	const removed = names.filter((name) => removeFile(directory, name));
	for (const name of removed) print(system, `removed ${quote(fromText(`${directory}/${name}`))}\n`);
	if (removed.length > 0) systemctl("daemon-reload");
}

/** Take the lines and the fragment away. Answers what went wrong. */
function removeSnapshots(system: System): string[] {
	const snapshots = snapshotDirectory(system);
	const problems: string[] = [];
	for (const { path, did } of snapshots === undefined ? [] : removeLines(snapshots)) {
		const shown = quote(fromText(path));
		if (typeof did === "object") problems.push(`${shown}: ${did.failed}`);
		else print(system, `took the line out of ${shown}\n`);
	}
	const fragment = installedFragment(system);
	if (problems.length === 0 && fragment !== undefined && lstatSync(fragment, { throwIfNoEntry: false })?.isFile()) {
		unlinkSync(fragment);
		print(system, `removed ${quote(fromText(fragment))}\n`);
	}
	return problems;
}

export default command({
	args: {
		slice: { type: "boolean", description: "the limits for all tool shells together" },
		monitor: { type: "boolean", description: "the monitor's service" },
		snapshots: { type: "boolean", description: "what confines the tool shells of Claude Code" },
	},
	run({ system, args }) {
		const all = !args.slice && !args.monitor && !args.snapshots;
		const directory = unitDirectory(system);
		if (directory === undefined) return fail(system, "uninstall", "internal", "this user has no home directory");
		const names = [
			...(all || args.slice ? [SLICE] : []),
			...(all || args.monitor ? [MONITOR] : []),
			...(all || args.snapshots ? [SNAPSHOT_PATH, SNAPSHOT_SERVICE] : []),
		];
		removeUnits(system, directory, names);
		const problems = all || args.snapshots ? removeSnapshots(system) : [];
		for (const problem of problems) fail(system, "uninstall", "internal", problem);
		return problems.length > 0 ? EXIT.internal : EXIT.ok;
	},
});
