// tmx install: what outlives a session, in the user's own service manager and in Claude Code's shell snapshots.

import { EXIT } from "../sys/exit.ts";
import type { System } from "../sys/system.ts";
import { command, fail } from "./command.ts";
import { installMonitor } from "./confine/install-monitor.ts";
import { installSlice, sliceOptions } from "./confine/install-slice.ts";
import { installSnapshots } from "./confine/install-snapshots.ts";
import type { Problem } from "./confine/problem.ts";
import { thresholdOptions } from "./confine/settings.ts";

/** Each part is tried, and answers what went wrong. */
type Part = (system: System) => Problem[];

export default command({
	args: {
		slice: { type: "boolean", description: "limits for all tool shells together" },
		monitor: { type: "boolean", description: "the monitor as a service, with the thresholds that are given" },
		snapshots: { type: "boolean", description: "confine the tool shells of Claude Code, by its shell snapshots" },
		...sliceOptions,
		...thresholdOptions,
	},
	run({ system, args }) {
		const parts: (Part | false | undefined)[] = [
			args.slice && ((here) => installSlice(here, args)),
			args.monitor && ((here) => installMonitor(here, args)),
			args.snapshots && installSnapshots,
		];
		const wanted = parts.filter((part): part is Part => typeof part === "function");
		if (wanted.length === 0) return fail(system, "install", "user_error", "say what: --slice, --monitor or --snapshots");
		const problems = wanted.flatMap((part) => part(system));
		const statuses = problems.map(({ kind, words }) => fail(system, "install", kind, words));
		return statuses.length > 0 ? Math.min(EXIT.user_error, ...statuses) : EXIT.ok;
	},
});
