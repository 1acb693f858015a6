// Reading JSON that somebody else wrote: fields by their names, and what a tool's name and fields say of an unknown tool.

import { type Bytes, fromText } from "../policy/bytes.ts";
import { join } from "../policy/resolve.ts";
import type { Asked, Event, Outcome, Target } from "./agent.ts";
import { patchTargets } from "./patch.ts";

export const isObject = (value: unknown): value is Event => typeof value === "object" && value !== null && !Array.isArray(value);

/** A text field under the first of these names that holds one; "" counts as none. */
export function textField(object: Event, ...names: string[]): string | undefined {
	for (const name of names) {
		const value = object[name];
		if (typeof value === "string" && value !== "") return value;
	}
	return undefined;
}

/** The same as bytes. */
export function bytesField(object: Event, ...names: string[]): Bytes | undefined {
	const text = textField(object, ...names);
	return text === undefined ? undefined : fromText(text);
}

/** An object field, also one that is written as JSON text. */
export function objectField(object: Event, ...names: string[]): Event {
	for (const name of names) {
		const value = object[name];
		if (isObject(value)) return value;
		if (typeof value !== "string") continue;
		try {
			const parsed: unknown = JSON.parse(value);
			if (isObject(parsed)) return parsed;
		} catch {
			// Text that is no JSON is no object.
		}
	}
	return {};
}

/** What an event in Claude Code's shape names: Codex and Gemini CLI took it over. */
export function calledTool(event: Event): { tool: string; input: Event; cwd: Bytes | undefined } {
	return { tool: textField(event, "tool_name") ?? "", input: objectField(event, "tool_input"), cwd: bytesField(event, "cwd") };
}

/** The names of events, in Claude Code's shape, that come after a tool. */
const AFTER = ["PostToolUse", "PostToolUseFailure"];

/** How deep the texts of a result lie at the most. */
const DEPTH = 4;

/** All texts in a value, a line each. */
function textsIn(value: unknown, depth = DEPTH): string[] {
	if (typeof value === "string") return [value];
	if (typeof value !== "object" || value === null || depth === 0) return [];
	return Object.values(value).flatMap((one) => textsIn(one, depth - 1));
}

/** What came of a tool, as an event in Claude Code's shape says it; Codex took it over. */
export function outcomeOf(event: Event): Outcome | undefined {
	const name = textField(event, "hook_event_name") ?? "";
	if (!AFTER.includes(name)) return undefined;
	const { input, cwd } = calledTool(event);
	return {
		command: commandField(input, "command", "cmd") ?? "",
		output: fromText([...textsIn(event.tool_response), ...textsIn(event.error)].join("\n")),
		cwd,
		tell: (words) => ({
			stdout: `${JSON.stringify({ hookSpecificOutput: { hookEventName: name, additionalContext: words } })}\n`,
			stderr: "",
			status: 0,
		}),
	};
}

/** The answer to an event that names no tool. */
export const NO_TOOL: Asked = { kind: "malformed", why: "the event names no tool" };

/** A word as a shell reads it back. */
const quoted = (word: string) => `'${word.replaceAll("'", "'\\''")}'`;

/** execve(2) in Linux: an argv string has at most 32 pages. What stands behind that can only make a command line longer than any shell gets. */
const LONGEST = 131072;
const lineOf = (text: string) => fromText(text.slice(0, LONGEST + 1));

/** A command line: text, or an argv that is written as a list. */
export function commandField(object: Event, ...names: string[]): Bytes | undefined {
	for (const name of names) {
		const value = object[name];
		if (typeof value === "string") return lineOf(value);
		if (Array.isArray(value) && value.every((word) => typeof word === "string")) return lineOf(value.map(quoted).join(" "));
	}
	return undefined;
}

/** The files of a tool that must name one. */
export function fileTool(tool: string, text: Bytes | undefined, cwd: Bytes | undefined, role: Target["role"] = "written"): Asked {
	if (text === undefined) return { kind: "malformed", why: `${tool} does not say which file it changes` };
	return { kind: "files", tool: fromText(tool), targets: [{ text, role }], cwd };
}

/** A command of a tool that must have one. */
export function shellTool(tool: string, text: Bytes | undefined, cwd: Bytes | undefined): Asked {
	return text === undefined ? { kind: "malformed", why: `${tool} has no command` } : { kind: "command", text, cwd };
}

/** A patch: a tool's only text, also written as JSON, or a field of an object. */
export function patchField(event: Event, inputs: readonly string[]): Bytes | undefined {
	const text = textField(event, ...inputs);
	if (text?.trimStart().startsWith("***")) return fromText(text);
	try {
		const parsed: unknown = text === undefined ? undefined : JSON.parse(text);
		if (typeof parsed === "string") return fromText(parsed);
	} catch {
		// Text that is no JSON is the patch, whatever is in front of it.
		return fromText(text ?? "");
	}
	return bytesField(objectField(event, ...inputs), "input", "patch", "patchText", "command", "diff");
}

/** A tool that takes a patch; a patch that names no file is refused. */
export function patchTool(tool: string, patch: Bytes | undefined, cwd: Bytes | undefined): Asked {
	const targets = patchTargets(patch ?? "");
	if (targets.length === 0) return { kind: "malformed", why: `${tool} names no file that it changes` };
	return { kind: "files", tool: fromText(tool), targets, cwd };
}

