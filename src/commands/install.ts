// tmx install: what outlives a session, in agents' settings, the user's own service manager and Claude Code's shell snapshots.

import { EXIT } from "../sys/exit.ts";
import type { System } from "../sys/system.ts";
import { installHook, whereOf } from "./agents/install.ts";
import { AGENTS, namedAgents } from "./agents/names.ts";
import { noteOnTrust } from "./agents/trust.ts";
import { command, fail } from "./command.ts";
import { installMonitor } from "./confine/install-monitor.ts";
import { installSlice, sliceOptions } from "./confine/install-slice.ts";
import { installSnapshots } from "./confine/install-snapshots.ts";
import { type Problem, userError } from "./confine/problem.ts";
import { thresholdOptions } from "./confine/settings.ts";

/** Each part is tried, and answers what went wrong. */
type Part = (system: System) => Problem[];

/** The hooks of the agents that are named, each tried for itself. */
function installAgents(system: System, given: string, project: boolean): Problem[] {
	const rows = namedAgents(given);
	if ("wrong" in rows) return [userError(rows.wrong)];
	return rows.flatMap((row) => {
		const where = whereOf(system, row, project);
		if ("kind" in where) return [where];
		const problems = installHook(system, row, where);
		if (problems.length === 0) noteOnTrust(system, row, where.file);
		return problems;
	});
}

export default command({
	args: {
		agent: { type: "string", valueHint: "NAME", description: `the hook of an agent; may be given several times: ${AGENTS}` },
		project: { type: "boolean", description: "with --agent: in the settings of the project in this directory, for you alone" },
		slice: { type: "boolean", description: "limits for all tool shells together" },
		monitor: { type: "boolean", description: "the monitor as a service, with the thresholds that are given" },
		snapshots: { type: "boolean", description: "confine the tool shells of Claude Code, by its shell snapshots" },
		...sliceOptions,
		...thresholdOptions,
	},
	lists: ["agent"],
	run({ system, args }) {
		if (args.project && !args.agent) return fail(system, "install", "user_error", "--project goes with --agent");
		const parts: (Part | false | undefined)[] = [
			args.agent !== undefined && ((here) => installAgents(here, args.agent ?? "", args.project === true)),
			args.slice && ((here) => installSlice(here, args)),
			args.monitor && ((here) => installMonitor(here, args)),
			args.snapshots && installSnapshots,
		];
		const wanted = parts.filter((part): part is Part => typeof part === "function");
		if (wanted.length === 0) return fail(system, "install", "user_error", "say what: --agent NAME, --slice, --monitor or --snapshots");
		const problems = wanted.flatMap((part) => part(system));
		const statuses = problems.map(({ kind, words }) => fail(system, "install", kind, words));
		return statuses.length > 0 ? Math.min(EXIT.user_error, ...statuses) : EXIT.ok;
	},
});
