// Finding the real tool: PATH in order, past every file that is this very binary, and past wrappers that this chain has tried.

import type { Bytes } from "../policy/bytes.ts";
import type { Implementation } from "../policy/call.ts";
import { S_IFMT, S_IFREG } from "./mode.ts";
import type { System } from "./system.ts";

/** What a walk over PATH came to. */
export type Found =
	| { path: Bytes /** the chain guard's new value, when another candidate stands on PATH */; chain: string | undefined }
	| { missing: "no-other" | "not-executable" | "too-deep"; path?: Bytes };

interface Candidate {
	path: Bytes;
	id: string;
}

/** The variable that the chain guard lives in. */
const CHAIN = "TMX_CHAIN";
/** How often one chain may pass through a shim of the same name. */
const DEPTH = 8;
/** Where execvp(3) looks when PATH is unset (confstr(3), _CS_PATH). */
const DEFAULT_PATH = "/bin:/usr/bin";

const SLASH = 47;

/** The files named `name` on PATH that are not this binary, each once; the executable ones apart. `first` stands before them. */
function candidates(system: System, name: Bytes, first: Bytes | undefined): { runnable: Candidate[]; blocked: Bytes | undefined } {
	const self = system.identity("/proc/self/exe")?.id ?? "";
	const seen = [self];
	const runnable: Candidate[] = [];
	let blocked: Bytes | undefined;
	const consider = (path: Bytes) => {
		const file = system.identity(path);
		if (file === undefined || seen.includes(file.id) || (file.mode & S_IFMT) !== S_IFREG) return;
		seen.push(file.id);
		if (system.executable(path)) runnable.push({ path, id: file.id });
		else blocked ??= path;
	};
	if (first !== undefined) consider(first);
	// An empty element is the working directory (POSIX 8.3, PATH); so is what the shell would have run.
	for (const directory of (system.env("PATH") ?? DEFAULT_PATH).split(":"))
		consider(directory === "" ? `./${name}` : `${directory}/${name}`);
	return { runnable, blocked };
}

/** What the chain guard remembers: `PID DEPTH NAME ID,ID` of the process that executed the candidates in turn. */
interface Chain {
	depth: number;
	tried: string[];
}

/** How far up the chain guard looks: wrappers run their tool in pipelines and command substitutions of their own. */
const GENERATIONS = 16;

/** Whether `pid` is this process or one that it descends from; the parent stands behind the command's name in proc(5), /proc/PID/stat. */
function isAncestor(system: System, pid: number): boolean {
	let at = system.pid();
	for (let k = 0; k < GENERATIONS && at > 1; k++) {
		if (at === pid) return true;
		if (k === 0) at = system.ppid();
		else {
			const stat = system.open(`/proc/${at}/stat`);
			if (typeof stat === "number") return false;
			at = Number(stat.content.slice(stat.content.lastIndexOf(")") + 4).split(" ", 1)[0]);
		}
	}
	return false;
}

/** The chain that this process continues: its own (a wrapper that became us) or an ancestor's (a wrapper that started us). */
function chainOf(system: System, name: Bytes): Chain {
	const none = { depth: 0, tried: [] };
	const [pid, depth, tool, ids] = (system.env(CHAIN) ?? "").split(" ");
	if (ids === undefined || tool !== name) return none;
	if (!isAncestor(system, Number(pid))) return none;
	return { depth: Number(depth) || 0, tried: ids.split(",") };
}

/** Whether a candidate is the shim of another installation, which would look for the next one as we do and find us. */
function isOtherShim(system: System, path: Bytes): boolean {
	return system.readlink(path) !== undefined && /\/tmx(-[^/]*)?$/.test(system.real(path, false) ?? "");
}

/** The first candidate of this chain that was not tried yet, and the chain guard's new value where there are several. */
function choose(system: System, name: Bytes, runnable: Candidate[]): Found {
	const [first] = runnable as [Candidate];
	if (runnable.length === 1 && !isOtherShim(system, first.path)) return { path: first.path, chain: undefined };
	const { depth, tried } = chainOf(system, name);
	const next = depth < DEPTH ? runnable.find((candidate) => !tried.includes(candidate.id)) : undefined;
	if (next === undefined) return { missing: "too-deep" };
	return { path: next.path, chain: `${system.pid()} ${depth + 1} ${name} ${[...tried, next.id].join(",")}` };
}

/** Hand the chain guard on to the program that this process becomes. */
export function setChain(system: System, chain: string | undefined): void {
	if (chain !== undefined) system.setenv(CHAIN, chain);
}

/**
 * The program that a guarded tool would be without us.
 * @param exec the policy's word for it: a bare name from PATH, or an absolute path, behind which PATH only counts for a
 *   wrapper that comes back here
 * @returns its path and, when a second, different candidate stands on PATH, the value that the chain guard hands on
 */
export function realTool(system: System, exec: Bytes): Found {
	const absolute = exec.charCodeAt(0) === SLASH;
	if (absolute && system.identity(exec) === undefined) return { missing: "no-other", path: exec };
	const name = exec.slice(exec.lastIndexOf("/") + 1);
	const { runnable, blocked } = candidates(system, name, absolute ? exec : undefined);
	if (absolute && blocked === exec) return { missing: "not-executable", path: exec };
	if (runnable.length > 0) return choose(system, name, runnable);
	return blocked === undefined ? { missing: "no-other" } : { missing: "not-executable", path: blocked };
}

/** Multi-call binaries that take the place of coreutils or findutils; the pathname with its links followed tells them. */
const MULTI_CALL: readonly [name: string, implementation: Implementation][] = [
	["busybox", "busybox"],
	["toybox", "toybox"],
	["coreutils", "uutils"],
	["uutils", "uutils"],
	["bfs", "bfs"],
];

/** Whose grammar the program has. GNU built as one binary is called `coreutils` too and is read with uutils' wider habits. */
export function implementationOf(system: System, path: Bytes): Implementation {
	if (system.platform === "darwin") return "bsd";
	const real = system.real(path, false) ?? path;
	const base = real.slice(real.lastIndexOf("/") + 1);
	if (real.includes("/cargo/bin/coreutils/") || real.includes("/uutils")) return "uutils";
	for (const [name, implementation] of MULTI_CALL) if (base.startsWith(name)) return implementation;
	return "gnu";
}
