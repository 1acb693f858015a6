// sed: reads its operands, unless -i makes a new file of each in its place; its program may write other files and run commands.

import type { Operand, Reader } from "../policy/call.ts";
import { has, parseOptions, values } from "./options.ts";
import { sed as effectsOf, SED } from "./run/editors.ts";
import { scriptOperands } from "./script.ts";
import { NOTHING, suspectReading } from "./suspects.ts";

export const sed: Reader = {
	name: "sed",
	read(call, look) {
		const parsed = parseOptions(call, SED);
		if (parsed.unread.length > 0) return suspectReading(call, parsed);
		if (parsed.informs) return NOTHING;
		const effects = effectsOf(call, look);
		// A program that is not understood is sed's own error, or a file that nobody can read; what its text names may be written.
		const own = has(parsed, "text") || has(parsed, "file");
		const lines = effects?.lines ?? (own ? values(parsed, "text") : parsed.operands.slice(0, 1));
		const files = effects === undefined && has(parsed, "in-place") ? parsed.operands.slice(own ? 0 : 1) : [];
		const replaced = files.map((text): Operand => ({ text, role: "written", leaf: "both" }));
		const named = lines.flatMap((line) => scriptOperands(call, line, look, undefined, "both"));
		return { operands: [...(effects?.operands ?? replaced), ...named], unread: [] };
	},
};
