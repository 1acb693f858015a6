// What a call really did, or tried, outside the session's directories: the system calls that strace saw, replayed on the model.

import type { Bytes } from "../../src/policy/bytes.ts";
import { baseOf, join, parentOf } from "../../src/policy/resolve.ts";
import { type Syscall, shownPath, type Trace, text } from "./strace.ts";
import { type Node, type Nowhere, newNode, type Place, type Tree, within } from "./tree.ts";

/** `done` and `tried` must be refused; `idle` could have had no effect there, so either verdict is right. */
export type Weight = "done" | "tried" | "idle";

export interface Effect {
	weight: Weight;
	what: string;
}

/** What a call came to. */
export interface Findings {
	outside: Effect[];
	/** How many changes succeeded anywhere. */
	changes: number;
	/** Programs that the tool started, by name; and how many processes ended with another status than 0. */
	programs: Set<Bytes>;
	failures: number;
	/** How many names were removed, or should have been. */
	removals: number;
	/** What the model cannot explain: a fault of the oracle, and then nothing can be said. */
	faults: string[];
}

/** A name that goes, comes or changes: unlink, rename, mkdir and so on. */
type Target = { place: Place | Nowhere; path: Bytes };

/** Devices that hold nothing (null(4), tty(4)). */
const DEVICE = /^\/dev\/(null|zero|full|tty|stdin|stdout|stderr|fd\/\d+|pts\/.*)$|^\/proc\//;

const WRITES = /O_WRONLY|O_RDWR|O_TRUNC|O_CREAT/;

/** What strace shows behind the path of a file without a name. */
const DELETED = " (deleted)";

/** A directory that is gone holds nothing, but it still knows its parents, also those that are gone. */
function fromGone(base: Bytes, path: Bytes): Bytes {
	let at = base;
	const rest = path.split("/");
	while (rest[0] === ".." || rest[0] === "." || rest[0] === "") if (rest.shift() === "..") at = parentOf(at);
	return at === base ? "" : [at, ...rest].join("/");
}

/** Calls that make a new name: where one stands already they do nothing. */
const MAKES = /^(mkdir|mkdirat|mknod|mknodat|symlink|symlinkat|link|linkat)$/;

export class Oracle {
	readonly findings: Findings = { outside: [], changes: 0, programs: new Set(), failures: 0, removals: 0, faults: [] };
	#started = false;
	readonly #cwds = new Map<string, Bytes>();

	constructor(
		readonly tree: Tree,
		readonly roots: ReadonlySet<Node>,
		readonly cwd: Bytes,
		readonly trace: Trace,
	) {}

	run(): Findings {
		for (const call of this.trace.calls) this.#one(call);
		this.findings.failures = this.trace.failures;
		return this.findings;
	}

