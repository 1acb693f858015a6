// Names that may be given only once in all guardfiles together.

import { quote } from "../policy/bytes.ts";
import { lineOf, type Report, type Source, type Span } from "./problem.ts";

/** Remembers where each name was given first. */
export class Once {
	readonly #first = new Map<string, { source: Source; line: number }>();

	/**
	 * Whether the name is new; a second one is reported.
	 * @param what what happens twice, such as `"rm" is wrapped`
	 */
	claim(key: string, at: Span, what: string, report: Report): boolean {
		const first = this.#first.get(key);
		if (first === undefined) {
			this.#first.set(key, { source: report.source, line: lineOf(report.source, at.start) });
			return true;
		}
		const where = first.source === report.source ? `in line ${first.line}` : `at ${quote(first.source.name)}:${first.line}`;
		report.say(at, `${what} twice; the first is ${where}`);
		return false;
	}
}
