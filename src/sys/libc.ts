// The C library of Linux: the functions that are bound, and how strings and whole files pass through it.

import { ffi, platform } from "#ffi";
import type { Bytes } from "../policy/bytes.ts";
import type { Signatures, Symbols } from "./ffi.ts";
import { latin1 } from "./memory.ts";

const arm = process.arch === "arm64";

/** Bind functions of glibc, else of musl, whose library is named after the machine. */
export function bind<const Table extends Signatures>(table: Table): Symbols<Table> {
	try {
		return ffi.open("libc.so.6", table);
	} catch {
		return ffi.open(`libc.musl-${arm ? "aarch64" : "x86_64"}.so.1`, table);
	}
}

/** What nearly every call needs, in one go; binding costs something for each function. */
const bindCommon = () =>
	bind({
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
		getauxval: [["i64_fast"], "ptr"],
		getenv: [["ptr"], "ptr"],
		strlen: [["ptr"], "i64_fast"],
		__errno_location: [[], "ptr"],
		execv: [["ptr", "ptr"], "i32"],
	});

/** Functions that few calls need, bound when one does. */
const bindRare = () =>
	bind({
		poll: [["ptr", "i64_fast", "i32"], "i32"],
		flock: [["i32", "i32"], "i32"],
		rename: [["ptr", "ptr"], "i32"],
		mkdir: [["ptr", "i32"], "i32"],
		symlink: [["ptr", "ptr"], "i32"],
		setenv: [["ptr", "ptr", "i32"], "i32"],
		unsetenv: [["ptr"], "i32"],
		getpwuid: [["i32"], "ptr"],
	});

export type Libc = ReturnType<typeof bindCommon>;

function bindUnlessForbidden(): Libc | undefined {
	try {
		return platform === "linux" ? bindCommon() : undefined;
	} catch {
		return undefined;
	}
}

/** Undefined where no function may be bound: on another system, or without a JIT (MemoryDenyWriteExecute, a small `ulimit -v`). */
export const libc: Libc | undefined = bindUnlessForbidden();

/** The same for everything that is only called where there is one. */
export const c = libc as Libc;

let rare: ReturnType<typeof bindRare> | undefined;
export const seldom = () => {
	rare ??= bindRare();
	return rare;
};

export const errno = () => ffi.int32At(c.__errno_location());

/** Longer than any path (PATH_MAX); a longer text gets a buffer of its own. */
const PATH_BUFFER = 4200;

const first = new Uint8Array(PATH_BUFFER);
const firstAt = libc ? ffi.address(first) : 0;
let second: Uint8Array | undefined;
let long: Uint8Array;

const encoder = new TextEncoder();

/** Only bytes below 0x80 are one byte each in UTF-8 too; nearly every name consists of them, and a loop costs ten times as much. */
function fill(buffer: Uint8Array, text: Bytes): void {
	const length = text.length;
	const { read, written } = encoder.encodeInto(text, buffer);
	if (read !== length || written !== length) for (let k = 0; k < length; k++) buffer[k] = text.charCodeAt(k);
	buffer[length] = 0;
}

/** A buffer of its own for a text that has to last. */
export function zeroEnded(text: Bytes): Uint8Array {
	const buffer = new Uint8Array(text.length + 1);
	fill(buffer, text);
	return buffer;
}

/** A C string of `text`, valid until the next one. */
export function cstring(text: Bytes): number {
	if (text.length < PATH_BUFFER) {
		fill(first, text);
		return firstAt;
	}
	long = zeroEnded(text);
	return ffi.address(long);
}

/** A second one for the same call. */
export function cstring2(text: Bytes): number {
	second = zeroEnded(text);
	return ffi.address(second);
}

/** The C string at an address. */
export function stringAt(address: number): Bytes {
	const length = c.strlen(address);
	return length === 0 ? "" : latin1(ffi.bytesAt(address, length), 0, length);
}

/** Where files are read into; whoever reads takes out what it needs before the next one does. */
export let buffer = new Uint8Array(16384);
export let bufferAt = libc ? ffi.address(buffer) : 0;

function grow(): void {
	const larger = new Uint8Array(buffer.length * 4);
	larger.set(buffer);
	buffer = larger;
	bufferAt = ffi.address(buffer);
}

const EINTR = 4;
const EAGAIN = 11;
const POLLIN = 1;
export const POLLOUT = 4;

/** After a failed read or write: whether it is worth another try, once the descriptor is ready for it (poll(2)). */
export function waits(descriptor: number, wanted: number): boolean {
	const error = errno();
	if (error === EINTR) return true;
	if (error !== EAGAIN) return false;
	const wish = new Int32Array([descriptor, wanted]);
	seldom().poll(ffi.address(wish), 1, -1);
	return true;
}

/** No file that is read here comes near it; an endless one must end. */
const MOST = 1 << 30;

/** Read a descriptor to its end into `buffer`; the number of bytes, or -1. Waits where the descriptor does not block. */
export function drain(descriptor: number): number {
	let length = 0;
	for (;;) {
		if (length === buffer.length) grow();
		const count = c.read(descriptor, bufferAt + length, buffer.length - length);
		if (count > 0) length += count;
		else if (count === 0 || length > MOST) return length;
		else if (!waits(descriptor, POLLIN)) return -1;
	}
}

/** Whether a descriptor has something to read, or has ended, within so many milliseconds (poll(2)). */
function readable(descriptor: number, milliseconds: number): boolean {
	const wish = new Int32Array([descriptor, POLLIN]);
	return milliseconds > 0 && seldom().poll(ffi.address(wish), 1, milliseconds) > 0;
}

/** Read a descriptor into `buffer` until its end or until the time is up; the number of bytes, or -1. */
export function drainWithin(descriptor: number, milliseconds: number): number {
	const end = Date.now() + milliseconds;
	for (let length = 0; ; ) {
		if (length === buffer.length) grow();
		if (!readable(descriptor, end - Date.now())) return length;
		const count = c.read(descriptor, bufferAt + length, buffer.length - length);
		if (count > 0) length += count;
		else if (count === 0 || length > MOST) return length;
		else if (!waits(descriptor, POLLIN)) return -1;
	}
}

const O_CLOEXEC = 0o2000000;

/** Read a file into `buffer`; the number of bytes, or -1. */
export function slurp(path: Bytes): number {
	const descriptor = c.open(cstring(path), O_CLOEXEC, 0);
	if (descriptor < 0) return -1;
	const length = drain(descriptor);
	c.close(descriptor);
	return length;
}

/** The whole text of a /proc file, "" when it cannot be read. */
export function text(path: Bytes): Bytes {
	const length = slurp(path);
	return length > 0 ? latin1(buffer, 0, length) : "";
}
