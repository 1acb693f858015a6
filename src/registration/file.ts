// A settings file on disk: found through links, changed in one step, with what it was before kept beside it.

import * as fs from "node:fs";
import { diskFailure } from "../guardfile/disk.ts";
import { type Bytes, quote } from "../policy/bytes.ts";
import type { System } from "../sys/system.ts";

const toBuffer = (path: Bytes) => Buffer.from(path, "latin1");
const directoryOf = (path: Bytes) => path.slice(0, path.lastIndexOf("/")) || "/";

/** What ends the name of the file with what was there before us. */
const BACKUP = ".tmx-backup";

/** How long another tmx may be at work on the same directory, and how often we look. */
const PATIENCE = 5000;
const PAUSE = 20;

/** A failure in words. */
export class SettingsError extends Error {}

/** How bytes become text: settings are UTF-8, or are refused; a shell's start file may hold anything, and stays bytes. */
export type Encoding = "utf8" | "latin1";

/** A settings file. */
export interface SettingsFile {
	/** The file itself, where links lead to it. */
	path: Bytes;
	encoding: Encoding;
	/** Its text; undefined when there is no such file. */
	text: string | undefined;
	/** Permissions and owner, to be kept. */
	stats: fs.Stats | undefined;
}

/** The file behind a path. A link is followed, so that it goes on being one; one that leads nowhere is refused. */
function behind(system: System, path: Bytes): Bytes {
	if (system.kind(path, false) !== "link") return path;
	const real = system.real(path, false);
	if (real === undefined || system.kind(real, false) === undefined) throw new SettingsError("it is a link that leads nowhere");
	return real;
}

function textOf(path: Bytes, encoding: Encoding): string {
	if (encoding === "latin1") return fs.readFileSync(toBuffer(path), "latin1");
	try {
		return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(fs.readFileSync(toBuffer(path)));
	} catch (error) {
		if (error instanceof TypeError) throw new SettingsError("it is not UTF-8");
		throw error;
	}
}

/** Read a settings file. */
export function readSettings(system: System, named: Bytes, encoding: Encoding = "utf8"): SettingsFile {
	const path = behind(system, named);
	const stats = fs.statSync(toBuffer(path), { throwIfNoEntry: false });
	if (stats === undefined) return { path, encoding, text: undefined, stats };
	if (!stats.isFile()) throw new SettingsError("it is no regular file");
	return { path, encoding, text: textOf(path, encoding), stats };
}

/** Write a new file with the permissions and the owner of another one, and have it on the disk. */
function stage(path: Bytes, text: string, { encoding, stats: like }: SettingsFile): Bytes {
	const staged = `${path}.tmx-${process.pid}`;
	const descriptor = fs.openSync(toBuffer(staged), "wx", like === undefined ? 0o666 : 0o600);
	try {
		fs.writeFileSync(descriptor, text, encoding);
		if (like !== undefined) {
			const made = fs.fstatSync(descriptor);
			if (made.uid !== like.uid || made.gid !== like.gid) fs.fchownSync(descriptor, like.uid, like.gid);
			fs.fchmodSync(descriptor, like.mode & 0o7777);
		}
		fs.fsyncSync(descriptor);
	} catch (error) {
		fs.unlinkSync(toBuffer(staged));
		throw error;
	} finally {
		fs.closeSync(descriptor);
	}
	return staged;
}

/** Fails when a file is no longer what was read. */
function recheck(system: System, { path, encoding, text }: SettingsFile): void {
	if (readSettings(system, path, encoding).text !== text) throw new SettingsError("it changed meanwhile; try again");
}

/** Keep what was there before us, once. */
function keep(file: SettingsFile): void {
	const backup = `${file.path}${BACKUP}`;
	if (file.text === undefined || fs.lstatSync(toBuffer(backup), { throwIfNoEntry: false })) return;
	fs.renameSync(toBuffer(stage(backup, file.text, file)), toBuffer(backup));
}

