// What is wrong with guardfiles, on stderr, with a last line that counts.

import { type Problem, render } from "../guardfile/problem.ts";
import { fromText, quote } from "../policy/bytes.ts";
import { EXIT, message } from "../sys/exit.ts";
import type { System } from "../sys/system.ts";

/** So many problems are shown; the others are counted. */
const SHOWN = 100;

/** `1 tool`, `2 tools`. */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;

/**
 * Print problems and answer the exit status.
 * @param after what the last line says behind the count, such as `nothing was written`
 */
export function failWith(system: System, name: string, problems: readonly Problem[], after = ""): number {
	const texts = problems.slice(0, SHOWN).map((problem) => render(problem, name));
	const files = [...new Set(problems.map(({ source }) => source.name))];
	const where = files.length === 1 ? quote(files[0] as string) : counted(files.length, "file");
	texts.push(message(name, "user_error", `${counted(problems.length, "problem")} in ${where}${after && `; ${after}`}`));
	system.write(2, fromText(texts.join("")));
	return EXIT.user_error;
}
