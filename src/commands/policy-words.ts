// How a command says which policy it speaks of.

import type { Choice } from "../guardfile/choose.ts";
import { quote } from "../policy/bytes.ts";

/** The policy in use, in words. */
export function policyWords({ directory, how }: Choice): string {
	if (how === "built-in") return "the built-in guardfile: no shim directory is named, on PATH or installed";
	return `${quote(directory)} (${how})`;
}

/** The option that several commands share. */
export const policyOption = {
	policy: {
		type: "string",
		valueHint: "DIR",
		description: "shim directory whose policy is meant (default: the one on PATH, else the installed one, else the built-in one)",
	},
} as const;
