// The real agents within tmx wrap: which calls reach a shim, whether the hook lives, and where tool shells and agents run.

import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { audit, canChangeShell, isThere, makePlace, type Name, type Place, play, playWrapped, trustHash } from "./rig.ts";

setDefaultTimeout(180_000);

let place: Place;
beforeEach(() => {
	place = makePlace();
});
afterEach(() => place.remove());

const zsh = Bun.which("zsh", { PATH: "/usr/bin:/bin" });

/** How a guarded tool is called; each row names a file of its own, by which its shim's record is found. */
const CALLS: Record<string, string> = {
	rm: "rm r1",
	"bash -c rm": 'bash -c "rm r2"',
	"bash -lc rm": 'bash -lc "rm r3"',
	"find -delete": "find r4 -delete",
	"xargs rm": "echo r5 | xargs rm",
};
const ZSH_CALLS: Record<string, string> = { "zsh -c rm": 'zsh -c "rm r6"', "zsh -lc rm": 'zsh -lc "rm r7"' };

/** What an agent of today does not let a shim see, and why. */
const MISSES: Partial<Record<Name, Record<string, string>>> = {
	copilot: { "bash -lc rm": "Copilot takes BASH_ENV out of the environment, so nothing comes behind a login shell's profile" },
};

/** Which of the calls a shim has judged. */
async function hits(agent: Name, calls: Record<string, string>, shell: string | undefined): Promise<Record<string, boolean>> {
	for (const call of Object.values(calls)) writeFileSync(join(place.work, /r\d/.exec(call)?.[0] ?? ""), "");
	// With a plugin OpenCode waits for a package that it wants to install, which takes a minute without a network.
	const options = agent === "opencode" ? ["--no-hook"] : [];
	const { results } = await playWrapped(agent, place, Object.values(calls), shell ? { shell, options } : { options });
	expect(results).toHaveLength(Object.keys(calls).length);
	const judged = audit(place).filter(({ door }) => door === "shim");
	const seen = ([name, call]: [string, string]) => [name, judged.some(({ argv }) => argv.includes(/r\d/.exec(call)?.[0] ?? ""))];
	return Object.fromEntries(Object.entries(calls).map(seen as (row: [string, string]) => [string, boolean]));
}

const AGENTS: Name[] = ["claude", "codex", "opencode", "gemini", "copilot"];

for (const agent of AGENTS) {
	describe.skipIf(!isThere(agent))(`${agent} (skipped where test/agents/run.sh has not installed it)`, () => {
		const missed = MISSES[agent] ?? {};
		const expected = (calls: Record<string, string>) =>
			Object.fromEntries(Object.keys(calls).map((name) => [name, missed[name] === undefined]));

		test("from bash every call reaches a shim, but for what is named", async () => {
			const calls = zsh ? { ...CALLS, ...ZSH_CALLS } : CALLS;
			expect(await hits(agent, calls, undefined)).toEqual(expected(calls));
		});

		const own = agent === "claude" || agent === "opencode" || (agent === "codex" && canChangeShell);
		test.skipIf(!zsh || !own)("from zsh as well (skipped where there is no zsh, or the agent's shell cannot be another one)", async () => {
			const calls = { ...CALLS, ...ZSH_CALLS };
			expect(await hits(agent, calls, zsh as string)).toEqual(expected(calls));
		});

		test("what a shim refuses without a hook is not done", async () => {
			const script = [`rm ${place.outside}/keep`, `bash -lc "find ${place.outside}/keep -delete"`];
			const { results } = await playWrapped(agent, place, agent === "copilot" ? script.slice(0, 1) : script, { options: ["--no-hook"] });
			for (const { text } of results) expect(text).toContain("policy_denied");
			expect(results.length).toBeGreaterThan(0);
			expect(readFileSync(`${place.outside}/keep`, "utf8")).toBe("kept\n");
		});
	});
}

