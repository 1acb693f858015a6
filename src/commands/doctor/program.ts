// Whether this tmx can do its work here: which one it is, and whether it may call libc.

import { quote } from "../../policy/bytes.ts";
import { VERSION } from "../../version.ts";
import { check } from "./check.ts";

export const program = check({
	name: "tmx",
	advice: {
		slow: "lift MemoryDenyWriteExecute, PR_SET_MDWE or the small `ulimit -v` of this session",
	},
	run({ system }) {
		const path = system.real("/proc/self/exe", false);
		const version = { status: "ok", subject: "version", found: `${VERSION}${path ? `, ${quote(path)}` : ""}` } as const;
		if (system.exact) return [version, { status: "ok", subject: "libc", found: "is called directly" }];
		const found = "executable memory is refused here: shims are slower, and a name that is not UTF-8 cannot be handed on";
		return [version, { status: "warn", subject: "libc", found, advice: "slow" }];
	},
});
