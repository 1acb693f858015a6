// `positional`: every word that is not a flag names a directory entry that goes (rm, unlink).

import type { Bytes } from "../policy/bytes.ts";
import type { Call, Reader, Reading } from "../policy/call.ts";
import { withoutSlashes } from "../policy/resolve.ts";
import { type Grammar, parseOptions } from "./options.ts";
import { NOTHING, suspectReading } from "./suspects.ts";

/** rm(1) of GNU coreutils, FreeBSD, macOS and busybox. No spelling takes a separate word. */
const RM: Grammar = {
	rows: [
		["-f --force", "no"],
		["-i -I", "no"],
		["--interactive", "optional"],
		["-r -R --recursive", "no"],
		["-d --dir", "no"],
		["-v --verbose", "no"],
		["-P -W -x", "no"],
		["--one-file-system", "no"],
		["--preserve-root", "optional"],
		["--no-preserve-root", "no"],
		["---presume-input-tty", "no"],
	],
};

/** unlink(1): one operand, no options of its own. */
const UNLINK: Grammar = { rows: [] };

const KNOWN: Record<string, Grammar> = { rm: RM, unlink: UNLINK };

/** These two take the link itself, whatever slashes stand behind it. */
const TAKE_LINKS: readonly string[] = ["busybox", "toybox"];

function endsInSlash(operands: readonly Bytes[]): boolean {
	for (const operand of operands) if (operand.endsWith("/")) return true;
	return false;
}

/** The words of a tool without a table here: what begins with a dash is a flag, up to `--`. */
function plainWords(call: Call): Reading {
	const removed: Bytes[] = [];
	let flags = true;
	for (const text of call.argv.slice(1)) {
		if (flags && text === "--") flags = false;
		else if (!flags || text === "-" || text.charCodeAt(0) !== 45) {
			removed.push(text);
			if (call.posix) flags = false;
		}
	}
	return { operands: [], removed, unread: [] };
}

export const positional: Reader = {
	name: "positional",
	read(call) {
		const grammar = Object.hasOwn(KNOWN, call.tool) ? KNOWN[call.tool] : undefined;
		if (grammar === undefined) return plainWords(call);
		const parsed = parseOptions(call, grammar);
		if (parsed.unread.length > 0) return suspectReading(call, parsed);
		if (parsed.informs) return NOTHING;
		const named = endsInSlash(parsed.operands) && TAKE_LINKS.includes(call.implementation);
		return { operands: [], removed: named ? parsed.operands.map(withoutSlashes) : parsed.operands, unread: [] };
	},
};
