// cp: the sources are read, the destination is written; an existing link there is written through.

import type { Bytes } from "../policy/bytes.ts";
import type { Call, Operand, Reader } from "../policy/call.ts";
import { baseOf, join, type Kind, type Resolver, withoutSlashes } from "../policy/resolve.ts";
import { backups, DESTINATION_ROWS, destinationOf, entered, intoDirectory, wayOfBackups } from "./destination.ts";
import { Landings } from "./made-before.ts";
import { type Grammar, has, lastOf, lastValue, type Parsed, parseOptions } from "./options.ts";
import { NOTHING, suspectReading } from "./suspects.ts";

/** cp(1) of coreutils 8 to 9.7, FreeBSD and busybox. */
const CP: Grammar = {
	rows: [
		...DESTINATION_ROWS,
		["-a --archive", "no", "archive"],
		["-d -P --no-dereference", "no", "links-as-links"],
		["-H", "no", "operands-followed"],
		["-L --dereference", "no", "links-followed"],
		["-r -R --recursive", "no", "recursive"],
		["-l -s --link --symbolic-link", "no", "makes-links"],
		["-n --no-clobber", "no", "keeps"],
		["-i --interactive", "no", "asks"],
		["-f -p -x -u -c -X --force", "no"],
		["--attributes-only --copy-contents --one-file-system --debug", "no"],
		["--strip-trailing-slashes", "no", "strip"],
		["--keep-directory-symlink", "no", "enters"],
		["--remove-destination", "no", "removes"],
		["--parents --path", "no", "parents"],
		["--update", "optional", "update"],
		["--preserve --reflink --context", "optional"],
		["--sparse --no-preserve", "required"],
		["-Z", "no"],
	],
};

/** The ways of making backups; another word is `none`, `off` or an error (coreutils manual, Backup options). */
const BACKUPS = ["simple", "never", "existing", "nil", "numbered", "t"];

/** Whether what stands at the destination is renamed away first. */
function backsUp(call: Call, parsed: Parsed): boolean {
	if (!has(parsed, "backup") && !has(parsed, "suffix")) return false;
	const way = wayOfBackups(call, parsed);
	return BACKUPS.some((known) => known.startsWith(way));
}

/** What the options of a call come to. */
interface Manner {
	recursive: boolean;
	/** Which links of a source are followed: `all`, the operands alone, or none. */
	followed: "all" | "operands" | "none";
	/** Whether an existing link at the destination is taken away first or left alone, not written through. */
	replaces: boolean;
	/** Whether what stands at the destination is left alone, a link that leads to nothing aside. */
	keeps: boolean;
	/** Whether a link to a directory in the destination is entered for a directory of that name. */
	enters: boolean;
}

function mannerOf(call: Call, parsed: Parsed): Manner {
	const recursive = has(parsed, "recursive") || has(parsed, "archive");
	const last = lastOf(parsed, ["archive", "links-as-links", "operands-followed", "links-followed"]);
	const follows = last === undefined ? !recursive : last === "links-followed";
	const makesLinks = has(parsed, "makes-links");
	const frugal = call.implementation === "busybox" || (call.implementation === "toybox" && !has(parsed, "removes"));
	return {
		recursive,
		followed: follows ? "all" : last === "operands-followed" ? "operands" : "none",
		keeps: lastOf(parsed, ["keeps", "asks"]) === "keeps" || /^none/.test(lastValue(parsed, "update") ?? ""),
		replaces: makesLinks || (!frugal && (has(parsed, "removes") || backsUp(call, parsed))),
		enters: has(parsed, "enters") || call.implementation === "bsd" || call.implementation === "uutils",
	};
}

/** One source, read as cp reads it. */
class Source {
	constructor(
		readonly text: Bytes,
		readonly manner: Manner,
		readonly look: Resolver,
	) {}

	/** The type of the source, or of a name below it; `link` for one that becomes a link. */
	kind(path = this.text): Kind | undefined {
		return this.look.kind(path, !this.keepsLinks(path !== this.text));
	}

	keepsLinks(below: boolean): boolean {
		const { followed } = this.manner;
		return followed === "none" || (below && followed === "operands");
	}

	isTree(): boolean {
		return this.manner.recursive && this.kind() === "directory";
	}

	/** Whether an existing link is followed when `path`, the source or a name below it, is copied to its place. */
	writesThrough(path: Bytes, link: Bytes, look: Resolver): boolean {
		const { replaces, keeps, enters } = this.manner;
		const kind = this.kind(path);
		// A directory in the place of a link is an error, where the link is not entered.
		if (kind === "directory" && this.manner.recursive) return enters;
		// A link comes to stand in the place of another one; a file is written through it.
		return kind !== "link" && !replaces && !(keeps && look.kind(link, true) !== undefined);
	}

	/** What is written at its name; `view` shows what earlier sources have made by then. */
	written(name: Bytes, view: Resolver | undefined): Operand {
		const { replaces, enters } = this.manner;
		const look = view ?? this.look;
		// What is yet to be made is known by its real path.
		const place = view ? view.entry(name) : name;
		const isLink = look.kind(place, false) === "link";
		const through = !isLink || this.writesThrough(this.text, place, look);
		const operand: Operand = { text: name, role: "written", leaf: through && (isLink || !replaces) ? "both" : "entry" };
		if (view) operand.look = view;
		if (!through || !this.isTree()) return operand;
		operand.deep = { like: [this.text] };
		operand.below = { follow: enters ? "both" : "links", like: this.text, meets: (path, link) => this.writesThrough(path, link, look) };
		return operand;
	}
}

/** The name that a source gets in a directory; one that ends in `..` is copied into the directory itself. */
function nameIn(directory: Bytes, source: Bytes, parents: boolean): Bytes {
	if (parents) return join(directory, source);
	const base = baseOf(source);
	return base === ".." ? directory : join(directory, base);
}

/** What is written for each source, in their order. */
function writtenAll(pairs: readonly (readonly [Bytes, Bytes])[], manner: Manner, look: Resolver): Operand[] {
	const before = new Landings(look);
	return pairs.map(([text, name]) => {
		const source = new Source(text, manner, look);
		const view = before.size > 0 && before.concern(look.entry(name)) ? before.view() : undefined;
		if (pairs.length > 1 && (source.isTree() || source.kind() === "link") && !manner.replaces) {
			const at = (view ?? look).entry(name);
			before.add({ at, source: text, keepsLinks: (below) => source.keepsLinks(below) });
		}
		return source.written(name, view);
	});
}

export const cp: Reader = {
	name: "cp",
	read(call, look) {
		const parsed = parseOptions(call, CP);
		if (parsed.unread.length > 0) return suspectReading(call, parsed);
		if (parsed.informs) return NOTHING;
		const destination = destinationOf(parsed, look);
		const sources = has(parsed, "strip") ? destination.sources.map(withoutSlashes) : destination.sources;
		const pairs = intoDirectory(destination, sources, (directory, source) => nameIn(directory, source, has(parsed, "parents")));
		if (destination.file !== undefined) pairs.push([sources[0] ?? "", destination.file]);
		const operands = [...entered(destination), ...writtenAll(pairs, mannerOf(call, parsed), look)];
		const names = pairs.map(([, name]) => name);
		operands.push(...backups(call, parsed, destination, names, look));
		return { operands, unread: [] };
	},
};
