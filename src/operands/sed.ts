// sed: reads its operands, unless -i makes a new file of each in its place.

import type { Bytes } from "../policy/bytes.ts";
import type { Operand, Reader } from "../policy/call.ts";
import { baseOf } from "../policy/resolve.ts";
import { type Grammar, has, type Parsed, parseOptions, values } from "./options.ts";
import { sedEffects } from "./run/sed-script.ts";
import { NOTHING, suspectReading } from "./suspects.ts";

/** sed(1) of GNU and busybox; BSD's -i takes the next word, which GNU reads as a file. */
const SED: Grammar = {
	rows: [
		["-e --expression", "required", "script"],
		["-f --file", "required", "script-file"],
		["-i --in-place", "optional", "in-place"],
		["-I", "optional", "in-place"],
		["-l --line-length", "required"],
		["--follow-symlinks", "no", "follow"],
		["-n -E -r -a -b -s -u -z --quiet --silent --regexp-extended --binary --separate --unbuffered --null-data --zero-terminated", "no"],
		["--posix --debug --sandbox", "no"],
	],
};

/** Where -i puts what was there: beside the file, or where a suffix with a slash says, with `*` for the file's name. */
function backup(suffix: Bytes, file: Bytes): Operand[] {
	if (!suffix.includes("/")) return [];
	const name = suffix.includes("*") ? suffix.replaceAll("*", () => baseOf(file)) : baseOf(file) + suffix;
	return [{ text: name, role: "written", leaf: "entry", note: "the name of the backup" }];
}

/** The files, behind the script where that is an operand. */
const filesOf = (parsed: Parsed) => parsed.operands.slice(has(parsed, "script") || has(parsed, "script-file") ? 0 : 1);

/** The files that the scripts write, but for the two that are streams (GNU sed, special file names). */
function written(scripts: Bytes[]): Operand[] {
	const names = scripts
		.flatMap((script) => sedEffects(script)?.written ?? [])
		.filter((name) => name !== "/dev/stdout" && name !== "/dev/stderr");
	return names.map((text) => ({ text, role: "written", leaf: "target", note: "written by the script" }));
}

export const sed: Reader = {
	name: "sed",
	read(call) {
		const parsed = parseOptions(call, SED);
		if (parsed.unread.length > 0) return suspectReading(call, parsed);
		if (parsed.informs) return NOTHING;
		const scripts = has(parsed, "script") || has(parsed, "script-file") ? values(parsed, "script") : parsed.operands.slice(0, 1);
		const operands = written(scripts);
		if (!has(parsed, "in-place")) return { operands, unread: [] };
		for (const text of filesOf(parsed)) {
			// The new file takes the place of a link, unless the link is followed.
			operands.push({ text, role: "written", leaf: has(parsed, "follow") ? "target" : "entry" });
			for (const suffix of values(parsed, "in-place")) operands.push(...backup(suffix, text));
		}
		return { operands, unread: [] };
	},
};
