// The subcommands by name, each loaded when it is called; what stands before the first `--` is ours, what follows is not.

import { fromText, toText } from "../policy/bytes.ts";
import { EXIT, type Failure, message } from "../sys/exit.ts";
import type { System } from "../sys/system.ts";

/** What a command is given. */
export interface Context {
	system: System;
	/** The words after the command's name, up to the first `--`, as text. */
	words: string[];
	/** The words after the first `--`, as bytes; undefined when there is no `--`. */
	rest: string[] | undefined;
}

/** Runs a command; the number is the exit status. */
export type Run = (context: Context) => Promise<number>;

/** Print a failure in the one form of messages and answer its exit status. */
export function fail(system: System, command: string, kind: Failure, words: string): number {
	system.write(2, fromText(message(command, kind, words)));
	return EXIT[kind];
}

export async function main(system: System): Promise<number> {
	const skip = system.argv.findIndex((word) => word.endsWith("main.ts")) + 1 || 1;
	const argv = system.argv.slice(skip);
	const dashes = argv.indexOf("--");
	const words = (dashes < 0 ? argv : argv.slice(0, dashes)).map(toText);
	return fail(system, words[0] ?? "tmx", "user_error", "unknown command");
}