/** Words in the name of a tool that say what it does. */
const CHANGES = /write|edit|creat|delet|remov|renam|move|patch|updat|replac|insert|append|save|mkdir|unlink|copy|download/i;
const READS =
	/read|get|list|search|view|fetch|grep|glob|find|stat|show|query|describe|to.?do|plan|task|memory|browser|open|load|inspect|analy|diagnos|lint|check(?!out)|compar|diff|hash|count|pars|attach/i;
const RUNS = /bash|shell|terminal|exec|run_?command|start_?process|^(?:monitor|run)$/i;

/** Fields that name files whatever the tool, those that do so in a tool which changes files, and what one that moves takes away. */
const FILE_FIELDS =
	"file_path filePath filepath file_paths filePaths target_file targetFile TargetFile notebook_path notebookPath target_notebook".split(
		" ",
	);
const PATH_FIELDS =
	"path paths file files filename absolute_path absolutePath relative_path relativePath pathInProject dirPath uri destination dest target newPath new_path".split(
		" ",
	);
const TAKEN_FIELDS = ["source", "src", "oldPath", "old_path"];
const MOVES = /move|renam/i;
const GONE = /delet|remov|unlink/i;

/** What fields of these names say, also in the lists of a tool that changes several files at once. */
function textsOf(input: Event, fields: readonly string[]): string[] {
	return Object.entries(input).flatMap(([name, value]) =>
		(Array.isArray(value) ? value : [value]).flatMap((one: unknown) => {
			if (typeof one === "string") return fields.includes(name) && one !== "" ? [one] : [];
			return Array.isArray(value) && isObject(one) ? textsOf(one, fields) : [];
		}),
	);
}

/** A path, also one that is written as the address of a file. */
function pathOf(text: string): Bytes {
	const found = /^file:\/\/(?:localhost)?(\/.*)$/s.exec(text)?.[1];
	try {
		return fromText(found === undefined ? text : decodeURIComponent(found));
	} catch {
		return fromText(text);
	}
}

/** The directory that a call of a tool asks for. */
function directoryIn(input: Event, cwd: Bytes | undefined): Bytes | undefined {
	const said = bytesField(input, "cwd", "workdir", "working_directory", "workingDirectory");
	return said === undefined || said.startsWith("/") || cwd === undefined ? (said ?? cwd) : join(cwd, said);
}

/** Servers of tools whose files and commands are those of another machine or of a container. */
const SERVERS =
	"github gitlab bitbucket notion linear slack jira confluence atlassian asana figma sentry supabase vercel netlify cloudflare s3 dropbox google-drive gdrive ssh docker kubernetes k8s";
/** What stands behind such a name and changes nothing. */
const KINDS = "mcp server remote cloud enterprise";

/** Whether a tool is one of theirs: `mcp__SERVER__TOOL`, Gemini CLI's `mcp_SERVER_TOOL`, and what Copilot brings along. */
function isElsewhere(tool: string): boolean {
	if (tool.startsWith("github-mcp-server-")) return true;
	const [first, server = ""] = tool.includes("__") ? tool.split("__") : tool.split("_");
	if (first !== "mcp") return false;
	const words = server.toLowerCase().replace("google-drive", "gdrive").split(/[_-]/);
	while (words.length > 1 && KINDS.split(" ").includes(words.at(-1) ?? "")) words.pop();
	return SERVERS.split(" ").includes(words.at(-1) ?? "");
}

/** What such a tool is called that brings a file from there. */
const BRINGS = /download|export|save|local|copy|pull|clone|sync/i;

/** What a tool that nobody here knows is about to do, by its name and its fields. New tools come with each release of an agent. */
export function unknownTool(tool: string, input: Event, cwd: Bytes | undefined): Asked {
	const name = tool.split("__").at(-1) ?? tool;
	if (isElsewhere(tool) && !BRINGS.test(name)) return { kind: "nothing" };
	if (RUNS.test(name)) {
		const text = commandField(input, "command", "cmd", "script");
		return text === undefined ? { kind: "nothing" } : { kind: "command", text, cwd: directoryIn(input, cwd) };
	}
	const changes = CHANGES.test(name);
	// An editor that is told to show a file (str_replace_based_edit_tool, text_editor).
	if ((READS.test(name) && !changes) || textField(input, "command") === "view") return { kind: "nothing" };
	const role = GONE.test(name) ? "removed" : "written";
	const named = textsOf(input, changes ? [...FILE_FIELDS, ...PATH_FIELDS] : FILE_FIELDS).map(
		(text): Target => ({ text: pathOf(text), role }),
	);
	const taken = textsOf(input, MOVES.test(name) ? TAKEN_FIELDS : []).map((text): Target => ({ text: pathOf(text), role: "removed" }));
	const patch = /patch/i.test(name) ? patchTargets(bytesField(input, "command", "input", "patch", "patchText", "diff") ?? "") : [];
	const targets = [...named, ...taken, ...patch];
	return targets.length === 0 ? { kind: "nothing" } : { kind: "files", tool: fromText(tool), targets, cwd };
}
