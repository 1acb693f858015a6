// What to judge when an argv cannot be read: every word, and every value glued to an option, as if each were removed.

import type { Call, Operand, Reading } from "../policy/call.ts";
import type { Parsed } from "./options.ts";

/** A reading of a call whose option table does not explain it; it errs toward refusing and says which words it did not know. */
export function suspectReading(call: Call, parsed: Parsed): Reading {
	const words = [...call.argv.slice(1), ...parsed.suspects].filter((word) => word !== "" && word !== "--");
	const operands = words.map((text): Operand => ({ text, role: "removed", leaf: "both", note: "an option was not understood" }));
	return { operands, unread: parsed.unread };
}

/** A reading with nothing to judge: the tool prints its help, or stops. */
export const NOTHING: Reading = { operands: [], unread: [] };
