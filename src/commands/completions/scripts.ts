// The completions of each shell by its name, with the line that says whose file it is.

import type { Listed } from "../command.ts";
import { bashCompletions } from "./bash.ts";
import { fishCompletions } from "./fish.ts";
import { type CommandRow, rowsOf } from "./rows.ts";
import { zshCompletions } from "./zsh.ts";

const SHELLS = { bash: bashCompletions, zsh: zshCompletions, fish: fishCompletions } satisfies Record<
	string,
	(rows: readonly CommandRow[]) => string
>;

export type Shell = keyof typeof SHELLS;

/** The names of the shells. */
export const shellNames = Object.keys(SHELLS) as readonly Shell[];

/** How a file of completions begins. Zsh knows by its first line what a function completes. */
export const headOf = (shell: Shell): string =>
	`${shell === "zsh" ? "#compdef tmx\n" : ""}# Completes command lines of tmx in ${shell}; made by "tmx completions ${shell}".\n`;

/** The completions for a shell. */
export const scriptFor = (shell: Shell, listed: readonly Listed[]): string => `${headOf(shell)}\n${SHELLS[shell](rowsOf(listed))}`;
