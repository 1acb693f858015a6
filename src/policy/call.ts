// What is judged: one call of a tool, and the operands that a reader finds in its argv.

import type { Bytes } from "./bytes.ts";
import type { Resolver } from "./resolve.ts";

/** Whose grammar and habits the installed tool has; known from the real tool's pathname, `gnu` when nothing says otherwise. */
export type Implementation = "gnu" | "bsd" | "busybox" | "toybox" | "uutils" | "bfs";

/** One call of a guarded tool. */
export interface Call {
	/** The name that it is guarded under, such as `rm`. */
	tool: string;
	/** The whole argv, argv[0] included. */
	argv: Bytes[];
	/** The working directory, or "" for the one that the kernel holds for this process. */
	cwd: Bytes;
	/** Whether option reading stops at the first operand: POSIXLY_CORRECT is set, or the platform's getopt does not permute. */
	posix: boolean;
	implementation: Implementation;
	/** The value of an environment variable, "" when unset. */
	env(name: string): Bytes;
}

/**
 * What happens to the file that an operand names.
 * - `removed`, `moved`: its directory entry goes; a root itself is no legal operand.
 * - `written`: its content, mode or owner changes, or it comes to be.
 * - `into`: a directory in which entries are made.
 * - `started`: a starting point below which find acts.
 */
export type Role = "removed" | "moved" | "written" | "into" | "started";

/** Which component is meant when the last one is a symbolic link: the link (`entry`), what it points at (`target`), or both. */
export type Leaf = "entry" | "target" | "both";

/** Links below an operand that a tool will follow, so that the tree has to be walked before the verdict. */
export interface Below {
	/** `directories`: links to directories are entered (find -L); `links`: any link is written through; `both`: one and the other. */
	follow: "directories" | "links" | "both";
	/** When set, only names that also stand below this directory count (cp -r merging one tree into another). */
	like?: Bytes;
	/** When set, of links whose name stands below `like` only those count for which this is true of the counterpart there and the link. */
	meets?(counterpart: Bytes, link: Bytes): boolean;
}

/** One operand (POSIX 12.1) or option-argument that names a file which the call acts on. */
export interface Operand {
	text: Bytes;
	role: Role;
	leaf: Leaf;
	/** The directory that a relative text stands on, when it is not the call's. */
	at?: Bytes;
	/** Whether the root itself may be named (a find that cannot remove its own starting point). */
	self?: boolean;
	/** Of a starting point: whether what stands at a real path below it may be acted on, or surely is, whether it then goes, and whether it is told by a name. */
	reaches?(path: Bytes): { goes: boolean; sure?: boolean; named: boolean } | undefined;
	/** Whether the file itself is meant and not what is written to it: then a device is no exception. */
	node?: boolean;
	below?: Below;
	/** Whether what lies below is acted on as well, so that a mount there counts; with `like`, what also stands below one of these. */
	deep?: { like?: readonly Bytes[] };
	/** The files as earlier operands of the same call will have left them, when that may make a difference. */
	look?: Resolver;
	/** Destinations of the same call: a link that one of them replaces must not be on the way to this operand. */
	after?: ReadonlySet<Bytes>;
	/** Set when nobody can know before the call which file is meant; such an operand is refused with these words. */
	unknowable?: string;
	/** What a person should know of this operand, such as `from the list in x` or `run by -exec`. */
	note?: string;
}

/** What a reader made of an argv. */
export interface Reading {
	operands: Operand[];
	/** More operands, each a directory entry that goes. Words alone, since a long argv would become as many objects. */
	removed?: readonly Bytes[];
	/** Operands that take long to find, asked for when all others pass. */
	more?(): Operand[];
	/** What it could not read, in words; such a call was judged in the way that errs toward refusing. */
	unread: string[];
}

/** An operand whose directory entry goes. */
export const removedEntry = (text: Bytes): Operand => ({ text, role: "removed", leaf: "entry" });

/** All operands of a reading. */
export function operandsOf(reading: Reading): Operand[] {
	return [...reading.operands, ...(reading.removed ?? []).map(removedEntry), ...(reading.more?.() ?? [])];
}

/**
 * A reader turns argv into operands with roles. It may look at files through the resolver (is the last operand of mv
 * a directory?), and may ask for the reader of another tool (what `find -exec` runs); it decides nothing.
 */
export interface Reader {
	name: string;
	read(call: Call, look: Resolver, readerOf: (tool: string) => Reader | undefined): Reading;
}
