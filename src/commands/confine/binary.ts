// The path that a service calls tmx by: this very binary, by a name that stays.

import { compiled } from "#ffi";
import { toText } from "../../policy/bytes.ts";
import type { System } from "../../sys/system.ts";

/** The binary's path; undefined where the sources run under a runtime, which is no program to put into a unit. */
export function binaryOf(system: System): string | undefined {
	if (!compiled) return undefined;
	const path = system.real("/proc/self/exe", false);
	return path === undefined || path.includes("\n") ? undefined : toText(path);
}
