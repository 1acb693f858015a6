// Whether this process runs within a session, asked in ways that a child cannot unsay by changing its environment.

import { type Bytes, toText } from "../policy/bytes.ts";
import type { System } from "../sys/system.ts";
import { environOf, lineage } from "./processes.ts";
import { allSessions, type Found, isLed, readSession } from "./record.ts";

/** The variable that leads whoever asks to the session's directory. */
export const SESSION_VARIABLE = "TMX_SESSION";

/** The session's directory that an environment names, "" when none. */
function namedIn(environ: Bytes): Bytes {
	const entry = environ.split("\0").find((one) => one.startsWith(`${SESSION_VARIABLE}=/`));
	return entry?.slice(SESSION_VARIABLE.length + 1) ?? "";
}

/**
 * The sessions around this process, the innermost first: those that it or one of its ancestors became or was started in. A child
 * that cleans or changes its own environment has ancestors that did not.
 */
export function sessionsAround(system: System): Found[] {
	const ancestors = lineage(system);
	const known = allSessions(system, new Set(ancestors.map(({ pid }) => pid)));
	const found: Found[] = [];
	const add = (one: Found | undefined) => {
		if (one && !found.some(({ directory }) => directory === one.directory)) found.push(one);
	};
	const named = (directory: Bytes) => {
		const session = directory === "" ? undefined : readSession(system, directory);
		add(session && { directory, session });
	};
	for (const { pid, start } of ancestors) {
		add(known.find(({ session }) => session.pid === pid && session.start === start && isLed(system, session)));
		named(namedIn(environOf(system, pid)));
	}
	named(system.env(SESSION_VARIABLE) ?? "");
	return found;
}

/** Whether this process is in the scope of a tool shell (shims/tool-confine.sh), so that an agent started it. */
export function isInToolScope(system: System): boolean {
	const file = system.open("/proc/self/cgroup");
	return typeof file === "object" && /\/confine-agent-[^/\n]*\.scope/.test(toText(file.content));
}
