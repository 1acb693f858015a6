// What `find -exec` runs: a tool that only reads acts on nothing, a guarded one is read by its own reader, a script is scanned for paths.

import { type Bytes, quote } from "../policy/bytes.ts";
import type { Call, Operand, Reader } from "../policy/call.ts";
import { baseOf, type Resolver } from "../policy/resolve.ts";
import { acted, inEachDirectory, nested, type Place, variants } from "./find-nested.ts";
import { everyCommand, scriptOperands } from "./script.ts";
import { unwrapped } from "./wrapper.ts";

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
	["sort", /^(-[a-zA-Z]*[oT]|--(o|comp|t))/],
];

/** Commands that take away or replace the name which they are given, and never write through a link (unlink(2), rename(2)). */
const SPARES_LINKS: readonly [names: string, unless?: RegExp][] = [["rm rmdir unlink perl"], ["sed", /^--fol/]];

const TRUSTED_PLACES = ["", "/bin/", "/usr/bin/", "/usr/local/bin/", "/sbin/", "/usr/sbin/", "/opt/homebrew/bin/"];

/** Whether a command only reads. A program of the same name in another place may do anything. */
export function onlyReads(words: Bytes[]): boolean {
	const command = words[0] ?? "";
	const name = baseOf(command);
	if (!TRUSTED_PLACES.includes(command.slice(0, command.length - name.length))) return false;
	return stands(READS, name, words);
}

/** Whether a command stands in a table, with no word that takes it out again. */
function stands(table: readonly [names: string, unless?: RegExp][], name: Bytes, words: Bytes[]): boolean {
	const row = table.find(([names]) => names.split(" ").includes(name));
	return row !== undefined && !words.slice(1).some((word) => row[1]?.test(word));
}

const sparesLinks = (words: Bytes[]) => onlyReads(words) || stands(SPARES_LINKS, baseOf(words[0] ?? ""), words);

const SHELLS = ["sh", "bash", "dash", "zsh", "ksh", "ash", "mksh"];

/** The script of `sh -c SCRIPT`; undefined when it is something else. */
function scriptOf(words: Bytes[]): Bytes | undefined {
	if (!SHELLS.includes(baseOf(words[0] ?? ""))) return undefined;
	const flag = words.findIndex((word, k) => k > 0 && /^-[a-zA-Z]*c[a-zA-Z]*$/.test(word));
	return flag < 0 ? undefined : words[flag + 1];
}

const mentions = (words: Bytes[]) => words.some((word) => word.includes("{}"));

/** The starting point as something that a command nobody knows acts on: itself, what lies below it, and what links there lead to. */
function anything({ start, self, below, links, spares }: Place, note: string): Operand[] {
	const found: Operand[] = [{ ...acted(start, note), leaf: self && links ? "both" : "entry" }];
	if (below && links) found.push({ ...acted(start, note), leaf: "target", below: { follow: "links", spares } });
	return found;
}

/** Whether a word is a path by its look; one without a leading slash or dot only where its directory is there (`s/a/b/` is none). */
function leadsSomewhere(text: Bytes, look: Resolver): boolean {
	const slash = text.lastIndexOf("/");
	if (/^(\/|\.\.?(\/|$))/.test(text)) return true;
	return slash > 0 && look.isDirectory(text.slice(0, slash));
}

/** The words of a command that nobody knows which name paths where it runs; each is taken as written. */
function namedPaths(words: Bytes[], place: Place, look: Resolver, at: Bytes | undefined): Operand[] {
	const found: Operand[] = [];
	const there = at === undefined ? look : look.from(at);
	const note = `named to ${quote(baseOf(words[0] ?? ""))}`;
	for (const word of words.slice(1)) {
		if (word === "{}") continue;
		const flag = /^-(?:[^-]|-[^=]*=)/.exec(word);
		const text = (flag ? word.slice(flag[0].length) : word).replaceAll("{}", () => place.start);
		const path = leadsSomewhere(text, there) || (!flag && there.kind(text, false) !== undefined);
		if (!path || (flag && !text.startsWith("/") && !text.startsWith(".."))) continue;
		const operand: Operand = { text, role: "written", leaf: "both", note, ...(at !== undefined && { at }) };
		found.push(operand, ...(place.inDirectory ? inEachDirectory(operand, place, note) : []));
	}
	return found;
}

/** What a command acts on that no reader knows: what it meets, and the paths that its words or its script name. */
function unknownCommand(call: Call, words: Bytes[], place: Place, look: Resolver): Operand[] {
	const script = scriptOf(words);
	if (script !== undefined && everyCommand(script, onlyReads)) return [];
	const met = mentions(words) || place.inDirectory;
	const spares = script === undefined ? sparesLinks(words) : everyCommand(script, sparesLinks);
	const links = place.links && !spares;
	const found = met ? anything({ ...place, links }, `run by find: ${quote(baseOf(words[0] as Bytes))}`) : [];
	for (const { cwd } of variants(place)) {
		const at = cwd === undefined ? undefined : look.directory(cwd);
		const there = at === undefined ? look : look.from(at);
		if (script !== undefined) found.push(...scriptOperands(call, script, there, at, spares ? "entry" : "both"));
		const named = script === undefined ? words : ["sh", ...words.slice(words.indexOf(script) + 1)];
		found.push(...namedPaths(named, place, look, at));
		if (at === undefined) break;
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
	const inner = unwrapped(words);
	if (inner) return execOperands({ ...call, posix: call.posix || inner.posix }, inner.words, place, look, readerOf);
	return unknownCommand(call, words, place, look);
}
