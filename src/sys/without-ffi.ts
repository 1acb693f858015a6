// The system without FFI, for hosts that refuse executable memory: node:fs and process.execve, slower and with less fidelity.

import * as fs from "node:fs";
import { constants, type Dirent } from "node:fs";
import type { Bytes } from "../policy/bytes.ts";
import type { Kind, Openness } from "../policy/resolve.ts";
import { isStream } from "./mode.ts";
import { ENOEXEC, type Identity, type Opened, type System } from "./system.ts";

const toBuffer = (path: Bytes) => Buffer.from(path, "latin1");
const toBytes = (buffer: Buffer) => buffer.toString("latin1");
const O_PATH = 0o10000000;

/** The value of `act`, or undefined when the system call failed. */
function attempt<T>(act: () => T): T | undefined {
	try {
		return act();
	} catch {
		return undefined;
	}
}

/** Whether the system call succeeded. */
function succeeds(act: () => void): boolean {
	return (
		attempt(() => {
			act();
			return true;
		}) === true
	);
}

const errorOf = (error: unknown) => Math.abs((error as { errno?: number }).errno ?? 5);

function kindOf(entry: Dirent<Buffer> | fs.Stats | fs.BigIntStats): Kind {
	if (entry.isDirectory()) return "directory";
	if (entry.isSymbolicLink()) return "link";
	return entry.isFile() ? "file" : "other";
}

function identityOf(stats: fs.BigIntStats): Identity {
	const { dev, ino, uid, mode, size, mtimeMs } = stats;
	return { id: `${dev}:${ino}`, uid: Number(uid), mode: Number(mode), size: Number(size), mtime: Number(mtimeMs / 1000n) };
}

const statOf = (path: Bytes) => attempt(() => fs.statSync(toBuffer(path), { bigint: true }));
const lstatOf = (path: Bytes) => attempt(() => fs.lstatSync(toBuffer(path), { bigint: true }));
const readlink = (path: Bytes) => attempt(() => toBytes(fs.readlinkSync(toBuffer(path), "buffer")));
const content = (path: Bytes) => attempt(() => toBytes(fs.readFileSync(toBuffer(path)))) ?? "";

function real(path: Bytes, directory: boolean): Bytes | undefined {
	const flags = O_PATH | (directory ? constants.O_DIRECTORY : 0);
	const descriptor = attempt(() => fs.openSync(toBuffer(path), flags));
	if (descriptor === undefined) return undefined;
	const found = readlink(`/proc/self/fd/${descriptor}`) ?? "";
	const open = attempt(() => fs.fstatSync(descriptor, { bigint: true }));
	fs.closeSync(descriptor);
	if (!found.startsWith("/")) return found;
	const there = lstatOf(found);
	if (open && there && there.dev === open.dev && there.ino === open.ino) return found;
	return open?.nlink === 0n && found.endsWith(" (deleted)") ? found.slice(0, -" (deleted)".length) : "";
}

function opened(descriptor: number): Openness | undefined {
	const stats = attempt(() => fs.fstatSync(descriptor));
	if (stats === undefined) return undefined;
	if (isStream(stats.mode, stats.nlink)) return "stream";
	const flags = /^flags:\s*([0-7]+)/m.exec(content(`/proc/self/fdinfo/${descriptor}`))?.[1] ?? "0";
	return (Number.parseInt(flags, 8) & 3) === constants.O_RDONLY ? "readable" : "writable";
}

function open(path: Bytes): Opened | number {
	try {
		const descriptor = fs.openSync(toBuffer(path), constants.O_RDONLY | constants.O_NONBLOCK);
		try {
			const stats = fs.fstatSync(descriptor, { bigint: true });
			return { ...identityOf(stats), content: toBytes(fs.readFileSync(descriptor)) };
		} finally {
			fs.closeSync(descriptor);
		}
	} catch (error) {
		return errorOf(error);
	}
}

function append(path: Bytes, line: Bytes): number {
	try {
		const { O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK } = constants;
		const descriptor = fs.openSync(toBuffer(path), O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0o600);
		try {
			const bytes = toBuffer(line);
			const count = fs.writeSync(descriptor, bytes);
			if (count > 0 && count < bytes.length) attempt(() => fs.writeSync(descriptor, "\n"));
			return count < bytes.length ? -28 : fs.fstatSync(descriptor).size;
		} finally {
			fs.closeSync(descriptor);
		}
	} catch (error) {
		return -errorOf(error);
	}
}