/** A redirection has no shim, so only a hook refuses it. */
const redirection = () => `echo x > ${place.outside}/new`;
const hookRefused = () => audit(place).filter(({ door, decision }) => door === "hook" && decision === "reject").length;

describe("the hook is live", () => {
	for (const agent of ["claude", "codex", "opencode", "gemini"] as const) {
		test.skipIf(!isThere(agent))(`in ${agent} (skipped where it is not installed), and with --no-hook it is not`, async () => {
			const { results } = await playWrapped(agent, place, [redirection()]);
			expect(results[0]?.text).toContain("tmx: redirection: policy_denied");
			expect(existsSync(`${place.outside}/new`)).toBe(false);
			expect(hookRefused()).toBe(1);
			await playWrapped(agent, place, [redirection()], { options: ["--no-hook"] });
			expect(existsSync(`${place.outside}/new`)).toBe(true);
		});
	}

	test.skipIf(!isThere("claude"))(
		"in claude although the project switches all hooks off, before the start and in mid-session",
		async () => {
			mkdirSync(join(place.work, ".claude"));
			const off = '{"disableAllHooks":true,"env":{"CLAUDE_ENV_FILE":"/dev/null","BASH_ENV":"/dev/null","PATH":"/usr/bin:/bin"}}';
			for (const name of ["settings.json", "settings.local.json"]) writeFileSync(join(place.work, ".claude", name), off);
			const again = `python3 -c 'open(".claude/settings.local.json", "w").write("""${off}""")'`;
			writeFileSync(join(place.work, "r1"), "");
			const { results } = await playWrapped("claude", place, [redirection(), again, redirection(), "rm r1"]);
			expect(results).toHaveLength(4);
			for (const at of [0, 2]) expect(results[at]?.text).toContain("tmx: redirection: policy_denied");
			expect(audit(place).some(({ door, argv }) => door === "shim" && argv.includes("r1"))).toBe(true);
		},
	);

	test.skipIf(!isThere("codex"))(
		"in codex although the person's configuration switches hooks off, and the agent writes it anew",
		async () => {
			const off = "\n[features]\nhooks = false\n";
			const again = `python3 -c 'open("${place.home}/.codex/config.toml", "a").write("[tui]\\n")'`;
			const { results, stderr } = await playWrapped("codex", place, [redirection(), again, redirection()], { config: off });
			expect(stderr).not.toContain("tmx: wrap");
			expect(results).toHaveLength(3);
			for (const at of [0, 2]) expect(results[at]?.text).toContain("tmx: redirection: policy_denied");
		},
	);
});

