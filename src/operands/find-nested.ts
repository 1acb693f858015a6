// A guarded tool that find runs: read by its own reader, once with the starting point for `{}` and once with what lies below it.

import { type Bytes, quote } from "../policy/bytes.ts";
import { type Below, type Call, type Operand, operandsOf, type Reader } from "../policy/call.ts";
import { baseOf, join, type Resolver, withoutSlashes } from "../policy/resolve.ts";

/** Where a command runs and what `{}` stands for. */
export interface Place {
	/** The starting point, as find spells it. */
	start: Bytes;
	/** Whether the command may meet the starting point itself, not only what lies below it. */
	self: boolean;
	/** Whether find descends there. */
	below: boolean;
	/** Whether a link may be among what it meets. */
	links: boolean;
	/** Whether a file of that name is surely not among it. */
	spares(name: Bytes): boolean;
	/** -execdir: the command runs in the directory of each file. */
	inDirectory: boolean;
}

/** The starting point as something the command acts on: it checks links that find follows, and mounts below. */
export const acted = (start: Bytes, note: string): Operand => ({ text: start, role: "started", leaf: "entry", self: true, note });

/** What `{}` stands for, and the directory that the command runs in when it is not find's. */
interface Variant {
	match: Bytes;
	cwd: Bytes | undefined;
}

/** The name that find -execdir gives a starting point, and the directory that it runs the command in. */
function inItsDirectory(start: Bytes): Variant {
	const name = withoutSlashes(start);
	const slash = name.lastIndexOf("/");
	return { match: `./${start.slice(slash + 1)}`, cwd: slash < 0 ? "." : name.slice(0, slash + 1) };
}

/** `{}` as the starting point itself, and as a name below it that stands for every file there. */
export function variants({ start, self, below, inDirectory }: Place): Variant[] {
	const found: Variant[] = [];
	if (self) found.push(inDirectory ? inItsDirectory(start) : { match: start, cwd: undefined });
	if (below) found.push(inDirectory ? { match: "./{}", cwd: start } : { match: join(start, "{}"), cwd: undefined });
	return found;
}

/** What an operand made of `{}` does to links that find meets: what `{}x` or `{}/x` says behind them decides which. */
function throughLinks(operand: Operand, rest: Bytes, place: Place, note: string): Operand[] {
	// A name that find meets may be a directory, which mv, ln and install then enter.
	const writes = operand.leaf !== "entry" || operand.role === "written" || operand.role === "into";
	const enters = place.links && (rest.startsWith("/") || operand.role === "into");
	if (!(writes || enters) || (rest === "" && !place.links)) return [];
	const follow = writes ? "links" : "directories";
	const below: Below = rest === "" ? { follow, spares: place.spares } : enters ? { follow } : { follow, ending: rest };
	return [{ ...acted(place.start, note), leaf: "target", below }];
}

/** A relative name that -execdir looks up in every directory below the starting point: links of that name may lead anywhere. */
export function inEachDirectory(operand: Operand, place: Place, note: string): Operand[] {
	const [name, ...more] = operand.text.split("/").filter((part) => part !== "" && part !== "." && part !== "..");
	const reads = operand.leaf === "entry" && operand.role !== "written" && more.length === 0;
	if (name === undefined || reads || operand.text.startsWith("/")) return [];
	return [{ ...acted(place.start, note), leaf: "target", below: { follow: "links", ending: `/${name}` } }];
}

/** What follows from one operand of the command besides itself. */
function consequences(operand: Operand, match: Bytes, place: Place, links: boolean, note: string): Operand[] {
	const everything = match.includes("{}");
	if (operand.text.startsWith(match)) {
		const start = acted(place.start, note);
		return everything ? [start, ...throughLinks(operand, operand.text.slice(match.length), place, note)] : [start];
	}
	// `cp {} DIR`: any link in DIR may have the name of what is copied.
	if (everything && operand.text.endsWith("/{}") && operand.leaf !== "entry") {
		return [{ ...operand, text: operand.text.slice(0, -3) || "/", note, leaf: "target", below: { follow: "links", spares: place.spares } }];
	}
	// A name that carries the file's own (`ln -s {} DIR`) is another one each time.
	const made = links && place.links && becomesLink(operand, place) && baseOf(operand.text) !== baseOf(match);
	const below = everything && { below: { follow: "directories" as const } };
	const standIn: Operand[] = made ? [{ ...acted(place.start, note), leaf: "target", ...below }] : [];
	return everything && place.inDirectory ? [...standIn, ...inEachDirectory(operand, place, note)] : standIn;
}

/** Whether a command makes links out of links, or of anything: mv, ln, and cp where it copies links as links. */
function makesLinks(words: Bytes[]): boolean {
	const name = baseOf(words[0] ?? "");
	return name === "mv" || name === "ln" || (name === "cp" && words.some((word) => /^(-[a-zA-Z]*[aRrdP]|--(arch|rec|no-d))/.test(word)));
}

/** `mv {} new` may make `new` a link to a directory, which the next such command enters. */
function becomesLink({ role, leaf, text }: Operand, { inDirectory }: Place): boolean {
	return (role === "written" && leaf !== "target") || (role === "into" && inDirectory && !text.startsWith("/"));
}

/** The operands of a guarded tool that find runs, and what follows for links and mounts below the starting point. */
export function nested(
	call: Call,
	reader: Reader,
	words: Bytes[],
	place: Place,
	look: Resolver,
	readerOf: (tool: string) => Reader | undefined,
): Operand[] {
	const found: Operand[] = [];
	const note = `run by find: ${quote(baseOf(words[0] ?? ""))}`;
	const links = makesLinks(words);
	for (const { match, cwd } of variants(place)) {
		const argv = words.map((word) => word.replaceAll("{}", () => match));
		const there = cwd === undefined ? look : look.from(look.directory(cwd));
		const inner: Call = { ...call, tool: baseOf(argv[0] ?? ""), argv, cwd: there.cwd };
		for (const operand of operandsOf(reader.read(inner, there, readerOf))) {
			const at = operand.at ?? (cwd === undefined ? undefined : there.cwd);
			found.push(
				{ ...operand, ...(at !== undefined && { at }), note },
				...consequences({ ...operand, ...(at !== undefined && { at }) }, match, place, links, note),
			);
		}
	}
	return found;
}
