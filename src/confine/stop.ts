// Ending a scope: TERM to what is in it, then the kernel's kill of the whole cgroup; asked again right before each step.

import { spawnSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { killable, killableProcess } from "./killable.ts";
import type { Manager } from "./manager.ts";
import { isEmpty, pidsIn } from "./scopes.ts";

const LOOK_MS = 20;
/** How long an empty scope may take to be gone, and the kernel to have killed. */
const PATIENCE_MS = 2000;

/** How a scope ended. */
export type Ended = "ended" | "killed" | "emptied" | "gone" | { no: string } | { failed: string };

/** What is read anew each time: it may have ended, and another may have its name. */
function directoryOf(unit: string, manager: Manager): string | { no: string } {
	const path = `${manager.path}/agent.slice/${unit}`;
	const answer = killable(unit, path, manager);
	return "no" in answer ? answer : `${manager.mount}${path}`;
}

/** Signal the processes of a scope, each only while it is still in it. */
function signal(directory: string, unit: string, manager: Manager, name: "SIGTERM" | "SIGKILL"): void {
	for (const pid of pidsIn(directory)) {
		const answer = killableProcess(pid, manager);
		if (!("unit" in answer) || answer.unit !== unit) continue;
		try {
			process.kill(pid, name);
		} catch {
			// It ended meanwhile.
		}
	}
}

async function emptyWithin(directory: string, milliseconds: number): Promise<boolean> {
	for (const end = Date.now() + milliseconds; !isEmpty(directory); await setTimeout(LOOK_MS)) if (Date.now() >= end) return false;
	return true;
}

/** cgroup.kill (cgroups v2, Linux 5.14) takes all at once, also what is being forked; before it there is one signal a process. */
async function kill(directory: string, unit: string, manager: Manager): Promise<boolean> {
	for (const end = Date.now() + PATIENCE_MS; Date.now() < end; ) {
		try {
			writeFileSync(`${directory}/cgroup.kill`, "1");
		} catch {
			signal(directory, unit, manager, "SIGKILL");
		}
		if (await emptyWithin(directory, 10 * LOOK_MS)) return true;
	}
	return false;
}

/** The manager lets go of a scope that never held anybody only when it is told to. */
export function dropEmpty(unit: string, manager: Manager): Ended {
	const directory = directoryOf(unit, manager);
	if (typeof directory === "object") return directory;
	if (!existsSync(directory)) return "gone";
	if (!isEmpty(directory)) return { no: "it is not empty" };
	const stop = spawnSync("systemctl", ["--user", "--no-ask-password", "stop", unit], { timeout: 5000, encoding: "utf8" });
	return stop.status === 0 || !existsSync(directory) ? "emptied" : { failed: stop.stderr.trim() || "the manager does not answer" };
}

/**
 * End a scope.
 * @param grace milliseconds between TERM and the kill
 */
export async function stopScope(unit: string, manager: Manager, grace: number): Promise<Ended> {
	const directory = directoryOf(unit, manager);
	if (typeof directory === "object") return directory;
	if (!existsSync(directory)) return "gone";
	if (isEmpty(directory)) return dropEmpty(unit, manager);
	signal(directory, unit, manager, "SIGTERM");
	if (await emptyWithin(directory, grace)) return "ended";
	return (await kill(directory, unit, manager)) ? "killed" : { failed: "some of its processes cannot be killed" };
}
