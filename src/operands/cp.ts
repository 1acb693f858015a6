// cp: the sources are read, the destination is written; an existing link there is written through.

import type { Bytes } from "../policy/bytes.ts";
import type { Call, Operand, Reader } from "../policy/call.ts";
import { baseOf, join, type Resolver } from "../policy/resolve.ts";
import { backups, DESTINATION_ROWS, destinationOf, entered } from "./destination.ts";
import { type Grammar, has, type Parsed, parseOptions, values } from "./options.ts";
import { NOTHING, suspectReading } from "./suspects.ts";

/** cp(1) of coreutils 8 to 9.7, FreeBSD and busybox. */
const CP: Grammar = {
	rows: [
		...DESTINATION_ROWS,
		["-a --archive", "no", "links-as-links"],
		["-d -P --no-dereference", "no", "links-as-links"],
		["-r -R --recursive", "no", "recursive"],
		["-f -i -n -H -L -l -s -p -x -u -c -X --force --interactive --no-clobber --dereference --link --symbolic-link", "no"],
		["--attributes-only --copy-contents --one-file-system --strip-trailing-slashes --debug --keep-directory-symlink", "no"],
		["--remove-destination", "no", "removes"],
		["--parents --path", "no", "parents"],
		["--update --preserve --reflink --context", "optional"],
		["--sparse --no-preserve", "required"],
		["-Z", "no"],
	],
};

/** The ways of making backups; another word is `none`, `off` or an error (coreutils manual, Backup options). */
const BACKUPS = ["simple", "never", "existing", "nil", "numbered", "t"];

/** Whether what stands at the destination is renamed away first: the last value says how, else VERSION_CONTROL. */
function backsUp(call: Call, parsed: Parsed): boolean {
	if (!has(parsed, "backup") && !has(parsed, "suffix")) return false;
	const way = values(parsed, "backup").at(-1) ?? call.env("VERSION_CONTROL");
	return BACKUPS.some((known) => known.startsWith(way));
}

/** Whether an existing link at the destination is taken away first, not written through. */
function replacesLinks(call: Call, parsed: Parsed): boolean {
	if (call.implementation === "busybox" || call.implementation === "toybox") return false;
	return has(parsed, "removes") || backsUp(call, parsed);
}

/** Whether -r merges a tree into one that is there already, where links to files are written through. */
function merges(parsed: Parsed, source: Bytes, look: Resolver): boolean {
	return has(parsed, "recursive") && !has(parsed, "links-as-links") && look.isDirectory(source);
}

function written(call: Call, parsed: Parsed, look: Resolver, source: Bytes, name: Bytes): Operand {
	const replaces = replacesLinks(call, parsed);
	const operand: Operand = { text: name, role: "written", leaf: replaces ? "entry" : "both" };
	if (!replaces && merges(parsed, source, look)) operand.below = { follow: "links", like: source };
	return operand;
}

export const cp: Reader = {
	name: "cp",
	read(call, look) {
		const parsed = parseOptions(call, CP);
		if (parsed.unread.length > 0) return suspectReading(call, parsed);
		if (parsed.informs) return NOTHING;
		const destination = destinationOf(parsed, look);
		const nameIn = (directory: Bytes, source: Bytes) => join(directory, has(parsed, "parents") ? source : baseOf(source));
		const pairs = destination.directories.flatMap((directory) => {
			return destination.sources.map((source) => [source, nameIn(directory, source)] as const);
		});
		if (destination.file !== undefined) pairs.push([destination.sources[0] ?? "", destination.file]);
		const operands = entered(destination);
		for (const [source, name] of pairs) operands.push(written(call, parsed, look, source, name));
		const names = pairs.map(([, name]) => name);
		operands.push(...backups(call, parsed, destination, names, look));
		return { operands, unread: [] };
	},
};
