// OpenCode: it has no command hooks, so a plugin of ours hands each call over and throws what we refuse.

import { join } from "../policy/resolve.ts";
import { type Agent, type Asked, byStatus, type Event, TEXTS_IN } from "./agent.ts";
import {
	bytesField,
	commandField,
	fileTool,
	isObject,
	NO_TOOL,
	objectField,
	patchTool,
	shellTool,
	textField,
	unknownTool,
} from "./fields.ts";

const READS = "read list glob grep webfetch websearch codesearch todowrite todoread task skill question lsp invalid".split(" ");

/** Its experimental tool that does what several calls say, none of which is an event of its own; a call is a tool and its parameters. */
function batch(event: Event, calls: unknown): Asked {
	if (!Array.isArray(calls)) return { kind: "malformed", why: "the batch names no calls" };
	const parts = calls
		.filter(isObject)
		.map(({ tool, parameters }) => (tool === "batch" ? NO_TOOL : decode({ ...event, tool, args: parameters })));
	return { kind: "several", parts };
}

function decode(event: Event): Asked {
	const tool = textField(event, "tool") ?? "";
	const input = objectField(event, "args");
	const cwd = bytesField(event, "cwd");
	if (tool === "") return NO_TOOL;
	if (READS.includes(tool)) return { kind: "nothing" };
	if (tool === "batch") return batch(event, input.tool_calls);
	if (tool === "bash") {
		const workdir = bytesField(input, "workdir");
		const there = workdir === undefined || workdir.startsWith("/") || cwd === undefined ? workdir : join(cwd, workdir);
		return shellTool(tool, commandField(input, "command"), there ?? cwd);
	}
	if (tool === "write" || tool === "edit" || tool === "multiedit") return fileTool(tool, bytesField(input, "filePath", "file_path"), cwd);
	if (tool === "patch" || tool === "apply_patch") return patchTool(tool, bytesField(input, "patchText", "patch", "input"), cwd);
	return unknownTool(tool, input, cwd);
}

export const opencode: Agent = {
	name: "opencode",
	decode,
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
