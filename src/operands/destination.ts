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

/** Each source with the name that it gets in the directory that is entered, the last one when there are several. */
export function intoDirectory(
	{ directories }: Destination,
	sources: Bytes[],
	nameIn: (directory: Bytes, source: Bytes) => Bytes,
): [source: Bytes, name: Bytes][] {
	const directory = directories.at(-1);
	return directory === undefined ? [] : sources.map((source) => [source, nameIn(directory, source)]);
}

/** The names that the sources get. */
export function landings(destination: Destination): Bytes[] {
	return intoDirectory(destination, destination.sources, (directory, source) => join(directory, baseOf(source))).map(([, name]) => name);
}

/** How backups are named: the last value that says so; an empty one leaves it to the environment, as none does (coreutils manual, Backup options). */
export function wayOfBackups(call: Call, parsed: Parsed): Bytes {
	return values(parsed, "backup").at(-1) || call.env("VERSION_CONTROL");
}

/**
 * Backup names that lie elsewhere than the destination: uutils takes a suffix for a path, and coreutils 9.1 puts the simple backup
 * of a file in a directory that it enters into the working directory (NEWS of 9.2).
 * @param names the destinations that would be renamed away
 */
export function backups(call: Call, parsed: Parsed, destination: Destination, names: Bytes[], look: Resolver): Operand[] {
	if (!has(parsed, "backup") && !has(parsed, "suffix")) return [];
	const suffix = lastValue(parsed, "suffix") ?? call.env("SIMPLE_BACKUP_SUFFIX");
	const backup = (text: Bytes): Operand => ({ text, role: "written", leaf: "entry", note: "the name of the backup" });
	if (call.implementation === "uutils") return suffix.includes("/") ? names.map((name) => backup(name + suffix)) : [];
	if (call.implementation !== "gnu" || destination.file !== undefined) return [];
	// Only a backup that has no number is misplaced: `simple`, `never`, and their beginnings.
	if (!/^(s|ne)/.test(wayOfBackups(call, parsed))) return [];
	const there = names.filter((name) => look.kind(name, false) !== undefined);
	return there.map((name) => backup(baseOf(name) + (suffix === "" || suffix.includes("/") ? "~" : suffix)));
}
