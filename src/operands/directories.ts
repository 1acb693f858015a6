// mkdir and rmdir: directories made and removed, with -p all the way.

import type { Bytes } from "../policy/bytes.ts";
import type { Operand, Reader } from "../policy/call.ts";
import type { Resolver } from "../policy/resolve.ts";
import { type Grammar, has, parseOptions } from "./options.ts";
import { NOTHING, suspectReading } from "./suspects.ts";

/** mkdir(1) */
const MKDIR: Grammar = {
	rows: [
		["-m --mode", "required"],
		["--context", "optional"],
		["-p --parents", "no", "parents"],
		["-v -Z --verbose", "no"],
	],
};

/** rmdir(1) */
const RMDIR: Grammar = {
	rows: [
		["-p --parents --path", "no", "parents"],
		["-v --ignore-fail-on-non-empty --verbose", "no"],
	],
};

/** The path and all of its leading directories, longest first: `a/b/c`, `a/b`, `a`. */
function prefixes(text: Bytes): Bytes[] {
	const found: Bytes[] = [];
	for (let path = text.replace(/(?<=.)\/+$/, ""); path !== "" && path !== "/"; ) {
		found.push(path);
		const slash = path.lastIndexOf("/");
		path = path.slice(0, Math.max(slash, 0)).replace(/(?<=.)\/+$/, "");
	}
	return found;
}

/** mkdir -p makes what is missing, from the left, and leaves alone what is there. */
function made(text: Bytes, parents: boolean, look: Resolver): Operand[] {
	if (!parents) return [{ text, role: "written", leaf: "entry" }];
	const missing = prefixes(text).filter((prefix) => !look.isDirectory(prefix));
	return missing.map((prefix) => ({ text: prefix, role: "written", leaf: "target" }));
}

export const mkdir: Reader = {
	name: "mkdir",
	read(call, look) {
		const parsed = parseOptions(call, MKDIR);
		if (parsed.unread.length > 0) return suspectReading(call, parsed);
		if (parsed.informs) return NOTHING;
		const parents = has(parsed, "parents");
		return { operands: parsed.operands.flatMap((text) => made(text, parents, look)), unread: [] };
	},
};

export const rmdir: Reader = {
	name: "rmdir",
	read(call) {
		const parsed = parseOptions(call, RMDIR);
		if (parsed.unread.length > 0) return suspectReading(call, parsed);
		if (parsed.informs) return NOTHING;
		const texts = has(parsed, "parents") ? parsed.operands.flatMap(prefixes) : parsed.operands;
		return { operands: texts.map((text) => ({ text, role: "removed", leaf: "entry" })), unread: [] };
	},
};
