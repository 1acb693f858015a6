// tmx doctor: a table of checks of this installation on this PATH in this environment, each with advice.

import { choosePolicy } from "../guardfile/choose.ts";
import { fromText } from "../policy/bytes.ts";
import { EXIT } from "../sys/exit.ts";
import { AGENTS, namedAgents } from "./agents/names.ts";
import { command, fail } from "./command.ts";
import { patientOf } from "./doctor/check.ts";
import { CHECKS } from "./doctor/checks.ts";
import { report, resultOf } from "./doctor/report.ts";
import { policyOption } from "./policy-words.ts";
import { Progress } from "./progress.ts";

export default command({
	args: {
		...policyOption,
		agent: {
			type: "string",
			valueHint: "NAME",
			description: `this agent's hook must be set up, and is tried, and the shells that it starts are asked what they run: ${AGENTS}`,
		},
		json: { type: "boolean", description: "print one JSON object a finding, one a line" },
	},
	lists: ["agent"],
	run({ system, args }) {
		const choice = choosePolicy(system, args.policy === undefined ? undefined : fromText(args.policy));
		if ("unusable" in choice) return fail(system, "doctor", "user_error", choice.unusable);
		const agents = args.agent === undefined ? [] : namedAgents(args.agent);
		if ("wrong" in agents) return fail(system, "doctor", "user_error", agents.wrong);
		const patient = patientOf(system, choice, agents);
		const progress = new Progress(system);
		const results = CHECKS.map((check) => {
			progress.tick(() => `looking at: ${check.name}`);
			return resultOf(check, patient);
		});
		progress.clear();
		// A guard that does not stand is our fault, whatever the reason.
		return report(system, results, args.json) ? EXIT.ok : EXIT.internal;
	},
});
