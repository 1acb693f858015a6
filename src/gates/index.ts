// The gates by the name that a guardfile gives them.

import type { Gate } from "../policy/policy.ts";
import { pathsWithin } from "./paths-within.ts";

const ALL: readonly Gate[] = [pathsWithin];

/** Every gate, by name. */
export const gates: ReadonlyMap<string, Gate> = new Map(ALL.map((gate) => [gate.name, gate]));
