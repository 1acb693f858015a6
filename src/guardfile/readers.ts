// The operand readers that policies ask for: those of rm and mv are at hand, those of everyday tools are loaded apart from all others.

import { positional } from "../operands/positional.ts";
import { positionalAndTarget } from "../operands/positional-and-target.ts";
import type { Reader } from "../policy/call.ts";
import type { ToolPolicy } from "../policy/policy.ts";

export type Readers = ReadonlyMap<string, Reader>;

const atHand = new Map<string, Reader>();
for (const reader of [positional, positionalAndTarget]) atHand.set(reader.name, reader);

/** What everyday.ts holds beside them. */
export const EVERYDAY: ReadonlySet<string> = new Set(
	"rmdir mkdir shred truncate tee touch cp ln install chmod chown chgrp sed git".split(" "),
);

/** Readers among which all are that judging by these policies can take; neither those at hand nor everyday ones ask for others. */
export async function readersFor(policies: readonly ToolPolicy[]): Promise<Readers> {
	let areAtHand = true;
	for (const { gates } of policies) {
		for (const { operands = "" } of gates) {
			if (atHand.has(operands)) continue;
			if (!EVERYDAY.has(operands)) return (await import("../operands/index.ts")).readers;
			areAtHand = false;
		}
	}
	return areAtHand ? atHand : (await import("../operands/everyday.ts")).everyday;
}
