// What /proc says of processes: which one it is beyond its number, whom it descends from, on which terminal it is.

import type { Bytes } from "../policy/bytes.ts";
import type { System } from "../sys/system.ts";

/** One process. The number alone may be another's by now; with the time of its start it is this one's (proc(5), /proc/PID/stat, field 22). */
export interface Process {
	pid: number;
	/** Ticks since the boot. */
	start: string;
	parent: number;
	/** The controlling terminal as a device number, 0 without one (field 7). */
	terminal: number;
}

/** What is known of a process that runs; undefined when there is none of that number, or only its remains. */
export function processOf(system: System, pid: number): Process | undefined {
	const file = system.open(`/proc/${pid}/stat`);
	if (typeof file === "number") return undefined;
	// The command's name stands in parentheses and may hold some itself.
	const fields = file.content.slice(file.content.lastIndexOf(")") + 2).split(" ");
	const [state, parent = "0", , , terminal = "0"] = fields;
	const start = fields[22 - 3];
	if (start === undefined || state === "Z" || state === "X") return undefined;
	return { pid, start, parent: Number(parent), terminal: Number(terminal) };
}

/** More generations than any person's shell has. */
const GENERATIONS = 64;

/** This process and those that it descends from, nearest first. */
export function lineage(system: System): Process[] {
	const found: Process[] = [];
	for (let pid = system.pid(); pid > 0 && found.length < GENERATIONS; ) {
		const process = processOf(system, pid);
		if (process === undefined) break;
		found.push(process);
		pid = process.parent;
	}
	return found;
}

/** The environment that a process was started with, each entry ended by NUL; "" when it is not ours to read. */
export function environOf(system: System, pid: number): Bytes {
	const file = system.open(`/proc/${pid}/environ`);
	return typeof file === "number" ? "" : file.content;
}

/** The numbers of all processes that can be seen from here. */
export function pids(system: System): number[] {
	const names = system.list("/proc") ?? [];
	return names.map(({ name }) => Number(name)).filter((pid) => Number.isInteger(pid) && pid > 0);
}

/** What a process number means only within: this boot of the machine, and this pid namespace (pid_namespaces(7)). */
export function hereOf(system: System): Bytes {
	const boot = system.open("/proc/sys/kernel/random/boot_id");
	return `${typeof boot === "number" ? "" : boot.content.trim()} ${system.readlink("/proc/self/ns/pid") ?? ""}`;
}
