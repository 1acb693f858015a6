// How agents are started within a session: what is added to their words and environment, and what a person gave is put together with it.

import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { elementsOf } from "../../src/launch/toml.ts";
import { PATIENCE } from "../support/box.ts";
import { makeSessions, type Sessions } from "../support/session.ts";

setDefaultTimeout(PATIENCE);

let sessions: Sessions;
beforeEach(() => {
	sessions = makeSessions();
});
afterEach(() => sessions.remove());

interface Shown {
	directory: string;
	environment: Record<string, string>;
	files: string[];
	argv: string[];
	notes: string[];
}

/** What a launch would do. */
function shown(command: string[], { options = [], env = {} }: { options?: string[]; env?: Record<string, string> } = {}): Shown {
	const { stdout, stderr } = sessions.wrap([...options, "--dry-run", "--json"], command, { env });
	expect(stderr).toBe("");
	return JSON.parse(stdout) as Shown;
}

interface Settings {
	disableAllHooks?: boolean;
	env: Record<string, string>;
	hooks?: { PreToolUse: { matcher: string; hooks: { command: string; onFailure?: string }[] }[]; Stop?: unknown };
	model?: string;
}

/** The settings on Claude Code's command line. */
function settingsOf(words: string[], more?: Parameters<typeof shown>[1]): Settings {
	const { argv } = shown(["claude", ...words], more);
	expect(argv.filter((word) => word.startsWith("--settings"))).toHaveLength(1);
	expect(argv.slice(0, 2)).toEqual(["claude", "--settings"]);
	return JSON.parse(argv[2] ?? "") as Settings;
}

describe("claude", () => {
	const own = {
		model: "own",
		disableAllHooks: true,
		env: { OWN: "1" },
		hooks: { PreToolUse: [{ matcher: "Bash", hooks: [{ command: "own" }] }], Stop: [1] },
	};

	test("has the hook, which blocks when it fails, and the session's files; other words stay as they are", () => {
		const { argv, directory } = shown(["claude", "-p", "go", "--", "--settings"]);
		expect(argv.slice(3)).toEqual(["-p", "go", "--", "--settings"]);
		const settings = settingsOf([]);
		expect(settings.disableAllHooks).toBe(false);
		expect(settings.hooks?.PreToolUse).toMatchObject([{ matcher: "*", hooks: [{ onFailure: "block" }] }]);
		expect(settings.hooks?.PreToolUse[0]?.hooks[0]?.command).toMatch(/ hook claude --policy \S+\/shims$/);
		expect(Object.keys(settings.env).sort()).toEqual(["BASH_ENV", "CLAUDE_ENV_FILE", "ZDOTDIR"]);
		expect(directory).toStartWith(sessions.place);
	});

	test("a person's --settings are kept, the last of them, as JSON and as a file", () => {
		writeFileSync(join(sessions.box.root, "own.json"), JSON.stringify(own));
		const forms = [
			["--settings", JSON.stringify(own)],
			[`--settings=${JSON.stringify(own)}`],
			["--settings", "{}", "--settings", "own.json"],
		];
		for (const words of forms) {
			const settings = settingsOf(words);
			expect(settings).toMatchObject({ model: "own", disableAllHooks: false, env: { OWN: "1" }, hooks: { Stop: [1] } });
			expect(settings.hooks?.PreToolUse.map(({ hooks }) => hooks[0]?.command.replace(/.* hook/, "ours"))).toEqual([
				"own",
				expect.stringContaining("ours"),
			]);
		}
	});

	test("without the hook a person's settings keep their hooks, and nothing is switched on", () => {
		const settings = settingsOf(["--settings", JSON.stringify(own)], { options: ["--no-hook"] });
		expect(settings.disableAllHooks).toBe(true);
		expect(settings.hooks?.PreToolUse).toHaveLength(1);
	});

	const WRONG: [words: string[], why: string][] = [
		[["--settings", "none.json"], "--settings none.json cannot be read, and is to be put together with ours"],
		[["--settings", "{"], "--settings holds no JSON object"],
		[["--settings", "list.json"], "--settings list.json holds no JSON object"],
	];
	for (const [words, why] of WRONG) {
		test(`${words.join(" ")} is an error at the start`, () => {
			writeFileSync(join(sessions.box.root, "list.json"), "[]");
			const { status, stderr } = sessions.wrap([], ["claude", ...words]);
			expect([status, stderr.includes(why)]).toEqual([5, true]);
			expect(sessions.names()).toEqual([]);
		});
	}

	test("the CLAUDE_ENV_FILE of a person's settings file is read by ours", () => {
		const program = join(sessions.box.base, "agents/claude");
		mkdirSync(join(sessions.box.base, "agents"));
		writeFileSync(program, '#!/bin/sh\ncat "$CLAUDE_ENV_FILE"\n', { mode: 0o755 });
		mkdirSync(join(sessions.box.home, ".claude"));
		writeFileSync(join(sessions.box.home, ".claude/settings.json"), JSON.stringify({ env: { CLAUDE_ENV_FILE: "/own/file" } }));
		expect(sessions.wrap([], [program]).stdout).toContain("'/own/file'");
	});

	test("--bare is said to run no hook", () => {
		expect(shown(["claude", "--bare"]).notes).toEqual(["with --bare Claude Code runs no hook: this session has the shims alone"]);
	});
});

