// `positional-and-target`: what mv moves, and whither.

import type { Bytes } from "../policy/bytes.ts";
import type { Operand, Reader } from "../policy/call.ts";
import { baseOf, join, type Resolver, withoutSlashes } from "../policy/resolve.ts";
import { backups, DESTINATION_ROWS, type Destination, destinationOf, entered, landings } from "./destination.ts";
import { type Grammar, has, parseOptions } from "./options.ts";
import { NOTHING, suspectReading } from "./suspects.ts";

/** mv(1) of coreutils 8 to 9.7, FreeBSD, macOS and busybox. */
const MV: Grammar = {
	rows: [
		...DESTINATION_ROWS,
		["-f -i -n -h --force --interactive --no-clobber --no-copy --exchange --debug", "no"],
		["-u", "no"],
		["--update", "optional"],
		["--strip-trailing-slashes", "no", "strip"],
		["-Z --context", "no"],
	],
};

/** Where earlier sources come to stand, real paths: a later source may lead through one of them. */
function standing(destination: Destination, look: Resolver): ReadonlySet<Bytes> | undefined {
	const { sources, directories } = destination;
	if (sources.length < 2 || !sources.some((source) => source.includes("/"))) return undefined;
	const directory = directories.at(-1);
	return directory === undefined ? undefined : new Set(sources.map((source) => join(look.directory(directory), baseOf(source))));
}

/** A source is taken out of its real directory; a trailing slash follows a link (rename(2), and the copy across devices). */
function moved(text: Bytes, strip: boolean, after: ReadonlySet<Bytes> | undefined): Operand {
	const name = strip ? withoutSlashes(text) : text;
	return { text: name, role: "moved", leaf: "entry", ...(after && { after }) };
}

/** A destination that is not entered; a directory there (-T) is renamed away for a backup, or replaced. */
function replaced(text: Bytes, look: Resolver): Operand {
	return { text, role: look.kind(text, false) === "directory" ? "moved" : "written", leaf: "entry" };
}

export const positionalAndTarget: Reader = {
	name: "positional-and-target",
	read(call, look) {
		const parsed = parseOptions(call, MV);
		if (parsed.unread.length > 0) return suspectReading(call, parsed);
		if (parsed.informs) return NOTHING;
		const destination = destinationOf(parsed, look);
		const strip = has(parsed, "strip");
		const after = standing(destination, look);
		const operands = destination.sources.map((text, k) => moved(text, strip, k > 0 ? after : undefined));
		operands.push(...entered(destination));
		if (destination.file !== undefined) operands.push(replaced(destination.file, look));
		const names = destination.file === undefined ? landings(destination) : [destination.file];
		operands.push(...backups(call, parsed, destination, names, look));
		return { operands, unread: [] };
	},
};
