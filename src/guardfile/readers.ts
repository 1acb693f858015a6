// The operand readers that a policy asks for: rm's and mv's are at hand, for another one the registry is loaded.

import { positional } from "../operands/positional.ts";
import { positionalAndTarget } from "../operands/positional-and-target.ts";
import type { Reader } from "../policy/call.ts";
import type { ToolPolicy } from "../policy/policy.ts";

export type Readers = ReadonlyMap<string, Reader>;

const atHand = new Map<string, Reader>();
for (const reader of [positional, positionalAndTarget]) atHand.set(reader.name, reader);

/** All readers that judging by this policy can take. These two never ask for another tool's reader. */
export async function readersFor(policy: ToolPolicy): Promise<Readers> {
	for (const { operands } of policy.gates) if (!atHand.has(operands ?? "")) return (await import("../operands/index.ts")).readers;
	return atHand;
}
