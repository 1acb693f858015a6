// OpenCode: it has no command hooks, so a plugin of ours hands each call over and throws what we refuse.

import { join } from "../policy/resolve.ts";
import { type Agent, byStatus, TEXTS_IN } from "./agent.ts";
import { bytesField, commandField, fileTool, NO_TOOL, objectField, patchTool, shellTool, textField, unknownTool } from "./fields.ts";

const READS = "read list glob grep webfetch websearch codesearch todowrite todoread task skill question lsp invalid".split(" ");

export const opencode: Agent = {
	name: "opencode",
	decode(event) {
		const tool = textField(event, "tool") ?? "";
		const input = objectField(event, "args");
		const cwd = bytesField(event, "cwd");
		if (tool === "") return NO_TOOL;
		if (READS.includes(tool)) return { kind: "nothing" };
		if (tool === "bash") {
			const workdir = bytesField(input, "workdir");
			const there = workdir === undefined || workdir.startsWith("/") || cwd === undefined ? workdir : join(cwd, workdir);
			return shellTool(tool, commandField(input, "command"), there ?? cwd);
		}
		if (tool === "write" || tool === "edit" || tool === "multiedit") return fileTool(tool, bytesField(input, "filePath", "file_path"), cwd);
		if (tool === "patch" || tool === "apply_patch") return patchTool(tool, bytesField(input, "patchText", "patch", "input"), cwd);
		return unknownTool(tool, input, cwd);
	},
	deny: byStatus,
	// Plan mode, of the first version and the second.
	notes: () => [
		{ home: "~/.local/share/opencode", files: [{ directory: "plans", names: TEXTS_IN }] },
		{ home: "~/.opencode", files: [{ directory: "plan", names: TEXTS_IN }] },
	],
	// Not its configuration, which loads plugins.
	state: [
		{ home: "~/.local/share/opencode", keeps: [{ path: "", what: "tree" }] },
		{ home: "~/.local/state/opencode", keeps: [{ path: "", what: "tree" }] },
	],
};
