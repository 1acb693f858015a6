// rsync: the last operand is written below, unless it is on another machine; sources go only with --remove-source-files.

import type { Bytes } from "../policy/bytes.ts";
import type { Call, Operand, Reader } from "../policy/call.ts";
import { baseOf, isBelow, join, namesDirectory, parentOf, type Resolver } from "../policy/resolve.ts";
import { has, lastValue, type Parsed, parseOptions, values } from "./options.ts";
import { RSYNC } from "./rsync-options.ts";
import { scriptOperands } from "./script.ts";
import { NOTHING, suspectReading } from "./suspects.ts";

/** HOST:PATH, HOST::MODULE and rsync:// are on another machine; a colon after a slash belongs to a name. */
const isRemote = (text: Bytes) => text.startsWith("rsync://") || /^[^/]+:/.test(text);

const SHELLS = ["sh", "bash", "dash", "zsh", "ksh", "ash", "mksh"];

/** The option-arguments of a meaning. A `=` before a value that is glued to a letter is not part of it (popt). */
const named = (parsed: Parsed, meaning: string) => values(parsed, meaning).map((value) => value.replace(/^=/, ""));

const written = (text: Bytes, note: string): Operand => ({ text, role: "written", leaf: "both", note });

/** The options of a call, and those that -M hands to the other side where that is on this machine, too. */
function optionsOf(call: Call): Parsed {
	const parsed = parseOptions(call, RSYNC);
	const words = parsed.operands.some(isRemote) ? [] : named(parsed, "other-side");
	for (const word of words) {
		const other = parseOptions({ ...call, argv: ["rsync", word] }, RSYNC);
		parsed.options.push(...other.options);
		parsed.unread.push(...other.unread);
		parsed.suspects.push(...other.suspects);
	}
	// `--no-OPTION` switches off what OPTION switched on, and takes nothing.
	parsed.unread = parsed.unread.filter((word) => !word.startsWith("--no-"));
	return parsed;
}

/** What a call is about on this machine: what is copied, and where to, if anything is. */
interface Copy {
	sources: Bytes[];
	destination: Bytes | undefined;
	/** Whether the destination is a directory, or becomes one. */
	intoDirectory: boolean;
}

function copyOf(parsed: Parsed, look: Resolver): Copy {
	const last = parsed.operands.at(-1);
	const alone = has(parsed, "reads-batch") ? 1 : 2;
	if (last === undefined || parsed.operands.length < alone) return { sources: [], destination: undefined, intoDirectory: false };
	const sources = parsed.operands.slice(0, -1);
	const [first] = sources;
	// Only a single file is copied to the very name (rsync, get_local_name).
	const tree = first === undefined || sources.length > 1 || isRemote(first) || look.isDirectory(first);
	const intoDirectory = tree || namesDirectory(last) || look.isDirectory(last);
	return { sources: sources.filter((text) => !isRemote(text)), destination: isRemote(last) ? undefined : last, intoDirectory };
}

/** How far below the destination the copying reaches: where it deletes nothing, to names that the sources have. */
function depth(parsed: Parsed, { sources }: Copy): Operand["deep"] {
	const unknown = sources.length < parsed.operands.length - 1 || sources.length === 0;
	if (unknown || ["deletes", "relative", "list"].some((meaning) => has(parsed, meaning))) return {};
	if (!has(parsed, "recursive")) return undefined;
	const holds = (text: Bytes) => (text.includes("/") ? text.slice(0, text.lastIndexOf("/") + 1) : ".");
	return { like: sources.map((text) => (namesDirectory(text) ? text : holds(text))) };
}

/** No file is compared that is larger. */
const MOST_COMPARED = 1 << 20;

