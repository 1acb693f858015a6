// dd: `of=FILE` is written, the last one wins; everything else is read or is a number.

import type { Reader } from "../policy/call.ts";
import { NOTHING } from "./suspects.ts";

export const dd: Reader = {
	name: "dd",
	read(call) {
		const words = call.argv.slice(1);
		if (words.includes("--help") || words.includes("--version")) return NOTHING;
		const text = words.findLast((word) => word.startsWith("of="))?.slice(3);
		return { operands: text === undefined ? [] : [{ text, role: "written", leaf: "both" }], unread: [] };
	},
};
