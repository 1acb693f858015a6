// macOS through libSystem: the members that differ from Linux. Written from Apple's headers and manual pages; it has not run on a Mac yet.

import { ffi } from "#ffi";
import type { Bytes } from "../policy/bytes.ts";
import type { Kind } from "../policy/resolve.ts";
import type { CFunction } from "./ffi.ts";
import { latin1, pointers } from "./memory.ts";
import { kindOf } from "./mode.ts";
import { ENOEXEC, type Identity, type Opened, type System } from "./system.ts";

// No variadic function is bound: on arm64 macOS their arguments are passed on the stack (Apple, "Writing ARM64 code for
// Apple platforms"). So files are made with fopen(3), and open(2) is used without a mode only.
const c = ffi.open("libSystem.B.dylib", {
	_NSGetArgc: [[], "ptr"],
	_NSGetArgv: [[], "ptr"],
	_NSGetExecutablePath: [["ptr", "ptr"], "i32"],
	__error: [[], "ptr"],
	close: [["i32"], "i32"],
	closedir: [["ptr"], "i32"],
	fopen: [["ptr", "ptr"], "ptr"],
	fileno: [["ptr"], "i32"],
	fclose: [["ptr"], "i32"],
	read: [["i32", "ptr", "i64_fast"], "i64_fast"],
	write: [["i32", "ptr", "i64_fast"], "i64_fast"],
	lseek: [["i32", "i64_fast", "i32"], "i64_fast"],
	fchmod: [["i32", "i32"], "i32"],
	readlink: [["ptr", "ptr", "i64_fast"], "i64_fast"],
	realpath: [["ptr", "ptr"], "ptr"],
	access: [["ptr", "i32"], "i32"],
	flock: [["i32", "i32"], "i32"],
	rename: [["ptr", "ptr"], "i32"],
	mkdir: [["ptr", "i32"], "i32"],
	symlink: [["ptr", "ptr"], "i32"],
	getenv: [["ptr"], "ptr"],
	setenv: [["ptr", "ptr", "i32"], "i32"],
	unsetenv: [["ptr"], "i32"],
	getppid: [[], "i32"],
	geteuid: [[], "i32"],
	getpwuid: [["i32"], "ptr"],
	strlen: [["ptr"], "i64_fast"],
	arc4random_buf: [["ptr", "i64_fast"], "ptr"],
	signal: [["i32", "ptr"], "ptr"],
	execv: [["ptr", "ptr"], "i32"],
});

/** On Intel the functions that know of 64-bit inodes have names of their own (stat(2), "Transitioning to 64-bit inodes"). */
const inode64 = process.arch === "arm64" ? "" : "$INODE64";
const inodes = ffi.open("libSystem.B.dylib", {
	[`opendir${inode64}`]: [["ptr"], "ptr"],
	[`readdir${inode64}`]: [["ptr"], "ptr"],
	[`stat${inode64}`]: [["ptr", "ptr"], "i32"],
	[`lstat${inode64}`]: [["ptr", "ptr"], "i32"],
	[`fstat${inode64}`]: [["i32", "ptr"], "i32"],
});
const wide = (name: string) => inodes[`${name}${inode64}`] as CFunction;
const opendir = wide("opendir");
const readdir = wide("readdir");
const stat = wide("stat");
const lstat = wide("lstat");
const fstat = wide("fstat");

const PATH_MAX = 1024;
const X_OK = 1;
const LOCK_EX_NB = 6;
const SEEK_CUR = 1;
const SEEK_END = 2;
const SIGINT = 2;
const SIGPIPE = 13;
const SIGXFSZ = 25;

const errno = () => ffi.int32At(c.__error());

/** Buffers of the strings of one call; they must live until it returns. */
let held: Uint8Array[] = [];

function cstring(text: Bytes): number {
	const bytes = new Uint8Array(text.length + 1);
	for (let k = 0; k < text.length; k++) bytes[k] = text.charCodeAt(k);
	held = [...held.slice(-1), bytes];
	return ffi.address(bytes);
}

function stringAt(address: number): Bytes {
	const length = c.strlen(address);
	return latin1(ffi.bytesAt(address, length), 0, length);
}

function pointerAt(address: number, index: number): number {
	const halves = new Uint32Array(ffi.bytesAt(address + 8 * index, 8).slice().buffer);
	return (halves[0] as number) + (halves[1] as number) * 4294967296;
}

