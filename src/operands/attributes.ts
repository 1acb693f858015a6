// chmod, chown, chgrp: the mode or the owner first, then files whose link is followed.

import type { Bytes } from "../policy/bytes.ts";
import type { Below, Call, Leaf, Operand, Reader } from "../policy/call.ts";
import type { Resolver } from "../policy/resolve.ts";
import { type Grammar, has, lastOf, type OptionRow, type Parsed, parseOptions } from "./options.ts";
import { NOTHING, suspectReading } from "./suspects.ts";

/** What all three share; chmod knows the second row since coreutils 9.6. */
const ROWS: readonly OptionRow[] = [
	["--reference", "required", "reference"],
	["-h --no-dereference", "no", "entry"],
	["--dereference", "no", "target"],
	["-H", "no", "start"],
	["-L", "no", "follow"],
	["-P", "no", "physical"],
	["-R --recursive", "no", "recursive"],
	["-c -f -v --changes --quiet --silent --verbose --preserve-root --no-preserve-root", "no"],
];

/** chmod(1): a word such as `-x` or `-w` is a mode, not an option. */
const CHMOD: Grammar = { rows: ROWS, dashOperand: "rwxXstugoa,+=01234567" };

/** chown(1) and chgrp(1) */
const CHOWN: Grammar = { rows: [...ROWS, ["--from", "required"], ["-x", "no"]] };

/** What is done at links. Of -H, -L and -P the last one counts, and of -h and --dereference. */
interface Manner {
	/** With -R: no link is entered, the one that it starts from is, or every one. */
	walk: "physical" | "start" | "follow" | undefined;
	/** Whether a link among the operands is followed where it is not entered, and one below them. */
	operands: boolean;
	below: boolean;
}

/** chmod -R enters a link that it starts from and leaves those below alone; chown -R does so with -H only, and then changes what those below lead to. */
function mannerOf(call: Call, parsed: Parsed, name: string): Manner {
	// busybox reads -H and -L each for itself, whatever follows.
	const kinds = call.implementation === "busybox" ? ["start", "follow"] : ["start", "follow", "physical"];
	const given = lastOf(parsed, kinds) as Manner["walk"];
	// With one of the two toybox thinks nothing of -h.
	const unheard = call.implementation === "toybox" && (given === "start" || given === "follow");
	const leaf = unheard ? "target" : lastOf(parsed, ["entry", "target"]);
	const operands = leaf !== "entry";
	if (!has(parsed, "recursive")) return { walk: undefined, operands, below: false };
	const walk = given ?? (name === "chmod" ? "start" : "physical");
	return { walk, operands, below: leaf === undefined ? name !== "chmod" || walk === "follow" : operands };
}

/** The links below that are followed. */
function belowOf({ walk, below }: Manner): Below | undefined {
	if (walk === "follow") return { follow: below ? "both" : "directories" };
	return walk === "start" && below ? { follow: "links" } : undefined;
}

/** Which component of an operand is meant: chown -h changes a link that it enters as well; a link has no mode of its own. */
function leafOf({ walk, operands }: Manner, name: string, text: Bytes, look: Resolver): Leaf {
	if (walk === "physical") return "entry";
	if (operands) return "target";
	if (walk === undefined || !look.isDirectory(text)) return "entry";
	return name === "chmod" ? "target" : "both";
}

/** Modes that take reading or searching from the owner: what lies below a directory goes with it. */
const CLOSES = /^0?[0-46][0-7]{2}$|^0?[0-7]{1,2}$|(^|,)([go]*[ua][ugoa]*)?-[wst]*[rxX]/;

function attributes(name: string, grammar: Grammar): Reader {
	return {
		name,
		read(call, look) {
			const parsed = parseOptions(call, grammar);
			if (parsed.unread.length > 0) return suspectReading(call, parsed);
			if (parsed.informs) return NOTHING;
			const leading = has(parsed, "reference") || has(parsed, "dash-operand") ? 0 : 1;
			const manner = mannerOf(call, parsed, name);
			const below = belowOf(manner);
			const mode = leading === 1 ? (parsed.operands[0] ?? "") : (call.argv.find((word) => CLOSES.test(word)) ?? "");
			const closes = name === "chmod" && CLOSES.test(mode);
			const operands = parsed.operands.slice(leading).map((text): Operand => {
				const deep = (manner.walk !== undefined || (closes && look.isDirectory(text))) && { deep: {} };
				return { text, role: "written", leaf: leafOf(manner, name, text, look), node: true, ...deep, ...(below && { below }) };
			});
			return { operands, unread: [] };
		},
	};
}

export const chmod = attributes("chmod", CHMOD);
export const chown = attributes("chown", CHOWN);
export const chgrp = attributes("chgrp", CHOWN);
