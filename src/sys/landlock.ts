// Landlock (landlock(7)): a thread forbids itself, and all that it becomes and starts, to write or remove outside given places.

import { ffi } from "#ffi";
import type { Bytes } from "../policy/bytes.ts";
import { bind, c, cstring, errno, libc } from "./libc.ts";
import { AT_EMPTY_PATH, fileMode, stat } from "./linux-files.ts";
import { kindOf } from "./mode.ts";

/** Access rights to files, LANDLOCK_ACCESS_FS_* of <linux/landlock.h>. */
const RIGHTS = {
	write_file: 0x2,
	remove_dir: 0x10,
	remove_file: 0x20,
	make_char: 0x40,
	make_dir: 0x80,
	make_reg: 0x100,
	make_sock: 0x200,
	make_fifo: 0x400,
	make_block: 0x800,
	make_sym: 0x1000,
	refer: 0x2000,
	truncate: 0x4000,
} as const;

type Right = keyof typeof RIGHTS;

/** Rights that only a directory carries; a rule on anything else with one of them is refused (landlock_add_rule(2), EINVAL). */
const OF_FILES: readonly Right[] = ["write_file", "truncate"];

/** Nodes of devices lead past every path, so nothing under a floor makes one, wherever it may write. */
const NEVER_GRANTED: readonly Right[] = ["make_char", "make_block"];

/**
 * What each version brought (landlock(7), VERSIONS; Documentation/userspace-api/landlock.rst), as far as a floor asks for it:
 * reading, executing, ioctl(2), the network and signals stay as they are. `size` is that of struct landlock_ruleset_attr.
 */
export const HISTORY: readonly { abi: number; kernel: string; size: number; adds: readonly Right[] }[] = [
	{
		abi: 1,
		kernel: "5.13",
		size: 8,
		adds: [
			"write_file",
			"remove_dir",
			"remove_file",
			"make_char",
			"make_dir",
			"make_reg",
			"make_sock",
			"make_fifo",
			"make_block",
			"make_sym",
		],
	},
	{ abi: 2, kernel: "5.19", size: 8, adds: ["refer"] },
	{ abi: 3, kernel: "6.2", size: 8, adds: ["truncate"] },
	{ abi: 4, kernel: "6.7", size: 16, adds: [] },
	{ abi: 5, kernel: "6.10", size: 16, adds: [] },
	{ abi: 6, kernel: "6.12", size: 24, adds: [] },
	{ abi: 7, kernel: "6.15", size: 24, adds: [] },
];

/** How much of a floor there is. */
export interface Strength {
	kind: "full" | "partial" | "none";
	/** What is missing, for people; "" when nothing is. */
	why: string;
}

/** What a floor comes to by the version of Landlock that it is made with. */
export function strengthOf(abi: number): Strength {
	if (abi < 1) return { kind: "none", why: "there is no Landlock" };
	if (abi === 1) {
		const why = "Landlock of ABI 1 would refuse every rename from one directory to another; Linux 5.19 or newer is needed";
		return { kind: "none", why };
	}
	if (abi === 2) return { kind: "partial", why: "no truncate: files outside can be emptied; Linux 6.2 or newer refuses that" };
	return { kind: "full", why: "" };
}

/** Error numbers that say why there is no Landlock (landlock_create_ruleset(2)); EPERM is what filters of containers answer. */
const MISSING: Readonly<Record<number, string>> = {
	1: "a filter of system calls forbids Landlock here (that of a container?)",
	38: "this kernel has no Landlock; Linux 5.19 or newer is needed",
	95: 'Landlock is switched off on this machine; add "landlock" to lsm= of the kernel\'s command line',
};

// The numbers are the same on every architecture (syscalls(2)).
const CREATE_RULESET = 444;
const ADD_RULE = 445;
const RESTRICT_SELF = 446;
const CREATE_RULESET_VERSION = 1;
const RULE_PATH_BENEATH = 1;
const PR_SET_NO_NEW_PRIVS = 38;
const O_PATH = 0o10000000;
const O_CLOEXEC = 0o2000000;

const bindLandlock = () =>
	bind({
		syscall: [["i64_fast", "i64_fast", "i64_fast", "i64_fast", "i64_fast"], "i64_fast"],
		prctl: [["i32", "i64_fast", "i64_fast", "i64_fast", "i64_fast"], "i32"],
	});

let bound: ReturnType<typeof bindLandlock> | undefined;
function calls(): ReturnType<typeof bindLandlock> {
	bound ??= bindLandlock();
	return bound;
}

/** The version of Landlock that this kernel speaks, or why there is none. */
export function kernelAbi(): number | string {
	if (!libc) return "this system refuses executable memory, and without it Landlock cannot be called";
	const abi = calls().syscall(CREATE_RULESET, 0, 0, CREATE_RULESET_VERSION, 0);
	if (abi > 0) return abi;
	const error = errno();
	return MISSING[error] ?? `Landlock does not answer (error ${error})`;
}

