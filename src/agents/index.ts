// The agents whose hooks we speak, by name.

import type { Agent } from "./agent.ts";
import { claude } from "./claude.ts";
import { codex } from "./codex.ts";
import { copilot } from "./copilot.ts";
import { cursor } from "./cursor.ts";
import { gemini } from "./gemini.ts";
import { opencode } from "./opencode.ts";

const ALL: readonly Agent[] = [claude, codex, gemini, copilot, cursor, opencode];

const byName = new Map<string, Agent>();
for (const agent of ALL) byName.set(agent.name, agent);

/** Every agent, by name. */
export const agents: ReadonlyMap<string, Agent> = byName;
