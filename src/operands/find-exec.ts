// What `find -exec` runs: a tool that only reads acts on nothing, a guarded one is read by its own reader, a script is scanned for paths.

import { type Bytes, quote } from "../policy/bytes.ts";
import type { Call, Operand, Reader } from "../policy/call.ts";
import { baseOf, join, type Resolver } from "../policy/resolve.ts";
import { scriptOperands, scriptReads } from "./script.ts";

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
	/** -execdir: the command runs in the directory of each file. */
	inDirectory: boolean;
}

/**
 * Commands that change nothing, whatever their operands are; `unless` names what would make them write or run something.
 * POSIX XCU, coreutils, findutils, grep, file, diffutils.
 */
const READS: readonly [names: string, unless?: RegExp][] = [
	["grep egrep fgrep zgrep cat head tail wc ls stat du echo printf true false test [ basename dirname realpath readlink"],
	["md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum cksum sum cmp diff comm od hexdump strings nl tac rev fold cut"],
	["getfattr getfacl lsattr lsof id zcat bzcat xzcat readelf objdump nm ldd identify pwd sleep expr seq"],
	["file", /^(-[a-zA-Z]*C|--comp)/],
	["rg ag", /^--(pre|hostname-bin|pager)/],
];

const TRUSTED_PLACES = ["", "/bin/", "/usr/bin/", "/usr/local/bin/", "/sbin/", "/usr/sbin/", "/opt/homebrew/bin/"];

/** Whether a command only reads. A program of the same name in another place may do anything. */
export function onlyReads(words: Bytes[]): boolean {
	const command = words[0] ?? "";
	const name = baseOf(command);
	if (!TRUSTED_PLACES.includes(command.slice(0, command.length - name.length))) return false;
	const row = READS.find(([names]) => names.split(" ").includes(name));
	return row !== undefined && !words.slice(1).some((word) => row[1]?.test(word));
}

const SHELLS = ["sh", "bash", "dash", "zsh", "ksh", "ash", "mksh"];

/** The script of `sh -c SCRIPT`; undefined when it is something else. */
function scriptOf(words: Bytes[]): Bytes | undefined {
	if (!SHELLS.includes(baseOf(words[0] ?? ""))) return undefined;
	const flag = words.findIndex((word, k) => k > 0 && /^-[a-zA-Z]*c[a-zA-Z]*$/.test(word));
	return flag < 0 ? undefined : words[flag + 1];
}

/** A name below the starting point that stands for every file there. */
const below = (start: Bytes) => join(start, "{}");

const mentions = (words: Bytes[]) => words.some((word) => word.includes("{}"));

/** The starting point as something the command acts on: it checks links that find follows, and mounts below. */
const acted = (start: Bytes, note: string): Operand => ({ text: start, role: "started", leaf: "entry", self: true, note });

/** The operands of a guarded tool, once with the starting point for `{}` and once with what lies below it. */
function nested(
	call: Call,
	reader: Reader,
	words: Bytes[],
	place: Place,
	look: Resolver,
	readerOf: (tool: string) => Reader | undefined,
): Operand[] {
	const found: Operand[] = [];
	const variants: { match: Bytes; cwd: Bytes | undefined }[] = [];
	const { start, inDirectory } = place;
	const note = `run by find: ${quote(baseOf(words[0] ?? ""))}`;
	if (place.self) variants.push({ match: inDirectory ? `./${baseOf(start)}` : start, cwd: inDirectory ? join(start, "..") : undefined });
	if (place.below) variants.push({ match: inDirectory ? "./{}" : below(start), cwd: inDirectory ? start : undefined });
	for (const { match, cwd } of variants) {
		const argv = words.map((word) => word.replaceAll("{}", () => match));
		const there = cwd === undefined ? look : look.from(look.directory(cwd));
		const inner: Call = { ...call, tool: baseOf(argv[0] ?? ""), argv, cwd: there.cwd };
		for (const operand of reader.read(inner, there, readerOf).operands) {
			const at = operand.at ?? (cwd === undefined ? undefined : there.cwd);
			found.push({ ...operand, ...(at !== undefined && { at }), note });
			// What is copied from there is only read; what is named there is acted on, with mounts and links that lie below.
			if (operand.role === "into" || !operand.text.startsWith(match)) continue;
			found.push(acted(start, note));
			const follows = operand.leaf !== "entry" && operand.text.includes("{}");
			if (follows && place.links) found.push({ ...acted(start, note), leaf: "target", below: { follow: "links" } });
		}
	}
	return found;
}

/** Words of a command that nobody knows: each that names a path is taken as written. */
function namedPaths(words: Bytes[], place: Place, look: Resolver): Operand[] {
	const found: Operand[] = [];
	const there = place.inDirectory ? look.directory(place.start) : undefined;
	for (const word of words.slice(1)) {
		if (word === "{}") continue;
		const flag = /^-(?:[^-]|-[^=]*=)/.exec(word);
		const text = (flag ? word.slice(flag[0].length) : word).replaceAll("{}", () => place.start);
		const path = text.includes("/") || text === "." || text === ".." || (!flag && look.kind(text, false) !== undefined);
		if (!path || (flag && !text.startsWith("/") && !text.startsWith(".."))) continue;
		found.push({
			text,
			role: "written",
			leaf: "both",
			note: `named to ${quote(baseOf(words[0] ?? ""))}`,
			...(there !== undefined && { at: there }),
		});
	}
	return found;
}

/** What one -exec, -execdir, -ok or -okdir acts on. */
export function execOperands(
	call: Call,
	words: Bytes[],
	place: Place,
	look: Resolver,
	readerOf: (tool: string) => Reader | undefined,
): Operand[] {
	if (words.length === 0 || onlyReads(words)) return [];
	const reader = readerOf(baseOf(words[0] as Bytes));
	if (reader) return nested(call, reader, words, place, look, readerOf);
	const script = scriptOf(words);
	if (script !== undefined && scriptReads(script, onlyReads)) return [];
	const met = mentions(words) || place.inDirectory;
	const start = met ? [acted(place.start, `run by find: ${quote(baseOf(words[0] as Bytes))}`)] : [];
	if (script === undefined) return [...start, ...namedPaths(words, place, look)];
	const rest = words.slice(words.indexOf(script) + 1);
	const at = place.inDirectory ? look.directory(place.start) : undefined;
	return [...start, ...scriptOperands(call, script, at), ...namedPaths(["sh", ...rest], place, look)];
}
