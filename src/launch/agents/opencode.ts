// OpenCode: it has no command hooks, so a plugin of the session's is named in the configuration that it takes from the environment.

import { fromText, toText } from "../../policy/bytes.ts";
import { join } from "../../policy/resolve.ts";
import { pluginText } from "../../registration/plugin.ts";
import { plain, readTree } from "../../registration/tree.ts";
import type { AgentLaunch, Launched } from "./agent.ts";

/** Configuration as JSON text, over that of every file (opencode.ai, Config). */
const CONTENT = "OPENCODE_CONFIG_CONTENT";
const FILE = "opencode.js";

export const opencode: AgentLaunch = {
	name: "opencode",
	launch({ argv, hook, env, directory, binary }) {
		const shells: Launched = { argv: [...argv], confine: { variable: "OPENCODE" } };
		if (hook === undefined) return shells;
		const root = readTree(toText(env(CONTENT)) || "{}");
		if (typeof root === "string") return { wrong: `${CONTENT} cannot be read (${root}), and is to be put together with ours` };
		const own = plain(root) as { plugin?: unknown };
		const plugins = Array.isArray(own.plugin) ? own.plugin : [];
		const content = { ...own, plugin: [...plugins, `file://${toText(join(directory, FILE))}`] };
		return {
			...shells,
			environment: [[CONTENT, fromText(JSON.stringify(content))]],
			files: [[FILE, fromText(pluginText(toText(binary)))]],
		};
	},
};
