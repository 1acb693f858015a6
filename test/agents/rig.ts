// Real agents without a person and without a network: an empty home, a key that is none, and a model that follows a script.

import { createHash } from "node:crypto";
import {
	accessSync,
	appendFileSync,
	constants,
	copyFileSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	realpathSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { BINARY, ROOT } from "../support/binary.ts";
import { contents, type Model, messages, type Result, responses, type Step } from "./models.ts";

/** Where test/agents/run.sh puts the agents. */
const INSTALLED = process.env.AGENTS ?? join(ROOT, ".cache/agents");

const PROGRAMS = {
	claude: "claude/node_modules/@anthropic-ai/claude-code-linux-x64/claude",
	codex: "codex/node_modules/@openai/codex-linux-x64/vendor/x86_64-unknown-linux-musl/bin/codex",
	opencode: "opencode/node_modules/opencode-linux-x64/bin/opencode",
	gemini: "gemini/node_modules/.bin/gemini",
	copilot: "copilot/node_modules/@github/copilot-linux-x64/copilot",
} as const;

export type Name = keyof typeof PROGRAMS;

export const programOf = (agent: Name): string => join(INSTALLED, PROGRAMS[agent]);
export const isThere = (agent: Name): boolean => existsSync(programOf(agent)) && PARENT !== undefined;

/** Every policy allows what lies in a temporary directory, so a place of the tests must be elsewhere, also where this checkout is in one. */
const isTemporary = (path: string) =>
	["/tmp", "/var/tmp", "/dev/shm"].some((directory) => path === directory || path.startsWith(`${directory}/`));
const isWritable = (path: string) => {
	try {
		accessSync(path, constants.W_OK);
		return true;
	} catch {
		return false;
	}
};
const PARENT = [join(realpathSync(ROOT), ".cache"), "/var/cache", "/srv", "/opt", homedir()].find((path, k) => {
	return !isTemporary(path) && (k === 0 || isWritable(path));
});

/** A place to work in: the session's directory, one outside, a home. Not below a temporary directory, which every policy allows. */
export interface Place {
	base: string;
	work: string;
	outside: string;
	home: string;
	remove(): void;
}

export function makePlace(): Place {
	if (PARENT === undefined) throw new Error("there is no directory for a place of the tests");
	mkdirSync(PARENT, { recursive: true });
	const base = realpathSync(mkdtempSync(join(PARENT, "place-")));
	const [work, outside, home] = ["work", "outside", "home"].map((name) => join(base, name)) as [string, string, string];
	for (const directory of [work, outside, home, join(base, "tmp"), join(base, "bin")]) mkdirSync(directory);
	// What a session may write must not hold the guard itself.
	if (isTemporary(realpathSync(BINARY))) copyFileSync(BINARY, join(base, "bin/tmx"));
	else symlinkSync(BINARY, join(base, "bin/tmx"));
	writeFileSync(join(outside, "keep"), "kept\n");
	return { base, work, outside, home, remove: () => rmSync(base, { recursive: true, force: true }) };
}

export interface Played {
	results: Result[];
	/** All that the model would have read. */
	read: string;
	status: number;
	stderr: string;
}

/** The hash by which Codex trusts a hook: of its entry, as JSON with sorted keys (what Codex itself reported for such entries). */
export function trustHash(command: string, timeout: number): string {
	const entry = { event_name: "pre_tool_use", hooks: [{ async: false, command, timeout, type: "command" }], matcher: ".*" };
	return `sha256:${createHash("sha256").update(JSON.stringify(entry)).digest("hex")}`;
}

function claudeArgv(hook: string): string[] {
	const settings = {
		hooks: { PreToolUse: [{ matcher: "*", hooks: [{ type: "command", command: hook, timeout: 10, onFailure: "block" }] }] },
	};
	return [programOf("claude"), "--settings", JSON.stringify(settings), ...CLAUDE_WORDS];
}

function writeCodexConfig(place: Place, port: number): void {
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
}

function codexArgv(place: Place, port: number, hook: string): string[] {
	writeCodexConfig(place, port);
	const entry = `hooks.PreToolUse=[{matcher=".*",hooks=[{type="command",command=${JSON.stringify(hook)},timeout=10}]}]`;
	const state = `hooks.state={"/<session-flags>/config.toml:pre_tool_use:0:0"={trusted_hash=${JSON.stringify(trustHash(hook, 10))}}}`;
	return [programOf("codex"), "-c", entry, "-c", state, ...CODEX_WORDS];
}

const CLAUDE_WORDS = ["-p", "go", "--model", "sonnet", "--dangerously-skip-permissions", "--output-format", "json"];
const CODEX_WORDS = ["exec", "--skip-git-repo-check", "--json", "go"];

/** What every agent has in its environment. */
function environment(place: Place, port: number): Record<string, string> {
	return {
		HOME: place.home,
		PATH: `/usr/local/bin:/usr/bin:/bin:${dirname(process.env.NODE ?? Bun.which("node") ?? "/usr/bin/node")}`,
		SHELL: "/bin/bash",
		LANG: "C.UTF-8",
		TERM: "dumb",
		SHLVL: "1",
		TMPDIR: join(place.base, "tmp"),
		ANTHROPIC_BASE_URL: `http://127.0.0.1:${port}`,
		ANTHROPIC_API_KEY: "no-key",
		NO_KEY: "no-key",
		CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
		DISABLE_AUTOUPDATER: "1",
		IS_SANDBOX: "1",
	};
}

async function run(argv: string[], env: Record<string, string>, place: Place, model: Model): Promise<Played> {
	const child = Bun.spawn(argv, { cwd: place.work, env, stdin: null, stdout: "pipe", stderr: "pipe" });
	const [, stderr] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
	const status = await child.exited;
	model.stop();
	return { results: model.results(), read: model.read(), status, stderr };
}

/** Let an agent follow a script, with tmx as its hook. */
export async function play(agent: "claude" | "codex", place: Place, script: readonly Step[]): Promise<Played> {
	const model: Model = agent === "claude" ? messages(script) : responses(script);
	const hook = `${place.base}/bin/tmx hook ${agent}`;
	const argv = agent === "claude" ? claudeArgv(hook) : codexArgv(place, model.port, hook);
	return run(argv, { ...environment(place, model.port), TMX_ROOTS: place.work }, place, model);
}

/** How an agent is started without a person, and what it needs for that in its home and environment. */
const STARTS: Record<Name, (place: Place, port: number) => { words: string[]; env?: Record<string, string> }> = {
	claude: () => ({ words: CLAUDE_WORDS }),
	codex(place, port) {
		writeCodexConfig(place, port);
		return { words: CODEX_WORDS };
	},
	opencode(place, port) {
		const options = { baseURL: `http://127.0.0.1:${port}/v1`, apiKey: "no-key" };
		const config = { provider: { anthropic: { options } }, autoupdate: false, share: "disabled", permission: "allow" };
		mkdirSync(join(place.home, ".config/opencode"), { recursive: true });
		writeFileSync(join(place.home, ".config/opencode/opencode.json"), JSON.stringify(config));
		const env = { OPENCODE_DISABLE_AUTOUPDATE: "1", OPENCODE_DISABLE_MODELS_FETCH: "1", OPENCODE_DISABLE_LSP_DOWNLOAD: "1" };
		return { words: ["run", "--model", "anthropic/claude-sonnet-4-5", "go"], env };
	},
	gemini(place, port) {
		const settings = {
			security: { auth: { selectedType: "gemini-api-key" } },
			general: { enableAutoUpdate: false },
			privacy: { usageStatisticsEnabled: false },
		};
		mkdirSync(join(place.home, ".gemini"), { recursive: true });
		writeFileSync(join(place.home, ".gemini/settings.json"), JSON.stringify(settings));
		const env = { GEMINI_API_KEY: "no-key", GOOGLE_GEMINI_BASE_URL: `http://127.0.0.1:${port}` };
		return { words: ["--approval-mode", "yolo", "--skip-trust", "--model", "gemini-2.5-pro", "-p", "go"], env };
	},
	copilot: (_, port) => ({
		words: ["-p", "go", "--allow-all-tools", "--allow-all-paths"],
		env: {
			COPILOT_OFFLINE: "true",
			COPILOT_PROVIDER_TYPE: "anthropic",
			COPILOT_PROVIDER_BASE_URL: `http://127.0.0.1:${port}`,
			COPILOT_PROVIDER_API_KEY: "no-key",
			COPILOT_MODEL: "claude-sonnet-4",
			COPILOT_AUTO_UPDATE: "false",
		},
	}),
};

const MODELS: Record<Name, (script: readonly Step[]) => Model> = {
	claude: messages,
	codex: responses,
	opencode: messages,
	gemini: contents,
	copilot: messages,
};

export interface Wrapping {
	/** Options of `tmx wrap`. */
	options?: string[];
	/** Words of the agent's, before those that start it without a person. */
	words?: string[];
	env?: Record<string, string>;
	/** What else stands in Codex's configuration. */
	config?: string;
	/** The login shell: where an agent asks the passwd entry for it, it gets another one to read. */
	shell?: string;
	/** The argv by which something is run elsewhere, such as under another manager. */
	enter?: (argv: string[]) => string[];
}

/** A passwd file in which root's shell is another one, laid over the machine's in a mount namespace. */
function withShell(place: Place, shell: string): string[] {
	const text = readFileSync("/etc/passwd", "utf8").replace(/^(root:.*:)[^:]*$/m, `$1${shell}`);
	writeFileSync(join(place.base, "passwd"), text);
	return ["unshare", "--mount", "bash", "-c", 'mount --bind "$0" /etc/passwd && exec "$@"', join(place.base, "passwd")];
}

/** Whether an agent's login shell can be another one here. */
export const canChangeShell =
	process.getuid?.() === 0 && Bun.spawnSync(["unshare", "--mount", "mount", "--bind", "/etc/hosts", "/etc/passwd"]).exitCode === 0;

/** The default policy, built with an audit of its own. */
function policyOf(place: Place): string {
	const directory = join(place.base, "policy");
	const env = { PATH: "/usr/bin:/bin", HOME: place.home, XDG_STATE_HOME: join(place.base, "state") };
	Bun.spawnSync([BINARY, "build", "--out", directory], { env });
	return directory;
}

/** Let an agent follow a script within `tmx wrap`. */
export async function playWrapped(agent: Name, place: Place, script: readonly Step[], wrapping: Wrapping = {}): Promise<Played> {
	const { options = [], words = [], shell, enter = (all) => all } = wrapping;
	// The place lies within a checkout, which would be the session's directory.
	const roots = ["--root", place.work, "--policy", policyOf(place)];
	const model = MODELS[agent](script);
	const start = STARTS[agent](place, model.port);
	if (wrapping.config !== undefined) appendFileSync(join(place.home, ".codex/config.toml"), wrapping.config);
	const argv = [`${place.base}/bin/tmx`, "wrap", ...roots, ...options, "--", programOf(agent), ...words, ...start.words];
	mkdirSync(join(place.base, "run"), { recursive: true, mode: 0o700 });
	const own = { XDG_RUNTIME_DIR: join(place.base, "run") };
	const env = { ...environment(place, model.port), ...own, ...(shell && { SHELL: shell }), ...start.env, ...wrapping.env };
	return run(enter([...(shell ? withShell(place, shell) : []), ...argv]), env, place, model);
}

/** What the audit of a wrapped session says, in the order of the calls. */
export function audit(place: Place): { door: string; decision: string; tool: string; argv: string[]; session: string }[] {
	const path = join(place.base, "state/tmx/audit.jsonl");
	const text = existsSync(path) ? readFileSync(path, "utf8").trim() : "";
	return text === "" ? [] : text.split("\n").map((line) => JSON.parse(line));
}
