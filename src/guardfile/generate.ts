// The module that holds the default guardfile in compiled form, written when the binary is built.

import { check } from "./check.ts";
import { toHeld } from "./compile.ts";
import { render } from "./problem.ts";

/** The text of default.compiled.ts for the text of default.kdl. Throws when that is no good guardfile. */
export function defaultModule(text: string): string {
	const name = "default.kdl";
	const result = check([{ name, path: name, text }]);
	if ("problems" in result) throw new Error(result.problems.map((problem) => render(problem, "build")).join(""));
	if (result.guard.floor) throw new Error(`${name}: the binary holds no floor; whether a session has one is its person's to say`);
	const json = JSON.stringify(toHeld(result.guard));
	return [
		"// default.kdl in compiled form; build.ts writes this file.",
		"",
		`export const DEFAULT_POLICIES = ${JSON.stringify(json)};`,
		"",
	].join("\n");
}
