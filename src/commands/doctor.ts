// tmx doctor: a table of checks of this installation on this PATH in this environment, each with advice.

import { choosePolicy, guardedTools, loadChosen } from "../guardfile/choose.ts";
import type { Loaded } from "../guardfile/load.ts";
import { manifestIn } from "../guardfile/manifest.ts";
import { fromText } from "../policy/bytes.ts";
import { EXIT } from "../sys/exit.ts";
import { command, fail, print } from "./command.ts";
import type { Check, Finding, Patient } from "./doctor/check.ts";
import { CHECKS } from "./doctor/checks.ts";
import { policyOption } from "./policy-words.ts";
import { Progress } from "./progress.ts";
import { pad, type Screen, screenOf, type Tint } from "./screen.ts";

const TINTS: Readonly<Record<Finding["status"], Tint>> = { ok: "good", warn: "doubtful", fail: "bad" };

/** The findings of one check, with the advice in words. */
interface Result {
	check: string;
	findings: (Omit<Finding, "advice"> & { advice?: string })[];
}

function resultOf({ name, run, advice }: Check, patient: Patient): Result {
	const findings = run(patient).map(({ advice: row, ...finding }) => ({ ...finding, ...(row && { advice: advice[row] ?? "" }) }));
	return { check: name, findings };
}

/** One line a finding; an advice stands below the last of the lines that it is for. */
function resultText({ check, findings }: Result, width: number, screen: Screen): string {
	let text = `${screen.tint("strong", check)}\n`;
	findings.forEach(({ status, subject, found, advice }, k) => {
		text += `  ${screen.tint(TINTS[status], pad(status, 4))}  ${pad(subject, width)}  ${found}\n`;
		if (advice && findings[k + 1]?.advice !== advice) text += `${screen.tint("quiet", `        -> ${advice}`)}\n`;
	});
	return text;
}

/** A column is as wide as most subjects; a longer one pushes its line out. */
const WIDEST = 32;

function table(results: Result[], screen: Screen): string {
	const subjects = results.flatMap(({ findings }) => findings.map(({ subject }) => subject.length));
	const width = Math.max(0, ...subjects.filter((length) => length <= WIDEST));
	const all = results.flatMap(({ findings }) => findings);
	const count = (status: Finding["status"]) => all.filter((finding) => finding.status === status).length;
	const shown = results.filter(({ findings }) => findings.length > 0).map((result) => resultText(result, width, screen));
	const summary = `${count("ok")} ok, ${count("warn")} warn, ${count("fail")} fail`;
	return `${shown.join("")}\n${screen.tint(count("fail") > 0 ? "bad" : "good", summary)}\n`;
}

export default command({
	args: { ...policyOption, json: { type: "boolean", description: "print one JSON object a finding, one a line" } },
	run({ system, args }) {
		const choice = choosePolicy(system, args.policy === undefined ? undefined : fromText(args.policy));
		if ("unusable" in choice) return fail(system, "doctor", "user_error", choice.unusable);
		const loaded = guardedTools(system, choice).map((tool) => [tool, loadChosen(system, choice, tool)] as const);
		const tools = new Map(loaded.filter((row): row is [string, Loaded] => row[1] !== undefined));
		const patient: Patient = { system, choice, tools, manifest: manifestIn(system, choice.directory) };
		const progress = new Progress(system);
		const results = CHECKS.map((check) => {
			progress.tick(() => `looking at: ${check.name}`);
			return resultOf(check, patient);
		});
		progress.clear();
		const lines = results.flatMap(({ check, findings }) => findings.map((finding) => JSON.stringify({ check, ...finding })));
		print(system, args.json ? `${lines.join("\n")}\n` : table(results, screenOf(system)));
		const failed = results.some(({ findings }) => findings.some(({ status }) => status === "fail"));
		// A guard that does not stand is our fault, whatever the reason.
		return failed ? EXIT.internal : EXIT.ok;
	},
});
