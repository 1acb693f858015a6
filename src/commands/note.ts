// What a person should know although nothing failed: on stderr, in the form of the other messages.

import { fromText } from "../policy/bytes.ts";
import type { System } from "../sys/system.ts";

/** Print a note. */
export function note(system: System, name: string, words: string): void {
	system.write(2, fromText(`tmx: ${name}: note: ${words}\n`));
}
