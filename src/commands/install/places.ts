// Where an installation for a person's shells lies, and whether this home is theirs to install into.

import { type Bytes, quote } from "../../policy/bytes.ts";
import { join } from "../../policy/resolve.ts";
import type { System } from "../../sys/system.ts";
import { internal, type Problem, userError } from "../confine/problem.ts";

/** The home directory, or why nothing is installed there. */
export function homeHere(system: System): Bytes | Problem {
	const home = (system.env("HOME") || system.passwdHome(system.uid())).replace(/(?<=.)\/+$/, "");
	if (!home.startsWith("/")) return internal("this user has no home directory");
	// PATH has no way to write a colon (POSIX 8.3), and a newline would end the line in the start file.
	if (/[:\n]/.test(home)) return userError(`${quote(home)} cannot stand on PATH: there is a colon or a newline in its name`);
	const owner = system.identity(home)?.uid;
	if (owner === undefined) return userError(`the home directory ${quote(home)} does not exist; set HOME to yours`);
	if (owner !== system.uid())
		return userError(`HOME is ${quote(home)}, which another user owns; run this as that user, or set HOME to yours`);
	return home;
}

/** Where tmx keeps what is its own. */
export const dataBelow = (home: Bytes): Bytes => join(home, ".local/share/tmx");

/** Where the shims lie; `tmx` commands look for the installed policy there. */
export const shimsBelow = (home: Bytes): Bytes => join(dataBelow(home), "shims");
