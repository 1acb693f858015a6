// Tools that open each operand for writing and so follow a link in the last component: shred, truncate, tee, touch.

import type { Reader } from "../policy/call.ts";
import { type Grammar, has, parseOptions } from "./options.ts";
import { NOTHING, suspectReading } from "./suspects.ts";

/** shred(1) */
const SHRED: Grammar = {
	rows: [
		["-n --iterations", "required"],
		["-s --size", "required"],
		["--random-source", "required"],
		["--remove", "optional", "entry-too"],
		["-u", "no", "entry-too"],
		["-f -v -x -z --force --verbose --exact --zero", "no"],
	],
};

/** truncate(1) */
const TRUNCATE: Grammar = {
	rows: [
		["-r --reference", "required"],
		["-s --size", "required"],
		["-c -o --no-create --io-blocks", "no"],
	],
};

/** tee(1) */
const TEE: Grammar = {
	rows: [
		["-a -i -p --append --ignore-interrupts", "no"],
		["--output-error", "optional"],
	],
};

/** touch(1); -h acts on the link itself. */
const TOUCH: Grammar = {
	rows: [
		["-r --reference", "required"],
		["-t -d --date --time -A", "required"],
		["-h --no-dereference", "no", "entry"],
		["-a -c -f -m --no-create", "no"],
	],
};

/** A reader of a tool that writes to each operand; `stdout` says whether a lone `-` is standard output and no file. */
function writer(name: string, grammar: Grammar, stdout: boolean): Reader {
	return {
		name,
		read(call) {
			const parsed = parseOptions(call, grammar);
			if (parsed.unread.length > 0) return suspectReading(call, parsed);
			if (parsed.informs) return NOTHING;
			const removes = has(parsed, "entry-too");
			const leaf = has(parsed, "entry") ? "entry" : removes ? "both" : "target";
			const operands = parsed.operands.filter((text) => !(stdout && text === "-"));
			return { operands: operands.map((text) => ({ text, role: "written", leaf, ...(removes && { node: true }) })), unread: [] };
		},
	};
}

export const shred = writer("shred", SHRED, true);
export const truncate = writer("truncate", TRUNCATE, false);
export const tee = writer("tee", TEE, false);
export const touch = writer("touch", TOUCH, true);
