// tmx install: the shims in a person's data directory, by the code of tmx build; and tmx uninstall, which takes them away.

import { diskFailure, kindAt, namesIn, removeEmpty } from "../../guardfile/disk.ts";
import { readGuard } from "../../guardfile/read.ts";
import { removeShims } from "../../guardfile/remove.ts";
import { type Bytes, quote } from "../../policy/bytes.ts";
import { join } from "../../policy/resolve.ts";
import type { System } from "../../sys/system.ts";
import { buildInto } from "../build/into.ts";
import { print } from "../command.ts";
import { internal, type Problem, userError } from "../confine/problem.ts";
import { spotsOf } from "../on-path.ts";
import { counted, failWith } from "../problems.ts";
import { dataBelow, shimsBelow } from "./places.ts";

/** Build the shims. Answers what went wrong; problems of guardfiles are said at once. */
export function installShims(system: System, home: Bytes): Problem[] {
	const read = readGuard(system, []);
	if ("problems" in read) {
		failWith(system, "install", read.problems);
		return [userError("no shims were put up, and those that are there stay as they are")];
	}
	return buildInto(system, read, shimsBelow(home), false);
}

/** Whether a shell finds this very binary under its name. */
export function isOnPath(system: System): boolean {
	const self = system.identity("/proc/self/exe")?.id;
	return spotsOf(system, "tmx", "").some(({ id }) => id !== "" && id === self);
}

/** Remove a directory when nothing is in it. */
function dropDirectory(path: Bytes): void {
	if (kindAt(path) === "directory" && namesIn(path).length === 0) removeEmpty(path);
}

/** Take the shims away. Answers what went wrong. */
export function uninstallShims(system: System, home: Bytes): Problem[] {
	const directory = shimsBelow(home);
	const shown = quote(directory);
	try {
		const removed = removeShims(system, directory);
		dropDirectory(dataBelow(home));
		if (removed === "none") return [];
		if (removed === "busy") return [internal(`a build works on ${shown} and does not end; the shims stay`)];
		const { shims, left } = removed;
		print(system, `removed ${counted(shims.length, "shim")} and their policy from ${shown}\n`);
		if (left.length > 0)
			print(system, `left in it, since tmx did not make it: ${left.map((name) => quote(join(directory, name))).join(" ")}\n`);
		return [];
	} catch (error) {
		const failure = diskFailure(error);
		if (failure === undefined) throw error;
		return [(failure.callers ? userError : internal)(`${shown}: ${failure.words}; run it again when that is mended`)];
	}
}
