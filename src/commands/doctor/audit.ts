// Whether verdicts can be recorded: the file is opened as a shim does it, and as much as a record is written beside it. Nothing stays.

import { accessSync, constants, statfsSync, unlinkSync, writeFileSync } from "node:fs";
import { type Bytes, quote } from "../../policy/bytes.ts";
import { parentOf } from "../../policy/resolve.ts";
import type { System } from "../../sys/system.ts";
import { auditFile } from "../audit/where.ts";
import { check, type Finding } from "./check.ts";
import { othersEnter } from "./permissions.ts";

type Problem = "unwritable" | "full" | "open" | "not-a-file" | "no-path";
type Found = Finding & { advice?: Problem };

/** A disk with less than this left is nearly full. */
const LITTLE = 32 * 1024 * 1024;
/** About the size of a long record. */
const RECORD = 4096;

const onDisk = (path: Bytes) => Buffer.from(path, "latin1");

/** Write and remove a file beside the audit: a full disk or an exhausted quota takes an append of nothing. */
function tryWrite(directory: Bytes): string | undefined {
	const path = onDisk(`${directory}/.tmx-doctor-${process.pid}`);
	try {
		writeFileSync(path, "\n".repeat(RECORD), { flag: "wx", mode: 0o600 });
		return undefined;
	} catch (error) {
		return (error as NodeJS.ErrnoException).code ?? String(error);
	} finally {
		try {
			unlinkSync(path);
		} catch {
			// It was not made.
		}
	}
}

function space(directory: Bytes): Found[] {
	const { bavail, bsize } = statfsSync(onDisk(directory));
	const left = bavail * bsize;
	const words = `${Math.floor(left / 1048576)} MB are left on its file system`;
	return [
		left < LITTLE ? { status: "warn", subject: "space", found: words, advice: "full" } : { status: "ok", subject: "space", found: words },
	];
}

function modeOf(system: System, path: Bytes): Found[] {
	const file = system.identity(path);
	if (!file || !othersEnter(file)) return [];
	return [
		{ status: "warn", subject: "mode", found: `${(file.mode & 0o777).toString(8)}: other users can read or write it`, advice: "open" },
	];
}

/** Failures to make a file that say nothing of one that is there and open for writing: the floor of a session gives it alone. */
const NO_FILE_BESIDE: readonly string[] = ["EACCES", "EPERM"];

/** The first failure to open the audit and to write where it lies, in words. */
function failure(system: System, path: Bytes, exists: boolean): string | undefined {
	const size = exists ? system.append(path, "") : 0;
	if (size < 0) return `cannot be opened for appending (error ${-size})`;
	const failed = tryWrite(parentOf(path));
	if (exists && failed !== undefined && NO_FILE_BESIDE.includes(failed)) return undefined;
	return failed && `cannot be written: ${failed}`;
}

/** The directory that holds `path`, or the first one above that is there. */
function standing(system: System, path: Bytes): Bytes {
	let directory = parentOf(path);
	while (directory !== "/" && system.kind(directory, true) === undefined) directory = parentOf(directory);
	return directory;
}

/** An audit whose directory is made with the first record. */
function unmade(system: System, path: Bytes, above: Bytes): Found[] {
	const subject = quote(path);
	try {
		accessSync(onDisk(above), constants.W_OK | constants.X_OK);
		if (system.kind(above, true) === "directory")
			return [{ status: "ok", subject, found: "is made with the first record" }, ...space(above)];
	} catch {
		// Then nothing can be made there.
	}
	return [{ status: "fail", subject, found: `cannot be made in ${quote(above)}`, advice: "unwritable" }];
}

function look(system: System, path: Bytes): Found[] {
	const subject = quote(path);
	const kind = system.kind(path, false);
	if (kind !== undefined && kind !== "file") {
		return [{ status: "fail", subject, found: "is no regular file, so nothing is recorded", advice: "not-a-file" }];
	}
	const above = standing(system, path);
	if (above !== parentOf(path) || system.kind(above, true) !== "directory") return unmade(system, path, above);
	const failed = failure(system, path, kind === "file");
	if (failed) return [{ status: "fail", subject, found: failed, advice: "unwritable" }];
	return [{ status: "ok", subject, found: "can be written" }, ...modeOf(system, path), ...space(above)];
}

export const audit = check<Problem>({
	name: "audit",
	advice: {
		unwritable: "verdicts stand, but nothing is recorded: give the directory to this user (0700), or free space on its file system",
		full: "free some space, or remove old audit files (their names end in .1 to .8)",
		open: "chmod 600",
		"not-a-file": "move it away; a plain file takes its place with the next verdict",
		"no-path": "build the policy again as this user",
	},
	run({ system, choice }) {
		const path = auditFile(system, choice);
		if (typeof path === "object") return [{ status: "fail", subject: "path", found: path.unusable, advice: "no-path" }];
		return look(system, path);
	},
});
