// The agents whose start we know, by name.

import type { AgentLaunch } from "./agent.ts";
import { claude } from "./claude.ts";
import { codex } from "./codex.ts";
import { copilot } from "./copilot.ts";
import { cursor } from "./cursor.ts";
import { gemini } from "./gemini.ts";
import { opencode } from "./opencode.ts";

const ALL: readonly AgentLaunch[] = [claude, codex, copilot, cursor, gemini, opencode];

const byName = new Map<string, AgentLaunch>();
for (const agent of ALL) byName.set(agent.name, agent);

/** Every agent whose start we know, by name. */
export const launches: ReadonlyMap<string, AgentLaunch> = byName;
