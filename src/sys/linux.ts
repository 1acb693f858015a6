// Linux through libc: the one dlopen, and each call named as the kernel names it. Numbers are of <fcntl.h>, <linux/stat.h> and proc(5).

import { ffi } from "#ffi";
import type { Bytes } from "../policy/bytes.ts";
import type { Kind } from "../policy/resolve.ts";
import type { Signatures, Symbols } from "./ffi.ts";
import { restore } from "./inheritance.ts";
import { latin1, pointers } from "./memory.ts";
import { kindOf } from "./mode.ts";
import { ENOEXEC, type Identity, type Opened, type System } from "./system.ts";

const arm = process.arch === "arm64";
const O_WRONLY = 1;
const O_CREAT = 0o100;
const O_APPEND = 0o2000;
const O_NONBLOCK = 0o4000;
const O_DIRECTORY = arm ? 0o40000 : 0o200000;
const O_NOFOLLOW = arm ? 0o100000 : 0o400000;
const O_CLOEXEC = 0o2000000;
const O_PATH = 0o10000000;
const AT_FDCWD = -100;
const AT_SYMLINK_NOFOLLOW = 0x100;
const AT_NO_AUTOMOUNT = 0x800;
const AT_EMPTY_PATH = 0x1000;
const STATX_BASIC = 0x7ff;
const AT_RANDOM = 25;
const AT_EXECFN = 31;
const LOCK_EX_NB = 6;
const SEEK_CUR = 1;
const X_OK = 1;

/** glibc, else musl, whose library is named after the machine. */
function bind<const Table extends Signatures>(table: Table): Symbols<Table> {
	try {
		return ffi.open("libc.so.6", table);
	} catch {
		return ffi.open(`libc.musl-${arm ? "aarch64" : "x86_64"}.so.1`, table);
	}
}

const c = bind({
	open: [["ptr", "i32", "i32"], "i32"],
	close: [["i32"], "i32"],
	read: [["i32", "ptr", "i64_fast"], "i64_fast"],
	write: [["i32", "ptr", "i64_fast"], "i64_fast"],
	readlink: [["ptr", "ptr", "i64_fast"], "i64_fast"],
	statx: [["i32", "ptr", "i32", "i32", "ptr"], "i32"],
	access: [["ptr", "i32"], "i32"],
	getdents64: [["i32", "ptr", "i64_fast"], "i64_fast"],
	fcntl: [["i32", "i32", "i32"], "i32"],
	signal: [["i32", "ptr"], "ptr"],
	prlimit: [["i32", "i32", "ptr", "ptr"], "i32"],
	getppid: [[], "i32"],
	geteuid: [[], "i32"],
	getauxval: [["i64_fast"], "ptr"],
	getenv: [["ptr"], "ptr"],
	strlen: [["ptr"], "i64_fast"],
	__errno_location: [[], "ptr"],
	lseek: [["i32", "i64_fast", "i32"], "i64_fast"],
	execv: [["ptr", "ptr"], "i32"],
});

/** Functions that few calls need, bound when one does. */
const bindRare = () =>
	bind({
		poll: [["ptr", "i64_fast", "i32"], "i32"],
		flock: [["i32", "i32"], "i32"],
		rename: [["ptr", "ptr"], "i32"],
		mkdir: [["ptr", "i32"], "i32"],
		setenv: [["ptr", "ptr", "i32"], "i32"],
		unsetenv: [["ptr"], "i32"],
		getpwuid: [["i32"], "ptr"],
	});
let rare: ReturnType<typeof bindRare> | undefined;
const seldom = () => {
	rare ??= bindRare();
	return rare;
};

const errno = () => ffi.int32At(c.__errno_location());

/** Two path arguments at a time is the most that a call takes; each has its own buffer, longer ones get a new one. */
const PATH_BUFFER = 4200;
const first = new Uint8Array(PATH_BUFFER);
const second = new Uint8Array(PATH_BUFFER);
const firstAt = ffi.address(first);
const secondAt = ffi.address(second);
let long: Uint8Array;

function fill(buffer: Uint8Array, text: Bytes): void {
	const length = text.length;
	for (let k = 0; k < length; k++) buffer[k] = text.charCodeAt(k);
	buffer[length] = 0;
}

