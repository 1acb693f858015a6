// GNU parallel: a line for a shell, once for each argument behind `:::` or line of input.

import type { Call } from "./call.ts";
import type { Word } from "./reading.ts";
import { wholeInput } from "./redirections.ts";
import { quotedLine } from "./shells.ts";
import { either, type Outcome } from "./state.ts";
import { runScript, subshell } from "./statements.ts";
import { readOptions } from "./unwrap.ts";
import { childOf } from "./variables.ts";
import { joinWords, linesOf, textOf, unknown, wordOf } from "./words.ts";

const TAKES =
	"-j --jobs -P --max-procs -n --max-args -N -I -a --arg-file -d --delimiter --colsep --delay --timeout --retries --joblog --results --workdir --wd --tmpdir -S --sshlogin --halt --memfree --load --nice --tagstring";

/** The arguments; undefined when they come from an input that is not known. */
function argumentsOf(call: Call, after: readonly Word[] | undefined): Word[] | undefined {
	if (after !== undefined) return after.filter((word) => !/^:::\+?$/.test(textOf(word) ?? ""));
	const input = wholeInput(call.m);
	if (input.kind === "text") return linesOf(input.word);
	return input.kind === "names" ? input.names : undefined;
}

/** What parallel would run. */
export function parallel(call: Call): Outcome {
	const { m, state } = call;
	const { given, rest } = readOptions(call.words.slice(1), TAKES);
	if (given.some(({ name }) => ["-S", "--sshlogin", "-a", "--arg-file", "--pipe", "--colsep"].includes(name)))
		m.unclear("options of parallel");
	const cut = rest.findIndex((word) => /^:::/.test(textOf(word) ?? ""));
	const command = cut < 0 ? rest : rest.slice(0, cut);
	const mark = textOf(given.find(({ name }) => name === "-I")?.value) ?? "{}";
	const items = argumentsOf(call, cut < 0 ? undefined : rest.slice(cut + 1)) ?? [unknown("(the input of parallel)")];
	const line = joinWords(command, " ");
	const marked = line.pieces.some((piece) => typeof piece === "string" && piece.includes(mark));
	for (const item of items) {
		m.step();
		const quoted = quotedLine([item]);
		const text = marked
			? wordOf(
					line.pieces.flatMap((piece) =>
						typeof piece === "string" ? piece.split(mark).flatMap((part, k) => (k === 0 ? [part] : [...quoted.pieces, part])) : [piece],
					),
				)
			: joinWords([line, quoted], " ");
		m.within({ via: [...m.via, "parallel"], env: [] }, () => subshell(m, childOf(m, state), (inner) => runScript(m, text, inner)));
	}
	return either(state);
}
