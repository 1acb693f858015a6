// The box that a worker runs in: its own mounts, processes and network, the system read-only, and two file systems in memory to spoil.

import * as fs from "node:fs";

/** Directories that the box has of its own. */
const OWN = ["dev", "proc", "tmp", "fz", "fx", "trace", "shim"];

/** The system's top level, read-only; its links as links. */
function system(): string[] {
	return fs.readdirSync("/").flatMap((name) => {
		const path = `/${name}`;
		const stats = fs.lstatSync(path);
		if (OWN.includes(name)) return [];
		if (stats.isSymbolicLink()) return ["--symlink", fs.readlinkSync(path), path];
		return stats.isDirectory() ? ["--ro-bind", path, path] : [];
	});
}

/**
 * Makes the device nodes read-only and runs the rest. They are the machine's own, and a chmod in the box would change them
 * for everybody; bwrap's own --remount-ro would make them unusable (nodev).
 */
const GUARD_NODES = 'for node in null zero full random urandom tty; do mount -o remount,bind,ro "/dev/$node" || exit 70; done; exec "$@"';

/** The words of bwrap for a command in a box. `project` and `shim` are made visible wherever they lie. */
export function boxed(project: string, shim: string, runtime: string, command: string[]): string[] {
	const alone = ["--unshare-user", "--uid", "0", "--gid", "0", "--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts"];
	const scratch = ["/fz", "/fx", "/trace"].flatMap((path) => ["--tmpfs", path]);
	return [
		"bwrap",
		...alone,
		"--cap-add",
		"ALL",
		"--die-with-parent",
		...system(),
		...["--dev", "/dev", "--remount-ro", "/dev", "--proc", "/proc", "--tmpfs", "/tmp"],
		...["--ro-bind", project, project, "--ro-bind", runtime, runtime, "--ro-bind", shim, "/shim"],
		...scratch,
		...["--remount-ro", "/", "--chdir", "/", "--"],
		...["sh", "-c", GUARD_NODES, "sh", ...command],
	];
}

/** What is missing for a box, in words; undefined when all is there. */
export function whyNoBox(): string | undefined {
	for (const tool of ["bwrap", "strace"]) {
		if (Bun.which(tool) === null) return `${tool} is not installed (Debian: apt-get install bubblewrap strace)`;
	}
	const { exitCode, stderr } = Bun.spawnSync(["bwrap", "--unshare-user", "--ro-bind", "/", "/", "--proc", "/proc", "true"], {
		stderr: "pipe",
	});
	return exitCode === 0 ? undefined : `bwrap cannot make a box here: ${stderr}`;
}
