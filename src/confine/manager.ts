// Where the user's service manager stands in the cgroup tree; found without asking it, since it may be what hangs.

import { readFileSync } from "node:fs";

/** A cgroup2 mount, and the manager's cgroup below it. */
export interface Manager {
	/** Where cgroup2 is mounted. */
	mount: string;
	/** The manager's own cgroup, such as `/user.slice/user-1000.slice/user@1000.service`. */
	path: string;
}

/** A unified machine mounts cgroup2 at the first, a hybrid one at the second (cgroups(7)). */
const MOUNTS = ["/sys/fs/cgroup", "/sys/fs/cgroup/unified"] as const;

/** The text of a small file; undefined when it cannot be read. */
export function textOf(path: string): string | undefined {
	try {
		return readFileSync(path, "utf8");
	} catch {
		return undefined;
	}
}

/** The cgroup of a process; undefined when it is gone, when only cgroup v1 is there, or when its cgroup was removed. */
export function cgroupOf(pid: number | "self"): string | undefined {
	const line = textOf(`/proc/${pid}/cgroup`)
		?.split("\n")
		.find((text) => text.startsWith("0::/"));
	return line === undefined || line.endsWith(" (deleted)") ? undefined : line.slice(3);
}

/** Whether a manager of this pid namespace stands at a path: a process of another one reads as 0 (cgroups(7)). */
function isManager(mount: string, path: string): boolean {
	const pids = textOf(`${mount}${path}/init.scope/cgroup.procs`)?.trim().split("\n");
	return pids?.every((pid) => /^[1-9]\d*$/.test(pid)) ?? false;
}

/** The paths to look at, from the own cgroup upwards, then where systemd puts a user's manager. */
function candidates(own: string, uid: number): string[] {
	const paths: string[] = [];
	for (let at = own; at !== ""; at = at.slice(0, at.lastIndexOf("/"))) paths.push(`${at}/user@${uid}.service`, at);
	return [...paths, `/user.slice/user-${uid}.slice/user@${uid}.service`];
}

/** The manager of a user; undefined where there is none, or where we stand in a sandbox with processes of its own. */
export function managerOf(uid: number, own = cgroupOf("self")): Manager | undefined {
	if (own === undefined || own.startsWith("/..")) return undefined;
	for (const mount of MOUNTS) {
		const path = candidates(own === "/" ? "" : own, uid).find((at) => isManager(mount, at));
		if (path !== undefined) return { mount, path };
	}
	return undefined;
}