/** The overrides on Codex's command line by name. */
function overridesOf(words: string[]): { overrides: Map<string, string>; rest: string[] } {
	const { argv } = shown(["codex", ...words]);
	const overrides = new Map<string, string>();
	let at = 1;
	for (; argv[at] === "-c"; at += 2) {
		const written = argv[at + 1] ?? "";
		overrides.set(written.slice(0, written.indexOf("=")), written.slice(written.indexOf("=") + 1));
	}
	return { overrides, rest: argv.slice(at) };
}

describe("codex", () => {
	const entry = '{matcher="x,]",hooks=[{type="command",command=\'own "]" # no comment\'}]}';

	test("has the hook, the trust in it and the shell's files, in front of all words", () => {
		const { overrides, rest } = overridesOf(["exec", "--", "-c", "hooks.PreToolUse=[]"]);
		expect(rest).toEqual(["exec", "--", "-c", "hooks.PreToolUse=[]"]);
		expect(overrides.get("hooks.PreToolUse")).toMatch(
			/^\[\{matcher="\.\*",hooks=\[\{type="command",command=".* hook codex --policy .*",timeout=10\}\]\}\]$/,
		);
		expect(overrides.get("hooks.state")).toMatch(
			/^\{"\/<session-flags>\/config.toml:pre_tool_use:0:0"=\{trusted_hash="sha256:[0-9a-f]{64}"\}\}$/,
		);
		expect([overrides.get("features.hooks"), overrides.get("allow_login_shell")]).toEqual(["true", "false"]);
		expect(overrides.get("shell_environment_policy.set.BASH_ENV")).toEndWith('/bash.sh"');
	});

	const OWN: [name: string, words: string[]][] = [
		["-c apart", ["-c", `hooks.PreToolUse=[${entry}]`]],
		["-c together", [`-chooks.PreToolUse=[${entry}]`]],
		["--config", ["--config", `hooks.PreToolUse = [${entry},]`]],
		["--config=, behind the subcommand", ["exec", `--config=hooks.PreToolUse=[ ${entry} ]`]],
		["the last of two", ["-c", "hooks.PreToolUse=[{}]", "-c", `hooks.PreToolUse=[${entry}]`]],
	];
	for (const [name, words] of OWN) {
		test(`a person's own entry stays the first (${name})`, () => {
			const { overrides, rest } = overridesOf(words);
			expect(rest).toEqual(words[0] === "exec" ? ["exec"] : []);
			expect(overrides.get("hooks.PreToolUse")).toStartWith(`[${entry},{matcher=".*"`);
			expect(overrides.get("hooks.state")).toContain(":pre_tool_use:1:0");
		});
	}

	test("a person's own trust is kept", () => {
		const { overrides } = overridesOf(["-c", 'hooks.state={"a,}"={trusted_hash="b"}}']);
		expect(overrides.get("hooks.state")).toStartWith('{"a,}"={trusted_hash="b"},"/<session-flags>');
	});

	test("a command that has -c of its own is left alone", () => {
		const words = ["sandbox", "linux", "bash", "-c", "echo a=b"];
		expect(overridesOf(words).rest).toEqual(words);
	});

	for (const words of [
		["-c", "hooks={PreToolUse=[]}"],
		["-c", "hooks.PreToolUse=[{]"],
		["-c", "hooks.state=7"],
	]) {
		test(`${words.join(" ")} is an error at the start`, () => {
			expect(sessions.wrap([], ["codex", ...words]).status).toBe(5);
			expect(shown(["codex", ...words], { options: ["--no-hook"] }).argv.slice(-2)).toEqual(words);
		});
	}

	test("hooks that are switched off are said to be", () => {
		for (const words of [
			["-c", "features.hooks=false"],
			["--disable", "hooks"],
			["exec", "--disable=hooks"],
		]) {
			expect(shown(["codex", ...words]).notes).toEqual(["Codex is told to run no hooks: this session has the shims alone"]);
		}
	});
});

