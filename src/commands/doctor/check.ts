// The contract of doctor's checks: a row with a name, what to look at, and the advice for each thing that may be wrong.

import { type Choice, guardedTools } from "../../guardfile/choose.ts";
import type { Loaded } from "../../guardfile/load.ts";
import { loadChosen } from "../../guardfile/load-chosen.ts";
import { type Manifest, manifestIn } from "../../guardfile/manifest.ts";
import type { BoundPolicy } from "../../policy/judge.ts";
import type { Registration } from "../../registration/agents.ts";
import type { System } from "../../sys/system.ts";

/** What is looked at: the system, the policy that is meant, and each guarded tool with its own. */
export interface Patient {
	system: System;
	choice: Choice;
	tools: ReadonlyMap<string, Loaded>;
	/** What the build of the policy wrote down; undefined when there is none. */
	manifest: Manifest | undefined;
	/** Agents whose hook must be set up. */
	agents: readonly Registration[];
}

/** What there is to look at under a policy. */
export function patientOf(system: System, choice: Choice, agents: readonly Registration[]): Patient {
	const loaded = guardedTools(system, choice).map((tool) => [tool, loadChosen(system, choice, tool)] as const);
	const tools = new Map(loaded.filter((row): row is [string, Loaded] => row[1] !== undefined));
	return { system, choice, tools, manifest: manifestIn(system, choice.directory), agents };
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
