// The tool shells' scopes as they are now, read from the kernel's files alone.

import { readdirSync, statSync } from "node:fs";
import { killable } from "./killable.ts";
import { type Manager, textOf } from "./manager.ts";
import { commandOf, residentOf, startOf, threadsOf, uptime } from "./processes.ts";

/** One scope. */
export interface Scope {
	unit: string;
	/** The directory of its cgroup. */
	directory: string;
	/** The pid of the shell that it was made for, and whether that one has ended or left. */
	shell: number;
	shellGone: boolean;
	/** Processes, and tasks with the threads. */
	pids: number[];
	tasks: number;
	/** Bytes; the sum of what is resident where no controller counts them. */
	memory: number;
	/** Seconds. */
	cpu: number;
	age: number;
	/** The command line of the shell, or of the oldest process. */
	command: string;
	/** What the kernel enforces; undefined where it does not, or nothing is set. */
	tasksMax: number | undefined;
	memoryMax: number | undefined;
}

const numberIn = (path: string): number | undefined => {
	const text = textOf(path)?.trim();
	return text !== undefined && /^\d+$/.test(text) ? Number(text) : undefined;
};

/** The processes in a cgroup and below it. */
export function pidsIn(directory: string): number[] {
	const own = textOf(`${directory}/cgroup.procs`)?.split("\n") ?? [];
	return [...own.filter((line) => line !== "").map(Number), ...below(directory).flatMap(pidsIn)];
}

function below(directory: string): string[] {
	try {
		const entries = readdirSync(directory, { withFileTypes: true });
		return entries.filter((entry) => entry.isDirectory()).map(({ name }) => `${directory}/${name}`);
	} catch {
		return [];
	}
}

/** Whether a cgroup holds no process, also not below it; true as well when it is gone. */
export function isEmpty(directory: string): boolean {
	return !textOf(`${directory}/cgroup.events`)?.includes("populated 1");
}

function ageOf(directory: string, pids: number[]): number {
	const starts = pids.map(startOf).filter((start) => start !== undefined);
	if (starts.length > 0) return Math.max(0, uptime() - Math.min(...starts));
	const made = statSync(directory, { throwIfNoEntry: false })?.mtimeMs;
	return made === undefined ? 0 : Math.max(0, (Date.now() - made) / 1000);
}

function scopeOf(directory: string, unit: string, shell: number): Scope {
	const pids = pidsIn(directory);
	const oldest = pids.includes(shell) ? shell : pids[0];
	const usage = /^usage_usec (\d+)$/m.exec(textOf(`${directory}/cpu.stat`) ?? "")?.[1];
	return {
		unit,
		directory,
		shell,
		shellGone: !pids.includes(shell),
		pids,
		tasks: numberIn(`${directory}/pids.current`) ?? pids.reduce((sum, pid) => sum + threadsOf(pid), 0),
		memory: numberIn(`${directory}/memory.current`) ?? pids.reduce((sum, pid) => sum + residentOf(pid), 0),
		cpu: Number(usage ?? 0) / 1e6,
		age: ageOf(directory, pids),
		command: (oldest === undefined ? undefined : commandOf(oldest)) ?? "",
		tasksMax: numberIn(`${directory}/pids.max`),
		memoryMax: numberIn(`${directory}/memory.max`),
	};
}

/** The scopes of tool shells, the oldest first. */
export function scopesOf(manager: Manager): Scope[] {
	const slice = `${manager.mount}${manager.path}/agent.slice`;
	const scopes: Scope[] = [];
	for (const directory of below(slice)) {
		const unit = directory.slice(slice.length + 1);
		const answer = killable(unit, `${manager.path}/agent.slice/${unit}`, manager);
		if ("unit" in answer) scopes.push(scopeOf(directory, unit, answer.shell));
	}
	return scopes.sort((a, b) => b.age - a.age);
}
