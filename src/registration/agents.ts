// Where each agent keeps the hooks of a person and of a project, and what our entry there looks like.

import type { Bytes } from "../policy/bytes.ts";
import type { System } from "../sys/system.ts";

/** A list of hooks in a JSON file. */
export interface HookList {
	/** The names that lead to the list. */
	path: readonly string[];
	/** What a group of hooks says of the tools that it is for; undefined where hooks stand in the list themselves. */
	matcher?: { ours: string; all: readonly string[] };
	/** The name of the command in an entry. */
	command: string;
	/** What stands in our entry besides. */
	entry: Readonly<Record<string, unknown>>;
	/** What a new file must say first. */
	head?: Readonly<Record<string, unknown>>;
}

/** One agent, as far as its settings go. */
export interface Registration {
	agent: string;
	title: string;
	/** The agent's own directory of this person. */
	home(system: System): Bytes | undefined;
	/** The file below it that holds hooks. */
	file: string;
	/** Files below a project that hold hooks; we write the first. */
	project: readonly [string, ...string[]];
	/** How hooks are listed; undefined for a plugin, which is a file of ours. */
	list?: HookList;
	/** Settings that switch every hook of a person off, wherever they stand: a name, with dots within, and its value. */
	off?: readonly (readonly [name: string, value: unknown])[];
	/** A file of the machine's that may say so too. */
	machine?: string;
	/** An event that asks for a command. */
	event(command: string, cwd: string): unknown;
}

const homeOf = (system: System): Bytes | undefined => {
	const home = system.env("HOME") || system.passwdHome(system.uid());
	return home.startsWith("/") ? home : undefined;
};

/** A directory that a variable names, else one below the home directory. */
function directory(below: string, variable?: string): Registration["home"] {
	return (system) => {
		const set = variable === undefined ? "" : (system.env(variable) ?? "");
		const home = homeOf(system);
		return set.startsWith("/") ? set : home && `${home}/${below}`;
	};
}

/** The event of Claude Code, and of those that took it over. */
const snake = (event: string, tool: string) => (command: string, cwd: string) => {
	return { session_id: "tmx-test", cwd, hook_event_name: event, tool_name: tool, tool_input: { command } };
};

/** Seconds that a hook may take; it takes milliseconds. */
const TIMEOUT = 10;

const claude: Registration = {
	agent: "claude",
	title: "Claude Code",
	home: directory(".claude", "CLAUDE_CONFIG_DIR"),
	file: "settings.json",
	// The absolute path of a person's binary is nothing to commit.
	project: [".claude/settings.local.json", ".claude/settings.json"],
	list: {
		path: ["hooks", "PreToolUse"],
		matcher: { ours: "*", all: ["*", "", ".*"] },
		command: "command",
		// Without it a hook that cannot run is taken for permission.
		entry: { type: "command", timeout: TIMEOUT, onFailure: "block" },
	},
	off: [
		["disableAllHooks", true],
		["allowManagedHooksOnly", true],
	],
	machine: "/etc/claude-code/managed-settings.json",
	event: snake("PreToolUse", "Bash"),
};

const codex: Registration = {
	agent: "codex",
	title: "Codex",
	home: directory(".codex", "CODEX_HOME"),
	file: "hooks.json",
	project: [".codex/hooks.json"],
	list: {
		path: ["hooks", "PreToolUse"],
		// It is a regular expression, and `*` matched nothing in older builds.
		matcher: { ours: ".*", all: [".*", ""] },
		command: "command",
		entry: { type: "command", timeout: TIMEOUT },
	},
	event: snake("PreToolUse", "Bash"),
};

const gemini: Registration = {
	agent: "gemini",
	title: "Gemini CLI",
	home(system) {
		const set = system.env("GEMINI_CLI_HOME") ?? "";
		const home = set.startsWith("/") ? set : homeOf(system);
		return home && `${home}/.gemini`;
	},
	file: "settings.json",
	project: [".gemini/settings.json"],
	list: {
		path: ["hooks", "BeforeTool"],
		matcher: { ours: ".*", all: [".*", "*", ""] },
		command: "command",
		// In milliseconds.
		entry: { type: "command", timeout: TIMEOUT * 1000 },
	},
	off: [
		["hooksConfig.enabled", false],
		["hooks.enabled", false],
		["tools.enableHooks", false],
	],
	event: snake("BeforeTool", "run_shell_command"),
};

const copilot: Registration = {
	agent: "copilot",
	title: "Copilot CLI",
	home: directory(".copilot", "COPILOT_HOME"),
	file: "hooks/tmx.json",
	project: [".github/hooks/tmx.json"],
	list: { path: ["hooks", "preToolUse"], command: "bash", entry: { type: "command", timeoutSec: TIMEOUT }, head: { version: 1 } },
	off: [["disableAllHooks", true]],
	event: (command, cwd) => ({ sessionId: "tmx-test", cwd, toolName: "bash", toolArgs: { command } }),
};

const cursor: Registration = {
	agent: "cursor",
	title: "Cursor",
	home: directory(".cursor"),
	file: "hooks.json",
	project: [".cursor/hooks.json"],
	// With failClosed it would take our silence for a refusal.
	list: { path: ["hooks", "preToolUse"], command: "command", entry: { timeout: TIMEOUT }, head: { version: 1 } },
	event: (command, cwd) => ({
		conversation_id: "tmx-test",
		workspace_roots: [cwd],
		hook_event_name: "preToolUse",
		tool_name: "Shell",
		tool_input: { command, working_directory: cwd },
	}),
};

const opencode: Registration = {
	agent: "opencode",
	title: "OpenCode",
	home(system) {
		const set = system.env("XDG_CONFIG_HOME") ?? "";
		const home = homeOf(system);
		return set.startsWith("/") ? `${set}/opencode` : home && `${home}/.config/opencode`;
	},
	file: "plugins/tmx.js",
	project: [".opencode/plugins/tmx.js"],
	event: (command, cwd) => ({ tool: "bash", args: { command }, cwd, sessionID: "tmx-test" }),
};

/** Every agent whose hook we can set up, by name. */
export const registrations: ReadonlyMap<string, Registration> = new Map(
	[claude, codex, gemini, copilot, cursor, opencode].map((row) => [row.agent, row]),
);
