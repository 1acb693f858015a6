// Codex: PreToolUse. Facts: the protocol as 0.171 speaks it; whatever is neither a refusal nor silence lets the command run.

import { type Agent, byStatus } from "./agent.ts";
import { bytesField, commandField, objectField, patchTool, textField, unknownTool } from "./fields.ts";

export const codex: Agent = {
	name: "codex",
	decode(event) {
		const tool = textField(event, "tool_name") ?? "";
		const input = objectField(event, "tool_input");
		const cwd = bytesField(event, "cwd");
		if (tool === "") return { kind: "malformed", why: "the event names no tool" };
		if (tool === "apply_patch") return patchTool(tool, bytesField(input, "command", "input", "patch"), cwd);
		if (tool !== "Bash") return unknownTool(tool, input, cwd);
		const text = commandField(input, "command", "cmd");
		if (text === undefined) return { kind: "malformed", why: "Bash has no command" };
		const workdir = bytesField(input, "workdir", "working_directory");
		// The directory of the event is the turn's; where the call itself runs is not said.
		return workdir === undefined ? { kind: "command", text, cwd, unsure: true } : { kind: "command", text, cwd: workdir };
	},
	deny: byStatus,
};
