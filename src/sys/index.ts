// The system that this process runs on: libc where it may be called, else the slower member that needs no executable memory.

import type { System } from "./system.ts";

async function choose(): Promise<System> {
	// A JIT that the system forbids (MemoryDenyWriteExecute, a small `ulimit -v`) takes FFI away; node:fs still works there.
	try {
		if (process.platform === "darwin") return (await import("./darwin.ts")).darwin;
		return (await import("./linux.ts")).linux;
	} catch {
		return (await import("./without-ffi.ts")).withoutFfi;
	}
}

export const system: System = await choose();
