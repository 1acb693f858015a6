// Patches that a call takes in from files: where the line wrote them, they are known like its standard input.

import type { Call } from "./call.ts";
import { plainCall } from "./invoke.ts";
import { keptAt } from "./places.ts";
import type { Word } from "./reading.ts";
import type { Outcome } from "./state.ts";
import { beginning, textOf, withoutFirst } from "./words.ts";

/** Makes a call with the text of the first of these files that the line wrote. */
export function withPatch({ m, state }: Call, files: readonly Word[], run: () => Outcome): Outcome {
	if (m.world.files.size === 0) return run();
	const written = files.map((word) => keptAt(m.world.files, state, textOf(word))).find((output) => output !== undefined);
	return written === undefined ? run() : m.within({ input: { output: written, lines: undefined, taken: 0 } }, run);
}

/** patch(1): its patch is standard input, or the file of -i. */
export function patch(call: Call): Outcome {
	const files = call.words.flatMap((word, k) => {
		const option = /^(-[a-zA-Z]*i|--input=)(?=.)/.exec(beginning(word))?.[0];
		if (option !== undefined) return [withoutFirst(word, option.length)];
		return /^(-[a-zA-Z]*i|--input)$/.test(textOf(call.words[k - 1]) ?? "") ? [word] : [];
	});
	return withPatch(call, files, () => plainCall(call));
}
