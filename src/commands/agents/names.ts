// The agents that a command line names.

import { didYouMean } from "../../guardfile/nearest.ts";
import { fromText, quote } from "../../policy/bytes.ts";
import { type Registration, registrations } from "../../registration/agents.ts";

/** The names of all agents, in words. */
export const AGENTS: string = [...registrations.keys()].join(", ");

/** What a shell proposes where an agent is named. */
export const agentChoices = (): readonly string[] => [...registrations.keys()];

/** The agents of `--agent`, which may be given several times (then they come joined by commas), or what is wrong. */
export function namedAgents(given: string): Registration[] | { wrong: string } {
	const found = new Map<string, Registration>();
	for (const name of given.split(",")) {
		const row = registrations.get(name);
		if (row === undefined) {
			return { wrong: `no agent is called ${quote(fromText(name))}${didYouMean(name, registrations.keys())}; known are ${AGENTS}` };
		}
		found.set(name, row);
	}
	return [...found.values()];
}
