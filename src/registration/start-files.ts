// Which start files of a person's shells have to say where the shims are, what they say, and why each is needed.

import { tasksMax } from "../confine/snapshots.ts";
import { quoteWord } from "../confine/words.ts";
import type { Bytes } from "../policy/bytes.ts";
import { baseOf, isBelow, join } from "../policy/resolve.ts";
import type { System } from "../sys/system.ts";

/** A start file, and which shells read it. */
export interface StartFile {
	path: Bytes;
	why: string;
}

/** What bash reads when it is a login shell: the first of these that is there (bash(1), INVOCATION). */
const LOGIN = [".bash_profile", ".bash_login", ".profile"] as const;

/** Where zsh looks for its files: a launcher may have set ZDOTDIR for one session, which is no place of the person's. */
function zshDirectory(system: System, home: Bytes): Bytes {
	const set = system.env("ZDOTDIR") ?? "";
	return isBelow(set, home) && system.kind(set, true) === "directory" ? set : home;
}

/** Each shell: how it is known that the person uses it besides by $SHELL, and the files that it needs. */
const SHELLS: Readonly<Record<string, (system: System, home: Bytes) => { signs: Bytes[]; files: StartFile[] }>> = {
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
		return { signs: [path], files: [{ path, why: "zsh in a terminal reads it" }] };
	},
};

/** The start files of the shells that this person uses. */
export function startFiles(system: System, home: Bytes): StartFile[] {
	const own = baseOf(system.env("SHELL") ?? "");
	return Object.entries(SHELLS).flatMap(([name, look]) => {
		const { signs, files } = look(system, home);
		return name === own || signs.some((path) => system.kind(path, false) !== undefined) ? files : [];
	});
}

/** Every file in which lines of ours may stand. */
export function possibleFiles(system: System, home: Bytes): Bytes[] {
	const names = [".bashrc", ...LOGIN, ".zshrc"].map((name) => join(home, name));
	return [...new Set([...names, join(zshDirectory(system, home), ".zshrc")])];
}

/**
 * The line that puts the shims first on PATH, also where something else was put before them since, and gives tool shells a
 * number of tasks that fits this machine. One line for sh, bash and zsh; it fails under none of `set -eu`.
 */
export function startLine(shims: Bytes, processors: number): Bytes {
	const word = quoteWord(shims);
	const first = `case "$PATH" in ${word}:*) ;; *) export PATH=${word}:"$PATH" ;; esac`;
	return `${first}; export AGENT_TASKS_MAX="\${AGENT_TASKS_MAX:-${tasksMax(processors)}}"\n`;
}