describe("the others", () => {
	test("opencode: a plugin of the session's beside a person's own", () => {
		const { environment, directory, files } = shown(["opencode"], {
			env: { OPENCODE_CONFIG_CONTENT: '{"model":"m","plugin":["own"]} // mine' },
		});
		expect(JSON.parse(environment.OPENCODE_CONFIG_CONTENT ?? "")).toEqual({
			model: "m",
			plugin: ["own", `file://${directory}/opencode.js`],
		});
		expect(files).toContain("opencode.js");
	});

	test("gemini: the machine's settings with our hook behind its own", () => {
		const path = join(sessions.box.base, "system.json");
		writeFileSync(path, '{ "ui": { "theme": "t" }, "hooks": { "BeforeTool": [{ "matcher": "own" }] } } // the machine\'s');
		const program = join(sessions.box.base, "agents/gemini");
		mkdirSync(join(sessions.box.base, "agents"));
		writeFileSync(program, '#!/bin/sh\ncat "$GEMINI_CLI_SYSTEM_SETTINGS_PATH"\n', { mode: 0o755 });
		const { stdout } = sessions.wrap([], [program], { env: { GEMINI_CLI_SYSTEM_SETTINGS_PATH: path } });
		const settings = JSON.parse(stdout) as { ui: object; hooks: { BeforeTool: { matcher: string }[] } };
		expect(settings.ui).toEqual({ theme: "t" });
		expect(settings.hooks.BeforeTool.map(({ matcher }) => matcher)).toEqual(["own", ".*"]);
	});

	for (const [program, name] of [
		["copilot", "copilot"],
		["cursor-agent", "cursor"],
	] as const) {
		test(`${program}: one line says that its hook is set up elsewhere, until it is; and none with --no-hook`, () => {
			expect(shown([program]).notes).toEqual([expect.stringContaining(`"tmx install --agent ${name}" sets the hook up`)]);
			expect(shown([program], { options: ["--no-hook"] }).notes).toEqual([]);
			const file = join(sessions.box.home, name === "copilot" ? ".copilot/hooks/tmx.json" : ".cursor/hooks.json");
			mkdirSync(join(file, ".."), { recursive: true });
			writeFileSync(file, '{"hooks":{"preToolUse":[{"command":"/x/tmx hook cursor"}]}}');
			expect(shown([program]).notes).toEqual([]);
		});
	}

	test("any other program is started with its own words", () => {
		expect(shown(["constructor", "-c", "hooks=1"]).argv).toEqual(["constructor", "-c", "hooks=1"]);
	});
});

describe("the elements of a list that a person wrote", () => {
	const ROWS: [text: string, open: "[" | "{", elements: string[] | undefined][] = [
		["[]", "[", []],
		[" [ 1 , 2, ] ", "[", ["1", "2"]],
		['["a,b", \'c]\', """d"],""", [1,2], {x=1,y=[2]}]', "[", ['"a,b"', "'c]'", '"""d"],"""', "[1,2]", "{x=1,y=[2]}"]],
		['["\\"],", 2]', "[", ['"\\"],"', "2"]],
		["[1, # ],\n2]", "[", ["1", "# ],\n2"]],
		['{a=1,"b,"=2}', "{", ["a=1", '"b,"=2']],
		["[1] # behind", "[", undefined],
		["[1][2]", "[", undefined],
		["[1", "[", undefined],
		["[{1]}", "[", undefined],
		['["a]', "[", undefined],
		["7", "[", undefined],
		["{}", "[", undefined],
	];
	for (const [text, open, elements] of ROWS) test(JSON.stringify(text), () => expect(elementsOf(text, open)).toEqual(elements));
});
