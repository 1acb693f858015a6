// Claude Code: one --settings with the hook and the shell's files; a project's settings, and what the agent writes there later, do not override it.

import { type Bytes, fromText, quote, toText } from "../../policy/bytes.ts";
import { join } from "../../policy/resolve.ts";
import type { AgentLaunch, Given } from "./agent.ts";

type Json = Record<string, unknown>;

const isObject = (value: unknown): value is Json => typeof value === "object" && value !== null && !Array.isArray(value);

const OPTION = "--settings";

/** The last --settings of a command line, which is the one that counts, and the words without any. What stands behind `--` is the prompt. */
function takeSettings(argv: readonly Bytes[]): { value: Bytes | undefined; rest: Bytes[] } {
	const end = argv.indexOf("--");
	const words = end < 0 ? argv : argv.slice(0, end);
	const rest: Bytes[] = [];
	let value: Bytes | undefined;
	for (let at = 0; at < words.length; at++) {
		const word = words[at] as Bytes;
		if (word === OPTION && at + 1 < words.length) value = words[++at];
		else if (word.startsWith(`${OPTION}=`)) value = word.slice(OPTION.length + 1);
		else rest.push(word);
	}
	return { value, rest: [...rest, ...argv.slice(words.length)] };
}

function parsed(text: Bytes): Json | undefined {
	try {
		const value: unknown = JSON.parse(toText(text));
		return isObject(value) ? value : undefined;
	} catch {
		return undefined;
	}
}

/** The settings that a person gave: JSON, or the file that holds it. */
function ownSettings(value: Bytes | undefined, given: Given): Json | { wrong: string } {
	if (value === undefined) return {};
	const inline = value.trim().startsWith("{");
	const text = inline ? value : given.read(value);
	if (text === undefined)
		return { wrong: `${OPTION} ${quote(value)} cannot be read, and is to be put together with ours; without the hook: --no-hook` };
	const settings = parsed(text);
	return (
		settings ?? { wrong: `${OPTION} ${inline ? "holds" : `${quote(value)} holds`} no JSON object, and is to be put together with ours` }
	);
}

/** Our entry. Without onFailure a hook that cannot run is taken for permission. */
const entryOf = (command: string) => ({ matcher: "*", hooks: [{ type: "command", command, timeout: 10, onFailure: "block" }] });

/** The same for what is only told, of which nothing depends. */
const tellerOf = (command: string) => ({ matcher: "*", hooks: [{ type: "command", command, timeout: 10 }] });

/** The hooks of a person with ours behind them. @param floor whether what a floor refused is to be explained afterwards */
function hooksWith(own: unknown, command: string, floor: boolean): Json {
	const hooks = isObject(own) ? own : {};
	const before = (event: string) => (Array.isArray(hooks[event]) ? hooks[event] : []);
	const after = (floor ? ["PostToolUse", "PostToolUseFailure"] : []).map((event) => [event, [...before(event), tellerOf(command)]]);
	return { ...hooks, PreToolUse: [...before("PreToolUse"), entryOf(command)], ...Object.fromEntries(after) };
}

/** The value that Claude Code would give a variable without us: of the first of its settings that names it, else of the environment. */
function ownValue(name: string, settings: Json, given: Given, otherwise: Bytes): Bytes {
	const directory = given.env("CLAUDE_CONFIG_DIR") || join(given.home, ".claude");
	const files = [".claude/settings.local.json", ".claude/settings.json", join(directory, "settings.json")];
	const all = [settings, ...files.map((file) => parsed(given.read(file) ?? "") ?? {})];
	for (const { env } of all) {
		const value = isObject(env) ? env[name] : undefined;
		if (typeof value === "string") return fromText(value);
	}
	return otherwise;
}

export const claude: AgentLaunch = {
	name: "claude",
	launch(given) {
		const { value, rest } = takeSettings(given.argv);
		const own = ownSettings(value, given);
		if ("wrong" in own) return { wrong: String(own.wrong) };
		const env = { ...(isObject(own.env) ? own.env : {}), CLAUDE_ENV_FILE: given.claude, BASH_ENV: given.bash, ZDOTDIR: given.zsh };
		const hooks = given.hook === undefined ? {} : { disableAllHooks: false, hooks: hooksWith(own.hooks, given.hook, given.floor) };
		const sandbox = given.unboxed ? { sandbox: { ...(isObject(own.sandbox) ? own.sandbox : {}), enabled: false } } : {};
		const [program = "", ...words] = rest;
		const bare = words.includes("--bare") ? ["with --bare Claude Code runs no hook: this session has the shims alone"] : [];
		return {
			argv: [program, OPTION, fromText(JSON.stringify({ ...own, env, ...hooks, ...sandbox })), ...words],
			environment: [["CLAUDE_ENV_FILE", given.claude]],
			own: {
				bashEnv: ownValue("BASH_ENV", own, given, given.own.bashEnv),
				zdotdir: ownValue("ZDOTDIR", own, given, given.own.zdotdir),
				claudeEnvFile: ownValue("CLAUDE_ENV_FILE", own, given, given.own.claudeEnvFile),
			},
			hooked: bare.length === 0,
			confine: "agent's file",
			notes: given.hook === undefined ? [] : bare,
		};
	},
};