const argv = content("/proc/self/cmdline").split("\0").slice(0, -1);

/** The home directory of a user in /etc/passwd (passwd(5)); users of other databases have none here. */
function passwdHome(uid: number): Bytes {
	for (const line of content("/etc/passwd").split("\n")) {
		const fields = line.split(":");
		if (fields[2] === String(uid)) return fields[5] ?? "";
	}
	return "";
}

/** The environment as the kernel handed it over, first entry of a name first. */
const environment = content("/proc/self/environ").split("\0");

function env(name: string): Bytes | undefined {
	return environment.find((entry) => entry.startsWith(`${name}=`))?.slice(name.length + 1);
}

/** AT_EXECFN out of the auxiliary vector (proc(5), /proc/PID/auxv) is an address here; the shell's `_` is the nearest word. */
function executed(): Bytes {
	const said = argv[0] ?? "";
	if (said.includes("/")) return said;
	const shell = env("_") ?? "";
	if (shell.startsWith("/") && shell.endsWith(`/${said}`)) return shell;
	const self = identity("/proc/self/exe")?.id;
	for (const directory of (env("PATH") ?? "").split(":")) {
		const path = `${directory}/${said}`;
		if (directory !== "" && identity(path)?.id === self) return path;
	}
	return said;
}

function identity(path: Bytes): Identity | undefined {
	const stats = statOf(path);
	return stats && identityOf(stats);
}

type Execve = (path: string, argv: string[], env: Record<string, string | undefined>) => never;

function become(path: Bytes, skip: number, instead?: Bytes[], last?: () => boolean): number {
	// process.execve takes text: a name that is not UTF-8 would reach the tool as another name.
	const words = instead ?? argv.slice(skip);
	const decoder = new TextDecoder("utf-8", { fatal: true });
	const decoded = attempt(() => words.map((word) => decoder.decode(toBuffer(word))));
	if (decoded === undefined) {
		write(2, "tmx: this system refuses executable memory, and without it a name that is not UTF-8 cannot be handed on\n");
		return ENOEXEC;
	}
	if (last?.() === false) return 0;
	try {
		(process as unknown as { execve: Execve }).execve(path, decoded, process.env);
	} catch (error) {
		return errorOf(error);
	}
	return ENOEXEC;
}

function write(descriptor: number, text: Bytes): void {
	let rest = toBuffer(text);
	while (rest.length > 0) {
		const count = attempt(() => fs.writeSync(descriptor, rest));
		if (count === undefined) return;
		rest = rest.subarray(count);
	}
}

export const withoutFfi: System = {
	platform: process.platform === "darwin" ? "darwin" : "linux",
	exact: false,
	argv,
	executed,
	env,
	setenv: (name, value) => {
		process.env[name] = value;
	},
	unsetenv: (name) => {
		delete process.env[name];
	},
	pid: () => process.pid,
	ppid: () => process.ppid,
	uid: () => process.geteuid?.() ?? -1,
	random: () => crypto.getRandomValues(new Uint8Array(10)),
	identity,
	open,
	executable: (path) => succeeds(() => fs.accessSync(toBuffer(path), constants.X_OK)),
	passwdHome,
	append,
	// Without flock(2) nothing is rotated; the next call of a process that has it does.
	locked: () => false,
	rename: (from, to) => succeeds(() => fs.renameSync(toBuffer(from), toBuffer(to))),
	mkdir: (path, mode) => succeeds(() => fs.mkdirSync(toBuffer(path), mode)),
	symlink: (text, path) => succeeds(() => fs.symlinkSync(toBuffer(text), toBuffer(path))),
	// Nothing here waits for so long and no longer.
	input: () => attempt(() => fs.readFileSync(0)),
	write,
	become,
	real,
	readlink,
	kind: (path, follow) => {
		const stats = follow ? statOf(path) : lstatOf(path);
		return stats && kindOf(stats);
	},
	list: (path) =>
		attempt(() => {
			return fs.readdirSync(toBuffer(path), { withFileTypes: true, encoding: "buffer" }).map((entry) => {
				return { name: toBytes(entry.name), kind: kindOf(entry) };
			});
		}),
	read: (path, limit) => {
		const stats = statOf(path);
		return stats?.isFile() && stats.size <= limit ? content(path) : undefined;
	},
	opened,
	mounts: () => content("/proc/self/mountinfo"),
};
