// The policy of a binary that stands alone: the default guardfile, compiled when the binary was built.

import type { ToolPolicy } from "../policy/policy.ts";
import type { System } from "../sys/system.ts";
import { DEFAULT_POLICIES } from "./default.compiled.ts";

/** What the compiled guardfile holds of each tool; the rest depends on who runs it. */
type Compiled = Pick<ToolPolicy, "exec" | "gates">;

/** The built-in policy of one tool, undefined when the default guardfile does not guard it. */
export function builtIn(tool: string, system: System): ToolPolicy | undefined {
	const all = JSON.parse(DEFAULT_POLICIES) as Record<string, Compiled>;
	const found = Object.hasOwn(all, tool) ? all[tool] : undefined;
	if (found === undefined) return undefined;
	const uid = system.uid();
	const { exec, gates } = found;
	return { format: 1, tool, exec, gates, guardfile: "default.kdl", audit: "", uid: -1, home: system.passwdHome(uid) };
}