const argc = ffi.int32At(c._NSGetArgc());
const argvAddress = pointerAt(c._NSGetArgv(), 0);
const addresses = Array.from({ length: argc }, (_, k) => pointerAt(argvAddress, k));

/** struct stat of <sys/stat.h> with 64-bit inodes: st_dev 0, st_mode 4, st_ino 8, st_uid 16, st_mtime 48, st_size 96. */
const words = new Uint32Array(new ArrayBuffer(144));
const wordsAt = ffi.address(words);
const mode = () => (words[1] as number) & 0xffff;

function identityOf(): Identity {
	return {
		id: `${words[0]}:${words[3]}:${words[2]}`,
		uid: words[4] as number,
		mode: mode(),
		size: (words[24] as number) + (words[25] as number) * 4294967296,
		mtime: words[12] as number,
	};
}

const kind = () => kindOf(mode());

function real(path: Bytes, directory: boolean): Bytes | undefined {
	const buffer = new Uint8Array(PATH_MAX * 4);
	if (c.realpath(cstring(path), ffi.address(buffer)) === 0) return undefined;
	const found = latin1(buffer, 0, buffer.indexOf(0));
	return directory && (stat(cstring(found), wordsAt) !== 0 || kind() !== "directory") ? undefined : found;
}

function readlink(path: Bytes): Bytes | undefined {
	const buffer = new Uint8Array(PATH_MAX);
	const length = c.readlink(cstring(path), ffi.address(buffer), buffer.length);
	return length < 0 ? undefined : latin1(buffer, 0, length);
}

/** Everything behind a descriptor. */
function drain(descriptor: number): Bytes {
	const buffer = new Uint8Array(65536);
	let text = "";
	for (;;) {
		const count = c.read(descriptor, ffi.address(buffer), buffer.length);
		if (count <= 0) return text;
		text += latin1(buffer, 0, count);
	}
}

/** Run `act` on the descriptor of an opened file; a negative error number when it cannot be opened. */
function withFile<T>(path: Bytes, how: string, act: (descriptor: number) => T): T | number {
	const name = cstring(path);
	const stream = c.fopen(name, cstring(how));
	if (stream === 0) return -errno();
	const result = act(c.fileno(stream));
	c.fclose(stream);
	return result;
}

function open(path: Bytes): Opened | number {
	const opened = withFile(path, "r", (descriptor): Opened | number => {
		if (fstat(descriptor, wordsAt) !== 0) return -errno();
		return { ...identityOf(), content: drain(descriptor) };
	});
	return typeof opened === "number" ? -opened : opened;
}

function put(descriptor: number, text: Bytes): number {
	return c.write(descriptor, cstring(text), text.length);
}

function append(path: Bytes, line: Bytes): number {
	const fresh = lstat(cstring(path), wordsAt) !== 0;
	if (!fresh && kind() !== "file") return -62;
	return withFile(path, "ae", (descriptor) => {
		if (fresh) c.fchmod(descriptor, 0o600);
		const count = put(descriptor, line);
		return count < line.length ? -28 : c.lseek(descriptor, 0, SEEK_CUR) || c.lseek(descriptor, 0, SEEK_END);
	});
}

function locked(path: Bytes, act: () => void): boolean {
	const held = withFile(path, "re", (descriptor) => {
		if (c.flock(descriptor, LOCK_EX_NB) !== 0 || fstat(descriptor, wordsAt) !== 0) return 0;
		const { id } = identityOf();
		if (lstat(cstring(path), wordsAt) !== 0 || identityOf().id !== id) return 0;
		act();
		return 1;
	});
	return held === 1;
}

/** struct dirent of <sys/dirent.h>: d_reclen 16, d_namlen 18, d_type 20, d_name 21. */
const DIRENT_KINDS: Record<number, Kind> = { 4: "directory", 8: "file", 10: "link" };

function list(path: Bytes): { name: Bytes; kind: Kind | undefined }[] | undefined {
	const directory = opendir(cstring(path));
	if (directory === 0) return undefined;
	const found: { name: Bytes; kind: Kind | undefined }[] = [];
	for (let entry = readdir(directory); entry !== 0; entry = readdir(directory)) {
		const head = ffi.bytesAt(entry, 21);
		const length = (head[18] as number) + 256 * (head[19] as number);
		const name = latin1(ffi.bytesAt(entry + 21, length), 0, length);
		if (name !== "." && name !== "..") found.push({ name, kind: DIRENT_KINDS[head[20] as number] });
	}
	c.closedir(directory);
	return found;
}

