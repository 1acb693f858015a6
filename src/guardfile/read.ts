// From names on a command line to a checked guard, or everything that is wrong with the guardfiles.

import type { Bytes } from "../policy/bytes.ts";
import type { System } from "../sys/system.ts";
import { check, type Guard } from "./check.ts";
import { fromHeld } from "./compile.ts";
import { DEFAULT_POLICIES } from "./default.compiled.ts";
import type { Problem } from "./problem.ts";
import { type ReadSource, readSources } from "./sources.ts";

/** A guard with the guardfiles that it was read from; none for the one in the binary. */
export interface ReadGuard {
	guard: Guard;
	sources: ReadSource[];
}

/**
 * Read and check guardfiles as one policy: those that are named, else those in the configuration directory, else the built-in one.
 * Problems come in the order of the files.
 */
export function readGuard(system: System, names: readonly Bytes[]): ReadGuard | { problems: Problem[] } {
	const { sources, problems, order } = readSources(system, names);
	if (sources.length === 0 && problems.length === 0) return { guard: fromHeld(DEFAULT_POLICIES, "default.kdl"), sources };
	// With a file that cannot be read, names that it may define are not called unknown.
	const result = check(sources, problems.length === 0);
	const place = ({ source }: Problem) => order.indexOf(source.name);
	if ("problems" in result) return { problems: [...problems, ...result.problems].sort((a, b) => place(a) - place(b)) };
	return problems.length > 0 ? { problems } : { guard: result.guard, sources };
}
