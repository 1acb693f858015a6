// What is wrong with a guardfile, as a person reads it: each problems/NAME.kdl against problems/NAME.problems.

import { expect, test } from "bun:test";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { check } from "../../src/guardfile/check.ts";
import { render } from "../../src/guardfile/problem.ts";

const DIRECTORY = join(import.meta.dir, "problems");

function problemsOf(name: string): string {
	const result = check([{ name, path: `/guard/${name}`, text: readFileSync(join(DIRECTORY, name), "utf8") }]);
	return "problems" in result ? result.problems.map((problem) => render(problem, "check")).join("") : "";
}

for (const name of readdirSync(DIRECTORY).filter((name) => name.endsWith(".kdl"))) {
	test(name, () => {
		const golden = join(DIRECTORY, name.replace(/kdl$/, "problems"));
		const said = problemsOf(name);
		// `WRITE_PROBLEMS=1 bun test problems.test.ts` writes the texts anew, for a person to read what changed.
		if (process.env.WRITE_PROBLEMS === "1") writeFileSync(golden, said);
		expect(said).toBe(readFileSync(golden, "utf8"));
		expect(said).not.toBe("");
	});
}
