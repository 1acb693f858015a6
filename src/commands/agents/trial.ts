// A hook that is set up, tried as its agent would run it: with an event that must be refused and one that must pass in silence.

import { spawnSync } from "node:child_process";
import { choosePolicy } from "../../guardfile/choose.ts";
import { fromText, quote } from "../../policy/bytes.ts";
import type { Registration } from "../../registration/agents.ts";
import { EXIT } from "../../sys/exit.ts";
import { type Patient, patientOf } from "../doctor/check.ts";
import { type Stage, variableNames } from "../doctor/stage.ts";
import type { Hook } from "./standing.ts";

/** What an event came to, and whether that is right. */
export interface Tried {
	good: boolean;
	expected: "refused" | "passed";
	words: string;
}

/** As long as the agents wait that wait least. */
const TIMEOUT_MS = 10_000;

interface Answer {
	status: number | string;
	stdout: string;
	stderr: string;
}

/** Run the command with an event on its standard input. */
function fire({ command }: Hook, event: unknown, { env, directory }: Stage): Answer {
	const [program = "", ...words] = typeof command === "string" ? ["/bin/sh", "-c", command] : command;
	const run = spawnSync(program, words, { env, cwd: directory, timeout: TIMEOUT_MS, encoding: "latin1", input: JSON.stringify(event) });
	const failed = (run.error as NodeJS.ErrnoException | undefined)?.code;
	return { status: failed ?? run.status ?? run.signal ?? "nothing", stdout: run.stdout ?? "", stderr: run.stderr ?? "" };
}

/** What it said, on one line. */
function said({ status, stdout, stderr }: Answer): string {
	const [first] = (stderr || stdout).split("\n", 1);
	return `ended with ${status}${first ? `: ${quote(first)}` : ", and said nothing"}`;
}

/** Commands that a policy judges whichever tools it guards: with the outside path, and with one inside. */
function commandsFor(patient: Patient, { outside, directory }: Stage): { bad: string; good: string } {
	const make = (path: string) => (patient.tools.has("rm") ? `rm -f ${path}` : `: >${path}`);
	return { bad: make(outside), good: make(`${directory}/none`) };
}

/** The policy that the hook will take, and its variables set to the stage's directory. */
function prepared(patient: Patient, { policy }: Hook, stage: Stage): { patient: Patient; stage: Stage } {
	const choice = policy === undefined ? patient.choice : choosePolicy(patient.system, fromText(policy));
	if ("unusable" in choice) return { patient, stage };
	const other = patientOf(patient.system, choice, patient.agents);
	const env = { ...stage.env };
	for (const name of variableNames(other)) env[name] = stage.directory;
	return { patient: other, stage: { ...stage, env } };
}

/** Try both. Neither command is run: the hook only judges them. */
export function tryHook(given: Patient, row: Registration, hook: Hook, on: Stage): Tried[] {
	const { patient, stage } = prepared(given, hook, on);
	const { bad, good } = commandsFor(patient, stage);
	const refused = fire(hook, row.event(bad, stage.directory), stage);
	const isRefused = refused.status === EXIT.policy_denied && /^tmx: \S+: policy_denied: /.test(refused.stderr);
	const passed = fire(hook, row.event(good, stage.directory), stage);
	const isSilent = passed.status === EXIT.ok && passed.stdout === "" && passed.stderr === "";
	return [
		{ good: isRefused, expected: "refused", words: isRefused ? `refused, as it must be: ${bad}` : `NOT refused: ${bad} ${said(refused)}` },
		{
			good: isSilent,
			expected: "passed",
			words: isSilent ? `passes in silence, as it must: ${good}` : `does not pass in silence: ${good} ${said(passed)}`,
		},
	];
}
