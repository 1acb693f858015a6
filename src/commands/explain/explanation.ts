// What there is to say of one call: the verdict that its shim would give, and what the verdict stands on.

import type { Choice } from "../../guardfile/choose.ts";
import { loadChosen } from "../../guardfile/load-chosen.ts";
import type { Bytes } from "../../policy/bytes.ts";
import type { Call } from "../../policy/call.ts";
import { type BoundPolicy, judge } from "../../policy/judge.ts";
import { baseOf } from "../../policy/resolve.ts";
import type { Verdict } from "../../policy/verdict.ts";
import { callOf, worldOf } from "../../shim.ts";
import { type Found, realTool } from "../../sys/find-tool.ts";
import type { System } from "../../sys/system.ts";
import { firstOf, type Spot, spotsOf } from "../on-path.ts";

/** A variable that can switch a gate of the tool on. */
export interface Variable {
	name: string;
	value: Bytes;
}

export interface Explanation {
	argv: Bytes[];
	tool: Bytes;
	cwd: Bytes;
	choice: Choice;
	/** What a shell would run under the name as it was given; undefined when it would find nothing. */
	found: Spot | undefined;
	/** The verdict with the policy's facts; undefined when the policy has no wrap for the tool. */
	judged: { verdict: Verdict; guardfile: Bytes; lines: number[]; variables: Variable[]; becomes: Found } | undefined;
}

/** The variables that the gates of a policy look at, each once. */
export function variablesOf(system: System, bound: BoundPolicy): Variable[] {
	const names = bound.rules.flatMap(({ gate, rule }) => {
		const options = Object.keys(gate.options).filter((option) => gate.options[option]?.value === "variable");
		return options.flatMap((option) => rule.settings[option] ?? []);
	});
	return [...new Set(names)].map((name) => ({ name, value: system.env(name) ?? "" }));
}

function judged(system: System, bound: BoundPolicy, argv: Bytes[], cwd: Bytes): Explanation["judged"] {
	const becomes = realTool(system, bound.policy.exec);
	const call: Call = callOf(system, bound.policy.tool, argv, "path" in becomes ? (becomes.path ?? "") : "", cwd);
	const verdict = judge(bound, call, worldOf(system, bound, cwd), true);
	const lines = bound.rules.map(({ rule }) => rule.line);
	return { verdict, guardfile: bound.policy.guardfile, lines, variables: variablesOf(system, bound), becomes };
}

/** Where a shell finds what argv[0] names: a path stands for itself. */
function foundAs(system: System, name: Bytes, shims: Bytes): Spot | undefined {
	if (!name.includes("/")) return firstOf(spotsOf(system, name, shims));
	const file = system.identity(name);
	if (file === undefined) return undefined;
	const own = system.identity("/proc/self/exe")?.id === file.id;
	return { directory: "", path: name, kind: own ? "shim" : "tool", id: file.id };
}

/** Explain a call in the directory `cwd` by a policy; a policy that cannot be used is said in words. */
export function explanationOf(system: System, choice: Choice, argv: Bytes[], cwd: Bytes): Explanation | { unusable: string } {
	const name = argv[0] as Bytes;
	const tool = baseOf(name);
	const bound = loadChosen(system, choice, tool);
	if (bound && "unusable" in bound) return bound;
	const found = foundAs(system, name, choice.directory);
	return { argv, tool, cwd, choice, found, judged: bound && judged(system, bound, argv, cwd) };
}
