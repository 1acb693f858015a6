// The gates by the name that a guardfile gives them.

import type { Gate } from "../policy/policy.ts";
import { pathsWithin } from "./paths-within.ts";

const ALL: readonly Gate[] = [pathsWithin];

const byName = new Map<string, Gate>();
for (const gate of ALL) byName.set(gate.name, gate);

/** Every gate, by name. */
export const gates: ReadonlyMap<string, Gate> = byName;