describe("what a person gives the agent is put together with ours", () => {
	const mark = () => join(place.base, "mark");

	test.skipIf(!isThere("claude"))("claude: --settings as a file and as JSON, with hooks and variables", async () => {
		const settings = {
			env: { OWN: "own" },
			hooks: { PreToolUse: [{ matcher: "Bash", hooks: [{ type: "command", command: `echo ran >>${mark()}` }] }] },
		};
		writeFileSync(join(place.work, "own.json"), JSON.stringify(settings));
		for (const words of [["--settings", "own.json"], [`--settings=${JSON.stringify(settings)}`]]) {
			const { results } = await playWrapped("claude", place, ["echo $OWN", redirection()], { words });
			expect(results[0]?.text).toContain("own");
			expect(results[1]?.text).toContain("tmx: redirection: policy_denied");
		}
		expect(readFileSync(mark(), "utf8")).toBe("ran\nran\nran\nran\n");
	});

	test.skipIf(!isThere("claude"))(
		"claude: the person's CLAUDE_ENV_FILE and functions, but not the ones that are named like a guarded tool",
		async () => {
			writeFileSync(join(place.home, "env.sh"), "export OWN=own\n");
			writeFileSync(join(place.home, ".bashrc"), "greet() { echo hello; }\nrm() { echo mine; }\n");
			writeFileSync(join(place.work, "r1"), "");
			const { results } = await playWrapped("claude", place, ["echo $OWN; greet; rm r1"], {
				env: { CLAUDE_ENV_FILE: join(place.home, "env.sh") },
			});
			expect(results[0]?.text).toBe("own\nhello");
			expect(existsSync(join(place.work, "r1"))).toBe(false);
		},
	);

	test.skipIf(!isThere("codex"))("codex: -c hooks.PreToolUse, which stays trusted where it was", async () => {
		const command = `echo ran >>${mark()}`;
		const entry = `hooks.PreToolUse=[{matcher=".*",hooks=[{type="command",command=${JSON.stringify(command)},timeout=10}]}]`;
		const key = "/<session-flags>/config.toml:pre_tool_use:0:0";
		const words = ["-c", entry, "-c", `hooks.state={${JSON.stringify(key)}={trusted_hash=${JSON.stringify(trustHash(command, 10))}}}`];
		const { results } = await playWrapped("codex", place, [redirection()], { words });
		expect(results[0]?.text).toContain("tmx: redirection: policy_denied");
		expect(readFileSync(mark(), "utf8")).toBe("ran\n");
		const whole = await playWrapped("codex", place, [], { words: ["-c", "hooks={}"] });
		expect([whole.status, whole.stderr.includes("write -c hooks.PreToolUse=[...] instead")]).toEqual([5, true]);
	});

	test.skipIf(!isThere("codex"))("codex: the hooks of the person's configuration run beside ours", async () => {
		const config = `\n[[hooks.PreToolUse]]\nmatcher = ".*"\n[[hooks.PreToolUse.hooks]]\ntype = "command"\ncommand = "echo ran >>${mark()}"\n`;
		const { results } = await playWrapped("codex", place, [redirection()], { config, words: ["--dangerously-bypass-hook-trust"] });
		expect(results[0]?.text).toContain("tmx: redirection: policy_denied");
		expect(readFileSync(mark(), "utf8")).toBe("ran\n");
	});

	test.skipIf(!isThere("codex"))("codex: hooks that a person switches off on the command line are off, and that is said", async () => {
		const { stderr } = await playWrapped("codex", place, [], { words: ["-c", "features.hooks=false"] });
		expect(stderr).toContain("tmx: wrap: note: Codex is told to run no hooks: this session has the shims alone\n");
	});

	test.skipIf(!isThere("codex"))("codex: a shell policy that hands nothing on does not put the shims away", async () => {
		writeFileSync(join(place.work, "r1"), "");
		await playWrapped("codex", place, ['bash -lc "rm r1"'], { words: ["-c", 'shell_environment_policy.inherit="core"'] });
		expect(audit(place).some(({ door, argv }) => door === "shim" && argv.includes("r1"))).toBe(true);
	});
});

test.skipIf(!isThere("claude"))("neither agent's files are changed", async () => {
	const { results } = await play("claude", place, ["true"]);
	const before = Bun.spawnSync(["find", place.home, "-name", "settings*.json"]).stdout.toString();
	await playWrapped("claude", place, ["true"]);
	expect(results).toHaveLength(1);
	expect(Bun.spawnSync(["find", place.home, "-name", "settings*.json"]).stdout.toString()).toBe(before);
});

test.skipIf(!isThere("codex"))(
	"in codex's own sandbox the shims stand, and nothing is said of scopes that cannot be had there",
	async () => {
		const words = ["-c", 'sandbox_mode="workspace-write"'];
		const { results } = await playWrapped("codex", place, ["echo fine", `bash -lc "rm ${place.outside}/keep"`], {
			words,
			options: ["--no-hook"],
		});
		expect(results[0]?.text).toEndWith("Output:\nfine\n");
		expect(results[1]?.text).toContain("Output:\ntmx: rm: policy_denied");
		expect(readFileSync(`${place.outside}/keep`, "utf8")).toBe("kept\n");
	},
);
