// The system that this process runs on: libc where it may be called, else the slower member that needs no executable memory.

import { platform } from "#ffi";
import { libc } from "./libc.ts";
import { linux } from "./linux.ts";
import type { System } from "./system.ts";

async function another(): Promise<System> {
	try {
		if (platform === "darwin") return (await import("./darwin.ts")).darwin;
	} catch {
		// No JIT there either.
	}
	return (await import("./without-ffi.ts")).withoutFfi;
}

export const system: System = libc ? linux : await another();
