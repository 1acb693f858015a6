// Where the audit of this user lies, by the policy that is meant.

import { auditPath } from "../../audit.ts";
import { type Choice, guardedTools } from "../../guardfile/choose.ts";
import type { Unusable } from "../../guardfile/load.ts";
import { loadChosen } from "../../guardfile/load-chosen.ts";
import type { Bytes } from "../../policy/bytes.ts";
import { worldOf } from "../../shim.ts";
import type { System } from "../../sys/system.ts";

/** The path of the audit; all tools of one policy have the same, so the first usable one tells. */
export function auditFile(system: System, choice: Choice): Bytes | Unusable {
	let wrong: Unusable = { unusable: "the policy guards no tool, so there is no audit" };
	for (const tool of guardedTools(system, choice)) {
		const bound = loadChosen(system, choice, tool);
		if (bound === undefined) continue;
		if ("unusable" in bound) wrong = bound;
		else {
			const path = auditPath(bound.policy, system.uid(), worldOf(system, bound).passwdHome);
			return path === "" ? { unusable: "this user has no home directory, so nothing is recorded" } : path;
		}
	}
	return wrong;
}
