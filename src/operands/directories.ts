// mkdir and rmdir: directories made and removed, with -p all the way.

import type { Reader } from "../policy/call.ts";
import { made, prefixes } from "./leading-directories.ts";
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
