// tmx hook --test and tmx doctor --agent: the registered command, run as the agent would, and what keeps it from being run.

import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { createHash } from "node:crypto";
import { chmodSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { BINARY } from "../support/binary.ts";
import { type Box, makeBox, shims } from "../support/box.ts";
import { run } from "../support/shell.ts";
import { type Home, makeHome, SETTINGS } from "./home.ts";

setDefaultTimeout(120_000);

let home: Home;
let box: Box;
beforeEach(() => {
	home = makeHome();
	box = makeBox();
	// A policy of its own keeps the audit within the box.
	home.env.PATH = `${shims(box, "", ["rm", "mv"])}:/usr/bin:/bin`;
});
afterEach(() => {
	home.remove();
	box.remove();
});

const CLAUDE = SETTINGS.claude as string;

interface Finding {
	status: string;
	subject: string;
	found: string;
	advice?: string;
}

async function tried(agent: string): Promise<{ status: number; lines: string[] }> {
	const { status, stdout } = await home.run("hook", "--test", "--json", agent);
	const findings: Finding[] = stdout
		.trimEnd()
		.split("\n")
		.map((line) => JSON.parse(line));
	const lines = findings.map(({ status, found }) =>
		`${status} ${found}`.replaceAll(home.base, "$B").replaceAll(/\/\S*tmx-doctor-\w+/g, "/S"),
	);
	return { status, lines };
}

const GOOD = ["ok refused, as it must be: rm -f /S-does-not-exist", "ok passes in silence, as it must: rm -f /S/projects/none"];

describe.each(Object.keys(SETTINGS).filter((name) => name !== "codex"))("the hook of %s", (agent) => {
	test("is tried through what is set up", async () => {
		await home.run("install", "--agent", agent);
		const shown = `$B/home/${SETTINGS[agent]} runs '$B/bin/tmx hook ${agent}'`;
		expect(await tried(agent)).toEqual({ status: 0, lines: [`ok ${shown}`, ...GOOD] });
		expect(readdirSync(home.project)).toEqual([]);
	});

	test("is missed where it is not set up", async () => {
		expect(await tried(agent)).toEqual({ status: 4, lines: ["fail no hook of tmx is set up"] });
	});
});

test("it is a table for people, with advice", async () => {
	const { stdout } = await home.run("hook", "--test", "claude");
	expect(stdout).toStartWith('agents\n  fail  claude  no hook of tmx is set up\n        -> "tmx install --agent NAME" adds');
	expect(stdout).toEndWith("\n0 ok, 0 warn, 1 fail\n");
});

/** Change what is set up, and try it. */
async function changed(change: (text: string) => string): Promise<{ status: number; lines: string[] }> {
	await home.run("install", "--agent", "claude");
	home.write(CLAUDE, change(home.read(CLAUDE) ?? ""));
	return tried("claude");
}

const RUNS = "$B/home/.claude/settings.json runs";

test("a binary that is gone", async () => {
	const { status, lines } = await changed((text) => text.replace(home.tmx, "/gone/tmx"));
	expect({ status, lines }).toEqual({
		status: 4,
		lines: [
			`fail ${RUNS} '/gone/tmx hook claude', and /gone/tmx does not exist`,
			expect.stringMatching(/^fail NOT refused: rm -f \/S-does-not-exist ended with 127: .*not found/),
			expect.stringMatching(/^fail does not pass in silence: .* ended with 127/),
		] as unknown as string[],
	});
});

test("a binary that is not this one, and one that is looked up", async () => {
	const other = join(home.base, "other");
	mkdirSync(other);
	writeFileSync(join(other, "tmx"), `#!/bin/sh\nexec ${BINARY} "$@"\n`);
	chmodSync(join(other, "tmx"), 0o755);
	const { status, lines } = await changed((text) => text.replace(home.tmx, `${other}/tmx`));
	expect({ status, first: lines[0] }).toEqual({ status: 0, first: `warn ${RUNS} '$B/other/tmx hook claude', and that is not this tmx` });
	home.env.PATH = `${other}:${home.env.PATH}`;
	const bare = await changed((text) => text.replace(home.tmx, "tmx"));
	expect({ status: bare.status, first: bare.lines[0] }).toEqual({
		status: 0,
		first: `warn ${RUNS} 'tmx hook claude', which the agent looks up on its PATH`,
	});
});

test("a hook that says yes to everything, and one that says no", async () => {
	const stub = join(home.base, "tmx-stub");
	writeFileSync(stub, "#!/bin/sh\nexit 0\n", { mode: 0o755 });
	const yes = await changed((text) => text.replace(home.tmx, stub));
	expect(yes.lines.slice(1)).toEqual(["fail NOT refused: rm -f /S-does-not-exist ended with 0, and said nothing", GOOD[1] as string]);
	writeFileSync(stub, "#!/bin/sh\necho 'tmx: rm: policy_denied: no' >&2\nexit 2\n");
	const no = await changed((text) => text.replace(home.tmx, stub));
	expect(no.lines.slice(1)).toEqual([
		GOOD[0] as string,
		"fail does not pass in silence: rm -f /S/projects/none ended with 2: 'tmx: rm: policy_denied: no'",
	]);
});

test("a policy in the command is the one that is tried", async () => {
	const policy = shims(box, "", ["mv"], "others");
	const { lines } = await changed((text) => text.replace("hook claude", `hook claude --policy ${policy}`));
	expect(lines.at(-1)).toMatch(/^ok passes in silence, as it must: : >\/S\/projects\/none$/);
});

test("what weakens it is said", async () => {
	const { status, lines } = await changed((text) => text.replace('"onFailure": "block"', '"onFailure": "allow"').replace('"*"', '"Bash"'));
	expect({ status, lines: lines.slice(1) }).toEqual({
		status: 0,
		lines: [
			"warn it is asked for these tools alone: Bash",
			"warn a hook that fails is taken for permission: onFailure is not block",
			...GOOD,
		],
	});
});

describe("hooks that are switched off", () => {
	const SWITCHES: readonly [agent: string, where: string, text: string, found: string][] = [
		["claude", "project/.claude/settings.json", '{"disableAllHooks": true}', "disableAllHooks is true in $B/project/.claude/settings.json"],
		[
			"gemini",
			"project/.gemini/settings.json",
			'{"hooksConfig": {"enabled": false}}',
			"hooksConfig.enabled is false in $B/project/.gemini/settings.json",
		],
	];
	for (const [agent, where, text, found] of SWITCHES) {
		test(`${agent}: ${found}`, async () => {
			await home.run("install", "--agent", agent);
			home.write(`../${where}`, text);
			const { status, lines } = await tried(agent);
			expect({ status, lines }).toEqual({ status: 4, lines: [`fail no hook is run: ${found}`, expect.any(String), ...GOOD] });
		});
	}

	test("settings that cannot be read", async () => {
		home.write(CLAUDE, "{");
		expect(await tried("claude")).toEqual({
			status: 4,
			lines: ["fail $B/home/.claude/settings.json: it is no valid JSON at line 1, column 2"],
		});
	});
});

describe("the trust of Codex", () => {
	const hash = () => {
		const entry = {
			event_name: "pre_tool_use",
			hooks: [{ async: false, command: `${home.tmx} hook codex`, timeout: 10, type: "command" }],
			matcher: ".*",
		};
		return `sha256:${createHash("sha256").update(JSON.stringify(entry)).digest("hex")}`;
	};
	const section = (of: string) => `[hooks.state."${home.home}/.codex/hooks.json:pre_tool_use:0:0"]\n${of}\n`;
	for (const [what, config, status, found] of [
		["is missing", () => undefined, 4, "fail Codex skips it in silence: it is not trusted"],
		["is there", () => section(`trusted_hash = "${hash()}"`), 0, "ok Codex trusts it"],
		[
			"is for what it was",
			() => section('trusted_hash = "sha256:0"'),
			4,
			"fail Codex skips it in silence: it has changed since it was trusted",
		],
		["is there, and the hook is off", () => section(`trusted_hash = "${hash()}"\nenabled = false`), 4, "fail Codex has it switched off"],
		[
			"is there, and hooks are off",
			() => `[features]\nhooks = false # no\n${section(`trusted_hash = "${hash()}"`)}`,
			4,
			"fail Codex has it switched off",
		],
		[
			"is written otherwise",
			() => `hooks.state = { "${home.home}/.codex/hooks.json:pre_tool_use:0:0" = {} }`,
			0,
			"warn whether Codex trusts it cannot be read from its settings",
		],
	] as const) {
		test(what, async () => {
			await home.run("install", "--agent", "codex");
			const text = config();
			if (text !== undefined) home.write(".codex/config.toml", text);
			const { status: came, lines } = await tried("codex");
			expect({ status: came, lines: lines.slice(1) }).toEqual({ status, lines: [found, ...GOOD] });
		});
	}
});

test("doctor looks at the agents that are there, and --agent asks for one", async () => {
	const agents = async (...words: string[]) => {
		const { stdout } = await home.run("doctor", "--json", ...words);
		const all = stdout
			.trimEnd()
			.split("\n")
			.map((line) => JSON.parse(line) as Finding & { check: string });
		return all
			.filter(({ check }) => check === "agents")
			.map(({ status, subject, found }) => `${status} ${subject}: ${found}`.replaceAll(home.base, "$B"));
	};
	expect(await agents()).toEqual([]);
	mkdirSync(join(home.home, ".gemini"));
	await home.run("install", "--agent", "claude");
	const set = "ok claude: $B/home/.claude/settings.json runs '$B/bin/tmx hook claude'";
	expect(await agents()).toEqual([set, "ok gemini: no hook of tmx is set up"]);
	expect(await agents("--agent", "claude")).toEqual([
		set,
		expect.stringContaining("ok claude: refused"),
		expect.stringContaining("ok claude: passes"),
	]);
	expect(await agents("--agent", "cursor")).toEqual(["fail cursor: no hook of tmx is set up"]);
});

describe("the plugin of OpenCode, loaded as OpenCode does", () => {
	/** Ask the plugin about a command; prints what it threw. */
	async function asked(command: string, runtime: string[]): Promise<string> {
		const file = join(home.home, SETTINGS.opencode as string);
		const script = `
			const exports = await import(${JSON.stringify(file)});
			const [[name, plugin], ...more] = Object.entries(exports);
			const hooks = await plugin({ directory: ${JSON.stringify(box.root)} });
			const input = { tool: "bash", sessionID: "s", callID: "c" };
			const said = await hooks["tool.execute.before"](input, { args: { command: ${JSON.stringify(command)} } }).then(() => "passed", (error) => String(error.message));
			console.log(JSON.stringify({ name, more: more.length, said }));`;
		writeFileSync(join(home.base, "ask.mjs"), script);
		const { stdout, stderr } = await run([...runtime, join(home.base, "ask.mjs")], { ...home.env, TMX_ROOTS: box.root }, "/");
		const { said, ...rest } = JSON.parse(stdout || JSON.stringify({ said: stderr }));
		expect(rest).toEqual({ name: "Tmx", more: 0 });
		return said;
	}

	for (const runtime of [[process.execPath], [Bun.which("node") ?? "node"]]) {
		test.skipIf(!Bun.which(runtime[0] as string))(`by ${runtime[0]?.replace(/.*\//, "")}`, async () => {
			await home.run("install", "--agent", "opencode");
			expect(await asked("rm -f none", runtime)).toBe("passed");
			expect(await asked(`rm -f ${box.outside}/x`, runtime)).toStartWith(`tmx: rm: policy_denied: ${box.outside}/x: `);
			rmSync(home.tmx);
			expect(await asked("rm -f none", runtime)).toMatch(/^tmx: hook: internal: .*ENOENT.*; nothing was run$/);
		});
	}
});

test("wrong command lines", async () => {
	for (const [words, message] of [
		[["--test"], 'needs AGENT; see "tmx hook --help"'],
		[["--test", "clade"], 'no agent is called clade; did you mean "claude"?'],
		[["--json", "claude"], "--json goes with --test"],
		[["--test", "claude", "codex"], "takes at most 1 of AGENT"],
	] as const) {
		const { status, stderr } = await home.run("hook", ...words);
		expect({ status, stderr: stderr.slice(0, 22 + message.length) }).toEqual({
			status: 5,
			stderr: `tmx: hook: user_error: ${message}`.slice(0, 22 + message.length),
		});
	}
});
