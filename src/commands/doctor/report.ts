// What checks found, as a table for people and as JSON for programs.

import type { System } from "../../sys/system.ts";
import { print } from "../command.ts";
import { pad, type Screen, screenOf, type Tint } from "../screen.ts";
import type { Check, Finding, Patient } from "./check.ts";

const TINTS: Readonly<Record<Finding["status"], Tint>> = { ok: "good", warn: "doubtful", fail: "bad" };

/** The findings of one check, with the advice in words. */
export interface Result {
	check: string;
	findings: (Omit<Finding, "advice"> & { advice?: string })[];
}

/** Make a check. */
export function resultOf({ name, run, advice }: Check, patient: Patient): Result {
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

/** Print what was found. Whether everything stands. */
export function report(system: System, results: Result[], json: boolean | undefined): boolean {
	const lines = results.flatMap(({ check, findings }) => findings.map((finding) => JSON.stringify({ check, ...finding })));
	print(system, json ? `${lines.join("\n")}\n` : table(results, screenOf(system)));
	return !results.some(({ findings }) => findings.some(({ status }) => status === "fail"));
}