/** Which file below the destination is replaced by another one: of the sources that are known, and where nothing chooses among them. */
function replaces(parsed: Parsed, { sources }: Copy, destination: Bytes, look: Resolver): Operand["reaches"] {
	if (["relative", "list", "chooses"].some((meaning) => has(parsed, meaning)) || !has(parsed, "recursive")) return undefined;
	const top = look.directory(destination);
	const isOther = (path: Bytes, source: Bytes) => {
		const name = namesDirectory(source) ? "" : `${baseOf(source)}/`;
		const rest = path.slice(top.length + 1);
		const other = rest.startsWith(name) ? join(source, rest.slice(name.length)) : "";
		return look.kind(other, true) === "file" && look.read(other, MOST_COMPARED) !== look.files.read(path, MOST_COMPARED);
	};
	return (path) => (isBelow(path, top) && sources.some((source) => isOther(path, source)) ? { goes: false, named: true } : undefined);
}

function destinationOf(parsed: Parsed, copy: Copy, text: Bytes, look: Resolver): Operand {
	// A file takes the place of a link that stands at its name.
	if (!copy.intoDirectory) return { text, role: "written", leaf: "entry" };
	const deep = depth(parsed, copy);
	// With -K a link to a directory in the destination tree is entered like a directory (rsync before 3.4.0); so is one on
	// the way to a name of which the directories are not sent.
	const relative = has(parsed, "relative") || has(parsed, "list");
	const enters = has(parsed, "enters") || (relative && has(parsed, "enters-relative"));
	const reaches = replaces(parsed, copy, text, look);
	return {
		text,
		role: "into",
		leaf: "both",
		...(deep && { deep }),
		...(enters && { below: { follow: "directories" } }),
		...(reaches && { reaches }),
	};
}

/** The directories for backups, parts and temporary files; relative ones stand on the destination. */
function besides(call: Call, parsed: Parsed, { destination, intoDirectory }: Copy, look: Resolver): Operand[] {
	if (destination === undefined) return [];
	const texts = named(parsed, "beside");
	if (has(parsed, "partial")) texts.push(call.env("RSYNC_PARTIAL_DIR"));
	const at = intoDirectory ? look.directory(destination) : parentOf(look.entry(destination));
	return texts.map((text) => ({ ...written(text, "a directory for rsync's own files"), ...(text.startsWith("/") ? {} : { at }) }));
}

/** A source of which the files go and the directories stay. */
function emptied(text: Bytes, parsed: Parsed, look: Resolver): Operand {
	if (!look.isDirectory(text)) return { text, role: "moved", leaf: "entry" };
	// The names of a list may lead through links, too.
	const follows = has(parsed, "follows") || has(parsed, "list");
	const below = follows && { below: { follow: "directories" as const } };
	return { text, role: "moved", leaf: follows ? "both" : "entry", self: true, ...below };
}

/** What a shell does that is to reach another machine; any other program runs unseen. */
function shellOperands(call: Call, parsed: Parsed, look: Resolver): Operand[] {
	if (!parsed.operands.some(isRemote)) return [];
	const text = (named(parsed, "shell").at(-1) ?? call.env("RSYNC_RSH")).trim();
	const space = text.search(/\s/);
	if (space < 0 || !SHELLS.includes(baseOf(text.slice(0, space)))) return [];
	return scriptOperands(call, text.slice(space), look, undefined, "both");
}

export const rsync: Reader = {
	name: "rsync",
	read(call, look) {
		const parsed = optionsOf(call);
		if (parsed.unread.length > 0) return suspectReading(call, parsed);
		if (parsed.informs) return NOTHING;
		const operands = named(parsed, "log").map((text) => written(text, "a log"));
		operands.push(...shellOperands(call, parsed, look));
		if (has(parsed, "dry") || has(parsed, "sends")) return { operands, unread: [] };
		const batch = lastValue(parsed, "batch-alone") ?? lastValue(parsed, "batch");
		if (batch !== undefined) operands.push(written(batch, "a batch"), written(`${batch}.sh`, "the script of a batch"));
		if (has(parsed, "batch-alone")) return { operands, unread: [] };
		const copy = copyOf(parsed, look);
		operands.push(...besides(call, parsed, copy, look));
		if (copy.destination !== undefined) operands.push(destinationOf(parsed, copy, copy.destination, look));
		if (has(parsed, "moves")) operands.push(...copy.sources.map((text) => emptied(text, parsed, look)));
		return { operands, unread: [] };
	},
};
