// Events in each agent's protocol: what is refused and how, what passes in silence, and that a fault of ours is never permission.

import { afterAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { BINARY } from "../support/binary.ts";
import { PATIENCE } from "../support/box.ts";
import { records } from "../support/records.ts";
import { run } from "../support/shell.ts";
import { makeWorld } from "./world.ts";

setDefaultTimeout(PATIENCE);

const world = makeWorld();
const asking = makeWorld("ask");
const denying = makeWorld("deny");
afterAll(() => {
	for (const each of [world, asking, denying]) each.box.remove();
});

const { root, outside } = world.box;
const proj = `${root}/proj`;
const claude = (tool_name: string, tool_input: object, cwd = proj) => ({
	session_id: "s",
	cwd,
	hook_event_name: "PreToolUse",
	tool_name,
	tool_input,
});
const codex = (tool_name: string, tool_input: object) => ({ ...claude(tool_name, tool_input), turn_id: "t", model: "m" });
const gemini = (tool_name: string, tool_input: object) => ({
	session_id: "s",
	cwd: proj,
	hook_event_name: "BeforeTool",
	tool_name,
	tool_input,
});
const copilot = (toolName: string, toolArgs: unknown) => ({ sessionId: "s", timestamp: 1, cwd: proj, toolName, toolArgs });
const cursor = (tool_name: string, tool_input: object, more: object = {}) => ({
	conversation_id: "c",
	workspace_roots: [proj],
	tool_name,
	tool_input,
	...more,
});
const batch = (...calls: [tool: string, parameters: object][]) =>
	opencode("batch", { tool_calls: calls.map(([tool, parameters]) => ({ tool, parameters })) });
const opencode = (tool: string, args: object) => ({ tool, args, cwd: proj, sessionID: "s" });
const patch = (...lines: string[]) => ["*** Begin Patch", ...lines, "*** End Patch", ""].join("\n");

const home = world.box.home;
const plan = (path: string) => ({ filePath: path, file_path: path, path, content: "" });
/** A link that leads out, among an agent's notes; and a directory of notes that is one, as people who share them have it. */
mkdirSync(`${home}/.claude/projects/-p`, { recursive: true });
mkdirSync(`${home}/.claude/plans`);
symlinkSync(`${outside}/keep.txt`, `${home}/.claude/plans/link.md`);
symlinkSync(`${outside}/dir`, `${home}/.claude/projects/-p/memory`);

/** Agent, event, whether it is refused, and what the row shows. */
const EVENTS: readonly [agent: string, event: object, verdict: "deny" | "pass", why: string][] = [
	["claude", claude("Bash", { command: `rm ${outside}/keep.txt` }), "deny", "a command that acts outside"],
	["claude", claude("Bash", { command: "rm a" }), "pass", "one that acts inside"],
	["claude", claude("Bash", { description: "no command" }), "deny", "a known tool without its field"],
	["claude", claude("Bash", [] as object), "deny", "or without any"],
	["gemini", gemini("run_shell_command", {}), "deny", "a known tool without its field"],
	["copilot", copilot("bash", "no JSON"), "deny", "a known tool without its field"],
	["cursor", cursor("Shell", {}), "deny", "a known tool without its field"],
	["opencode", opencode("bash", {}), "deny", "a known tool without its field"],
	["claude", claude("Write", { file_path: `${outside}/x`, content: "" }), "deny", "a file outside"],
	["claude", claude("Write", { file_path: `${proj}/x`, content: "rm -rf /" }), "pass", "a file inside, whatever is in it"],
	["claude", claude("Write", { content: "" }), "deny", "no file is named"],
	["claude", claude("Edit", { file_path: `${proj}/filelink`, old_string: "a", new_string: "b" }), "deny", "a link that leads out"],
	["claude", claude("Edit", { file_path: "../../x.txt" }), "deny", "a relative path that leads out"],
	["claude", claude("Edit", { file_path: `${proj}/link/new.txt` }), "deny", "through a link to a directory"],
	["claude", claude("MultiEdit", { file_path: `${outside}/alias/proj/a`, edits: [] }), "pass", "another name of the root"],
	["claude", claude("NotebookEdit", { notebook_path: `${outside}/x.ipynb` }), "deny", "a notebook outside"],
	["claude", claude("Write", { file_path: "~/x" }), "pass", "a tilde is a name to a file tool"],
	["claude", claude("Read", { file_path: "/etc/passwd" }), "pass", "reading is free"],
	["claude", claude("Grep", { pattern: "x", path: "/etc" }), "pass", "so is searching"],
	["claude", claude("WebFetch", { url: "http://x" }), "pass", "no file at all"],
	["claude", claude("mcp__fs__write_file", { path: `${outside}/x` }), "deny", "an unknown tool that writes"],
	["claude", claude("mcp__fs__read_file", { path: `${outside}/x` }), "pass", "an unknown tool that reads"],
	["claude", claude("mcp__ide__openFile", { filePath: `${outside}/x` }), "pass", "an unknown tool that opens a file to look at it"],
	["claude", claude("mcp__web__download_file", { file_path: `${outside}/x` }), "deny", "an unknown tool that downloads"],
	["claude", claude("mcp__api__request", { path: "/v1/users" }), "pass", "a path that is none"],
	["claude", claude("FancyNewEditor", { target_file: `${outside}/x` }), "deny", "a new tool with the field of a file"],
	["claude", claude("mcp__ops__run_command", { command: `rm ${outside}/keep.txt` }), "deny", "an unknown tool that runs commands"],
	["claude", claude("mcp__dc__start_process", { command: `rm ${outside}/keep.txt` }), "deny", "another that starts processes"],
	["claude", claude("Monitor", { command: `tail -f a | tee ${outside}/x`, description: "" }), "deny", "a command that is watched"],
	["claude", claude("Monitor", { command: "tail -f a | grep --line-buffered x" }), "pass", "the same inside"],
	["claude", claude("mcp__filesystem__move_file", { source: `${outside}/keep.txt`, destination: "k" }), "deny", "a file that is moved in"],
	["claude", claude("mcp__filesystem__move_file", { source: "a", destination: "sub/a" }), "pass", "a file that is moved inside"],
	["claude", claude("mcp__serena__create_text_file", { relative_path: "../../x", content: "" }), "deny", "a path under another name"],
	["claude", claude("mcp__ide__replaceTextInFile", { pathInProject: "src/a.ts" }), "pass", "the same inside"],
	["claude", claude("mcp__fs__write_file", { uri: `file://${outside}/a%20b` }), "deny", "a path as an address"],
	["claude", claude("mcp__fs__write_files", { files: [{ path: "a" }, { path: `${outside}/x` }] }), "deny", "one of several files"],
	["claude", claude("mcp__gh__push_files", { files: [{ path: "a", content: "/etc/x" }, { path: "sub/x" }] }), "pass", "several inside"],
	["claude", claude("mcp__shell__run", { command: `rm ${outside}/keep.txt` }), "deny", "a shell whose tool is called run"],
	[
		"claude",
		claude("mcp__chrome-devtools__take_screenshot", { filePath: `${outside}/x.png` }),
		"deny",
		"a picture that is written outside",
	],
	["claude", claude("mcp__excel__write_data_to_excel", { filepath: `${outside}/x.xlsx` }), "deny", "one more way to spell a path"],
	["claude", claude("LSP", { operation: "hover", filePath: "/usr/include/stdio.h" }), "pass", "asking a language server"],
	["claude", claude("mcp__github__create_or_update_file", { path: "/src/a.ts", content: "" }), "pass", "a file of a repository elsewhere"],
	["claude", claude("mcp__ssh__execute", { command: "rm -rf /var/www/old", host: "h" }), "pass", "a command on another machine"],
	["claude", claude("mcp__plugin_docker_docker__exec", { command: "rm -rf /usr/src" }), "pass", "a command in a container"],
	["claude", claude("mcp__ssh__download_file", { path: `${outside}/x` }), "deny", "a file that is brought from there"],
	["claude", claude("mcp__sshfs__write_file", { path: `${outside}/x` }), "deny", "a server that is called much the same"],
	["claude", claude("mcp__fs__delete_files", { paths: ["a", `${outside}/keep.txt`] }), "deny", "a list of paths"],
	["claude", claude("BatchEdit", { edits: [{ file_path: `${outside}/x`, old_string: "a" }] }), "deny", "a list of edits"],
	[
		"claude",
		claude("apply_patch", { input: patch(`*** Add File: ${outside}/x`, "+x") }),
		"deny",
		"a patch by a tool that is not this agent's",
	],
	["claude", claude("str_replace_based_edit_tool", { command: "view", path: "/etc/hosts" }), "pass", "an editor that only shows"],
	["claude", claude("str_replace_based_edit_tool", { command: "create", path: `${outside}/x` }), "deny", "and that makes a file"],
	["claude", claude("mcp__shell__execute", { command: "rm f1", cwd: `${outside}/dir` }), "deny", "a command in a directory outside"],
	["claude", claude("mcp__shell__execute", { command: "rm f1", workdir: "sub" }), "pass", "and in one inside"],
	["claude", claude("Write", { file_path: `${proj}/.claude/settings.json` }), "deny", "the settings that name the hook"],
	["claude", claude("Write", { file_path: `${world.shims}/policy/rm.json` }), "deny", "the policy"],
	["claude", claude("Bash", { command: "cp a ../x" }, "relative/cwd"), "pass", "a directory that is not known proves nothing"],
	["codex", codex("Bash", { command: `rm ${outside}/keep.txt` }), "deny", "a command that acts outside"],
	["codex", codex("Bash", { command: "rm -rf ../../O/keep.txt" }), "pass", "the call may run elsewhere, and the shim sees it"],
	["codex", codex("Bash", { command: "rm -rf build" }), "pass", "inside"],
	["codex", codex("apply_patch", { command: patch("*** Update File: a.txt", "@@", "-a", "+b") }), "pass", "a patch inside"],
	["codex", codex("apply_patch", { command: patch(`*** Update File: ${world.box.home}/.bashrc`, "@@", "-a", "+b") }), "deny", "outside"],
	[
		"codex",
		codex("apply_patch", { command: patch("*** Update File: a.txt", `*** Move to: ${outside}/a.txt`, "@@", "-a") }),
		"deny",
		"moved out",
	],
	["codex", codex("apply_patch", { command: patch(`*** Delete File: ${outside}/keep.txt`) }), "deny", "deleted outside"],
	["codex", codex("apply_patch", { command: patch("*** Add File: ../../O/x", "+x") }), "deny", "added outside"],
	["codex", codex("apply_patch", { command: "nothing" }), "deny", "a patch that names no file"],
	["codex", codex("apply_patch", { command: patch(`  *** Add File: ${outside}/x`, "+x") }), "deny", "a header that is indented"],
	[
		"codex",
		codex("apply_patch", { command: patch("*** Add File: x", "+x", `\u0085*** Delete File: ${outside}/keep.txt`) }),
		"deny",
		"by any white space",
	],
	[
		"codex",
		codex("apply_patch", { command: patch("*** Update File: a.txt", "@@", ` *** Add File: ${outside}/x`, "-a", "+b") }),
		"pass",
		"text of a file that looks like a header",
	],
	["codex", codex("apply_patch", { command: patch("*** Add File: a.md", `+*** Add File: ${outside}/x`) }), "pass", "and what is added"],
	["opencode", opencode("apply_patch", { patchText: patch(`*** Add File:${outside}/x`, "+x") }), "deny", "a header without a space"],
	["gemini", gemini("run_shell_command", { command: `rm ${outside}/keep.txt` }), "deny", "a command that acts outside"],
	["gemini", gemini("run_shell_command", { command: "rm f1", dir_path: `${outside}/dir` }), "deny", "in a directory outside"],
	["gemini", gemini("run_shell_command", { command: "rm x", directory: "sub" }), "pass", "in a directory inside"],
	["gemini", gemini("write_file", { file_path: `${outside}/x`, content: "" }), "deny", "a file outside"],
	["gemini", gemini("replace", { file_path: `${proj}/a` }), "pass", "a file inside"],
	["gemini", gemini("read_file", { absolute_path: "/etc/passwd" }), "pass", "reading is free"],
	["copilot", copilot("bash", { command: `rm ${outside}/keep.txt` }), "deny", "a command that acts outside"],
	["copilot", copilot("bash", JSON.stringify({ command: `rm ${outside}/keep.txt` })), "deny", "its arguments as JSON text"],
	["copilot", copilot("bash", { command: "rm a" }), "pass", "inside"],
	["copilot", copilot("create", { path: `${outside}/x`, file_text: "" }), "deny", "a file outside"],
	["copilot", copilot("view", { path: `${outside}/x` }), "pass", "reading is free"],
	["copilot", { tool_name: "bash", tool_input: { command: `rm ${outside}/keep.txt` }, cwd: proj }, "deny", "VS Code's spelling"],
	["copilot", copilot("apply_patch", patch(`*** Delete File: ${outside}/keep.txt`)), "deny", "a patch as it stands"],
	["copilot", copilot("apply_patch", JSON.stringify(patch(`*** Add File: ${outside}/x`, "+x"))), "deny", "a patch as JSON text"],
	["copilot", copilot("apply_patch", { input: patch(`*** Add File: ${outside}/x`, "+x") }), "deny", "a patch in a field"],
	["copilot", copilot("apply_patch", JSON.stringify({ patch: patch("*** Add File: x", "+x") })), "pass", "a patch inside"],
	[
		"copilot",
		{ toolName: "apply_patch", tool_input: patch(`*** Add File: ${outside}/x`, "+x"), cwd: proj },
		"deny",
		"in VS Code's spelling",
	],
	["copilot", copilot("apply_patch", "no patch"), "deny", "a patch that names no file"],
	["copilot", copilot("github-mcp-server-create_or_update_file", { path: "/src/a.ts" }), "pass", "a file of a repository elsewhere"],
	["gemini", gemini("mcp_github_create_or_update_file", { path: "/src/a.ts" }), "pass", "a file of a repository elsewhere"],
	["cursor", cursor("ApplyPatch", patch(`*** Add File: ${outside}/x`, "+x") as never), "deny", "a patch as it stands"],
	["cursor", cursor("EditNotebook", { target_notebook: `${outside}/x.ipynb` }), "deny", "a notebook outside"],
	["cursor", cursor("Shell", { command: `rm ${outside}/keep.txt`, working_directory: proj }), "deny", "a command that acts outside"],
	["cursor", cursor("Write", { file_path: "src/a.ts" }), "pass", "a relative path in the workspace"],
	["cursor", cursor("Write", { file_path: "../../x.ts" }), "deny", "one that leads out of it"],
	["cursor", cursor("Delete", { file_path: `${outside}/keep.txt` }), "deny", "deleted outside"],
	["cursor", cursor("Delete", { file_path: `${proj}/filelink` }), "deny", "a link goes, or what it leads to"],
	["cursor", { conversation_id: "c", command: `rm ${outside}/keep.txt`, cwd: proj }, "deny", "the older event"],
	["opencode", opencode("bash", { command: `rm ${outside}/keep.txt` }), "deny", "a command that acts outside"],
	["opencode", opencode("bash", { command: "rm f1", workdir: `${outside}/dir` }), "deny", "in a directory outside"],
	["opencode", opencode("write", { filePath: `${outside}/x`, content: "" }), "deny", "a file outside"],
	["opencode", batch(["read", { filePath: "a" }], ["bash", { command: `rm ${outside}/keep.txt` }]), "deny", "one of several calls"],
	["opencode", batch(["write", { filePath: `${outside}/x`, content: "" }]), "deny", "a file of several calls"],
	["opencode", batch(["bash", { command: "rm a" }], ["grep", { pattern: "x" }]), "pass", "several calls, all inside"],
	["opencode", opencode("batch", {}), "deny", "several calls that are not named"],
	["opencode", opencode("edit", { filePath: `${proj}/a` }), "pass", "a file inside"],
	["claude", claude("Write", plan(`${home}/.claude/plans/quiet-fox.md`)), "pass", "a plan of its own"],
	["claude", claude("Edit", plan(`${home}/.claude/projects/-home-ann-p/memory/MEMORY.md`)), "pass", "its memory of a project"],
	["claude", claude("Write", plan(`${home}/.claude/projects/-home-ann-p/memory/user/a.md`)), "pass", "and what lies deeper in it"],
	["claude", claude("Write", plan(`${home}/.claude/agent-memory/reviewer/MEMORY.md`)), "pass", "that of a subagent"],
	["claude", claude("Write", plan(`${home}/.claude/projects/-p/memory/new.md`)), "pass", "a memory that is kept elsewhere"],
	["claude", claude("Write", plan(`${home}/.claude/plans/link.md`)), "deny", "a link among its plans"],
	["claude", claude("Write", plan(`${home}/.claude/plans/../CLAUDE.md`)), "deny", "what lies beside its plans"],
	["claude", claude("Write", plan(`${home}/.claude/projects/-p/0.jsonl`)), "deny", "a transcript"],
	["claude", claude("Write", plan(`${home}/.claude/plans/run.sh`)), "deny", "a program among its plans"],
	["claude", claude("mcp__fs__delete_file", plan(`${home}/.claude/plans/quiet-fox.md`)), "deny", "a plan that is deleted"],
	["claude", claude("Bash", { command: "echo > ~/.claude/plans/quiet-fox.md" }), "deny", "a plan that a command writes"],
	["gemini", gemini("write_file", plan(`${home}/.gemini/tmp/0a/plans/p.md`)), "pass", "a plan of its own"],
	["gemini", gemini("write_file", plan(`${home}/.gemini/tmp/0a/s/plans/p.md`)), "pass", "one of a session"],
	["gemini", gemini("write_file", plan(`${home}/.gemini/GEMINI.md`)), "deny", "what it is told at each start"],
	["copilot", copilot("create", plan(`${home}/.copilot/session-state/s/plan.md`)), "pass", "the plan of this session"],
	["copilot", copilot("create", plan(`${home}/.copilot/session-state/s/files/notes/a.json`)), "pass", "a file of this session"],
	["copilot", copilot("create", plan(`${home}/.copilot/session-state/other/plan.md`)), "deny", "the plan of another"],
	["copilot", copilot("create", plan(`${home}/.copilot/session-state/s/events.jsonl`)), "deny", "the record of this session"],
	["cursor", cursor("Write", plan(`${home}/.cursor/plans/a.plan.md`)), "pass", "a plan of its own"],
	["opencode", opencode("write", plan(`${home}/.local/share/opencode/plans/1-a.md`)), "pass", "a plan of its own"],
	["opencode", opencode("write", plan(`${home}/.opencode/plan/a.md`)), "pass", "one of its second version"],
	["opencode", opencode("write", plan(`${home}/.opencode/plugins/a.md`)), "deny", "a plugin"],
	["codex", codex("apply_patch", { command: patch(`*** Add File: ${home}/.claude/plans/x.md`, "+x") }), "deny", "notes of another agent"],
];

for (const [agent, event, verdict, why] of EVENTS) {
	test.concurrent(`${agent}: ${verdict} ${why}`, async () => {
		const { status, stdout, stderr } = await world.ask(agent, event);
		if (verdict === "pass") expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: "", stderr: "" });
		else {
			expect([status, stderr.startsWith("tmx: ")]).toEqual([2, true]);
			if (agent === "copilot") expect(JSON.parse(stdout)).toEqual({ permissionDecision: "deny", permissionDecisionReason: stderr });
			else if (agent === "cursor") expect(JSON.parse(stdout)).toEqual({ permission: "deny", user_message: stderr, agent_message: stderr });
			else expect(stdout).toBe("");
		}
	});
}

