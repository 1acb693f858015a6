// Which start files of a person's shells have to say where the shims are, what they say, and why each is needed.

import { tasksMax } from "../confine/snapshots.ts";
import { quoteWord } from "../confine/words.ts";
import type { Bytes } from "../policy/bytes.ts";
import { baseOf, isBelow, join } from "../policy/resolve.ts";
import type { System } from "../sys/system.ts";

/** A start file, which shells read it, and what it has to say. */
export interface StartFile {
	path: Bytes;
	why: string;
	lines: Bytes;
}

/** What bash reads when it is a login shell: the first of these that is there (bash(1), INVOCATION). */
const LOGIN = [".bash_profile", ".bash_login", ".profile"] as const;

/** Where zsh looks for its files: a launcher may have set ZDOTDIR for one session, which is no place of the person's. */
function zshDirectory(system: System, home: Bytes): Bytes {
	const set = system.env("ZDOTDIR") ?? "";
	return isBelow(set, home) && system.kind(set, true) === "directory" ? set : home;
}

/** What a shell needs, and how it is known that a person uses it, besides by $SHELL. */
interface Needs {
	signs: Bytes[];
	files: Omit<StartFile, "lines">[];
	/** What it needs to be told besides the line for all. */
	more?: Bytes;
}

/** The directory of completion functions for zsh, which looks into none of a person's by itself. */
export const zshFunctions = (home: Bytes): Bytes => join(home, ".local/share/tmx/zsh");

/** The line for zsh: a compinit that comes later finds the function by its first line; one that came before is told. */
function zshLine(home: Bytes): Bytes {
	const found = `fpath+=(${quoteWord(zshFunctions(home))})`;
	return `${found}; (( ! $+functions[compdef] )) || { autoload -Uz _tmx && compdef _tmx tmx }\n`;
}

const SHELLS: Readonly<Record<string, (system: System, home: Bytes) => Needs>> = {
	bash(system, home) {
		const there = LOGIN.map((name) => join(home, name)).find((path) => system.kind(path, false) !== undefined);
		return {
			signs: [".bashrc", ".bash_profile", ".bash_login"].map((name) => join(home, name)),
			files: [
				{ path: join(home, ".bashrc"), why: "bash in a terminal reads it" },
				// A .bash_profile that we made would hide .profile from bash.
				{ path: there ?? join(home, ".profile"), why: "a login bash reads it, and .bashrc mostly stops where no terminal is: bash -lc" },
			],
		};
	},
	zsh(system, home) {
		const path = join(zshDirectory(system, home), ".zshrc");
		return { signs: [path], files: [{ path, why: "zsh in a terminal reads it" }], more: zshLine(home) };
	},
	// It has start files of its own kind, into which tmx puts nothing.
	fish: (_, home) => ({ signs: [join(home, ".config/fish")], files: [] }),
};

function used(system: System, home: Bytes): [name: string, needs: Needs][] {
	const own = baseOf(system.env("SHELL") ?? "");
	const all = Object.entries(SHELLS).map(([name, look]): [string, Needs] => [name, look(system, home)]);
	return all.filter(([name, { signs }]) => name === own || signs.some((path) => system.kind(path, false) !== undefined));
}

/** The names of the shells that this person uses, of those that we know. */
export const shellsOf = (system: System, home: Bytes): string[] => used(system, home).map(([name]) => name);

/**
 * The start files of the shells that this person uses.
 * @param line what every shell has to say
 */
export function startFiles(system: System, home: Bytes, line: Bytes): StartFile[] {
	return used(system, home).flatMap(([, { files, more = "" }]) => files.map((file) => ({ ...file, lines: line + more })));
}

/** Every file in which lines of ours may stand. */
export function possibleFiles(system: System, home: Bytes): Bytes[] {
	const names = [".bashrc", ...LOGIN, ".zshrc"].map((name) => join(home, name));
	return [...new Set([...names, join(zshDirectory(system, home), ".zshrc")])];
}

/**
 * The line that puts the shims first on PATH, also where something else was put before them since, and gives tool shells a
 * number of tasks that fits this machine. In a session of the launcher's the shims are the session's own. One line for sh, bash
 * and zsh; it fails under none of `set -eu`.
 */
export function startLine(shims: Bytes, processors: number): Bytes {
	const choice = `tmx_=\${TMX_SESSION:+$TMX_SESSION/shims}; [ -d "$tmx_" ] || tmx_=${quoteWord(shims)}`;
	const first = 'case "$PATH" in "$tmx_":*) ;; *) export PATH="$tmx_:$PATH" ;; esac; unset tmx_';
	return `${choice}; ${first}; export AGENT_TASKS_MAX="\${AGENT_TASKS_MAX:-${tasksMax(processors)}}"\n`;
}
