// Which guardfiles a command reads, and their text; one that cannot be read or trusted is a problem like any other.

import { type Bytes, toText } from "../policy/bytes.ts";
import { join } from "../policy/resolve.ts";
import { EACCES, ENOENT, type Opened, type System } from "../sys/system.ts";
import { untrusted } from "./load.ts";
import type { Problem, Source } from "./problem.ts";

/** A guardfile with the facts of the file that it was read from. */
export interface ReadSource extends Source {
	file: Opened;
}

/** No guardfile that a person wrote is larger. */
const LIMIT = 1024 * 1024;

/** File types of st_mode (<sys/stat.h>). */
const S_IFMT = 0o170000;
const S_IFREG = 0o100000;
const S_IFDIR = 0o040000;

/** Error numbers of <errno.h> that a path on the command line brings about. */
const ERRORS: Readonly<Record<number, string>> = {
	[ENOENT]: "does not exist",
	[EACCES]: "cannot be read: permission denied",
	20: "does not exist: a part of the path is not a directory",
	40: "cannot be read: its links lead in a circle",
};

/** The absolute path of what a person named; as it is spelled, since a link in it may be what stays when its target moves. */
export function absolute(system: System, path: Bytes): Bytes {
	if (path.startsWith("/")) return path;
	return join(system.real(".", true) ?? "/", path.replace(/^(\.\/+)+/, ""));
}

/** The text of a file, or why it is no guardfile. */
function read(system: System, name: Bytes): ReadSource | Problem {
	const wrong = (words: string): Problem => ({ source: { name }, words });
	const there = system.identity(name);
	const kind = (there?.mode ?? S_IFREG) & S_IFMT;
	if (kind === S_IFDIR) return wrong("is a directory");
	if (kind !== S_IFREG) return wrong("is not a regular file");
	if (there && there.size > LIMIT) return wrong("is larger than 1 MiB, and no guardfile is");
	const file = system.open(name);
	if (typeof file === "number") return wrong(ERRORS[file] ?? `cannot be read (error ${file})`);
	const distrust = untrusted(system, file);
	if (distrust) return wrong(`${distrust}, so it may not be yours; "chmod go-w" and "chown" mend that`);
	const source: ReadSource = { name, path: absolute(system, name), text: toText(file.content), file };
	const alien = /[\udc80-\udcff]/u.exec(source.text);
	if (alien === null) return source;
	const byte = (source.text.charCodeAt(alien.index) - 0xdc00).toString(16);
	return { source, at: { start: alien.index, end: alien.index + 1 }, words: `the byte 0x${byte} is not UTF-8` };
}

/** The directory in which people keep their guardfiles (XDG Base Directory: relative values are ignored). */
export function configured(system: System): Bytes {
	const xdg = system.env("XDG_CONFIG_HOME") ?? "";
	if (xdg.startsWith("/")) return join(xdg, "tmx");
	const home = system.env("HOME") ?? "";
	return join(home.startsWith("/") ? home : system.passwdHome(system.uid()), ".config/tmx");
}

/** The guardfiles in the configuration directory, sorted; none when there is no such directory. */
function configuredFiles(system: System): readonly Bytes[] | Problem {
	const directory = configured(system);
	if (system.identity(directory) === undefined) return [];
	const entries = system.list(directory);
	if (entries === undefined) return { source: { name: directory }, words: "cannot be read" };
	const names = entries.map(({ name }) => name).filter((name) => name.endsWith(".kdl") && !name.startsWith("."));
	return names.sort().map((name) => join(directory, name));
}

/** What was read: the guardfiles (none means the built-in one) and what is wrong with the others. */
export interface Sources {
	sources: ReadSource[];
	problems: Problem[];
	/** The names of all, in the order in which they are read. */
	order: readonly Bytes[];
}

/**
 * Read guardfiles.
 * @param names those that the command line names; without any, those in the configuration directory
 */
export function readSources(system: System, names: readonly Bytes[]): Sources {
	const files = names.length > 0 ? names : configuredFiles(system);
	if ("words" in files) return { sources: [], problems: [files], order: [] };
	const results = files.map((name) => read(system, name));
	return {
		order: files,
		sources: results.filter((result): result is ReadSource => "file" in result),
		problems: results.filter((result): result is Problem => "words" in result),
	};
}
