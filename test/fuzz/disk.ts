// The tree on disk: making it, clearing it, and what is different after a call.

import * as fs from "node:fs";
import type { Bytes } from "../../src/policy/bytes.ts";
import { isBelow } from "../../src/policy/resolve.ts";
import type { Step } from "./farm.ts";
import { shellLine } from "./words.ts";

const onDisk = (path: Bytes) => Buffer.from(path, "latin1");

/** The file systems that a case may write to. */
const PLACES = ["/fz", "/fx"];

function mount(words: Bytes[]): void {
	const { exitCode, stderr } = Bun.spawnSync(["bash", "-c", shellLine(words)], { stderr: "pipe" });
	if (exitCode !== 0) throw new Error(`${shellLine(words)}: ${stderr}`);
}

/** Make the tree. */
export function build(steps: readonly Step[]): void {
	for (const step of steps) {
		const path = onDisk(step.path);
		if (step.make === "directory") fs.mkdirSync(path, { recursive: true });
		else if (step.make === "file") fs.writeFileSync(path, onDisk(step.content));
		else if (step.make === "link") fs.symlinkSync(onDisk(step.to), path);
		else if (step.make === "hard") fs.linkSync(onDisk(step.to), path);
		else mount(["mount", "--bind", "--", step.to, step.path]);
	}
}

/** Remove what is in a directory, whatever the bytes of the names are. */
export function removeAll(directory: Buffer): void {
	for (const name of fs.readdirSync(directory, "buffer")) {
		const path = Buffer.concat([directory, onDisk("/"), name]);
		if (!fs.lstatSync(path).isDirectory()) fs.unlinkSync(path);
		else {
			removeAll(path);
			fs.rmdirSync(path);
		}
	}
}

/** Take away whatever a case left, mounts first. */
export function clear(steps: readonly Step[]): void {
	process.chdir("/");
	// A mounted directory may have been renamed, so the table and not the case says where it is.
	const mounted = steps.some(({ make }) => make === "mount");
	const table = mounted ? fs.readFileSync("/proc/self/mountinfo", "latin1") : "";
	for (const line of table.split("\n")) {
		const at = (line.split(" ")[4] ?? "").replace(/\\([0-7]{3})/g, (_, octal) => String.fromCharCode(Number.parseInt(octal, 8)));
		if (PLACES.some((place) => isBelow(at, place))) mount(["umount", "--", at]);
	}
	for (const place of PLACES) {
		try {
			removeAll(onDisk(place));
		} catch {
			// A tool that copied a directory into itself leaves paths that no call takes in one piece; find goes down step by step.
			Bun.spawnSync(["find", place, "-mindepth", "1", "-delete"]);
		}
	}
}

/** So long a path is looked at; what lies deeper can only be the doing of a tool that copies a directory into itself. */
export const DEEPEST = 1500;

/** What there is at a path. */
export interface Fact {
	kind: "directory" | "file" | "link" | "other";
	/** Inode, mode, owner, and what it holds. */
	what: string;
	/** Whether it has another name, so that a write through that one shows here. */
	shared: boolean;
}

function factOf(path: Buffer, stats: fs.BigIntStats): Fact {
	const kind = stats.isDirectory() ? "directory" : stats.isSymbolicLink() ? "link" : stats.isFile() ? "file" : "other";
	const shared = kind !== "directory" && stats.nlink > 1n;
	const holds = kind === "link" ? fs.readlinkSync(path, "latin1") : kind === "file" ? fs.readFileSync(path, "latin1").slice(0, 4096) : "";
	return { kind, what: [stats.ino, stats.mode, stats.uid, stats.gid, stats.mtimeNs, stats.size, holds].join(" "), shared };
}

/** Everything on disk by its path; what is seen through a mount is seen elsewhere already. */
export function survey(steps: readonly Step[]): Map<Bytes, Fact> {
	const found = new Map<Bytes, Fact>();
	const mounts = new Set(steps.filter(({ make }) => make === "mount").map(({ path }) => path));
	const look = (directory: Bytes) => {
		for (const name of fs.readdirSync(onDisk(directory), "latin1") as unknown as Bytes[]) {
			const path = `${directory}/${name}`;
			if (mounts.has(path) || path.length > DEEPEST) continue;
			const stats = fs.lstatSync(onDisk(path), { bigint: true });
			const fact = factOf(onDisk(path), stats);
			found.set(path, fact);
			if (fact.kind === "directory") look(path);
		}
	};
	for (const place of PLACES) look(place);
	return found;
}

/** The paths that are different, and are no proper descendant of a root; a root's own times and names below it do not count. */
export function changes(before: Map<Bytes, Fact>, after: Map<Bytes, Fact>, roots: readonly Bytes[]): Bytes[] {
	const inside = (path: Bytes) => roots.some((root) => isBelow(path, root));
	const different = [...before.keys(), ...[...after.keys()].filter((path) => !before.has(path))].filter((path) => {
		const was = before.get(path);
		const is = after.get(path);
		if (was === undefined || is === undefined) return true;
		if (roots.includes(path) || (was.shared && is.kind !== "directory")) return was.what.split(" ")[0] !== is.what.split(" ")[0];
		return was.what !== is.what;
	});
	return different.filter((path) => !inside(path));
}
