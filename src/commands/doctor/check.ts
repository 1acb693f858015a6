// The contract of doctor's checks: a row with a name, what to look at, and the advice for each thing that may be wrong.

import type { Choice } from "../../guardfile/choose.ts";
import type { Loaded } from "../../guardfile/load.ts";
import type { Manifest } from "../../guardfile/manifest.ts";
import type { BoundPolicy } from "../../policy/judge.ts";
import type { System } from "../../sys/system.ts";

/** What is looked at: the system, the policy that is meant, and each guarded tool with its own. */
export interface Patient {
	system: System;
	choice: Choice;
	tools: ReadonlyMap<string, Loaded>;
	/** What the build of the policy wrote down; undefined when there is none. */
	manifest: Manifest | undefined;
}

/** One thing that was found. */
export interface Finding {
	status: "ok" | "warn" | "fail";
	/** What it is about: a tool, a variable, a directory. As text. */
	subject: string;
	/** What is the case, in words. */
	found: string;
	/** Which row of the check's advice helps. */
	advice?: string;
}

export interface Check<Problem extends string = string> {
	name: string;
	run(patient: Patient): (Finding & { advice?: Problem })[];
	/** What to do about each problem, in words. */
	advice: Readonly<Record<Problem, string>>;
}

/** Define a check; the compiler sees that each problem it names has its advice. */
export function check<const Problem extends string>(row: Check<Problem>): Check {
	return row as unknown as Check;
}

/** The guarded tools whose policy can be used. */
export function usable({ tools }: Patient): [tool: string, bound: BoundPolicy][] {
	return [...tools].filter((row): row is [string, BoundPolicy] => !("unusable" in row[1]));
}
