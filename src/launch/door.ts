// `tmx wrap` past the command line: a person waits for the prompt of COMMAND, so the plain words of a launch have a way of their own.

import fragment from "../../shims/tool-confine.sh" with { type: "text" };
import { type Bytes, fromText } from "../policy/bytes.ts";
import { EXIT, message } from "../sys/exit.ts";
import type { System } from "../sys/system.ts";
import { floorWord } from "./floor/choice.ts";
import { carryOut } from "./launch.ts";
import { planOf, type Refused, type Wanted } from "./plan.ts";

export const FRAGMENT: Bytes = fromText(fragment);

/** Say why there is no launch, and answer the exit status. */
export function say(system: System, { failure, why }: Refused): number {
	system.write(2, fromText(message("wrap", failure, why)));
	return EXIT[failure];
}

/** Become COMMAND. Answers an exit status only when that did not happen. */
export async function run(system: System, wanted: Wanted): Promise<number> {
	const launch = await planOf(system, wanted, true);
	if ("failure" in launch) return say(system, launch);
	for (const words of launch.notes) system.write(2, fromText(`tmx: wrap: note: ${words}\n`));
	return say(system, await carryOut(system, launch));
}

/**
 * The words of a launch in their plain form; undefined for anything else, which the command line reads and explains.
 * @param words all words behind `wrap`
 */
function plainWords(words: readonly Bytes[]): Wanted | undefined {
	const dashes = words.indexOf("--");
	if (dashes < 0 || dashes === words.length - 1) return undefined;
	const wanted: Wanted = {
		roots: [],
		policy: undefined,
		hook: true,
		confine: true,
		floor: undefined,
		command: words.slice(dashes + 1),
		fragment: FRAGMENT,
	};
	for (let at = 0; at < dashes; at++) {
		const word = words[at] as Bytes;
		const value = words[at + 1] as Bytes;
		const floor = floorWord(word);
		if (floor !== undefined && wanted.floor === undefined) wanted.floor = floor;
		else if (word === "--no-hook" && wanted.hook) wanted.hook = false;
		else if (word === "--no-confine" && wanted.confine) wanted.confine = false;
		else if ((word !== "--root" && word !== "--policy") || at + 1 === dashes || value === "" || value.startsWith("-")) return undefined;
		else if (word === "--root") wanted.roots.push(words[++at] as Bytes);
		else if (wanted.policy === undefined) wanted.policy = words[++at] as Bytes;
		else return undefined;
	}
	return wanted;
}

/** Become COMMAND where the words are plain. Answers an exit status when that failed, and nothing when the words are the command line's to read. */
export async function startOf(system: System, words: readonly Bytes[]): Promise<number | undefined> {
	const wanted = plainWords(words);
	return wanted === undefined ? undefined : run(system, wanted);
}
