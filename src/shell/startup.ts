// What a shell runs besides its script: the files of its start and its end that this line wrote, and what it prompts with.

import type { Call } from "./call.ts";
import type { Machine } from "./machine.ts";
import { keptAt } from "./places.ts";
import type { Word } from "./reading.ts";
import { fileOutput } from "./redirections.ts";
import { writesHistory } from "./runners.ts";
import { type ShellCall, scriptOf } from "./shells.ts";
import type { State } from "./state.ts";
import { runScript, subshell } from "./statements.ts";
import { childOf, held } from "./variables.ts";
import { known, shown, textOf, wordOf } from "./words.ts";

/** Files below the home directory, by how the shell was started (bash(1), INVOCATION; zshall(1), STARTUP/SHUTDOWN FILES; dash(1)). */
const FILES: Readonly<Record<string, { always: string; login: string; interactive: string }>> = {
	bash: { always: "", login: ".bash_profile .bash_login .profile .bash_logout", interactive: ".bashrc" },
	zsh: { always: ".zshenv", login: ".zprofile .zlogin .zlogout", interactive: ".zshrc" },
	sh: { always: "", login: ".profile", interactive: "" },
};

/** The directory where they lie. */
function homeOf(m: Machine, state: State, tool: string): Word | undefined {
	for (const name of tool === "zsh" ? ["ZDOTDIR", "HOME"] : ["HOME"]) {
		const value = held(m, state, name);
		if (value.kind === "word" && textOf(value.word) !== undefined) return value.word;
	}
	return undefined;
}

/** The files that a shell reads of its own accord. */
function filesOf(m: Machine, state: State, tool: string, shell: ShellCall): Word[] {
	const kind = Object.hasOwn(FILES, tool) ? tool : "sh";
	const { always, login, interactive } = FILES[kind] as (typeof FILES)[string];
	const names = `${always} ${shell.login ? login : ""} ${shell.interactive && !shell.login ? interactive : ""}`.split(" ");
	const home = homeOf(m, state, kind);
	const own = home === undefined ? [] : names.filter((name) => name !== "").map((name) => wordOf([...home.pieces, `/${name}`]));
	const entry = kind === "sh" && shell.interactive ? held(m, state, "ENV") : undefined;
	const given = shell.rc !== undefined && shell.interactive ? [shell.rc] : [];
	return [...given, ...own, ...(entry?.kind === "word" ? [entry.word] : [])];
}

/** Reads them, in a shell of their own; those that stand on the disk are the person's. */
export function started({ m, state }: Call, tool: string, shell: ShellCall): void {
	const child = childOf(m, state);
	for (const file of filesOf(m, child, tool, shell)) {
		const text = textOf(file);
		if (keptAt(m.world.files, child, text) === undefined) continue;
		const script = scriptOf(fileOutput(m, child, file));
		if (script === undefined) m.unclear("a file whose commands are not known", shown(file));
		else aside(m, child, script, `${tool} ${shown(file)}`);
	}
	if (!shell.interactive) return;
	const command = child.variables.get("PROMPT_COMMAND") && held(m, child, "PROMPT_COMMAND");
	if (command?.kind === "word") aside(m, child, command.word, "PROMPT_COMMAND");
	if (!shell.command) writesHistory(m, child);
}

function aside(m: Machine, child: State, script: Word, via: string): void {
	m.within({ via: [...m.via, via], env: [], active: [] }, () => subshell(m, child, (inner) => runScript(m, script, inner)));
}

/** A word that names a program where its shells look first: in directories that this line put in front, a script that it wrote. */
export function ownScript(m: Machine, state: State, name: string): Word | undefined {
	const path = m.world.files.size === 0 ? undefined : state.variables.get("PATH")?.values[0];
	if (path?.kind !== "word" || name.includes("/")) return undefined;
	const text = path.word.pieces.map((piece) => (typeof piece === "string" ? piece : "\0")).join("");
	for (const directory of text.split(":")) {
		const output = directory.includes("\0") ? undefined : keptAt(m.world.files, state, `${directory || "."}/${name}`);
		if (output !== undefined) return known(`${directory || "."}/${name}`);
	}
	return undefined;
}
