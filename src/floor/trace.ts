// What a program wrote, out of the lines of strace(1): each path that it opened for writing, made, removed or renamed.

import type { Bytes } from "../policy/bytes.ts";
import { join } from "../policy/resolve.ts";

/** One thing that was done: to a file, or to a name in a directory. */
export interface Touched {
	path: Bytes;
	act: "write" | "name";
}

/** The calls that are looked at, as strace names them; and those by which a process gets its directory and its children. */
const ACTS = "open,openat,openat2,creat,truncate,unlink,unlinkat,rmdir,mkdir,mkdirat,mknod,mknodat,rename,renameat,renameat2";
const LINKS = "link,linkat,symlink,symlinkat,bind";
const PROCESSES = "chdir,fchdir,fork,vfork,clone,clone3";

/**
 * The words for strace: every child too, only what succeeded, paths of descriptors, and every text in hexadecimal, so that no name
 * can be taken for another one or for the next line.
 * @param out where the lines go
 */
export const straceWords = (out: string): string[] =>
	`-f -q -z -y -xx -s 4096 -e signal=none -e trace=${ACTS},${LINKS},${PROCESSES} -o`.split(" ").concat(out);

/** How one argument of a call reads: a descriptor with its path, a text, or anything else. */
const ARGUMENT =
	/^(?:(AT_FDCWD|\d+)<((?:\\x[0-9a-f]{2})*)[^>]*>|"((?:\\x[0-9a-f]{2})*)"|\{.*?sun_path="((?:\\x[0-9a-f]{2})*)".*?\}|[^,]*)(?:, |$)/;

const decoded = (hex: string): Bytes => hex.replaceAll(/\\x(..)/g, (_, byte: string) => String.fromCharCode(Number.parseInt(byte, 16)));

interface Argument {
	/** The path of a descriptor. */
	at?: Bytes;
	text?: Bytes;
	/** As it is written. */
	word: string;
}

function argumentsOf(written: string): Argument[] {
	const found: Argument[] = [];
	for (let rest = written; rest !== ""; ) {
		const match = ARGUMENT.exec(rest);
		if (match === null || match[0] === "") break;
		const text = match[3] ?? match[4];
		found.push({
			word: match[0].replace(/, $/, ""),
			...(match[2] !== undefined && { at: decoded(match[2]) }),
			...(text !== undefined && { text: decoded(text) }),
		});
		rest = rest.slice(match[0].length);
	}
	return found;
}

/** Which arguments of a call are names that it makes, removes or renames: their numbers. The others are opened, or only read. */
const NAMES: Readonly<Record<string, readonly number[]>> = {
	creat: [0],
	unlink: [0],
	unlinkat: [1],
	rmdir: [0],
	mkdir: [0],
	mkdirat: [1],
	mknod: [0],
	mknodat: [1],
	rename: [0, 1],
	renameat: [1, 3],
	renameat2: [1, 3],
	link: [1],
	linkat: [3],
	symlink: [1],
	symlinkat: [2],
	bind: [1],
};

/** The argument before a name is the directory that it stands on, where there is one. */
function pathOf(given: readonly Argument[], k: number, cwd: Bytes): Bytes | undefined {
	const text = given[k]?.text;
	if (text === undefined || text === "" || text.startsWith("\0")) return undefined;
	return text.startsWith("/") ? text : join(given[k - 1]?.at ?? cwd, text);
}

function opened(call: string, given: readonly Argument[], cwd: Bytes, result: Bytes | undefined): Touched[] {
	const first = call === "open" ? 0 : 1;
	const flags = given[first + 1]?.word ?? "";
	if (!/O_(WRONLY|RDWR|TRUNC|CREAT)|O_TMPFILE/.test(flags)) return [];
	const path = pathOf(given, first, cwd);
	if (path === undefined) return [];
	if (flags.includes("O_TMPFILE")) return [{ path: join(path, "tmpfile"), act: "name" }];
	if (flags.includes("O_CREAT")) return [{ path: result ?? path, act: "name" }];
	return [{ path: result ?? path, act: "write" }];
}

/** Reads the lines of a trace in order. */
export class Trace {
	readonly touched: Touched[] = [];
	/** Whether a process was seen to its end. */
	ended = false;
	readonly #directories = new Map<string, Bytes>();

	/** @param cwd the directory in which the first process stands */
	constructor(readonly cwd: Bytes) {}

	read(line: string): void {
		const [, pid = "", call = "", written = "", result = ""] = /^(\d+) +(\w+)\((.*)\) += (\d+.*)$/.exec(line) ?? [];
		if (/ \+\+\+ (exited|killed) /.test(line)) this.ended = true;
		if (call === "") return;
		const given = argumentsOf(written);
		const seen = given.find(({ word }) => word.startsWith("AT_FDCWD<"))?.at;
		if (seen !== undefined) this.#directories.set(pid, seen);
		const cwd = this.#directories.get(pid) ?? this.cwd;
		if (call === "chdir") this.#directories.set(pid, pathOf(given, 0, cwd) ?? cwd);
		else if (call === "fchdir") this.#directories.set(pid, given[0]?.at ?? cwd);
		else if (/fork|clone/.test(call)) this.#inherit(Number.parseInt(result, 10), cwd);
		else this.#act(call, given, cwd, result);
	}

	/** A child may have been seen before its parent's call has returned. */
	#inherit(child: number, cwd: Bytes): void {
		if (!this.#directories.has(String(child))) this.#directories.set(String(child), cwd);
	}

	#act(call: string, given: readonly Argument[], cwd: Bytes, result: string): void {
		if (call.startsWith("open")) {
			const path = /^\d+<((?:\\x[0-9a-f]{2})*)/.exec(result)?.[1];
			this.touched.push(...opened(call, given, cwd, path === undefined ? undefined : decoded(path)));
		} else if (call === "truncate") {
			const path = pathOf(given, 0, cwd);
			if (path !== undefined) this.touched.push({ path, act: "write" });
		} else {
			for (const k of NAMES[call] ?? []) {
				const path = pathOf(given, k, cwd);
				if (path !== undefined) this.touched.push({ path, act: "name" });
			}
		}
	}
}
