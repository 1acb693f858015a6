// tmx uninstall: takes away exactly what tmx install laid down.

import { lstatSync, unlinkSync } from "node:fs";
import { removeLines } from "../confine/snapshots.ts";
import { MONITOR, removeFile, SLICE, SNAPSHOT_PATH, SNAPSHOT_SERVICE, systemctl } from "../confine/units.ts";
import { sessionsAround } from "../launch/around.ts";
import { fromText, quote } from "../policy/bytes.ts";
import { registrations } from "../registration/agents.ts";
import type { System } from "../sys/system.ts";
import { uninstallHook, whereOf } from "./agents/install.ts";
import { AGENTS, agentChoices, namedAgents } from "./agents/names.ts";
import { command, fail, print } from "./command.ts";
import { installedFragment, snapshotDirectory, unitDirectory } from "./confine/places.ts";
import { failAll, internal, type Problem, userError } from "./confine/problem.ts";
import { homeHere } from "./install/places.ts";
import { uninstallShims } from "./install/shims.ts";
import { takeLine } from "./install/start-files.ts";
import { uninstallTexts } from "./install/texts.ts";

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

/** Take hooks out of agents' settings: of the agents that are named, or of all. Answers what went wrong. */
function removeHooks(system: System, given: string | undefined, project: boolean): Problem[] {
	const rows = given === undefined ? [...registrations.values()] : namedAgents(given);
	if ("wrong" in rows) return [userError(rows.wrong)];
	return rows.flatMap((row) => {
		const where = whereOf(system, row, project);
		if ("kind" in where) return given === undefined ? [] : [where];
		return uninstallHook(system, row, where);
	});
}

/** Take the line out of the start files, and then the shims away. Answers what went wrong. */
function removeShell(system: System): Problem[] {
	const home = homeHere(system);
	return typeof home === "string" ? [...takeLine(system, home), ...uninstallTexts(system, home), ...uninstallShims(system, home)] : [home];
}

export default command({
	args: {
		shims: { type: "boolean", description: "the shims, the line that puts them on PATH, completions and the manual page" },
		agent: { type: "string", valueHint: "NAME", description: `the hook of an agent; may be given several times: ${AGENTS}` },
		project: { type: "boolean", description: "with --agent: out of the settings of the project in this directory" },
		slice: { type: "boolean", description: "the limits for all tool shells together" },
		monitor: { type: "boolean", description: "the monitor's service" },
		snapshots: { type: "boolean", description: "what confines the tool shells of Claude Code" },
	},
	lists: ["agent"],
	choices: { agent: agentChoices },
	run({ system, args }) {
		// Whoever is guarded is not the one to end that.
		if (sessionsAround(system).length > 0)
			return fail(system, "uninstall", "user_error", "not from within a session: run it in a shell of your own");
		if (args.project && !args.agent) return fail(system, "uninstall", "user_error", "--project goes with --agent");
		const all = !args.shims && !args.agent && !args.slice && !args.monitor && !args.snapshots;
		const problems = all || args.agent ? removeHooks(system, args.agent, args.project === true) : [];
		const directory = unitDirectory(system);
		const names = [
			...(all || args.slice ? [SLICE] : []),
			...(all || args.monitor ? [MONITOR] : []),
			...(all || args.snapshots ? [SNAPSHOT_PATH, SNAPSHOT_SERVICE] : []),
		];
		if (directory !== undefined) removeUnits(system, directory, names);
		else if (names.length > 0) problems.push(internal("this user has no home directory"));
		if (all || args.snapshots) problems.push(...removeSnapshots(system).map(internal));
		if (all || args.shims) problems.push(...removeShell(system));
		return failAll(system, "uninstall", problems);
	},
});
