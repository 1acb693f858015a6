// Claude Code: PreToolUse. Facts: the protocol as 2.1.197 and 2.1.332 speak it.

import { type Agent, byStatus, TEXTS, TEXTS_IN, trees } from "./agent.ts";
import { bytesField, calledTool, commandField, fileTool, NO_TOOL, outcomeOf, shellTool, unknownTool } from "./fields.ts";

/** Tools that change no file of this machine by themselves; what an agent that they start does comes here again. */
const READS =
	"Read Glob Grep LS NotebookRead WebFetch WebSearch Task Agent TodoRead TodoWrite BashOutput KillShell KillBash ExitPlanMode EnterPlanMode AskUserQuestion Skill SlashCommand ToolSearch LSP ListMcpResources ReadMcpResource TaskOutput TaskStop".split(
		" ",
	);

export const claude: Agent = {
	name: "claude",
	decode(event) {
		const { tool, input, cwd } = calledTool(event);
		if (tool === "") return NO_TOOL;
		if (READS.includes(tool)) return { kind: "nothing" };
		if (tool === "Bash") return shellTool(tool, commandField(input, "command"), cwd);
		if (tool === "Write" || tool === "Edit" || tool === "MultiEdit") return fileTool(tool, bytesField(input, "file_path"), cwd);
		if (tool === "NotebookEdit") return fileTool(tool, bytesField(input, "notebook_path"), cwd);
		return unknownTool(tool, input, cwd);
	},
	// A refusal in JSON was ignored by some versions, this one by none.
	deny: byStatus,
	outcome: outcomeOf,
	ask: (reason) => ({
		stdout: `${JSON.stringify({ hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "ask", permissionDecisionReason: reason } })}\n`,
		stderr: "",
		status: 0,
	}),
	// Plan mode, automatic memory, and the memory of subagents.
	notes: () => [
		{
			home: "~/.claude",
			variable: "CLAUDE_CONFIG_DIR",
			files: [
				{ directory: "plans", names: TEXTS_IN },
				{ directory: "projects/[^/]+/memory", names: TEXTS },
				{ directory: "agent-memory/[^/]+", names: TEXTS },
			],
		},
	],
	// Not its settings, nor what else it only reads: it was seen to live without writing them. `.claude.json` stands beside its directory;
	// a rename over it is refused and then it writes in place, which a file that is there allows.
	state: [
		{
			home: "~/.claude",
			variable: "CLAUDE_CONFIG_DIR",
			keeps: [
				...trees("projects todos plans tasks shell-snapshots session-env sessions file-history paste-cache image-cache debug statsig"),
				...trees("telemetry cache backups plugins ide jobs teams usage-data"),
				{ path: "history.jsonl", what: "file", content: "" },
				{ path: "stats-cache.json", what: "file" },
				{ path: ".credentials.json", what: "file" },
				{ path: "~/.claude.json", what: "file", content: "{}\n" },
			],
		},
	],
};
