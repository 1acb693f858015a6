// Which agent a COMMAND starts, by the name of its program; how each is started is loaded for the one that is.

import type { Bytes } from "../policy/bytes.ts";
import { baseOf } from "../policy/resolve.ts";
import type { AgentLaunch } from "./agents/agent.ts";

/** No prototype, so that `constructor` is no agent. */
const PROGRAMS: Readonly<Record<string, string>> = Object.assign(Object.create(null), {
	claude: "claude",
	codex: "codex",
	copilot: "copilot",
	"cursor-agent": "cursor",
	gemini: "gemini",
	opencode: "opencode",
});

/** The agent; undefined for any other program. */
export async function agentOf(word: Bytes): Promise<AgentLaunch | undefined> {
	const name = PROGRAMS[baseOf(word)];
	return name === undefined ? undefined : (await import("./agents/index.ts")).launches.get(name);
}