	#cwdOf(pid: string): Bytes {
		const known = this.#cwds.get(pid);
		if (known !== undefined) return known;
		const parent = this.trace.parents.get(pid);
		const cwd = parent === undefined ? this.cwd : this.#cwdOf(parent);
		this.#cwds.set(pid, cwd);
		return cwd;
	}

	/** The absolute path of a descriptor and a name, or of a name alone. */
	#path(call: Syscall, name: string | undefined, descriptor?: string): Bytes {
		const path = text(name);
		if (path.startsWith("/")) return path;
		const base = descriptor === undefined ? this.#cwdOf(call.pid) : shownPath(descriptor);
		if (!base.endsWith(DELETED)) return path === "" ? "" : join(base, path);
		return fromGone(base, path);
	}

	#entry(call: Syscall, name: string | undefined, descriptor?: string): Target {
		const path = this.#path(call, name, descriptor);
		return { path, place: path === "" ? "ENOENT" : this.tree.entry(path) };
	}

	#file(path: Bytes, follow = true): Target {
		return { path, place: path === "" ? "ENOENT" : this.tree.target(path, follow) };
	}

	/** Whether the directory of the name lies outside. A root has such a name, unless it lies in another root. */
	#foreignEntry({ directory, name }: Place): boolean {
		return !within((name === "" && directory.parent) || directory, this.roots);
	}

	#foreignFile({ directory, name, node }: Place): boolean {
		if (node?.kind === "directory") return !within(node, this.roots);
		// A file that is mounted over another lies where it came from.
		const mounted = node !== directory.entries.get(name);
		return !within((mounted && node?.parent) || directory, this.roots);
	}

	#note(call: Syscall, target: Target, foreign: (place: Place) => boolean, failed: Weight = "tried"): void {
		const { place, path } = target;
		const what = `${call.name} ${path} = ${call.error || "done"}`;
		const outside = () => this.findings.outside.push({ weight: call.error === "" ? "done" : failed, what });
		if (place === "system") {
			if (!(DEVICE.test(path) && call.name.startsWith("open"))) outside();
		} else if (typeof place === "string") {
			if (call.error === "") this.findings.faults.push(`${call.name} of ${path} succeeded, and the model says ${place}`);
		} else if (foreign(place)) outside();
	}

	#one(call: Syscall): void {
		const { name, args } = call;
		if (name === "execve") this.#start(call);
		else if (name === "chdir") this.#enter(call, this.#path(call, args[0]));
		else if (name === "fchdir") this.#enter(call, shownPath(args[0]));
		else if (name === "open" || name === "creat") this.#open(call, this.#path(call, args[0]), args[1] ?? "");
		else if (name.startsWith("openat")) this.#open(call, this.#path(call, args[1], args[0]), args[2] ?? "");
		else if (name.startsWith("rename")) this.#rename(call);
		else if (name === "unlink" || name === "rmdir") this.#remove(call, this.#entry(call, args[0]));
		else if (name === "unlinkat") this.#remove(call, this.#entry(call, args[1], args[0]));
		else if (MAKES.test(name)) this.#make(call);
		else if (!/^(v?fork|clone3?)$/.test(name)) this.#change(call);
	}

	#start(call: Syscall): void {
		if (call.error !== "") return;
		if (this.#started) this.findings.programs.add(baseOf(text(call.args[0])));
		this.#started = true;
	}

	#enter(call: Syscall, path: Bytes): void {
		if (call.error === "") this.#cwds.set(call.pid, path);
	}

	#succeeded(call: Syscall): boolean {
		if (call.error !== "" || call.result < 0) return false;
		this.findings.changes++;
		return true;
	}

	#open(call: Syscall, path: Bytes, flags: string): void {
		if (!WRITES.test(flags) && call.name !== "creat") return;
		// Behind a link there may be a device, which holds nothing.
		if (/^\/dev\/(null|zero|full|tty)$/.test(call.shown ?? "")) return;
		const target = this.#file(path, !/O_NOFOLLOW|O_EXCL/.test(flags));
		const { place } = target;
		// Nothing would have been made, or something else than what stands there.
		const vain = (call.error === "ENOENT" && !flags.includes("O_CREAT")) || (call.error === "EEXIST" && flags.includes("O_EXCL"));
		this.#note(call, target, (found) => this.#foreignFile(found), vain ? "idle" : "tried");
		if (!this.#succeeded(call) || typeof place === "string") return;
		if (place.node === undefined) this.tree.add(place.directory, place.name, newNode("file"));
	}

	#remove(call: Syscall, target: Target): void {
		this.findings.removals++;
		// The kernel removes nothing that is named by `.` or `..` (EINVAL, ENOTEMPTY), whatever it is.
		const spelled = /(^|\/)\.\.?\/*$/.test(text(call.args[call.name === "unlinkat" ? 1 : 0]));
		const dots = spelled || (typeof target.place !== "string" && target.place.name === "");
		this.#note(call, target, (place) => this.#foreignEntry(place), dots ? "idle" : "tried");
		if (this.#succeeded(call) && typeof target.place !== "string") this.tree.remove(target.place);
	}

	#rename(call: Syscall): void {
		const { args } = call;
		const from = call.name === "rename" ? this.#entry(call, args[0]) : this.#entry(call, args[1], args[0]);
		const to = call.name === "rename" ? this.#entry(call, args[1]) : this.#entry(call, args[3], args[2]);
		// The kernel renames nothing that is not there or is named by `.` or `..` (EBUSY).
		const dots = typeof from.place === "string" || from.place.name === "" || from.place.node === undefined;
		this.#note(call, from, (place) => this.#foreignEntry(place), dots ? "idle" : "tried");
		// mv asks first whether it may rename onto the last operand itself, a directory that it then enters.
		const ontoRoot = typeof to.place !== "string" && to.place.node !== undefined && this.roots.has(to.place.node);
		this.#note(call, to, (place) => this.#foreignEntry(place), dots || ontoRoot ? "idle" : "tried");
		if (!this.#succeeded(call) || typeof from.place === "string" || typeof to.place === "string") return;
		this.tree.rename(from.place, to.place, args.at(-1)?.includes("RENAME_EXCHANGE") === true);
	}

	/** mkdir, mknod, symlink and link: the new name stands last, after what it is made of. */
	#make(call: Syscall): void {
		const { name, args } = call;
		const at = name === "linkat" ? 3 : name === "symlinkat" ? 2 : name === "link" || name === "symlink" ? 1 : name.endsWith("at") ? 1 : 0;
		const target = this.#entry(call, args[at], name.endsWith("at") ? args[at - 1] : undefined);
		const { place } = target;
		// What is there is not made anew, whatever else is wrong with the call.
		const there = call.error === "EEXIST" || (typeof place !== "string" && place.node !== undefined);
		this.#note(call, target, (found) => this.#foreignEntry(found), there ? "idle" : "tried");
		if (!this.#succeeded(call) || typeof place === "string") return;
		this.tree.add(place.directory, place.name, this.#made(call));
	}

	#made(call: Syscall): Node {
		const { name, args } = call;
		if (name.startsWith("mkdir")) return newNode("directory");
		if (name.startsWith("symlink")) return newNode("link", text(args[0]));
		if (name.startsWith("mknod")) return newNode("other");
		const follow = args[4]?.includes("AT_SYMLINK_FOLLOW") === true;
		const old = this.#file(name === "link" ? this.#path(call, args[0]) : this.#path(call, args[1], args[0]), follow).place;
		return (typeof old === "string" ? undefined : old.node) ?? newNode("file");
	}

	/** chmod, chown, utime, truncate and their like: by descriptor or by name. */
	#change(call: Syscall): void {
		const { name, args } = call;
		const byDescriptor = /^f(chmod|chown|truncate|setxattr|removexattr)$/.test(name) || (name === "utimensat" && args[1] === "NULL");
		const at = /at2?$/.test(name);
		const path = byDescriptor ? shownPath(args[0]) : at ? this.#path(call, args[1], args[0]) : this.#path(call, args[0]);
		const empty = at && path === "" && args.some((flags) => flags.includes("AT_EMPTY_PATH"));
		const follow = !name.startsWith("l") && !args.some((flags) => flags.includes("AT_SYMLINK_NOFOLLOW"));
		const real = empty ? shownPath(args[0]) : path;
		if (real === "" || real.endsWith(DELETED)) return;
		// A device has no length (ftruncate(2), EINVAL), and to open it for writing passes.
		if (name === "ftruncate" && real === "/dev/null") return;
		this.#note(call, this.#file(real, follow && !byDescriptor), (place) => this.#foreignFile(place));
		this.#succeeded(call);
	}
}
