// What went wrong while something was installed, and whose fault it is.

import { EXIT, type Failure } from "../../sys/exit.ts";
import type { System } from "../../sys/system.ts";
import { fail } from "../command.ts";

export interface Problem {
	kind: Extract<Failure, "internal" | "user_error">;
	words: string;
}

export const internal = (words: string): Problem => ({ kind: "internal", words });
export const userError = (words: string): Problem => ({ kind: "user_error", words });

/** Say each problem, and answer the exit status: the one that weighs most. */
export function failAll(system: System, name: string, problems: readonly Problem[]): number {
	const statuses = problems.map(({ kind, words }) => fail(system, name, kind, words));
	return statuses.length > 0 ? Math.min(EXIT.user_error, ...statuses) : EXIT.ok;
}
