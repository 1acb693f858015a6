// What a program of awk runs by a shell, as far as it stands there: system("..."), print | "..." and "..." | getline (POSIX awk).

import type { Call } from "./call.ts";
import { plainCall } from "./invoke.ts";
import type { Word } from "./reading.ts";
import type { Outcome } from "./state.ts";
import { runScript, subshell } from "./statements.ts";
import { readOptions } from "./unwrap.ts";
import { childOf } from "./variables.ts";
import { textOf, unknown, wordOf } from "./words.ts";

/** Options of awk, gawk and mawk that take the next word. */
const TAKES = "-F --field-separator -v --assign -f --file -i --include -l --load -e --source -E --exec -W";

const TEXT = String.raw`"((?:[^"\\\n]|\\.)*)"`;
const RUNS = new RegExp(
	String.raw`\bsystem[ \t]*\([ \t]*${TEXT}([ \t]*[^ \t)])?|(?<!\|)\|&?[ \t]*${TEXT}([ \t]*[^ \t})|;\n&])?|${TEXT}[ \t]*\|&?[ \t]*getline`,
	"g",
);

/** The lines of a program for a shell; a hole stands for what is put together with a text. */
function linesIn(program: string): Word[] {
	return [...program.matchAll(RUNS)].map(([, ran, more, piped, most, read]) => {
		const text = (ran ?? piped ?? read ?? "").replace(/\\(.)/g, (_, escaped: string) => ({ n: "\n", t: "\t" })[escaped] ?? escaped);
		return wordOf((more ?? most) === undefined ? [text] : [text, ...unknown("(what awk adds)").pieces]);
	});
}

/** awk: the call itself, and what its program hands to a shell. */
export function awk(call: Call): Outcome {
	const { m, state, words } = call;
	const outcome = plainCall(call);
	const { given, rest } = readOptions(words.slice(1), TAKES);
	const named = given.flatMap(({ name, value }) => (/^(-e|--source)$/.test(name) && value ? [textOf(value) ?? ""] : []));
	const isElsewhere = named.length > 0 || given.some(({ name }) => /^(-f|--file|-E|--exec)$/.test(name));
	const lines = linesIn([...named, isElsewhere ? "" : (textOf(rest[0]) ?? "")].join("\n"));
	if (lines.length === 0) return outcome;
	const input = { output: { kind: "unknown" } as const, lines: undefined, taken: 0 };
	m.within({ via: [...m.via, "awk"], env: [], active: [], input }, () =>
		m.perhaps(true, () => {
			for (const line of lines) subshell(m, childOf(m, state), (inner) => runScript(m, line, inner));
		}),
	);
	return outcome;
}
