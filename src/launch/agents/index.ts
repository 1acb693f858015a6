// The agents whose start we know, by the names of their programs.

import type { Bytes } from "../../policy/bytes.ts";
import { baseOf } from "../../policy/resolve.ts";
import type { AgentLaunch } from "./agent.ts";

const ALL: readonly AgentLaunch[] = [];

const byProgram = new Map<string, AgentLaunch>();
for (const agent of ALL) for (const program of agent.programs) byProgram.set(program, agent);

/** The agent that a COMMAND starts; undefined for any other program. */
export const agentOf = (word: Bytes): AgentLaunch | undefined => byProgram.get(baseOf(word));
