// install: the destination is unlinked and made anew; with -d every operand is a directory to make.

import type { Bytes } from "../policy/bytes.ts";
import type { Operand, Reader } from "../policy/call.ts";
import { backups, DESTINATION_ROWS, destinationOf, entered, landings } from "./destination.ts";
import { made } from "./leading-directories.ts";
import { type Grammar, has, parseOptions } from "./options.ts";
import { NOTHING, suspectReading } from "./suspects.ts";

/** install(1) of coreutils and busybox. */
const INSTALL: Grammar = {
	rows: [
		...DESTINATION_ROWS,
		["-g --group", "required"],
		["-m --mode", "required"],
		["-o --owner", "required"],
		["--strip-program", "required"],
		["--context", "optional"],
		["-d --directory", "no", "directories"],
		["-c -C -D -p -s -Z --compare --preserve-timestamps --preserve-context --strip --debug", "no"],
	],
};

export const install: Reader = {
	name: "install",
	read(call, look) {
		const parsed = parseOptions(call, INSTALL);
		if (parsed.unread.length > 0) return suspectReading(call, parsed);
		if (parsed.informs) return NOTHING;
		if (has(parsed, "directories")) {
			// The mode of a directory that is there already is set as well, those on the way to it are left alone (GNU; not toybox).
			const set = (text: Bytes): Operand => ({
				text,
				role: "written",
				leaf: "target",
				node: true,
				note: "a directory to make, or to set the mode of",
			});
			const onTheWay = (text: Bytes) => made(text, true, look).filter((operand) => operand.text !== text || operand.unknowable);
			return { operands: parsed.operands.flatMap((text) => [set(text), ...onTheWay(text)]), unread: [] };
		}
		const destination = destinationOf(parsed, look);
		const operands: Operand[] = entered(destination);
		const names = landings(destination);
		if (destination.file !== undefined) names.push(destination.file);
		const through = call.implementation === "busybox" || call.implementation === "uutils";
		for (const text of names) operands.push({ text, role: "written", leaf: through ? "both" : "entry" });
		operands.push(...backups(call, parsed, destination, names, look));
		return { operands, unread: [] };
	},
};
