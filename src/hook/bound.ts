// A policy bound to code for text: its gates, and readers that may be made of others or replaced by operands that are known.

import { gates } from "../gates/index.ts";
import type { Unusable } from "../guardfile/load.ts";
import { readers } from "../operands/index.ts";
import type { Bytes } from "../policy/bytes.ts";
import type { Operand, Reader } from "../policy/call.ts";
import type { BoundPolicy, BoundRule } from "../policy/judge.ts";
import type { Gate, Root, ToolPolicy } from "../policy/policy.ts";
import type { Session } from "./session.ts";

/** The roots of a policy's gates, for calls in a working directory. */
export function rootsOf(session: Session, policy: ToolPolicy, cwd: Bytes | undefined): Root[] {
	const world = session.worldAt(cwd);
	return policy.gates.flatMap(({ gate, settings }) => {
		const found = gates.get(gate);
		return (found && session.activate(found, settings, world)?.roots()) ?? [];
	});
}

/** The reader of a guarded tool's words. */
function readerOf(session: Session, tool: string): Reader | undefined {
	const policy = session.policies.tool(tool);
	return policy === undefined || "unusable" in policy ? undefined : readers.get(policy.gates[0]?.operands ?? "");
}

/** Operands that are known already, for what has no argv. */
const given = (operands: Operand[]): Reader => ({ name: "given", read: () => ({ operands, unread: [] }) });

/** A gate that is switched on once a session and directory. */
const remembered = (gate: Gate, session: Session): Gate => ({
	...gate,
	activate: (settings, world) => session.activate(gate, settings, world),
});

/**
 * A policy bound to code.
 * @param wrap what a tool's reader is made of; with operands in its place nothing is read
 */
export function bound(session: Session, policy: ToolPolicy, wrap: ((reader: Reader) => Reader) | Operand[]): BoundPolicy | Unusable {
	const rules: BoundRule[] = [];
	for (const rule of policy.gates) {
		const gate = gates.get(rule.gate);
		const reader = Array.isArray(wrap) ? given(wrap) : readers.get(rule.operands ?? "");
		if (!gate || !reader) return { unusable: `the policy asks for ${gate ? rule.operands : rule.gate}, which this tmx does not have` };
		rules.push({ rule, gate: remembered(gate, session), reader: Array.isArray(wrap) ? reader : wrap(reader) });
	}
	return { policy, rules, readerOf: (tool) => readerOf(session, tool) };
}
