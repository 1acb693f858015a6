// Codex: PreToolUse. Facts: the protocol as 0.171 speaks it; whatever is neither a refusal nor silence lets the command run.

import { type Agent, byStatus } from "./agent.ts";
import { bytesField, calledTool, commandField, NO_TOOL, outcomeOf, patchTool, unknownTool } from "./fields.ts";

export const codex: Agent = {
	name: "codex",
	decode(event) {
		const { tool, input, cwd } = calledTool(event);
		if (tool === "") return NO_TOOL;
		if (tool === "apply_patch") return patchTool(tool, bytesField(input, "command", "input", "patch"), cwd);
		if (tool !== "Bash") return unknownTool(tool, input, cwd);
		const text = commandField(input, "command", "cmd");
		if (text === undefined) return { kind: "malformed", why: "Bash has no command" };
		const workdir = bytesField(input, "workdir", "working_directory");
		// The directory of the event is the turn's; where the call itself runs is not said.
		return workdir === undefined ? { kind: "command", text, cwd, unsure: true } : { kind: "command", text, cwd: workdir };
	},
	deny: byStatus,
	outcome: outcomeOf,
	// The whole of it: its databases lie straight in it, and without them it does not start. Its hooks are set up by its command line,
	// which a configuration that is written anew does not beat.
	state: [{ home: "~/.codex", variable: "CODEX_HOME", keeps: [{ path: "", what: "tree" }] }],
};
