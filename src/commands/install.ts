// tmx install: what outlives a session: shims, a line for the shell, agents' hooks, limits, the monitor, snapshots' lines.

import { fromText } from "../policy/bytes.ts";
import { type Registration, registrations } from "../registration/agents.ts";
import type { System } from "../sys/system.ts";
import { installHook, whereOf } from "./agents/install.ts";
import { AGENTS, agentChoices, namedAgents } from "./agents/names.ts";
import { noteOnTrust } from "./agents/trust.ts";
import { command, fail, type Listed, print } from "./command.ts";
import { installMonitor } from "./confine/install-monitor.ts";
import { installSlice, sliceOptions } from "./confine/install-slice.ts";
import { installSnapshots } from "./confine/install-snapshots.ts";
import { failAll, type Problem, userError } from "./confine/problem.ts";
import { thresholdOptions } from "./confine/settings.ts";
import { homeHere } from "./install/places.ts";
import { installShims } from "./install/shims.ts";
import { showLine, writeLine } from "./install/start-files.ts";
import { summarise } from "./install/summary.ts";
import { installTexts } from "./install/texts.ts";
import { spotsOf } from "./on-path.ts";

/** Each part is tried, and answers what went wrong. */
type Part = (system: System) => Problem[];

/** Put the hook into the settings of agents, each tried for itself. */
function installHooks(system: System, rows: readonly Registration[], project: boolean): Problem[] {
	return rows.flatMap((row) => {
		const where = whereOf(system, row, project);
		if ("kind" in where) return [where];
		const problems = installHook(system, row, where);
		if (problems.length === 0) noteOnTrust(system, row, where.file);
		return problems;
	});
}

/** The hooks of the agents that are named. */
function installNamed(system: System, given: string, project: boolean): Problem[] {
	const rows = namedAgents(given);
	return "wrong" in rows ? [userError(rows.wrong)] : installHooks(system, rows, project);
}

/** Whether a person has an agent: its own directory is there, or its program is on PATH. */
function isFound(system: System, row: Registration): boolean {
	const home = row.home(system);
	return (home !== undefined && system.kind(home, true) === "directory") || spotsOf(system, fromText(row.agent), "").length > 0;
}

/** The hooks of the agents that this person has. */
function installFound(system: System): Problem[] {
	const rows = [...registrations.values()].filter((row) => isFound(system, row));
	if (rows.length === 0) print(system, `no agent was found, so no hook is set up; known are ${AGENTS}\n`);
	return installHooks(system, rows, false);
}

/** The shims, the line that puts them on PATH, completions and the manual page. */
function installShell(system: System, write: boolean, more: Part | undefined, listed: readonly Listed[]): Problem[] {
	const home = homeHere(system);
	if (typeof home !== "string") return [home];
	const problems = installShims(system, home);
	// A line for shims that are not there would be a promise that nobody keeps.
	if (problems.length > 0) return problems;
	problems.push(...installTexts(system, home, listed));
	const unwritten = write ? writeLine(system, home) : [];
	problems.push(...unwritten);
	if (more) problems.push(...more(system));
	if (!write) showLine(system, home);
	// Where the line could not be written, the problem says what to do with it.
	summarise(system, write && unwritten.length === 0 ? "written" : "shown");
	return problems;
}

export default command({
	args: {
		shims: { type: "boolean", description: "the shims, the line that puts them on PATH, completions and the manual page" },
		write: { type: "boolean", description: "also put the line into the start files of your shells, between marks" },
		agent: { type: "string", valueHint: "NAME", description: `the hook of an agent; may be given several times: ${AGENTS}` },
		project: { type: "boolean", description: "with --agent: in the settings of the project in this directory, for you alone" },
		slice: { type: "boolean", description: "limits for all tool shells together" },
		monitor: { type: "boolean", description: "the monitor as a service, with the thresholds that are given" },
		snapshots: { type: "boolean", description: "confine the tool shells of Claude Code, by its shell snapshots" },
		...sliceOptions,
		...thresholdOptions,
	},
	lists: ["agent"],
	choices: { agent: agentChoices },
	async run({ system, args, catalogue }) {
		if (args.project && !args.agent) return fail(system, "install", "user_error", "--project goes with --agent");
		const named = args.agent === undefined ? undefined : (here: System) => installNamed(here, args.agent ?? "", args.project === true);
		// Whoever names no part gets what a person at a shell needs; whoever names some gets those alone.
		const parts = [args.slice, args.monitor, args.snapshots].some(Boolean);
		const all = !parts && !named && !args.shims;
		const shell = all || args.shims || args.write;
		const hooks = named ?? (all ? installFound : undefined);
		const listed = await catalogue();
		const wanted: (Part | false | undefined)[] = [
			shell ? (here) => installShell(here, args.write === true, hooks, listed) : hooks,
			args.slice && ((here) => installSlice(here, args)),
			args.monitor && ((here) => installMonitor(here, args)),
			args.snapshots && installSnapshots,
		];
		const problems = wanted.flatMap((part) => (part ? part(system) : []));
		return failAll(system, "install", problems);
	},
});
