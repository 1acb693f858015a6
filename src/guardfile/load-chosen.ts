// The policy of one tool out of the one that a command speaks of, bound to every reader there is.

import { readers } from "../operands/index.ts";
import type { ToolPolicy } from "../policy/policy.ts";
import type { System } from "../sys/system.ts";
import { builtIn } from "./built-in.ts";
import { type Choice, guardedTools } from "./choose.ts";
import { bind, bindIn, type Loaded, policyOf } from "./load.ts";

/** The policy of one tool out of a choice; undefined when the tool is not guarded. */
export function loadChosen(system: System, choice: Choice, tool: string): Loaded | undefined {
	if (!guardedTools(system, choice).includes(tool)) return undefined;
	if (choice.directory !== "") {
		const policy = policyOf(system, choice.directory, tool);
		return "unusable" in policy ? policy : bindIn(system, choice.directory, policy, readers);
	}
	const ofTool = (name: string): ToolPolicy | undefined => builtIn(name, system);
	const policy = ofTool(tool);
	return policy && bind(policy, readers, (name) => readers.get(ofTool(name)?.gates[0]?.operands ?? ""));
}
