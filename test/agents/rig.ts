// Real agents without a person and without a network: an empty home, a key that is none, and a model that follows a script.

import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { BINARY, ROOT } from "../support/binary.ts";
import { type Model, messages, type Result, responses, type Step } from "./models.ts";

/** Where test/agents/run.sh puts the agents. */
const INSTALLED = process.env.AGENTS ?? join(ROOT, ".cache/agents");

const PROGRAMS = {
	claude: "claude/node_modules/@anthropic-ai/claude-code-linux-x64/claude",
	codex: "codex/node_modules/@openai/codex-linux-x64/vendor/x86_64-unknown-linux-musl/bin/codex",
} as const;

export type Name = keyof typeof PROGRAMS;

export const programOf = (agent: Name): string => join(INSTALLED, PROGRAMS[agent]);
export const isThere = (agent: Name): boolean => existsSync(programOf(agent));

/** A place to work in: the session's directory, one outside, a home. Not below a temporary directory, which every policy allows. */
export interface Place {
	base: string;
	work: string;
	outside: string;
	home: string;
	remove(): void;
}

export function makePlace(): Place {
	mkdirSync(join(ROOT, ".cache"), { recursive: true });
	const base = realpathSync(mkdtempSync(join(ROOT, ".cache/place-")));
	const [work, outside, home] = ["work", "outside", "home"].map((name) => join(base, name)) as [string, string, string];
	for (const directory of [work, outside, home, join(base, "tmp"), join(base, "bin")]) mkdirSync(directory);
	symlinkSync(BINARY, join(base, "bin/tmx"));
	writeFileSync(join(outside, "keep"), "kept\n");
	return { base, work, outside, home, remove: () => rmSync(base, { recursive: true, force: true }) };
}

export interface Played {
	results: Result[];
	status: number;
	stderr: string;
}

/** The hash by which Codex trusts a hook: of its entry, as JSON with sorted keys (what Codex itself reported for such entries). */
function trustHash(command: string, timeout: number): string {
	const entry = { event_name: "pre_tool_use", hooks: [{ async: false, command, timeout, type: "command" }], matcher: ".*" };
	return `sha256:${createHash("sha256").update(JSON.stringify(entry)).digest("hex")}`;
}

function claudeArgv(hook: string): string[] {
	const settings = {
		hooks: { PreToolUse: [{ matcher: "*", hooks: [{ type: "command", command: hook, timeout: 10, onFailure: "block" }] }] },
	};
	const words = ["-p", "go", "--model", "sonnet", "--dangerously-skip-permissions", "--output-format", "json"];
	return [programOf("claude"), "--settings", JSON.stringify(settings), ...words];
}

function codexArgv(place: Place, port: number, hook: string): string[] {
	const config = [
		'model = "gpt-5.5"',
		'model_provider = "script"',
		'approval_policy = "never"',
		'sandbox_mode = "danger-full-access"',
		"check_for_update_on_startup = false",
		"[model_providers.script]",
		'name = "script"',
		`base_url = "http://127.0.0.1:${port}/v1"`,
		'env_key = "NO_KEY"',
		'wire_api = "responses"',
		"request_max_retries = 0",
		"stream_max_retries = 0",
	];
	mkdirSync(join(place.home, ".codex"), { recursive: true });
	writeFileSync(join(place.home, ".codex/config.toml"), `${config.join("\n")}\n`);
	const entry = `hooks.PreToolUse=[{matcher=".*",hooks=[{type="command",command=${JSON.stringify(hook)},timeout=10}]}]`;
	const state = `hooks.state={"/<session-flags>/config.toml:pre_tool_use:0:0"={trusted_hash=${JSON.stringify(trustHash(hook, 10))}}}`;
	return [programOf("codex"), "-c", entry, "-c", state, "exec", "--skip-git-repo-check", "--json", "go"];
}

/** Let an agent follow a script, with tmx as its hook. */
export async function play(agent: Name, place: Place, script: readonly Step[]): Promise<Played> {
	const model: Model = agent === "claude" ? messages(script) : responses(script);
	const hook = `${place.base}/bin/tmx hook ${agent}`;
	const argv = agent === "claude" ? claudeArgv(hook) : codexArgv(place, model.port, hook);
	const env = {
		HOME: place.home,
		PATH: "/usr/local/bin:/usr/bin:/bin",
		SHELL: "/bin/bash",
		LANG: "C.UTF-8",
		TERM: "dumb",
		SHLVL: "1",
		TMPDIR: join(place.base, "tmp"),
		TMX_ROOTS: place.work,
		ANTHROPIC_BASE_URL: `http://127.0.0.1:${model.port}`,
		ANTHROPIC_API_KEY: "no-key",
		NO_KEY: "no-key",
		CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
		DISABLE_AUTOUPDATER: "1",
		IS_SANDBOX: "1",
	};
	const child = Bun.spawn(argv, { cwd: place.work, env, stdin: null, stdout: "pipe", stderr: "pipe" });
	const [, stderr] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
	const status = await child.exited;
	model.stop();
	return { results: model.results(), status, stderr };
}
