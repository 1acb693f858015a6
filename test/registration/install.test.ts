// tmx install --agent and uninstall --agent: what they refuse, what they keep, and what they leave behind.

import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import {
	chmodSync,
	existsSync,
	lstatSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	readlinkSync,
	statSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { agents } from "../../src/agents/index.ts";
import { registrations } from "../../src/registration/agents.ts";
import { PATIENCE } from "../support/box.ts";
import { NAMESPACE, run } from "../support/shell.ts";
import { type Home, makeHome, SETTINGS } from "./home.ts";

setDefaultTimeout(PATIENCE);

let home: Home;
beforeEach(() => {
	home = makeHome();
});
afterEach(() => home.remove());

const CLAUDE = SETTINGS.claude as string;
const ALL = Object.keys(SETTINGS);
const PERSONAL = '{\n  "model": "opus"\n}\n';

/** All files below the home, with what is in them. */
function tree(at = home.home): Record<string, string> {
	const names = readdirSync(at, { recursive: true, encoding: "utf8" });
	const files = names.filter((name) => lstatSync(join(at, name)).isFile());
	return Object.fromEntries(files.map((name) => [name, readFileSync(join(at, name), "utf8")]));
}

test("every agent whose hook we speak can be set up, and no other", () => {
	expect([...registrations.keys()].sort()).toEqual([...agents.keys()].sort());
	for (const [name, row] of registrations) expect(row.agent).toBe(name);
});

test("all agents at once, in files that were not there; uninstall leaves nothing", async () => {
	const { status, stdout } = await home.run("install", ...ALL.flatMap((name) => ["--agent", name]));
	expect(status).toBe(0);
	expect(Object.keys(tree()).sort()).toEqual(Object.values(SETTINGS).sort());
	expect(stdout.split("\n").filter((line) => line.includes("the hook is put into"))).toHaveLength(ALL.length);
	const gone = await home.run("uninstall", "--agent", ALL.join(","));
	expect({ status: gone.status, stderr: gone.stderr }).toEqual({ status: 0, stderr: "" });
	expect(readdirSync(home.home, { recursive: true })).toEqual([".config"]);
});

test("uninstall without options takes the hooks of all agents away too", async () => {
	home.write(CLAUDE, PERSONAL);
	await home.run("install", "--agent", "claude", "--agent", "opencode");
	await home.run("uninstall");
	expect(tree()).toEqual({ [CLAUDE]: PERSONAL });
});

test("uninstall takes nothing away that is not ours, and says nothing", async () => {
	const files = {
		[CLAUDE]: PERSONAL,
		".codex/hooks.json": '{"hooks": {}}',
		".config/opencode/plugins/tmx.js": "export const mine = 1;\n",
		".gemini/settings.json": "{",
	};
	for (const [path, text] of Object.entries(files)) home.write(path, text);
	expect(await home.run("uninstall")).toEqual({ status: 0, stdout: "", stderr: "" });
	expect(tree()).toEqual(files);
});

test("the copy of what was there before us is made once, and stays when other things changed since", async () => {
	home.write(CLAUDE, PERSONAL);
	chmodSync(join(home.home, CLAUDE), 0o640);
	await home.run("install", "--agent", "claude");
	expect(home.read(`${CLAUDE}.tmx-backup`)).toBe(PERSONAL);
	for (const path of [CLAUDE, `${CLAUDE}.tmx-backup`]) expect(statSync(join(home.home, path)).mode & 0o7777).toBe(0o640);
	home.write(CLAUDE, (home.read(CLAUDE) ?? "").replace("opus", "sonnet"));
	const { stdout } = await home.run("uninstall", "--agent", "claude");
	expect(stdout).toContain("settings.json.tmx-backup stays");
	expect(home.read(CLAUDE)).toBe(PERSONAL.replace("opus", "sonnet"));
	expect(home.read(`${CLAUDE}.tmx-backup`)).toBe(PERSONAL);
	await home.run("install", "--agent", "claude");
	expect(home.read(`${CLAUDE}.tmx-backup`)).toBe(PERSONAL);
});

test("containers that were there, with nothing in them, stay when other things changed since", async () => {
	home.write(CLAUDE, '{ "hooks": { "PreToolUse": [] }, "a": 1 }\n');
	await home.run("install", "--agent", "claude");
	home.write(CLAUDE, (home.read(CLAUDE) ?? "").replace('"a": 1', '"a": 2'));
	await home.run("uninstall", "--agent", "claude");
	expect(home.read(CLAUDE)).toBe('{ "hooks": { "PreToolUse": [] }, "a": 2 }\n');
});

describe("a file that is refused keeps its bytes", () => {
	for (const [what, text, why] of [
		["is no JSON", '{\n  "model": "opus"\n  "a": 1\n}\n', "it is no valid JSON at line 3, column 3; nothing was changed"],
		["ends too early", '{"a": [', "it is no valid JSON at line 1, column 8; nothing was changed"],
		["is a list", "[]\n", "it is no JSON object; nothing was changed"],
		["has two of hooks", '{"hooks": {}, "hooks": {}}', "hooks stands in it more than once; nothing was changed"],
		["has hooks that are a list", '{"hooks": []}', "hooks is no object; nothing was changed"],
		["has an event that is an object", '{"hooks": {"PreToolUse": {}}}', "hooks.PreToolUse is no list; nothing was changed"],
		["is nested without end", "[".repeat(200_000), ""],
		["is not UTF-8", Buffer.from([0x7b, 0xff, 0x7d]), "it is not UTF-8"],
	] as const) {
		test(what, async () => {
			home.write(CLAUDE, text);
			const { status, stdout, stderr } = await home.run("install", "--agent", "claude");
			expect({ status, stdout }).toEqual({ status: 5, stdout: "" });
			expect(stderr).toStartWith(`tmx: install: user_error: ${join(home.home, CLAUDE)}: ${why}`);
			expect(readFileSync(join(home.home, CLAUDE))).toEqual(Buffer.from(text));
			expect(readdirSync(join(home.home, ".claude"))).toEqual(["settings.json"]);
		});
	}

	test("is a plugin of somebody else", async () => {
		home.write(SETTINGS.opencode as string, "export const mine = 1;\n");
		const { status, stderr } = await home.run("install", "--agent", "opencode");
		expect({ status, stderr }).toEqual({
			status: 5,
			stderr: `tmx: install: user_error: ${join(home.home, SETTINGS.opencode as string)}: it is not tmx's, and stays as it is; nothing was changed\n`,
		});
	});

	test("is a directory, or a link that leads nowhere", async () => {
		mkdirSync(join(home.home, CLAUDE), { recursive: true });
		expect((await home.run("install", "--agent", "claude")).stderr).toEndWith(`${CLAUDE}: it is no regular file\n`);
		mkdirSync(join(home.home, ".codex"));
		symlinkSync("/nowhere/hooks.json", join(home.home, ".codex/hooks.json"));
		expect((await home.run("install", "--agent", "codex")).stderr).toEndWith("hooks.json: it is a link that leads nowhere\n");
		expect(readlinkSync(join(home.home, ".codex/hooks.json"))).toBe("/nowhere/hooks.json");
	});
});

test("what goes wrong with one agent does not keep the others from being set up", async () => {
	home.write(CLAUDE, "{");
	const { status } = await home.run("install", "--agent", "claude", "--agent", "gemini");
	expect(status).toBe(5);
	expect(home.read(SETTINGS.gemini as string)).toContain("hook gemini");
});

test("a link goes on being one, and the file behind it is changed", async () => {
	const file = join(home.base, "dotfiles/claude.json");
	mkdirSync(dirname(file));
	writeFileSync(file, PERSONAL);
	mkdirSync(join(home.home, ".claude"));
	symlinkSync("../../dotfiles/claude.json", join(home.home, CLAUDE));
	expect((await home.run("install", "--agent", "claude")).status).toBe(0);
	expect(readFileSync(file, "utf8")).toContain("hook claude");
	expect(readFileSync(`${file}.tmx-backup`, "utf8")).toBe(PERSONAL);
	expect((await home.run("uninstall", "--agent", "claude")).status).toBe(0);
	expect(readFileSync(file, "utf8")).toBe(PERSONAL);
	expect(readlinkSync(join(home.home, CLAUDE))).toBe("../../dotfiles/claude.json");
	expect(readdirSync(dirname(file))).toEqual(["claude.json"]);
});

test("a link to settings that hold nothing else leads to empty ones afterwards", async () => {
	mkdirSync(join(home.home, ".claude"));
	const file = join(home.base, "claude.json");
	writeFileSync(file, '{"hooks": {"PreToolUse": [{"hooks": [{"type": "command", "command": "/old/tmx hook claude"}]}]}}');
	symlinkSync(file, join(home.home, CLAUDE));
	await home.run("uninstall", "--agent", "claude");
	expect(home.read(CLAUDE)).toBe("{}\n");
});

test.skipIf(NAMESPACE === undefined)("a directory that cannot be written (where the system gives mount namespaces)", async () => {
	home.write(CLAUDE, PERSONAL);
	const at = join(home.home, ".claude");
	const line = `mount --bind ${at} ${at} && mount -o remount,bind,ro ${at} && exec ${home.tmx} install --agent claude`;
	const { status, stderr } = await run(
		[...(NAMESPACE ?? []), "/bin/sh", "-c", line],
		{ ...home.env, PATH: "/usr/sbin:/usr/bin:/sbin:/bin" },
		"/",
	);
	expect({ status, stderr }).toEqual({
		status: 5,
		stderr: `tmx: install: user_error: ${at}/settings.json: the file system is read-only\n`,
	});
	expect(tree()).toEqual({ [CLAUDE]: PERSONAL });
});

test("many at once put it in once, and take it out once", async () => {
	home.write(CLAUDE, PERSONAL);
	const all = await Promise.all(Array.from({ length: 6 }, () => home.run("install", "--agent", "claude")));
	expect(all.map(({ status, stderr }) => ({ status, stderr }))).toEqual(all.map(() => ({ status: 0, stderr: "" })));
	expect((home.read(CLAUDE) ?? "").match(/hook claude/g)).toHaveLength(1);
	await Promise.all(["uninstall", "install", "uninstall", "install"].map((what) => home.run(what, "--agent", "claude")));
	await home.run("uninstall", "--agent", "claude");
	expect(tree()).toEqual({ [CLAUDE]: PERSONAL });
});

test("a path with odd characters is quoted for the shell that runs the hook", async () => {
	const odd = makeHome("b in'$(x)é");
	try {
		await odd.run("install", "--agent", "claude", "--agent", "opencode");
		const [group] = JSON.parse(odd.read(CLAUDE) ?? "").hooks.PreToolUse;
		const { command } = group.hooks[0];
		const { stderr, status } = await run(["/bin/sh", "-c", command], odd.env, "/", "");
		expect({ command, status, stderr }).toEqual({ command: `'${odd.tmx.replaceAll("'", "'\\''")}' hook claude`, status: 0, stderr: "" });
		expect((await odd.run("install", "--agent", "claude")).stdout).toContain("is there already");
		expect((await odd.run("uninstall")).status).toBe(0);
		expect(existsSync(join(odd.home, ".claude"))).toBe(false);
	} finally {
		odd.remove();
	}
});

test("the directories that the agents' own variables name are taken", async () => {
	const at = (name: string) => join(home.base, name);
	Object.assign(home.env, {
		CLAUDE_CONFIG_DIR: at("c"),
		CODEX_HOME: at("x"),
		GEMINI_CLI_HOME: at("g"),
		COPILOT_HOME: at("p"),
		XDG_CONFIG_HOME: at("o"),
	});
	await home.run("install", "--agent", ALL.filter((name) => name !== "cursor").join(","));
	expect(tree()).toEqual({});
	for (const path of ["c/settings.json", "x/hooks.json", "g/.gemini/settings.json", "p/hooks/tmx.json", "o/opencode/plugins/tmx.js"]) {
		expect(existsSync(at(path)), path).toBe(true);
	}
});

test("--project writes the project's own files, and takes them away again", async () => {
	await home.run("install", "--project", "--agent", ALL.join(","));
	expect(tree()).toEqual({});
	expect(Object.keys(tree(home.project)).sort()).toEqual([
		".claude/settings.local.json",
		".codex/hooks.json",
		".cursor/hooks.json",
		".gemini/settings.json",
		".github/hooks/tmx.json",
		".opencode/plugins/tmx.js",
	]);
	await home.run("uninstall", "--project", "--agent", ALL.join(","));
	expect(readdirSync(home.project)).toEqual([]);
});

describe("wrong command lines", () => {
	for (const [words, message] of [
		[["install", "--agent", "clade"], 'install: user_error: no agent is called clade; did you mean "claude"?; known are claude, codex'],
		[["install", "--agent", "claude,"], "install: user_error: no agent is called ''; known are claude, codex"],
		[["install", "--project"], "install: user_error: --project goes with --agent"],
		[["uninstall", "--agent", "constructor"], "uninstall: user_error: no agent is called constructor; known are claude, codex"],
		[["uninstall", "--project"], "uninstall: user_error: --project goes with --agent"],
		[["install", "--slice", "--slice"], "install: user_error: --slice is given twice"],
	] as const) {
		test(words.join(" "), async () => {
			const { status, stdout, stderr } = await home.run(...words);
			expect({ status, stdout }).toEqual({ status: 5, stdout: "" });
			expect(stderr).toStartWith(`tmx: ${message}`);
			expect(tree()).toEqual({});
		});
	}
});

test("Codex is told of with its trust, once more after each change", async () => {
	const note = "tmx: install: note: Codex skips a hook without a word until you trust it";
	expect((await home.run("install", "--agent", "codex")).stderr).toStartWith(note);
	expect((await home.run("install", "--agent", "claude")).stderr).toBe("");
});