test("Cursor begins with a byte order mark", async () => {
	const event = `\ufeff${JSON.stringify(cursor("Shell", { command: `rm ${outside}/keep.txt` }))}`;
	expect((await world.ask("cursor", event)).status).toBe(2);
});

describe("a fault of ours is a refusal that says so", () => {
	test.each(["", " ", "{", "null", "[]", "7", '"text"', "\0", "{}", '{"tool_name":7}'])("event %j", async (event) => {
		for (const agent of ["claude", "codex", "gemini", "copilot", "cursor", "opencode"]) {
			const { status, stderr } = await world.ask(agent, event);
			expect([agent, status]).toEqual([agent, 2]);
			expect(stderr).toStartWith("tmx: hook: internal: tmx could not judge this: ");
		}
	});

	test("words that have no meaning, which another exit status would turn into permission", async () => {
		for (const words of [["claude", "--polcy", "x"], ["claude", "codex"], ["--claude"], []]) {
			const { status, stderr } = await run([BINARY, "hook", ...words], { TMX_ROOTS: root, HOME: world.box.home }, "/");
			expect([words, status]).toEqual([words, 2]);
			expect(stderr).toStartWith("tmx: hook: user_error: ");
		}
	});

	test("an agent that nobody knows, and none at all", async () => {
		for (const agent of ["clod", ""]) {
			const { status, stderr } = await world.ask(agent, "{}");
			expect(status).toBe(2);
			expect(stderr).toContain("known are claude, codex, gemini, copilot, cursor, opencode");
		}
	});

	test("ten megabytes of an event, and of a command", async () => {
		const content = "x".repeat(10_000_000);
		expect((await world.ask("claude", claude("Write", { file_path: `${proj}/x`, content }))).status).toBe(0);
		expect((await world.ask("claude", claude("Write", { file_path: `${outside}/x`, content }))).status).toBe(2);
		expect((await world.ask("claude", claude("Bash", { command: `: ${content}` }))).status).toBe(2);
	});
});