/** Change a file in one step, unless it changed meanwhile. @param isFirst whether it was the person's alone so far */
export function writeSettings(system: System, file: SettingsFile, text: string, isFirst: boolean): void {
	const staged = stage(file.path, text, file);
	try {
		recheck(system, file);
		if (isFirst) keep(file);
		fs.renameSync(toBuffer(staged), toBuffer(file.path));
	} catch (error) {
		fs.unlinkSync(toBuffer(staged));
		throw error;
	}
}

/** What was there before us; undefined when nothing was kept. */
export function backupOf({ path, encoding }: SettingsFile): string | undefined {
	const backup = `${path}${BACKUP}`;
	return fs.lstatSync(toBuffer(backup), { throwIfNoEntry: false })?.isFile() ? textOf(backup, encoding) : undefined;
}

/** Remove the copy of what was there before us. Answers its path when it differs from what is there now, and so stays. */
export function dropBackup(file: SettingsFile, present: string): Bytes | undefined {
	const kept = backupOf(file);
	const backup = `${file.path}${BACKUP}`;
	if (kept === undefined) return undefined;
	if (kept !== present) return backup;
	fs.unlinkSync(toBuffer(backup));
	return undefined;
}

/** Remove a file of ours, and the directories that only it was in, up to one and with it. */
export function removeSettings(system: System, file: SettingsFile, upTo: Bytes): void {
	recheck(system, file);
	fs.unlinkSync(toBuffer(file.path));
	dropDirectories(file.path, upTo);
}

/** Remove the directories above a file that nothing is in, up to one and with it. */
export function dropDirectories(path: Bytes, upTo: Bytes): void {
	for (let at = directoryOf(path); at === upTo || at.startsWith(`${upTo}/`); at = directoryOf(at)) {
		try {
			fs.rmdirSync(toBuffer(at));
		} catch {
			// Something else is in it.
			return;
		}
	}
}

/** What a tmx that was killed had written of a file, under names that nothing reads. */
export function leftovers(path: Bytes): Bytes[] {
	const directory = directoryOf(path);
	if (!fs.statSync(toBuffer(directory), { throwIfNoEntry: false })?.isDirectory()) return [];
	const base = path.slice(path.lastIndexOf("/") + 1);
	const names = fs.readdirSync(toBuffer(directory), "buffer").map((buffer) => buffer.toString("latin1"));
	const isLeft = (name: Bytes) => name.startsWith(base) && /^(\.tmx-backup)?\.tmx-\d+$/.test(name.slice(base.length));
	return names.filter(isLeft).map((name) => `${directory}/${name}`);
}

/** Remove that. Only while no other tmx is at work there. */
function sweep(path: Bytes): void {
	for (const left of leftovers(path)) fs.rmSync(toBuffer(left), { force: true });
}

/** Do something to a settings file while no other tmx does. */
export function alone<T>(system: System, named: Bytes, makes: boolean, act: () => T): T {
	const path = behind(system, named);
	const directory = directoryOf(path);
	const make = () => makes && fs.mkdirSync(toBuffer(directory), { recursive: true });
	make();
	// Without libc there are no locks; then the last look before the change must do.
	if (!system.exact || system.kind(directory, true) === undefined) return act();
	const real = system.real(directory, true) ?? directory;
	let outcome: { value: T } | { error: unknown } | undefined;
	const guarded = () => {
		try {
			sweep(path);
			outcome = { value: act() };
		} catch (error) {
			outcome = { error };
		}
	};
	for (const end = Date.now() + PATIENCE; !system.locked(real, guarded); ) {
		if (Date.now() > end) throw new SettingsError("another tmx is at work there, or the directory cannot be read");
		Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE);
		// Who was at work may have taken the directory away with the last file in it.
		make();
	}
	if (outcome === undefined || "error" in outcome) throw outcome?.error ?? new SettingsError("nothing was done");
	return outcome.value;
}

/** A failure as a sentence about the file; anything else is thrown on. */
export function sentenceOf(path: Bytes, error: unknown): { words: string; callers: boolean } {
	if (error instanceof SettingsError) return { words: `${quote(path)}: ${error.message}`, callers: true };
	const failure = diskFailure(error);
	if (failure === undefined) throw error;
	return { words: `${quote(path)}: ${failure.words}`, callers: failure.callers };
}
