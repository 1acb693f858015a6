// The unit files that tmx lays down for the user's manager, and how they come and go.

import { spawnSync } from "node:child_process";
import { lstatSync, mkdirSync, readdirSync, readFileSync, renameSync, rmdirSync, rmSync, unlinkSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { unitPath, unitWord } from "./words.ts";

/** The first line of each of our files: no other is overwritten or removed. */
const MARK = "# Written by tmx install; tmx uninstall takes it away.\n";

/** A file relative to the user's unit directory, and what is in it. */
export interface UnitFile {
	name: string;
	text: string;
}

/** Limits for all tool shells together, as systemd.resource-control(5) spells them. */
export interface SliceLimits {
	TasksMax: string;
	MemoryMax: string;
	MemorySwapMax: string;
	CPUWeight: string;
	IOWeight: string;
}

export const SLICE = "agent.slice.d/50-tmx.conf";
export const MONITOR = "tmx-monitor.service";
export const SNAPSHOT_SERVICE = "tmx-snapshots.service";
export const SNAPSHOT_PATH = "tmx-snapshots.path";

export function sliceFile(limits: SliceLimits): UnitFile {
	const lines = Object.entries(limits).map(([name, value]) => `${name}=${value}\n`);
	return { name: SLICE, text: `${MARK}[Slice]\n${lines.join("")}` };
}

/** Not confined itself: it has to work when the tool shells have used up what they may. */
export function monitorFile(binary: string, options: readonly string[]): UnitFile {
	const words = [binary, "monitor", ...options].map(unitWord).join(" ");
	const text = `${MARK}[Unit]
Description=Stops empty scopes of coding agents' tool shells, and what goes over the thresholds that are set

[Service]
ExecStart=${words}
Restart=on-failure
RestartSec=5

[Install]
WantedBy=default.target
`;
	return { name: MONITOR, text };
}

/** A path unit that sees new snapshots, and the service that it starts. */
export function snapshotFiles(binary: string, directory: string, fragment: string): UnitFile[] {
	const path = `${MARK}[Unit]
Description=Looks for new shell snapshots of Claude Code

[Path]
PathChanged=${unitPath(directory)}
MakeDirectory=yes

[Install]
WantedBy=default.target
`;
	const service = `${MARK}[Unit]
Description=Brings the confinement of tool shells into new shell snapshots of Claude Code

[Service]
Type=oneshot
ExecStart=${[binary, "confine", `--snapshots=${directory}`, `--fragment=${fragment}`].map(unitWord).join(" ")}
`;
	return [
		{ name: SNAPSHOT_SERVICE, text: service },
		{ name: SNAPSHOT_PATH, text: path },
	];
}

function contentOf(path: string): string | undefined {
	if (!lstatSync(path, { throwIfNoEntry: false })?.isFile()) return undefined;
	return readFileSync(path, "utf8");
}

/** What became of a file. */
export type Put = "written" | "there" | "foreign";

/** Remove what a tmx that was killed had written of a file, under a name that the manager does not read. */
function sweep(path: string): void {
	const directory = dirname(path);
	const names = lstatSync(directory, { throwIfNoEntry: false })?.isDirectory() ? readdirSync(directory) : [];
	const left = names.filter((name) => name.startsWith(`${basename(path)}.`) && /\.\d+$/.test(name));
	for (const name of left) rmSync(join(directory, name), { force: true });
}

/** Put a file in place in one step. A file that is not ours stays. */
export function putFile(directory: string, { name, text }: UnitFile): Put {
	const path = join(directory, name);
	const stands = lstatSync(path, { throwIfNoEntry: false });
	const content = contentOf(path);
	if (stands && !content?.startsWith(MARK)) return "foreign";
	if (content === text) return "there";
	mkdirSync(dirname(path), { recursive: true });
	sweep(path);
	const staged = `${path}.${process.pid}`;
	writeFileSync(staged, text, { flag: "wx", mode: 0o644 });
	renameSync(staged, path);
	return "written";
}

/** Remove a file of ours, and the directory that only it was in. Whether there was one. */
export function removeFile(directory: string, name: string): boolean {
	const path = join(directory, name);
	sweep(path);
	if (!contentOf(path)?.startsWith(MARK)) return false;
	unlinkSync(path);
	if (name.includes("/")) {
		try {
			rmdirSync(dirname(path));
		} catch {
			// Somebody else's drop-ins are in it.
		}
	}
	return true;
}

/** Say something to the user's manager. Its complaint, or undefined when it did it. */
export function systemctl(...words: string[]): string | undefined {
	const run = spawnSync("systemctl", ["--user", "--no-ask-password", ...words], { timeout: 10_000, encoding: "utf8" });
	if (run.status === 0) return undefined;
	return run.stderr?.trim() || (run.error ? run.error.message : "the user's service manager does not answer");
}

/** Properties of a unit, as the manager has them. */
export function propertiesOf(unit: string, names: readonly string[]): Record<string, string> | undefined {
	const words = ["--user", "show", unit, ...names.map((name) => `--property=${name}`)];
	const run = spawnSync("systemctl", words, { timeout: 10_000, encoding: "utf8" });
	if (run.status !== 0) return undefined;
	const rows = run.stdout.split("\n").filter((line) => line.includes("="));
	return Object.fromEntries(rows.map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]));
}
