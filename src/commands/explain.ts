// tmx explain: the verdict that a call would get, with all of its evidence; nothing is run and nothing is recorded.

import { choosePolicy } from "../guardfile/choose.ts";
import { fromText, quote } from "../policy/bytes.ts";
import { EXIT } from "../sys/exit.ts";
import type { System } from "../sys/system.ts";
import { command, fail, print } from "./command.ts";
import { explanationData } from "./explain/data.ts";
import { explanationOf } from "./explain/explanation.ts";
import { lineData, lineOf, lineText } from "./explain/line.ts";
import { explanationText } from "./explain/text.ts";
import { policyOption } from "./policy-words.ts";
import { screenOf } from "./screen.ts";

/** The verdicts of the calls of a command line. */
async function explainLine(
	system: System,
	line: string,
	args: { cwd?: string | undefined; policy?: string | undefined; json?: boolean | undefined },
): Promise<number> {
	const choice = choosePolicy(system, args.policy === undefined ? undefined : fromText(args.policy));
	if ("unusable" in choice) return fail(system, "explain", "user_error", choice.unusable);
	const cwd = system.real(args.cwd === undefined ? "." : fromText(args.cwd), true);
	if (args.cwd !== undefined && !cwd) return fail(system, "explain", "user_error", `${quote(fromText(args.cwd))} is no directory`);
	const explained = await lineOf(system, choice, fromText(line), cwd || undefined);
	print(system, args.json ? `${JSON.stringify(lineData(explained))}\n` : lineText(explained, screenOf(system)));
	return explained.refused ? EXIT.policy_denied : EXIT.ok;
}

export default command({
	args: {
		cwd: { type: "string", valueHint: "DIR", description: "the directory in which the call would be made (default: this one)" },
		...policyOption,
		json: { type: "boolean", description: "print one JSON object" },
	},
	operands: { name: "COMMAND-LINE", description: "one word: a command line, read as the hook reads it", least: 0, most: 1 },
	rest: { name: "TOOL ARG...", description: "one call, as a shell would hand it over" },
	run({ system, args, operands: [line], rest }) {
		if (line !== undefined && rest !== undefined)
			return fail(system, "explain", "user_error", "a command line and a call are two questions");
		if (line !== undefined) return explainLine(system, line, args);
		if (rest === undefined || rest.length === 0) {
			const words = 'the call stands after "--": tmx explain -- rm -r build; a command line is one word: tmx explain "cd src && rm x"';
			return fail(system, "explain", "user_error", words);
		}
		if (rest[0] === "") return fail(system, "explain", "user_error", "the name of a tool is not empty");
		const choice = choosePolicy(system, args.policy === undefined ? undefined : fromText(args.policy));
		if ("unusable" in choice) return fail(system, "explain", "user_error", choice.unusable);
		const cwd = system.real(args.cwd === undefined ? "." : fromText(args.cwd), true);
		if (args.cwd !== undefined && !cwd) return fail(system, "explain", "user_error", `${quote(fromText(args.cwd))} is no directory`);
		const explanation = explanationOf(system, choice, rest, cwd ?? "");
		if ("unusable" in explanation) return fail(system, "explain", "internal", explanation.unusable);
		print(system, args.json ? `${JSON.stringify(explanationData(explanation))}\n` : explanationText(explanation, screenOf(system)));
		return explanation.judged?.verdict.decision === "deny" ? EXIT.policy_denied : EXIT.ok;
	},
});
