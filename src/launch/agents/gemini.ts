// Gemini CLI: the settings that stand over a person's and a project's may lie in a file that the environment names.

import { type Bytes, fromText, quote, toText } from "../../policy/bytes.ts";
import { join } from "../../policy/resolve.ts";
import { plain, readTree } from "../../registration/tree.ts";
import type { AgentLaunch, Launched } from "./agent.ts";

type Json = Record<string, unknown>;

/** The machine's settings, and the variable that leads elsewhere (Gemini CLI configuration). */
const VARIABLE = "GEMINI_CLI_SYSTEM_SETTINGS_PATH";
const MACHINE = "/etc/gemini-cli/settings.json";
const FILE = "gemini.json";

const isObject = (value: unknown): value is Json => typeof value === "object" && value !== null && !Array.isArray(value);

/** The settings that the machine has, which ours are put into; undefined when they are none. */
function machineSettings(text: Bytes | undefined): Json | undefined {
	const root = readTree(toText(text ?? "{}"));
	const value = typeof root === "string" ? undefined : plain(root);
	return isObject(value) ? value : undefined;
}

export const gemini: AgentLaunch = {
	name: "gemini",
	launch({ argv, hook, env, directory, read }) {
		const shells: Launched = { argv: [...argv], confine: { variable: "GEMINI_CLI" } };
		if (hook === undefined) return shells;
		const path = env(VARIABLE) || MACHINE;
		const own = machineSettings(read(path));
		if (own === undefined)
			return { wrong: `${quote(path)} holds no JSON object, and is to be put together with ours; without the hook: --no-hook` };
		const hooks = isObject(own.hooks) ? own.hooks : {};
		const before = Array.isArray(hooks.BeforeTool) ? hooks.BeforeTool : [];
		// In milliseconds.
		const entry = { matcher: ".*", hooks: [{ name: "tmx", type: "command", command: hook, timeout: 10_000 }] };
		const config = { ...(isObject(own.hooksConfig) ? own.hooksConfig : {}), enabled: true };
		const settings = { ...own, hooksConfig: config, hooks: { ...hooks, BeforeTool: [...before, entry] } };
		return {
			...shells,
			environment: [[VARIABLE, join(directory, FILE)]],
			files: [[FILE, fromText(`${JSON.stringify(settings)}\n`)]],
		};
	},
};
