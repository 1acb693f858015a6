// Linux through libc: appending, locking, and becoming another program. Numbers are of <fcntl.h>, <unistd.h> and getauxval(3).

import { ffi } from "#ffi";
import type { Bytes } from "../policy/bytes.ts";
import { restore } from "./inheritance.ts";
import { buffer, c, cstring, cstring2, drainWithin, errno, POLLOUT, seldom, stringAt, text, waits, zeroEnded } from "./libc.ts";
import {
	AT_EMPTY_PATH,
	AT_FDCWD,
	AT_SYMLINK_NOFOLLOW,
	fileId,
	identity,
	identityOf,
	kind,
	list,
	open,
	opened,
	read,
	readlink,
	real,
	stat,
} from "./linux-files.ts";
import { pointers } from "./memory.ts";
import { ENOEXEC, type System } from "./system.ts";

const O_WRONLY = 1;
const O_CREAT = 0o100;
const O_APPEND = 0o2000;
const O_NONBLOCK = 0o4000;
const O_NOFOLLOW = process.arch === "arm64" ? 0o100000 : 0o400000;
const O_CLOEXEC = 0o2000000;
const AT_EUID = 12;
const AT_RANDOM = 25;
const AT_EXECFN = 31;
const LOCK_EX_NB = 6;
const X_OK = 1;

function put(descriptor: number, line: Bytes): number {
	const bytes = zeroEnded(line);
	return c.write(descriptor, ffi.address(bytes), line.length);
}

function append(path: Bytes, line: Bytes): number {
	// No link and no waiting reader of a fifo can turn the record into something else.
	const flags = O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
	const descriptor = c.open(cstring(path), flags, 0o600);
	if (descriptor < 0) return -errno();
	const count = put(descriptor, line);
	const failed = count < 0 ? errno() : 0;
	// A full disk can cut a record; the newline keeps the next one whole.
	if (count > 0 && count < line.length) put(descriptor, "\n");
	const size = stat(descriptor, "", AT_EMPTY_PATH) ? identityOf().size : 0;
	c.close(descriptor);
	if (failed) return -failed;
	return count < line.length ? -28 : size;
}

function locked(path: Bytes, act: () => void): boolean {
	const descriptor = c.open(cstring(path), O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0);
	if (descriptor < 0) return false;
	let held = seldom().flock(descriptor, LOCK_EX_NB) === 0;
	if (held && stat(descriptor, "", AT_EMPTY_PATH)) {
		const id = fileId();
		held = stat(AT_FDCWD, path, AT_SYMLINK_NOFOLLOW) && fileId() === id;
		if (held) act();
	}
	c.close(descriptor);
	return held;
}

let split: Bytes[] | undefined;

/** This process's argv, taken apart when somebody wants to know it. */
function words(): Bytes[] {
	split ??= text("/proc/self/cmdline").split("\0").slice(0, -1);
	return split;
}

const addressAt = (at: number) => (ffi.int32At(at) >>> 0) + ffi.int32At(at + 4) * 4294967296;

/**
 * Where the kernel laid out argv: above argc, where the stack starts (proc(5), /proc/PID/stat, field 28). Handing on the very
 * same table is exact and costs nothing for a long argv. 0 when no table stands there that begins with the first word (field 48).
 */
function argvOnStack(): number {
	const status = text("/proc/self/stat");
	const fields = status.slice(status.lastIndexOf(")") + 2).split(" ");
	const start = Number(fields[28 - 3]);
	return start > 0 && addressAt(start + 8) === Number(fields[48 - 3]) ? start + 8 : 0;
}

/** The memory of the last table; it must live until the exec. */
let held: Uint8Array[] = [];

function tableOf(list: Bytes[]): number {
	held = list.map(zeroEnded);
	const table = pointers(held.map(ffi.address));
	held.push(new Uint8Array(table.buffer));
	return ffi.address(table);
}

function become(path: Bytes, skip: number, instead?: Bytes[], last?: () => boolean): number {
	const program = zeroEnded(path);
	const onStack = instead ? 0 : argvOnStack();
	const argv = onStack ? onStack + 8 * skip : tableOf(instead ?? words().slice(skip));
	restore();
	if (last?.() === false) return 0;
	c.execv(ffi.address(program), argv);
	const error = errno();
	if (error !== ENOEXEC) return error;
	// A script without `#!` runs under sh, as execvp(3) has it.
	c.execv(cstring("/bin/sh"), tableOf(["/bin/sh", path, ...(instead?.slice(1) ?? words().slice(skip + 1))]));
	return errno();
}

function passwdHome(uid: number): Bytes {
	// struct passwd: pw_name, pw_passwd, pw_uid and pw_gid, pw_gecos, pw_dir (getpwuid(3), LP64).
	const entry = seldom().getpwuid(uid);
	if (!entry) return "";
	const halves = new Uint32Array(ffi.bytesAt(entry, 40).slice().buffer);
	const address = (halves[8] as number) + (halves[9] as number) * 4294967296;
	return address ? stringAt(address) : "";
}

function write(descriptor: number, message: Bytes): void {
	for (let rest = message; rest.length > 0; ) {
		const count = put(descriptor, rest);
		if (count > 0) rest = rest.slice(count);
		else if (!waits(descriptor, POLLOUT)) return;
	}
}

export const linux: System = {
	platform: "linux",
	exact: true,
	get argv() {
		return words();
	},
	executed() {
		const at = c.getauxval(AT_EXECFN);
		return at ? stringAt(at) : "";
	},
	env(name) {
		const at = c.getenv(cstring(name));
		return at ? stringAt(at) : undefined;
	},
	setenv: (name, value) => void seldom().setenv(cstring(name), cstring2(value), 1),
	unsetenv: (name) => void seldom().unsetenv(cstring(name)),
	pid: () => process.pid,
	ppid: () => process.ppid,
	// The result is read as an address, and of 0, which is root here, FFI makes null.
	uid: () => c.getauxval(AT_EUID) || 0,
	// The kernel gives each executed program 16 random bytes; nothing else of this process's short life uses the last ten.
	random: () => ffi.bytesAt(c.getauxval(AT_RANDOM) + 6, 10),
	identity,
	open,
	executable: (path) => c.access(cstring(path), X_OK) === 0,
	passwdHome,
	append,
	locked,
	rename: (from, to) => seldom().rename(cstring(from), cstring2(to)) === 0,
	mkdir: (path, mode) => seldom().mkdir(cstring(path), mode) === 0,
	symlink: (text, path) => seldom().symlink(cstring(text), cstring2(path)) === 0,
	input(patience) {
		const length = drainWithin(0, patience);
		return length < 0 ? undefined : buffer.subarray(0, length);
	},
	write,
	become,
	real,
	readlink,
	kind,
	list,
	read,
	opened,
	mounts: () => text("/proc/self/mountinfo"),
};
