// Cursor's agent: its hooks stand in files; the shims come by PATH and BASH_ENV.

import { join } from "../../policy/resolve.ts";
import type { AgentLaunch } from "./agent.ts";
import { fromFiles } from "./from-files.ts";

export const cursor: AgentLaunch = {
	name: "cursor",
	launch({ argv, hook, home, read }) {
		const isSetUp = /tmx hook cursor|hook cursor/.test(read(join(home, ".cursor/hooks.json")) ?? "");
		return { argv: [...argv], hooked: false, notes: hook === undefined || isSetUp ? [] : [fromFiles("Cursor", "cursor")] };
	},
};
