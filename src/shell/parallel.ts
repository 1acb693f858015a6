// GNU parallel: a line for a shell, once for each argument behind `:::` or line of input.

import type { Call } from "./call.ts";
import type { Output, Word } from "./reading.ts";
import { fileOutput, wholeInput } from "./redirections.ts";
import { quotedLine } from "./shells.ts";
import { either, type Outcome } from "./state.ts";
import { runScript, subshell } from "./statements.ts";
import { readOptions } from "./unwrap.ts";
import { childOf } from "./variables.ts";
import { joinWords, linesOf, textOf, unknown, wordOf } from "./words.ts";

const TAKES =
	"-j --jobs -P --max-procs -n --max-args -N -I -a --arg-file -d --delimiter --colsep --delay --timeout --retries --joblog --results --workdir --wd --tmpdir -S --sshlogin --halt --memfree --load --nice --tagstring";

/** The lines of an input; undefined when they are not known. */
function linesIn(input: Output): Word[] | undefined {
	if (input.kind === "text") return linesOf(input.word);
	return input.kind === "names" ? input.names : undefined;
}

/** The arguments behind `:::`, in files behind `::::` or in an input; undefined when they are not known. */
function argumentsOf({ m, state }: Call, after: readonly Word[] | undefined, files: readonly Word[]): Word[] | undefined {
	const sources: (Word[] | undefined)[] = files.map((file) => linesIn(textOf(file) === "-" ? wholeInput(m) : fileOutput(m, state, file)));
	let named = false;
	for (const word of after ?? []) {
		const mark = /^:::(:)?\+?$/.exec(textOf(word) ?? "");
		if (mark !== null) named = mark[1] !== undefined;
		else sources.push(named ? linesIn(fileOutput(m, state, word)) : [word]);
	}
	if (after === undefined && files.length === 0) return linesIn(wholeInput(m));
	return sources.every((lines) => lines !== undefined) ? (sources as Word[][]).flat() : undefined;
}

/** What parallel would run. */
export function parallel(call: Call): Outcome {
	const { m, state } = call;
	const { given, rest } = readOptions(call.words.slice(1), TAKES);
	if (given.some(({ name }) => ["-S", "--sshlogin", "--pipe", "--colsep"].includes(name))) m.unclear("options of parallel");
	const files = given.flatMap(({ name, value }) => (/^(-a|--arg-file)$/.test(name) && value ? [value] : []));
	const cut = rest.findIndex((word) => /^:::/.test(textOf(word) ?? ""));
	const command = cut < 0 ? rest : rest.slice(0, cut);
	const mark = textOf(given.find(({ name }) => name === "-I")?.value) ?? "{}";
	const items = argumentsOf(call, cut < 0 ? undefined : rest.slice(cut), files) ?? [unknown("(the input of parallel)")];
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