/** Bun ignores SIGPIPE and SIGXFSZ and takes SIGINT on a terminal; the limits of open files stay raised, which no tool minds. */
function restoreSignals(): void {
	c.signal(SIGPIPE, 0);
	c.signal(SIGXFSZ, 0);
	if (c.signal(SIGINT, 0) === 1) c.signal(SIGINT, 1);
}

/** Strings that an executed program is given; they must live until the exec. */
let given: Uint8Array[] = [];

function become(path: Bytes, skip: number, instead?: Bytes[], last?: () => boolean): number {
	restoreSignals();
	given = (instead ?? []).map((word) => Uint8Array.from(`${word}\0`, (character) => character.charCodeAt(0)));
	const words = instead ? given.map(ffi.address) : addresses.slice(skip);
	const name = cstring(path);
	if (last?.() === false) return 0;
	c.execv(name, ffi.address(pointers(words)));
	const error = errno();
	if (error !== ENOEXEC) return error;
	c.execv(cstring("/bin/sh"), ffi.address(pointers([cstring("/bin/sh"), name, ...words.slice(1)])));
	return errno();
}

function executed(): Bytes {
	const size = new Uint32Array([PATH_MAX]);
	const buffer = new Uint8Array(PATH_MAX);
	// The path as it was executed, links not followed (dyld(3)).
	return c._NSGetExecutablePath(ffi.address(buffer), ffi.address(size)) === 0 ? latin1(buffer, 0, buffer.indexOf(0)) : "";
}

function envOf(name: string): Bytes | undefined {
	const at = c.getenv(cstring(name));
	return at === 0 ? undefined : stringAt(at);
}

function identity(path: Bytes): Identity | undefined {
	// There is no /proc/self/exe here; the executed path leads to the same file.
	const file = path === "/proc/self/exe" ? executed() : path;
	return stat(cstring(file), wordsAt) === 0 ? identityOf() : undefined;
}

export const darwin: System = {
	platform: "darwin",
	exact: true,
	argv: addresses.map(stringAt),
	executed,
	env: envOf,
	setenv(name, value) {
		const key = cstring(name);
		c.setenv(key, cstring(value), 1);
	},
	unsetenv: (name) => void c.unsetenv(cstring(name)),
	pid: () => process.pid,
	ppid: () => c.getppid(),
	uid: () => c.geteuid(),
	random() {
		const bytes = new Uint8Array(10);
		c.arc4random_buf(ffi.address(bytes), bytes.length);
		return bytes;
	},
	identity,
	open,
	executable: (path) => c.access(cstring(path), X_OK) === 0,
	passwdHome(uid) {
		// struct passwd of <pwd.h>: pw_dir is the seventh pointer-sized field.
		const entry = c.getpwuid(uid);
		return entry === 0 ? "" : stringAt(pointerAt(entry, 6));
	},
	append,
	locked,
	rename(from, to) {
		const source = cstring(from);
		return c.rename(source, cstring(to)) === 0;
	},
	mkdir: (path, bits) => c.mkdir(cstring(path), bits) === 0,
	symlink(text, path) {
		const target = cstring(text);
		return c.symlink(target, cstring(path)) === 0;
	},
	input() {
		return Uint8Array.from(drain(0), (byte) => byte.charCodeAt(0));
	},
	write: (descriptor, text) => void put(descriptor, text),
	become,
	real,
	readlink,
	kind: (path, follow) => ((follow ? stat : lstat)(cstring(path), wordsAt) === 0 ? kind() : undefined),
	list,
	read(path, limit) {
		if (stat(cstring(path), wordsAt) !== 0 || kind() !== "file" || identityOf().size > limit) return undefined;
		const opened = open(path);
		return typeof opened === "number" ? undefined : opened.content;
	},
	// Nothing leads through /proc here, and /dev/fd/N opened anew is the same descriptor, no more open than before (fd(4)).
	opened: () => undefined,
	// There is no mount table to read, and no bind mounts either.
	mounts: () => "",
};
