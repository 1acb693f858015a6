// Where mv, cp, ln and install put things: the last operand or -t, entered when it leads to a directory.

import type { Bytes } from "../policy/bytes.ts";
import type { Call, Operand } from "../policy/call.ts";
import { baseOf, join, type Resolver } from "../policy/resolve.ts";
import { has, lastValue, type OptionRow, type Parsed, values } from "./options.ts";

/** The rows that the four tools share (coreutils: common long options of copying tools). */
export const DESTINATION_ROWS: readonly OptionRow[] = [
	["-t --target-directory", "required", "target"],
	["-T --no-target-directory", "no", "whole"],
	["-S --suffix", "required", "suffix"],
	["-b", "no", "backup"],
	["--backup", "optional", "backup"],
	["-v --verbose", "no"],
];

/** The sources of a call and where they go. */
export interface Destination {
	sources: Bytes[];
	/** The directories that are entered; several when -t is repeated, of which GNU takes none and others the last. */
	directories: Bytes[];
	/** The destination that is no directory to enter. */
	file?: Bytes;
}

/**
 * Split the operands of a copying tool.
 * @param enters whether a last operand that is a link to a directory is entered (not so for ln -n)
 */
export function destinationOf(
	parsed: Parsed,
	look: Resolver,
	enters: (last: Bytes) => boolean = (last) => look.isDirectory(last),
): Destination {
	const targets = values(parsed, "target");
	if (targets.length > 0) return { sources: parsed.operands, directories: targets };
	const last = parsed.operands.at(-1);
	if (last === undefined || parsed.operands.length < 2) return { sources: parsed.operands, directories: [] };
	const sources = parsed.operands.slice(0, -1);
	if (!has(parsed, "whole") && (sources.length > 1 || enters(last))) return { sources, directories: [last] };
	return { sources, directories: [], file: last };
}

/** The directories that are entered. A link is probed by its own name before it is entered, so both readings count. */
export function entered(destination: Destination): Operand[] {
	return destination.directories.map((text) => ({ text, role: "into", leaf: "both", note: "the directory that it goes into" }));
}

/** The names that the sources get. */
export function landings(destination: Destination): Bytes[] {
	return destination.directories.flatMap((directory) => destination.sources.map((source) => join(directory, baseOf(source))));
}

/**
 * The backup names of a destination where the suffix is a path: GNU ignores such a suffix, uutils does not.
 * @param names the destinations that would be renamed away
 */
export function backups(call: Call, parsed: Parsed, names: Bytes[]): Operand[] {
	if (call.implementation !== "uutils" || !(has(parsed, "backup") || has(parsed, "suffix"))) return [];
	const suffix = lastValue(parsed, "suffix") ?? call.env("SIMPLE_BACKUP_SUFFIX");
	if (!suffix.includes("/")) return [];
	return names.map((name) => ({ text: name + suffix, role: "written", leaf: "entry", note: "the name of the backup" }));
}
