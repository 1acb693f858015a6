// Copilot CLI: preToolUse, and VS Code's spelling of it. Facts: the protocol as 1.0.102 speaks it; any status but 0 is a refusal.

import { type Agent, DENIED, type NotePlace } from "./agent.ts";
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

const READS =
	"view read_bash stop_bash list_bash grep glob rg report_intent think ask_user fetch_copilot_cli_documentation web_fetch web_search update_todo task read_agent list_agents show_file".split(
		" ",
	);
/** The fields under which its two spellings and VS Code's hand over what a tool gets. */
const INPUTS = ["toolArgs", "tool_args", "tool_input", "toolInput"];
const FILES = ["create", "edit", "write", "insert", "str_replace", "apply_edit"];

/** The plan and the files of one session; those of others are not its own. */
function notesOf(session: string | undefined): NotePlace[] {
	if (session === undefined || !/^[\w-]+$/.test(session)) return [];
	const directory = `session-state/${session}`;
	const files = [
		{ directory, names: "plan\\.md" },
		{ directory: `${directory}/files`, names: ".+" },
	];
	return [{ home: "~/.copilot", variable: "COPILOT_HOME", files }];
}

export const copilot: Agent = {
	name: "copilot",
	decode(event) {
		const tool = textField(event, "toolName", "tool_name") ?? "";
		const input = objectField(event, ...INPUTS);
		const cwd = bytesField(event, "cwd");
		if (tool === "") return NO_TOOL;
		if (READS.includes(tool)) return { kind: "nothing" };
		if (tool === "bash" || tool === "shell") return shellTool(tool, commandField(input, "command"), cwd);
		// What is typed into a shell that runs is read as a command; where that shell stands is not known.
		if (tool === "write_bash") {
			const text = commandField(input, "input");
			return text === undefined ? { kind: "nothing" } : { kind: "command", text, cwd, unsure: true };
		}
		if (tool === "str_replace_editor") {
			return textField(input, "command") === "view" ? { kind: "nothing" } : fileTool(tool, bytesField(input, "path"), cwd);
		}
		if (tool === "apply_patch") return patchTool(tool, patchField(event, INPUTS), cwd);
		if (FILES.includes(tool)) return fileTool(tool, bytesField(input, "path", "file_path", "filePath"), cwd);
		return unknownTool(tool, input, cwd);
	},
	// The flat form is the one that it reads; the status says the same.
	deny: (reason) => ({
		stdout: `${JSON.stringify({ permissionDecision: "deny", permissionDecisionReason: reason })}\n`,
		stderr: reason,
		status: DENIED,
	}),
	ask: (reason) => ({
		stdout: `${JSON.stringify({ permissionDecision: "ask", permissionDecisionReason: reason })}\n`,
		stderr: "",
		status: 0,
	}),
	notes: (event) => notesOf(textField(event, "sessionId", "session_id")),
	// The whole of it: it ends where it cannot write there.
	state: [{ home: "~/.copilot", variable: "COPILOT_HOME", keeps: [{ path: "", what: "tree" }] }],
};