/** A C string of `text`, valid until the next one in the same buffer. */
function cstring(text: Bytes): number {
	if (text.length < PATH_BUFFER) {
		fill(first, text);
		return firstAt;
	}
	long = new Uint8Array(text.length + 1);
	fill(long, text);
	return ffi.address(long);
}

function cstring2(text: Bytes): number {
	const fits = text.length < PATH_BUFFER;
	const buffer = fits ? second : new Uint8Array(text.length + 1);
	fill(buffer, text);
	if (!fits) long = buffer;
	return fits ? secondAt : ffi.address(buffer);
}

function stringAt(address: number): Bytes {
	const length = c.strlen(address);
	return length === 0 ? "" : latin1(ffi.bytesAt(address, length), 0, length);
}

let buffer = new Uint8Array(16384);
let bufferAt = ffi.address(buffer);

/** Read a descriptor to its end into `buffer`; the number of bytes, or -1. Waits where the descriptor does not block. */
function drain(descriptor: number, limit = 1 << 30): number {
	let length = 0;
	for (;;) {
		if (length === buffer.length) grow();
		const count = c.read(descriptor, bufferAt + length, buffer.length - length);
		if (count > 0) length += count;
		else if (count === 0 || length > limit) return length;
		else if (!waits(descriptor)) return -1;
	}
}

function grow(): void {
	const larger = new Uint8Array(buffer.length * 4);
	larger.set(buffer);
	buffer = larger;
	bufferAt = ffi.address(buffer);
}

const EINTR = 4;
const EAGAIN = 11;
const POLLIN = 1;

function waits(descriptor: number): boolean {
	const error = errno();
	if (error === EINTR) return true;
	if (error !== EAGAIN) return false;
	const wish = new Int32Array([descriptor, POLLIN]);
	seldom().poll(ffi.address(wish), 1, -1);
	return true;
}

function slurp(path: Bytes): number {
	const descriptor = c.open(cstring(path), O_CLOEXEC, 0);
	if (descriptor < 0) return -1;
	const length = drain(descriptor);
	c.close(descriptor);
	return length;
}

/** The whole text of a /proc file, "" when it cannot be read. */
function text(path: Bytes): Bytes {
	const length = slurp(path);
	return length > 0 ? latin1(buffer, 0, length) : "";
}

/** struct statx as 32-bit words. Taken as words from the start: a view made later of a small array would move its memory. */
const words = new Uint32Array(64);
const statusAt = ffi.address(words);

/** statx(2) into `words`: whether it succeeded. */
function stat(descriptor: number, path: Bytes, flags: number): boolean {
	return c.statx(descriptor, cstring(path), flags | AT_NO_AUTOMOUNT, STATX_BASIC, statusAt) === 0;
}

const fileMode = () => (words[7] as number) & 0xffff;
const fileId = () => `${words[34]}:${words[35]}:${words[9]}:${words[8]}`;

function identityOf(): Identity {
	return {
		id: fileId(),
		uid: words[5] as number,
		mode: fileMode(),
		size: (words[10] as number) + (words[11] as number) * 4294967296,
		mtime: words[28] as number,
	};
}

function readlink(path: Bytes): Bytes | undefined {
	const length = c.readlink(cstring(path), bufferAt, buffer.length);
	return length < 0 ? undefined : latin1(buffer, 0, length);
}

/** The kernel writes this behind the path of a file that has no name any more (proc(5), /proc/PID/fd). */
const DELETED = " (deleted)";

function real(path: Bytes, directory: boolean): Bytes | undefined {
	const flags = O_PATH | O_CLOEXEC | (directory ? O_DIRECTORY : 0);
	const descriptor = c.open(cstring(path), flags, 0);
	if (descriptor < 0) return undefined;
	const name = readlink(`/proc/self/fd/${descriptor}`);
	let found = name ?? "";
	// A path of another mount namespace reads like one of ours: only the same file under that name is proof.
	if (found.charCodeAt(0) === 47 && stat(descriptor, "", AT_EMPTY_PATH)) {
		const id = fileId();
		const same = stat(AT_FDCWD, found, AT_SYMLINK_NOFOLLOW) && fileId() === id;
		if (!same) found = found.endsWith(DELETED) ? found.slice(0, -DELETED.length) : "";
	}
	c.close(descriptor);
	return found;
}

