// Cursor: preToolUse, and beforeShellExecution before it. Its file tools name no working directory, only the workspaces.

import { type Bytes, fromText } from "../policy/bytes.ts";
import { type Agent, DENIED, type Event, TEXTS_IN, trees } from "./agent.ts";
import {
	bytesField,
	commandField,
	fileTool,
	NO_TOOL,
	objectField,
	patchField,
	patchTool,
	shellTool,
	textField,
	unknownTool,
} from "./fields.ts";

const READS = ["Read", "Grep", "Glob", "LS", "Search", "SemanticSearch", "WebSearch", "WebFetch", "TodoWrite", "Task"];

const NOTEBOOKS = ["NotebookEdit", "EditNotebook", "edit_notebook"];

function directoryOf(event: Event, input: Event): Bytes | undefined {
	const said = bytesField(input, "working_directory", "cwd") ?? bytesField(event, "cwd");
	if (said !== undefined) return said;
	const roots = event.workspace_roots;
	const [first] = Array.isArray(roots) ? roots : [];
	return typeof first === "string" && first !== "" ? fromText(first) : undefined;
}

export const cursor: Agent = {
	name: "cursor",
	decode(event) {
		const tool = textField(event, "tool_name") ?? "";
		const input = objectField(event, "tool_input");
		const cwd = directoryOf(event, input);
		// The older event has the command itself and no tool.
		if (tool === "") {
			const text = commandField(event, "command");
			return text === undefined ? NO_TOOL : { kind: "command", text, cwd };
		}
		if (READS.includes(tool)) return { kind: "nothing" };
		if (tool === "Shell" || tool === "Bash") return shellTool(tool, commandField(input, "command"), cwd);
		const path = bytesField(input, "file_path", "path", "target_file");
		if (tool === "Delete") return fileTool(tool, path, cwd, "removed");
		if (tool === "Write" || tool === "Edit" || tool === "MultiEdit") return fileTool(tool, path, cwd);
		if (NOTEBOOKS.includes(tool)) return fileTool(tool, bytesField(input, "target_notebook", "notebook_path", "file_path"), cwd);
		if (tool === "ApplyPatch") return patchTool(tool, patchField(event, ["tool_input"]), cwd);
		return unknownTool(tool, input, cwd);
	},
	deny: (reason) => ({
		stdout: `${JSON.stringify({ permission: "deny", user_message: reason, agent_message: reason })}\n`,
		stderr: reason,
		status: DENIED,
	}),
	ask: (reason) => ({
		stdout: `${JSON.stringify({ permission: "ask", user_message: reason, agent_message: reason })}\n`,
		stderr: "",
		status: 0,
	}),
	// Plan mode.
	notes: () => [{ home: "~/.cursor", files: [{ directory: "plans", names: TEXTS_IN }] }],
	state: [
		{ home: "~/.cursor", keeps: [...trees("chats projects"), { path: "cli-config.json", what: "file" }] },
		{ home: "~/.config/cursor", keeps: [{ path: "", what: "tree" }] },
	],
};
