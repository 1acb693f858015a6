// ln: the new name is made; what the link says is no effect, wherever it points.

import type { Bytes } from "../policy/bytes.ts";
import type { Operand, Reader } from "../policy/call.ts";
import { baseOf } from "../policy/resolve.ts";
import { backups, DESTINATION_ROWS, destinationOf, entered, landings } from "./destination.ts";
import { type Grammar, has, parseOptions } from "./options.ts";
import { NOTHING, suspectReading } from "./suspects.ts";

/** ln(1) of coreutils and FreeBSD. */
const LN: Grammar = {
	rows: [
		...DESTINATION_ROWS,
		["-n -h --no-dereference", "no", "leaf"],
		["-d -F -f -i -r -s -L -P -w --directory --force --interactive --logical --physical --relative --symbolic", "no"],
	],
};

export const ln: Reader = {
	name: "ln",
	read(call, look) {
		const parsed = parseOptions(call, LN);
		if (parsed.unread.length > 0) return suspectReading(call, parsed);
		if (parsed.informs) return NOTHING;
		const enters = (last: Bytes) => look.isDirectory(last) && !(has(parsed, "leaf") && look.kind(last, false) === "link");
		const destination = destinationOf(parsed, look, enters);
		const operands: Operand[] = entered(destination);
		const names = landings(destination);
		if (destination.file !== undefined) names.push(destination.file);
		// One operand: a link of the same name in the working directory.
		if (names.length === 0) names.push(...parsed.operands.map(baseOf));
		for (const text of names) operands.push({ text, role: "written", leaf: "entry" });
		operands.push(...backups(call, parsed, destination, names, look));
		return { operands, unread: [] };
	},
};
