// A call that must be refused and one that must not, made for real through the shims; neither can do anything.

import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { fromText, quote, toText } from "../../policy/bytes.ts";
import { EXIT } from "../../sys/exit.ts";
import type { System } from "../../sys/system.ts";
import { check, type Finding, type Patient, usable } from "./check.ts";
import { inStage, type Stage } from "./stage.ts";

type Problem = "not-refused" | "broken" | "no-scratch";
type Found = Finding & { advice?: Problem };

/** A shim takes milliseconds; one that takes this long hangs. */
const TIMEOUT_MS = 10_000;

/**
 * Arguments with which a tool would act on a file and, as the file does not exist, does nothing even when the guard is
 * gone: none of them makes it (POSIX XCU; coreutils and findutils for the options).
 */
const CALLS: Readonly<Record<string, (missing: string) => string[]>> = {
	rm: (missing) => ["-f", missing],
	rmdir: (missing) => [missing],
	unlink: (missing) => [missing],
	shred: (missing) => [missing],
	mv: (missing) => [missing, `${missing}-too`],
	find: (missing) => [missing, "-delete"],
	truncate: (missing) => ["-c", "-s", "0", missing],
	touch: (missing) => ["-c", missing],
	chmod: (missing) => ["u+r", missing],
	cp: (missing) => [missing, `${missing}-too`],
};

function call(shim: string, args: string[], { env, directory }: Stage): { status: number | string; said: string } {
	const run = spawnSync(shim, args, { env, cwd: directory, timeout: TIMEOUT_MS, encoding: "latin1", stdio: ["ignore", "ignore", "pipe"] });
	const failed = (run.error as NodeJS.ErrnoException | undefined)?.code;
	return { status: failed ?? run.status ?? run.signal ?? "nothing", said: run.stderr ?? "" };
}

const first = (said: string) => quote(said.split("\n", 1)[0] ?? "");

function mustRefuse({ shim, name, args }: Trial, stage: Stage): Found {
	const words = args(stage.outside);
	const { status, said } = call(shim, words, stage);
	const line = [name, ...words].map((word) => quote(fromText(word))).join(" ");
	const subject = quote(name);
	if (status === EXIT.policy_denied && said.startsWith(`tmx: ${subject}: policy_denied: `)) {
		return { status: "ok", subject, found: `refused, as it must be: ${line}` };
	}
	const answer = said === "" ? "" : `: ${first(said)}`;
	return { status: "fail", subject, found: `NOT refused: ${line} ended with ${status}${answer}`, advice: "not-refused" };
}

/** A guard that breaks its tool is taken off by the next person. */
function mustPass({ shim, name }: Trial, stage: Stage): Found {
	const { status, said } = call(shim, ["-f", join(stage.directory, "none")], stage);
	const subject = quote(name);
	if (status === EXIT.ok) return { status: "ok", subject, found: "passes inside the session's directory, as it must" };
	return { status: "fail", subject, found: `fails inside the session's directory with ${status}: ${first(said)}`, advice: "broken" };
}

/** A shim that can be tried: its path, its name, and the tool that it stands for. */
interface Trial {
	shim: string;
	name: string;
	tool: string;
	args(missing: string): string[];
}

/** The tools whose shim can be tried without any effect. */
function trials(patient: Patient): Trial[] {
	const { system, choice } = patient;
	return usable(patient).flatMap(([name, { policy }]) => {
		// The shim may have another name than the tool that it was made for.
		const args = Object.hasOwn(CALLS, policy.tool) ? CALLS[policy.tool] : undefined;
		const shim = `${choice.directory}/${name}`;
		return args && system.kind(shim, true) === "file" ? [{ shim: toText(shim), name, tool: policy.tool, args }] : [];
	});
}

const isFree = (system: System, path: string) => system.kind(fromText(path), false) === undefined;

export const refusal = check<Problem>({
	name: "refusal",
	advice: {
		"not-refused": "the guard does not work: build the policy again, and look at the checks above",
		broken: "the tool does not work behind its shim: look at the checks above",
		"no-scratch": "point TMPDIR to a directory that this user can write",
	},
	run(patient) {
		if (patient.choice.directory === "") return [];
		return inStage(patient, (stage) => {
			if (!isFree(patient.system, stage.outside)) return [];
			const all = trials(patient);
			const refused = all.map((trial) => mustRefuse(trial, stage));
			const rm = all.find(({ tool }) => tool === "rm");
			return rm ? [...refused, mustPass(rm, stage)] : refused;
		});
	},
});
