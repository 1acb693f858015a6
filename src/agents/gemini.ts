// Gemini CLI: BeforeTool. Facts: the protocol as 0.61 speaks it; standard output must be JSON alone, or empty.

import { join } from "../policy/resolve.ts";
import { type Agent, byStatus, TEXTS_IN } from "./agent.ts";
import { bytesField, calledTool, commandField, fileTool, NO_TOOL, shellTool, unknownTool } from "./fields.ts";

const READS =
	"read_file read_many_files list_directory glob search_file_content grep_search google_web_search web_fetch save_memory write_todos ask_user enter_plan_mode exit_plan_mode activate_skill get_internal_docs".split(
		" ",
	);

export const gemini: Agent = {
	name: "gemini",
	decode(event) {
		const { tool, input, cwd } = calledTool(event);
		if (tool === "") return NO_TOOL;
		if (READS.includes(tool)) return { kind: "nothing" };
		if (tool === "run_shell_command") {
			const directory = bytesField(input, "dir_path", "directory");
			const there = directory === undefined || directory.startsWith("/") || cwd === undefined ? directory : join(cwd, directory);
			return shellTool(tool, commandField(input, "command"), there ?? cwd);
		}
		if (tool === "write_file" || tool === "replace" || tool === "edit") return fileTool(tool, bytesField(input, "file_path", "path"), cwd);
		return unknownTool(tool, input, cwd);
	},
	deny: byStatus,
	// Plan mode.
	notes: () => [
		{ home: "~", variable: "GEMINI_CLI_HOME", files: [{ directory: "\\.gemini/tmp/[^/]+(?:/[^/]+)?/plans", names: TEXTS_IN }] },
	],
	// The whole of it: files straight in it are replaced at each start, and without that it ends.
	state: [{ home: "~", variable: "GEMINI_CLI_HOME", keeps: [{ path: ".gemini", what: "tree" }] }],
};
