// What the kernel says of a process, as far as a list of scopes shows it (proc(5)).

import { textOf } from "./manager.ts";

/** Clock ticks in a second: USER_HZ, which is 100 on each machine that Linux runs programs of today on. */
const HZ = 100;

/** Seconds since the boot. */
export function uptime(): number {
	return Number(textOf("/proc/uptime")?.split(" ")[0] ?? 0);
}

/** When a process began, in seconds since the boot; undefined when it is gone. */
export function startOf(pid: number): number | undefined {
	const text = textOf(`/proc/${pid}/stat`);
	// The name may hold spaces and parentheses, so the fields are counted from its end: starttime is the 22nd.
	const field = text?.slice(text.lastIndexOf(")") + 2).split(" ")[19];
	return field === undefined ? undefined : Number(field) / HZ;
}

/** The command line, its words with spaces between; the name in brackets when there is none. */
export function commandOf(pid: number): string | undefined {
	const line = textOf(`/proc/${pid}/cmdline`);
	if (line === undefined) return undefined;
	const words = line.replace(/\0+$/, "").replaceAll("\0", " ");
	return words || `[${textOf(`/proc/${pid}/comm`)?.trim() ?? ""}]`;
}

/** Resident bytes: an upper bound, since pages that are shared count for each. */
export function residentOf(pid: number): number {
	return Number(/^VmRSS:\s+(\d+) kB$/m.exec(textOf(`/proc/${pid}/status`) ?? "")?.[1] ?? 0) * 1024;
}

export function threadsOf(pid: number): number {
	return Number(/^Threads:\s+(\d+)$/m.exec(textOf(`/proc/${pid}/status`) ?? "")?.[1] ?? 0);
}
