// The help text of one command, by citty; in colour only on a terminal.

import { isatty } from "node:tty";
import { stripVTControlCharacters } from "node:util";
import { renderUsage } from "citty";
import type { System } from "../sys/system.ts";
import type { Command } from "./command.ts";

/** Whether text on a descriptor may be coloured: a terminal, and NO_COLOR is unset or empty. */
export function mayColour(system: System, descriptor: number): boolean {
	return isatty(descriptor) && !system.env("NO_COLOR") && system.env("TERM") !== "dumb";
}

/** The usage of a command as `tmx NAME --help` prints it. */
export async function usage(system: System, name: string, summary: string, command: Command): Promise<string> {
	const text = await renderUsage({ ...command.citty, meta: { name: `tmx ${name}`, description: summary } });
	const lines = mayColour(system, 1) ? text : stripVTControlCharacters(text);
	return `${lines.replaceAll(/[ \t]+$/gm, "").trimEnd()}\n`;
}