const DIRENT_KINDS: Record<number, Kind> = { 4: "directory", 8: "file", 10: "link" };

function list(path: Bytes): { name: Bytes; kind: Kind | undefined }[] | undefined {
	const descriptor = c.open(cstring(path), O_CLOEXEC | O_DIRECTORY | O_NONBLOCK, 0);
	if (descriptor < 0) return undefined;
	const found: { name: Bytes; kind: Kind | undefined }[] = [];
	const entries = new Uint8Array(32768);
	const entriesAt = ffi.address(entries);
	for (;;) {
		const length = c.getdents64(descriptor, entriesAt, entries.length);
		if (length <= 0) break;
		for (let at = 0; at < length; at += (entries[at + 16] as number) + 256 * (entries[at + 17] as number)) {
			const end = entries.indexOf(0, at + 19);
			const name = latin1(entries, at + 19, end);
			const type = entries[at + 18] as number;
			if (name !== "." && name !== "..") found.push({ name, kind: type === 0 ? undefined : (DIRENT_KINDS[type] ?? "other") });
		}
	}
	c.close(descriptor);
	return found;
}

function open(path: Bytes): Opened | number {
	const descriptor = c.open(cstring(path), O_CLOEXEC | O_NONBLOCK, 0);
	if (descriptor < 0) return errno();
	const length = stat(descriptor, "", AT_EMPTY_PATH) ? drain(descriptor) : -1;
	const failed = length < 0 ? errno() : 0;
	c.close(descriptor);
	return length < 0 ? failed : { ...identityOf(), content: latin1(buffer, 0, length) };
}

function read(path: Bytes, limit: number): Bytes | undefined {
	if (!stat(AT_FDCWD, path, 0) || kindOf(fileMode()) !== "file" || identityOf().size > limit) return undefined;
	const length = slurp(path);
	return length < 0 ? undefined : latin1(buffer, 0, length);
}

function put(descriptor: number, line: Bytes): number {
	const bytes = new Uint8Array(line.length + 1);
	fill(bytes, line);
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
	const size = c.lseek(descriptor, 0, SEEK_CUR);
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

const commandLine = slurp("/proc/self/cmdline");
const command = buffer.slice(0, Math.max(0, commandLine));
const argv: Bytes[] = command.length === 0 ? [] : latin1(command, 0, command.length - 1).split("\0");

function become(path: Bytes, skip: number): number {
	const name = new Uint8Array(path.length + 1);
	fill(name, path);
	const addresses: number[] = [];
	let at = ffi.address(command);
	for (let k = 0; k < argv.length; k++) {
		if (k >= skip) addresses.push(at);
		at += (argv[k] as Bytes).length + 1;
	}
	const table = pointers(addresses);
	restore({ c, text, readlink, address: ffi.address });
	c.execv(ffi.address(name), ffi.address(table));
	const error = errno();
	if (error !== ENOEXEC) return error;
	// A script without `#!` runs under sh, as execvp(3) has it.
	const shell = new Uint8Array(8);
	fill(shell, "/bin/sh");
	const script = pointers([ffi.address(shell), ffi.address(name), ...addresses.slice(1)]);
	c.execv(ffi.address(shell), ffi.address(script));
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
		else if (!waits(descriptor)) return;
	}
}

export const linux: System = {
	platform: "linux",
	exact: true,
	argv,
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
	ppid: () => c.getppid(),
	uid: () => c.geteuid(),
	// The kernel gives each executed program 16 random bytes; nothing else of this process's short life uses the last ten.
	random: () => ffi.bytesAt(c.getauxval(AT_RANDOM) + 6, 10),
	identity: (path) => (stat(AT_FDCWD, path, 0) ? identityOf() : undefined),
	open,
	executable: (path) => c.access(cstring(path), X_OK) === 0,
	passwdHome,
	append,
	locked,
	rename: (from, to) => seldom().rename(cstring(from), cstring2(to)) === 0,
	mkdir: (path, mode) => seldom().mkdir(cstring(path), mode) === 0,
	write,
	become,
	real,
	readlink,
	kind: (path, follow) => (stat(AT_FDCWD, path, follow ? 0 : AT_SYMLINK_NOFOLLOW) ? kindOf(fileMode()) : undefined),
	list,
	read,
	mounts: () => text("/proc/self/mountinfo"),
};