test("while no variable is set nothing is judged, whatever the event", async () => {
	for (const event of ["", "{", JSON.stringify(claude("Bash", { command: `rm ${outside}/keep.txt` }))]) {
		expect(await world.ask("claude", event, { TMX_ROOTS: undefined })).toEqual({ status: 0, stdout: "", stderr: "" });
	}
});

describe("what cannot be known from the text", () => {
	const copying = claude("Bash", { command: 'echo x > "$SOMEWHERE_X/b"' });
	test("passes by default, and the audit says what", async () => {
		expect((await world.ask("claude", copying)).status).toBe(0);
		const last = records(world.box.audit).findLast(({ unknown }) => JSON.stringify(unknown ?? []).includes("SOMEWHERE_X"));
		expect(last).toMatchObject({ decision: "accept", door: "hook" });
	});
	test("is refused where the guardfile says deny", async () => {
		const { status, stderr } = await denying.ask(
			"claude",
			claude("Bash", { command: 'echo x > "$SOMEWHERE_X/b"' }, `${denying.box.root}/proj`),
		);
		expect(status).toBe(2);
		expect(stderr).toContain("cannot be known before it runs");
	});
	test("is asked where it says ask, and refused where the agent would take a question for permission", async () => {
		const event = claude("Bash", { command: 'echo x > "$SOMEWHERE_X/b"' }, `${asking.box.root}/proj`);
		const { status, stdout } = await asking.ask("claude", event);
		expect([status, JSON.parse(stdout).hookSpecificOutput.permissionDecision]).toEqual([0, "ask"]);
		expect((await asking.ask("codex", event)).status).toBe(2);
	});
	test("is left to the shim where the tool has one", async () => {
		expect((await denying.ask("claude", claude("Bash", { command: 'rm "$SOMEWHERE_X"' }, `${denying.box.root}/proj`))).status).toBe(0);
	});
});

test("a refusal is one record, with the call that was refused", async () => {
	await world.ask("claude", claude("Bash", { command: `true && cp a ${outside}/one-record` }));
	const found = records(world.box.audit).filter(({ argv }) => JSON.stringify(argv).includes("one-record"));
	expect(found).toHaveLength(1);
	expect(found[0]).toMatchObject({ decision: "reject", door: "hook", tool: "cp", argv: ["cp", "a", `${outside}/one-record`], cwd: proj });
});

/** What agents sent and were told when they really ran, one event a line; whatever acts outside names `none`. */
for (const file of ["claude-2.1.332.jsonl", "codex-0.171.0.jsonl"]) {
	const path = join(import.meta.dir, "recorded", file);
	describe.skipIf(!existsSync(path))(`events recorded from ${file.replace(".jsonl", "")}`, () => {
		const lines = existsSync(path) ? readFileSync(path, "utf8").trimEnd().split("\n") : [];
		test.each(lines.map((line) => [JSON.parse(line).tool_name, line] as const))("%s", async (_, line) => {
			const agent = file.split("-")[0] as string;
			const { status } = await world.ask(agent, world.fill(line));
			expect(status).toBe(line.includes("{OUT}/none") ? 2 : 0);
		});
	});
}
