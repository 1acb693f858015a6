// Reads what strace wrote (-f -y -xx): system calls with their arguments, in the order in which they ended.

import type { Bytes } from "../../src/policy/bytes.ts";

/** One system call that ended. */
export interface Syscall {
	pid: string;
	name: string;
	args: string[];
	/** The result, -1 with an error name when it failed. */
	result: number;
	error: string;
	/** What is behind the result, such as the path of a new descriptor. */
	shown: Bytes;
}

/** The calls that change a file system or the working directory, or start a program; a `?` lets an architecture be without. */
export const TRACED = [
	"?unlink ?unlinkat ?rmdir ?rename ?renameat ?renameat2 ?mkdir ?mkdirat ?mknod ?mknodat ?link ?linkat ?symlink ?symlinkat",
	"?open ?openat ?openat2 ?creat ?truncate ?ftruncate ?chmod ?fchmod ?fchmodat ?fchmodat2 ?chown ?fchown ?lchown ?fchownat",
	"?utime ?utimes ?utimensat ?futimesat ?setxattr ?lsetxattr ?fsetxattr ?removexattr ?lremovexattr ?fremovexattr",
	"?chdir ?fchdir ?execve ?fork ?vfork ?clone ?clone3",
]
	.join(" ")
	.replaceAll(" ", ",");

/** The bytes of `\x61\x62`; other characters are themselves. */
export function decoded(text: string): Bytes {
	return text.replace(/\\x([0-9a-f]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
}

/** The arguments, split at the commas between them. Strings hold nothing but escapes, so no comma is in one. */
function split(text: string): string[] {
	const args: string[] = [];
	let depth = 0;
	let start = 0;
	for (let at = 0; at < text.length; at++) {
		const letter = text[at];
		if (letter === "[" || letter === "{" || letter === "(") depth++;
		else if (letter === "]" || letter === "}" || letter === ")") depth--;
		else if (letter === "," && depth === 0) {
			args.push(text.slice(start, at).trim());
			start = at + 1;
		}
	}
	args.push(text.slice(start).trim());
	return args;
}

const ENDED = /^(\d+) +(\w+)\((.*)\) += (-?\d+|\?)(?:<([^>]*)>)?(?: ([A-Z]+) .*)?/;
const UNFINISHED = /^(\d+) +(\w+)\((.*?) *<unfinished \.\.\.>$/;
const RESUMED = /^(\d+) +<\.\.\. (\w+) resumed>(.*)$/;

/** The parent of each process, as far as it can be told: whoever was in fork when its child first spoke. */
export interface Trace {
	calls: Syscall[];
	parents: Map<string, string>;
	/** How many processes ended with another status than 0. */
	failures: number;
}

export function parseTrace(text: string): Trace {
	const calls: Syscall[] = [];
	const parents = new Map<string, string>();
	const pending = new Map<string, string>();
	const seen = new Set<string>();
	let forking = "";
	for (const raw of text.split("\n")) {
		let line = raw;
		const pid = /^\d+/.exec(line)?.[0] ?? "";
		if (pid !== "" && !seen.has(pid)) {
			seen.add(pid);
			if (forking !== "" && !parents.has(pid)) parents.set(pid, forking);
		}
		const unfinished = UNFINISHED.exec(line);
		if (unfinished) {
			pending.set(pid, `${unfinished[1]} ${unfinished[2]}(${unfinished[3]}`);
			if (/^(v?fork|clone3?)$/.test(unfinished[2] as string)) forking = pid;
			continue;
		}
		const resumed = RESUMED.exec(line);
		if (resumed) line = `${pending.get(pid) ?? ""}${resumed[3]}`;
		const ended = ENDED.exec(line);
		if (ended === null) continue;
		const [, , name, args, result, shown, error] = ended as unknown as [string, string, string, string, string, string?, string?];
		if (/^(v?fork|clone3?)$/.test(name) && Number(result) > 0) parents.set(result, pid);
		calls.push({ pid, name, args: split(args), result: Number(result), error: error ?? "", shown: decoded(shown ?? "") });
	}
	return { calls, parents, failures: text.match(/ \+\+\+ exited with [1-9]/g)?.length ?? 0 };
}

/** A string argument. */
export const text = (argument = "") => decoded(/^"(.*)"/.exec(argument)?.[1] ?? "");

/** The path behind a descriptor: `3</path>`, `AT_FDCWD</path>`; "" when it is no file. */
export function shownPath(argument = ""): Bytes {
	const path = decoded(/<(.*)>/.exec(argument)?.[1] ?? "");
	return path.startsWith("/") ? path : "";
}
