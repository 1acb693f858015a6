// What the rest of tmx asks of the system; one member calls libc, one is for systems that refuse it.

import type { Bytes } from "../policy/bytes.ts";
import type { Files } from "../policy/resolve.ts";

/** Which file a name leads to (st_dev and st_ino), who owns it and who may write it. */
export interface Identity {
	/** Device and inode as one comparable word. */
	id: string;
	/** Owner, and the permission bits with the file type (st_mode). */
	uid: number;
	mode: number;
	/** Size in bytes; modification time in seconds since the epoch. */
	size: number;
	mtime: number;
}

/** A file that was read together with the facts of the very descriptor that it was read from. */
export interface Opened extends Identity {
	content: Bytes;
}

/** The calls that the hot path needs; each is one system call or a handful. Paths are bytes. */
export interface System extends Files {
	readonly platform: "linux" | "darwin";
	/** Whether argv reaches an executed program byte for byte. */
	readonly exact: boolean;
	/** This process's argv as bytes. */
	readonly argv: Bytes[];
	/** The pathname that was executed, AT_EXECFN of getauxval(3); "" when the system does not say. */
	executed(): Bytes;
	/** The first environment entry of that name (getenv(3)), undefined when unset. */
	env(name: string): Bytes | undefined;
	/** Change the environment that an executed program gets. */
	setenv(name: string, value: Bytes): void;
	unsetenv(name: string): void;
	pid(): number;
	ppid(): number;
	uid(): number;
	/** Ten random bytes, for an identifier. */
	random(): Uint8Array;
	identity(path: Bytes): Identity | undefined;
	/** Read a whole file; an error number when it cannot be read. */
	open(path: Bytes): Opened | number;
	/** Whether this user may execute `path`. */
	executable(path: Bytes): boolean;
	/** The home directory in the passwd entry of a user (getpwuid(3)), "" without one. */
	passwdHome(uid: number): Bytes;
	/** One write(2) at the end of a file that is made with mode 0600. Answers its size afterwards, or a negative error number. */
	append(path: Bytes, line: Bytes): number;
	/** Run `act` while this process alone holds the lock of that file and `path` still names it; false when another has it. */
	locked(path: Bytes, act: () => void): boolean;
	rename(from: Bytes, to: Bytes): boolean;
	mkdir(path: Bytes, mode: number): boolean;
	/** Make a symbolic link with this text. */
	symlink(text: Bytes, path: Bytes): boolean;
	/**
	 * All of standard input: to its end, or what came within `patience` milliseconds (where the system can wait so long and no
	 * longer). Undefined when it cannot be read.
	 */
	input(patience: number): Uint8Array | undefined;
	/** Everything on a descriptor, for messages and data of the hot path. */
	write(descriptor: number, text: Bytes): void;
	/**
	 * Become `path` with this process's argv from word `skip` on, or with `words` in its place, and everything else as it was
	 * before our runtime touched it. Returns only when it failed, with the error number.
	 * @param last what is done right before, by the very thread that becomes the program; where it answers false, nothing is
	 *   executed and the number is 0
	 */
	become(path: Bytes, skip: number, words?: Bytes[], last?: () => boolean): number;
}

/** Error numbers that callers tell apart (errno(3)); the same on Linux and macOS. */
export const ENOENT = 2;
export const E2BIG = 7;
export const ENOEXEC = 8;
export const EACCES = 13;
