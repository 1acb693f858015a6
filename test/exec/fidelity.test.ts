// A tool inherits through its shim what it inherits without it, but for the named limits of the runtime.

import { expect, test } from "bun:test";
import { BINARY } from "../support/binary.ts";
import { compareLaunches, compareStates, type Difference } from "./fidelity.ts";

const compiler = Bun.which("cc") !== null;

/** What the runtime takes before our first line and nobody can give back: disposition, mask and limit of the child alone. */
const LIMITS: Record<string, string[]> = {
	"ignore-all": ["signal.4 5 6 7 8 11 13 25 30 31", "descriptor.2"],
	"terminal+ignore-all": ["signal.4 5 6 7 8 11 13 15 25 30 31"],
	"child-ignores-pipe": ["signal.13"],
	"both-ignore-pipe": ["signal.13"],
	blocked: ["signal.30"],
	"child-few-files": ["limit.7"],
	"descriptors+schedule+blocked+child-few-files": ["signal.30", "limit.7"],
};

function isKnown(state: string, key: string): boolean {
	const [kind, number] = key.split(".");
	return (LIMITS[state] ?? []).some(
		(row) =>
			row.startsWith(`${kind}.`) &&
			row
				.slice(row.indexOf(".") + 1)
				.split(" ")
				.includes(number ?? ""),
	);
}

const unexplained = (differences: Difference[]) => {
	return differences.flatMap(({ state, keys }) => keys.filter((key) => !isKnown(state, key)).map((key) => `${state}: ${key}`));
};
const identical = (differences: Difference[]) => differences.filter(({ lines }) => lines === 0).length;

// Without a C compiler there is no program that could look.
test.skipIf(!compiler)(
	"a tool inherits the same through its shim in at least 27 of 34 states, and the others differ only in what is named",
	() => {
		const { inert, judged } = compareStates(BINARY);
		expect(inert.length).toBe(34);
		expect(unexplained(inert)).toEqual([]);
		expect(unexplained(judged)).toEqual([]);
		expect(identical(inert)).toBeGreaterThanOrEqual(27);
		expect(identical(judged)).toBeGreaterThanOrEqual(27);
	},
	120_000,
);

test.skipIf(!compiler)(
	"COMMAND of tmx wrap inherits the same as by itself, but for the environment and for what is named",
	() => {
		const differences = compareLaunches(BINARY);
		expect(differences.length).toBe(30);
		expect(unexplained(differences)).toEqual([]);
	},
	120_000,
);
