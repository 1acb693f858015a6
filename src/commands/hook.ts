// tmx hook: its help, and --test, which tries the hook that is set up in an agent; events themselves never come this way.

import { choosePolicy } from "../guardfile/choose.ts";
import { fromText } from "../policy/bytes.ts";
import { EXIT } from "../sys/exit.ts";
import { AGENTS, agentChoices, namedAgents } from "./agents/names.ts";
import { command, fail } from "./command.ts";
import { agents } from "./doctor/agents.ts";
import { patientOf } from "./doctor/check.ts";
import { report, resultOf } from "./doctor/report.ts";
import { policyOption } from "./policy-words.ts";

export default command({
	args: {
		...policyOption,
		test: {
			type: "boolean",
			description: "try the hook that is set up in AGENT, with a command that must be refused and one that must pass",
		},
		json: { type: "boolean", description: "with --test: print one JSON object a finding, one a line" },
	},
	operands: { name: "AGENT", description: `whose event it is: ${AGENTS}`, least: 1, most: 1, choices: agentChoices },
	run({ system, args, operands }) {
		if (!args.test) return fail(system, "hook", "user_error", "--json goes with --test");
		const rows = namedAgents(operands[0] ?? "");
		if ("wrong" in rows) return fail(system, "hook", "user_error", rows.wrong);
		const choice = choosePolicy(system, args.policy === undefined ? undefined : fromText(args.policy));
		if ("unusable" in choice) return fail(system, "hook", "user_error", choice.unusable);
		const result = resultOf(agents, patientOf(system, choice, rows));
		return report(system, [result], args.json) ? EXIT.ok : EXIT.internal;
	},
});
