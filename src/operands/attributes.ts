// chmod, chown, chgrp: the mode or the owner first, then files whose link is followed.

import type { Leaf, Operand, Reader } from "../policy/call.ts";
import { type Grammar, has, type Parsed, parseOptions } from "./options.ts";
import { NOTHING, suspectReading } from "./suspects.ts";

/** chmod(1): a word such as `-x` or `-w` is a mode, not an option. */
const CHMOD: Grammar = {
	rows: [
		["--reference", "required", "reference"],
		["-R --recursive", "no", "recursive"],
		["-h --no-dereference", "no", "entry"],
		["-L", "no", "follow"],
		["-c -f -v -H -P --changes --quiet --silent --verbose --dereference --preserve-root --no-preserve-root", "no"],
	],
	dashOperand: "rwxXstugoa,+=01234567",
};

/** chown(1) and chgrp(1) */
const CHOWN: Grammar = {
	rows: [
		["--reference", "required", "reference"],
		["--from", "required"],
		["-R --recursive", "no", "recursive"],
		["-h --no-dereference", "no", "entry"],
		["-H", "no", "start"],
		["-L", "no", "follow"],
		["-c -f -v -P -x --changes --quiet --silent --verbose --dereference --preserve-root --no-preserve-root", "no"],
	],
};

/** Which leaf is meant: chown -R leaves a link alone unless -H or -L follows it; chmod -R follows it. */
function leafOf(parsed: Parsed, physical: boolean): Leaf {
	if (has(parsed, "entry")) return "entry";
	const alone = physical && has(parsed, "recursive") && !has(parsed, "start") && !has(parsed, "follow");
	return alone ? "entry" : "target";
}

function attributes(name: string, grammar: Grammar, physical: boolean): Reader {
	return {
		name,
		read(call) {
			const parsed = parseOptions(call, grammar);
			if (parsed.unread.length > 0) return suspectReading(call, parsed);
			if (parsed.informs) return NOTHING;
			const leading = has(parsed, "reference") || has(parsed, "dash-operand") ? 0 : 1;
			const leaf = leafOf(parsed, physical);
			const walks = has(parsed, "recursive") && has(parsed, "follow");
			const operands = parsed.operands.slice(leading).map((text): Operand => {
				return { text, role: "written", leaf, node: true, ...(walks && { below: { follow: "both" } }) };
			});
			return { operands, unread: [] };
		},
	};
}

export const chmod = attributes("chmod", CHMOD, false);
export const chown = attributes("chown", CHOWN, true);
export const chgrp = attributes("chgrp", CHOWN, true);