/** One place that may be written. */
export interface Grant {
	path: Bytes;
	/**
	 * `tree`: a directory and all below it, or one file; `file`: one file, which is no directory; `keep`: one file that may be
	 * written and not emptied.
	 */
	what: "tree" | "file" | "keep";
}

function bits(rights: readonly Right[]): number {
	let word = 0;
	for (const right of rights) word |= RIGHTS[right];
	return word;
}

/** The rights that a version knows. */
const handled = (abi: number) => bits(HISTORY.filter((row) => row.abi <= abi).flatMap((row) => row.adds));

/** The rights that a grant brings to what stands at its path; 0 where it has none for it. */
function granted({ what }: Grant, directory: boolean): number {
	if (directory) return what === "tree" ? ~bits(NEVER_GRANTED) : 0;
	return what === "keep" ? RIGHTS.write_file : bits(OF_FILES);
}

/** A set of rules that waits to be put in force. */
export interface Ruleset {
	descriptor: number;
	abi: number;
	/** Grants that came to nothing: nothing stands there, or something else than was meant. */
	skipped: Grant[];
}

/** struct landlock_ruleset_attr: the first 64 bits are the rights to files that are handled. */
function createRuleset(abi: number): number {
	const row = HISTORY.findLast((one) => one.abi <= abi);
	const attribute = new Uint32Array((row?.size ?? 8) / 4);
	attribute[0] = handled(abi);
	return calls().syscall(CREATE_RULESET, ffi.address(attribute), attribute.byteLength, 0, 0);
}

/** struct landlock_path_beneath_attr: 64 bits of rights and a descriptor, packed to 12 bytes. */
function addRule(ruleset: number, abi: number, grant: Grant): boolean {
	const descriptor = c.open(cstring(grant.path), O_PATH | O_CLOEXEC, 0);
	if (descriptor < 0) return false;
	// The type is asked of the descriptor: what stands under the name may be another file a moment later.
	const there = stat(descriptor, "", AT_EMPTY_PATH);
	const rights = there ? granted(grant, kindOf(fileMode()) === "directory") & handled(abi) : 0;
	const rule = new Uint32Array([rights, 0, descriptor]);
	const done = rights !== 0 && calls().syscall(ADD_RULE, ruleset, RULE_PATH_BENEATH, ffi.address(rule), 0) === 0;
	c.close(descriptor);
	return done;
}

/**
 * Make the rules for a floor.
 * @param abi a version that the kernel has, with which strengthOf finds a floor at all
 * @returns the rules, or an error number of landlock_create_ruleset(2)
 */
export function makeRuleset(abi: number, grants: readonly Grant[]): Ruleset | number {
	const descriptor = createRuleset(abi);
	if (descriptor < 0) return errno();
	return { descriptor, abi, skipped: grants.filter((grant) => !addRule(descriptor, abi, grant)) };
}

/**
 * Put rules in force for this thread and everything that it becomes or starts, for good. Threads that the runtime has besides
 * stay free, so nothing may follow in this process but the exec by this very thread, which ends the others (execve(2)).
 * @returns 0, or an error number: E2BIG where 16 floors hold already (landlock_restrict_self(2))
 */
export function enforce({ descriptor }: Ruleset): number {
	// Also for root, who could do without: no program that is started below gains rights by its file (prctl(2)).
	let error = calls().prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) === 0 ? 0 : errno();
	if (error === 0 && calls().syscall(RESTRICT_SELF, descriptor, 0, 0, 0) !== 0) error = errno();
	c.close(descriptor);
	return error;
}

const O_WRONLY = 1;
const O_NONBLOCK = 0o4000;
const W_OK = 2;
const O_TMPFILE = process.arch === "arm64" ? 0o20040000 : 0o20200000;
const EACCES = 13;

/** Whether a path that access(2) lets this user write cannot be opened: Landlock is asked by open(2) alone. */
function refused(path: Bytes, flags: number): boolean {
	if (!libc || c.access(cstring(path), W_OK) !== 0) return false;
	const descriptor = c.open(cstring(path), flags | O_WRONLY | O_CLOEXEC, 0o600);
	if (descriptor >= 0) c.close(descriptor);
	return descriptor < 0 && errno() === EACCES;
}

/**
 * Whether a floor keeps this process from writing in a directory: a file without a name is made there and is gone again (open(2),
 * O_TMPFILE). False where the file system has no such files, since then nothing can be told.
 */
export const isRefusedIn = (directory: Bytes): boolean => refused(directory, O_TMPFILE);

/** Whether a floor keeps this process from writing a regular file; it is opened, and not changed. */
export const isRefusedFile = (path: Bytes): boolean => refused(path, O_NONBLOCK);
