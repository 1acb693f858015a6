// Where shadows lie: among this user's state, where they outlive the machine's next start; a place that others could write is none.

import { type Bytes, quote } from "../policy/bytes.ts";
import { join } from "../policy/resolve.ts";
import { kindOf } from "../sys/mode.ts";
import type { System } from "../sys/system.ts";

/** Why something cannot be done, and whose fault it is. */
export interface Refused {
	failure: "user_error" | "internal";
	why: string;
}

export const wrong = (why: string): Refused => ({ failure: "user_error", why });
export const fault = (why: string): Refused => ({ failure: "internal", why });

/** Permission bits of group and others to write (<sys/stat.h>). */
const OTHERS_WRITE = 0o022;

/** What a shadow consists of, side by side, all of it below the one directory that its session may change. */
export const PROJECTS = "projects";
export const FOLDERS = [PROJECTS, "home", "seat"] as const;

/** The directory of the state (XDG Base Directory: relative values are ignored), and what is made in it. */
function stateOf(system: System): [base: Bytes, names: Bytes[]] | undefined {
	const set = system.env("XDG_STATE_HOME") ?? "";
	if (set.startsWith("/")) return [set.replace(/(?<=.)\/+$/, ""), ["tmx", "shadows"]];
	const home = (system.env("HOME") || system.passwdHome(system.uid())).replace(/(?<=.)\/+$/, "");
	return home.startsWith("/") ? [home, [".local", "state", "tmx", "shadows"]] : undefined;
}

/** Whether a directory is this user's, and nobody else may change what is in it. */
function isOwn(system: System, path: Bytes): boolean {
	const directory = system.identity(path);
	return (
		directory !== undefined &&
		kindOf(directory.mode) === "directory" &&
		directory.uid === system.uid() &&
		(directory.mode & OTHERS_WRITE) === 0
	);
}

/**
 * The real path of the directory of all shadows.
 * @param write whether to make it
 * @returns undefined where there is none yet and none is made
 */
export function shadowsPlace(system: System, write: boolean): Bytes | Refused | undefined {
	const state = stateOf(system);
	if (state === undefined) return fault("this user has no home directory");
	const [base, names] = state;
	let at = base;
	for (const name of names) {
		at = join(at, name);
		if (system.kind(at, true) === undefined) {
			if (!write) return undefined;
			if (!system.mkdir(at, 0o700) && system.kind(at, true) === undefined) return wrong(`${quote(at)} cannot be made`);
		}
	}
	if (!isOwn(system, at)) return wrong(`${quote(at)} is not yours alone to change; "chmod go-w" and "chown" mend that`);
	return system.real(at, true) ?? at;
}

/** A shadow's directory, the one that it has while it is removed, and its record: beside it, where its session cannot change it. */
export const directoryOf = (place: Bytes, id: string): Bytes => join(place, id);
export const removingOf = (place: Bytes, id: string): Bytes => join(place, `.removing-${id}`);
export const recordOf = (place: Bytes, id: string): Bytes => join(place, `${id}.json`);
