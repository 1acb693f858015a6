// Puts back what the Bun runtime changes behind our back between our start and the exec of the real tool.

import { ffi } from "#ffi";
import type { Bytes } from "../policy/bytes.ts";
import { buffer, bufferAt, c, cstring, text } from "./libc.ts";
import { readlink } from "./linux-files.ts";

const SIGINT = 2;
const SIGQUIT = 3;
const SIGPIPE = 13;
const SIGXFSZ = 25;
const SIG_DFL = 0;
const SIG_IGN = 1;
const RLIMIT_NOFILE = 7;
const F_GETFD = 1;
const F_SETFD = 2;
const FD_CLOEXEC = 1;
const O_CLOEXEC = 0o2000000;

/** Shells hand the signals that they ignore on to their children; other parents ignore SIGPIPE for themselves alone. */
const SHELLS = ["sh", "bash", "dash", "zsh", "ksh", "mksh", "ash", "busybox"];

/** The signals that a shell which is our parent ignores, as the bits of SigIgn (proc(5), /proc/PID/status); else 0. */
function ignoredByShell(parent: number): number {
	const status = text(`/proc/${parent}/status`);
	const name = status.slice(6, status.indexOf("\n"));
	if (!SHELLS.includes(name)) return 0;
	const at = status.indexOf("SigIgn:\t");
	return at < 0 ? 0 : Number.parseInt(status.slice(at + 16, at + 24), 16);
}

/** Bun ignores SIGPIPE and SIGXFSZ, and on a terminal takes SIGINT for itself. */
function signals(parent: number): void {
	const signal = c.signal;
	const ignored = ignoredByShell(parent);
	signal(SIGPIPE, (ignored >>> (SIGPIPE - 1)) & 1);
	signal(SIGXFSZ, (ignored >>> (SIGXFSZ - 1)) & 1);
	const interrupt = signal(SIGINT, SIG_DFL);
	if (interrupt === SIG_IGN) signal(SIGINT, SIG_IGN);
	else if (interrupt !== SIG_DFL && signal(SIGQUIT, SIG_DFL) === SIG_IGN) {
		// A background job of a shell without job control ignores both (POSIX 2.11): the one that Bun left tells of the other.
		signal(SIGQUIT, SIG_IGN);
		signal(SIGINT, SIG_IGN);
	}
}

const UNLIMITED = 0xffffffff;

/** Soft and hard limit out of /proc/PID/limits, each as two halves, for parents that prlimit(2) may not ask. */
function limitsOf(text: Bytes, into: Uint32Array): void {
	const at = text.indexOf("Max open files");
	if (at < 0) return;
	const [soft, hard] = text
		.slice(at + 14, text.indexOf("\n", at))
		.trim()
		.split(/ +/);
	[soft, hard].forEach((value, k) => {
		const count = Number(value);
		into[2 * k] = value === "unlimited" ? UNLIMITED : count >>> 0;
		into[2 * k + 1] = value === "unlimited" ? UNLIMITED : count / 4294967296;
	});
}

/** Bun raises the soft limit of open files to the hard one; the parent's tells what it was, when the hard ones agree. */
function openFiles(parent: number): void {
	const prlimit = c.prlimit;
	const own = new Uint32Array(4);
	const theirs = new Uint32Array(4);
	prlimit(0, RLIMIT_NOFILE, null, ffi.address(own));
	const raised = own[0] === own[2] && own[1] === own[3];
	if (!raised) return;
	if (prlimit(parent, RLIMIT_NOFILE, null, ffi.address(theirs)) < 0) limitsOf(text(`/proc/${parent}/limits`), theirs);
	const sameHard = theirs[2] === own[2] && theirs[3] === own[3];
	const lower = (theirs[0] as number) < (own[0] as number) || (theirs[1] as number) < (own[1] as number);
	if (sameHard && lower && theirs[0] !== 0) prlimit(0, RLIMIT_NOFILE, ffi.address(theirs), null);
}

/** The descriptors of this process above standard error. */
function descriptors(): number[] {
	const directory = c.open(cstring("/proc/self/fd"), O_CLOEXEC, 0);
	if (directory < 0) return [];
	const entries = buffer;
	const found: number[] = [];
	for (;;) {
		const length = c.getdents64(directory, bufferAt, entries.length);
		if (length <= 0) break;
		for (let at = 0; at < length; at += (entries[at + 16] as number) + 256 * (entries[at + 17] as number)) {
			let number = 0;
			for (let k = at + 19; entries[k] !== 0; k++) number = number * 10 + (entries[k] as number) - 48;
			// "." and ".." come out negative.
			if (number > 2 && number !== directory) found.push(number);
		}
	}
	c.close(directory);
	return found;
}

/**
 * Bun marks every inherited descriptor from 4 on close-on-exec, and opens an epoll and an eventfd of its own. Its epoll is
 * the one that watches exactly one descriptor, with `events: 80000019`.
 */
function closeOnExec(): void {
	const fcntl = c.fcntl;
	const open = descriptors();
	if (open.length === 2 && fcntl(3, F_GETFD, 0) === FD_CLOEXEC) return;
	let epoll = -1;
	let event = -1;
	for (const descriptor of open) {
		if (fcntl(descriptor, F_GETFD, 0) !== FD_CLOEXEC) continue;
		if (readlink(`/proc/self/fd/${descriptor}`) !== "anon_inode:[eventpoll]") continue;
		const watched = text(`/proc/self/fdinfo/${descriptor}`).split("tfd:");
		if (watched.length !== 2 || !(watched[1] as string).includes("events: 80000019")) continue;
		epoll = descriptor;
		event = Number.parseInt(watched[1] as string, 10);
	}
	for (const descriptor of open) if (descriptor !== epoll && descriptor !== event) fcntl(descriptor, F_SETFD, 0);
}

/** Undo the runtime's traces, as far as they can be known; the limits are named in the README. */
export function restore(): void {
	const parent = process.ppid;
	signals(parent);
	openFiles(parent);
	closeOnExec();
}
