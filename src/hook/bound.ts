// A policy bound to code for text: its gates, each switched on once, and the readers that the caller has.

import { gates } from "../gates/index.ts";
import type { Unusable } from "../guardfile/load.ts";
import type { Bytes } from "../policy/bytes.ts";
import type { Reader } from "../policy/call.ts";
import type { BoundPolicy, BoundRule } from "../policy/judge.ts";
import type { Gate, Root, ToolPolicy } from "../policy/policy.ts";
import type { Future } from "./future.ts";

/** The roots of a policy's gates, for calls in a working directory. */
export function rootsOf(future: Future, policy: ToolPolicy, cwd: Bytes | undefined): Root[] {
	const world = future.worldAt(cwd);
	const roots: Root[] = [];
	for (const { gate, settings } of policy.gates) {
		const found = gates.get(gate);
		for (const root of (found && future.activate(found, settings, world)?.roots()) ?? []) roots.push(root);
	}
	return roots;
}

/** A gate that is switched on once a future and directory. */
const remembered = (gate: Gate, future: Future): Gate => ({
	...gate,
	activate: (settings, world) => future.activate(gate, settings, world),
});

/**
 * A policy bound to code.
 * @param reader what reads the operands, by the name that the policy gives it
 * @param readerOf what reads the operands of a tool that another one runs
 */
export function bound(
	future: Future,
	policy: ToolPolicy,
	reader: (name: string) => Reader | undefined,
	readerOf: BoundPolicy["readerOf"] = () => undefined,
): BoundPolicy | Unusable {
	const rules: BoundRule[] = [];
	for (const rule of policy.gates) {
		const gate = gates.get(rule.gate);
		const found = reader(rule.operands ?? "");
		if (!gate || !found) return { unusable: `the policy asks for ${gate ? rule.operands : rule.gate}, which this tmx does not have` };
		rules.push({ rule, gate: remembered(gate, future), reader: found });
	}
	return { policy, rules, readerOf };
}
