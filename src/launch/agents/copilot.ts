// Copilot CLI: its hooks stand in files, and its shells read neither a profile nor BASH_ENV; the shims come by PATH.

import { join } from "../../policy/resolve.ts";
import type { AgentLaunch } from "./agent.ts";
import { fromFiles } from "./from-files.ts";

export const copilot: AgentLaunch = {
	name: "copilot",
	launch({ argv, hook, env, home, read }) {
		const directory = env("COPILOT_HOME") || join(home, ".copilot");
		const isSetUp = read(join(directory, "hooks/tmx.json")) !== undefined;
		return {
			argv: [...argv],
			hooked: false,
			confine: { variable: "COPILOT_CLI" },
			notes: hook === undefined || isSetUp ? [] : [fromFiles("Copilot CLI", "copilot")],
		};
	},
};
