// Why a command failed: the names in its errors of which the kernel says that the floor, and nothing else, refuses them.

import type { Bytes } from "../policy/bytes.ts";
import { parentOf, Resolver } from "../policy/resolve.ts";
import { isRefusedFile, isRefusedIn } from "../sys/landlock.ts";
import type { System } from "../sys/system.ts";

/** How programs say EACCES and EXDEV (strerror(3); busybox, node, Python and Rust say it in the same words). */
const DENIED = /permission denied|EACCES|errno 13\b|cross-device link|EXDEV|os error (?:13|18)\b/i;

/** So much of an output is looked at, from its end: errors come last. */
const LOOKED_AT = 32768;
/** So much of one line, and so many names. */
const LINE = 4096;
const MOST = 40;

/** Names in quotes, also in those that GNU's messages have in UTF-8: as bytes they are three characters each. */
const QUOTED = /'([^'\n]+)'|"([^"\n]+)"|`([^`'\n]+)[`']|\xe2\x80\x98(.+?)\xe2\x80\x99/g;
/** Words that are paths. */
const PATHS = /(?:^|[\s=:('"[])((?:~|\.{1,2})?\/[^\s:'"),;\]]*)/g;

/** What a line of an error may name: what is in quotes, what has a slash, and the word before the error. */
function namesIn(line: Bytes): Bytes[] {
	const quoted = [...line.matchAll(QUOTED)].map(([, ...groups]) => groups.find((group) => group !== undefined) ?? "");
	const paths = [...line.matchAll(PATHS)].map(([, path = ""]) => path);
	const before = line.slice(0, line.search(DENIED)).replace(/[\s:([]+$/, "");
	const last = /[^\s:]+$/.exec(before)?.[0] ?? "";
	return [...quoted, ...paths, last].filter((name) => name !== "" && name !== "/");
}

/** The nearest directory above a path that exists. */
function above(system: System, path: Bytes): Bytes {
	let at = parentOf(path);
	while (at !== "/" && system.kind(at, true) !== "directory") at = parentOf(at);
	return at;
}

/** Whether the floor refuses what somebody wanted with a name: with the name itself, or with what it leads to. */
function refuses(system: System, look: Resolver, name: Bytes): Bytes | undefined {
	const entry = look.entry(name);
	const target = look.target(name);
	if (entry === "" || target === "") return undefined;
	const kind = system.kind(target, true);
	if (kind === "file" && isRefusedFile(target)) return entry;
	if (kind === "directory" && isRefusedIn(target)) return entry;
	return isRefusedIn(above(system, entry)) ? entry : undefined;
}

/**
 * The paths that a command was refused by the floor, out of what it printed.
 * @param output what the command printed, and the error of the agent's own tool
 * @param command its text, for errors that name nothing
 * @param cwd the directory that it ran in
 * @param home what `~` stands for
 */
export function blamed(system: System, output: Bytes, command: Bytes, cwd: Bytes, home: Bytes): Bytes[] {
	const lines = output
		.slice(-LOOKED_AT)
		.split("\n")
		.map((line) => line.slice(-LINE))
		.filter((line) => DENIED.test(line));
	if (lines.length === 0) return [];
	const look = new Resolver(system, cwd);
	const whole = (name: Bytes) => (name === "~" || name.startsWith("~/") ? home + name.slice(1) : name);
	const found = (names: Bytes[]) => {
		const distinct = [...new Set(names.map(whole))].slice(-MOST);
		return [...new Set(distinct.flatMap((name) => refuses(system, look, name) ?? []))];
	};
	const named = found(lines.flatMap(namesIn));
	// A relative name may stand on a directory that the command went to.
	return named.length > 0 ? named : found([...command.matchAll(PATHS)].map(([, path = ""]) => path));
}
