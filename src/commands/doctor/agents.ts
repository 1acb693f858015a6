// Whether our hook is set up in the agents that this person has, would be run, and refuses what it must.

import { sessionsAround } from "../../launch/around.ts";
import { RECORD, SHIMS } from "../../launch/record.ts";
import { fromText, quote, toText } from "../../policy/bytes.ts";
import { join } from "../../policy/resolve.ts";
import { type Registration, registrations } from "../../registration/agents.ts";
import { ownCommand } from "../../registration/command.ts";
import type { Trust } from "../../registration/trust.ts";
import type { System } from "../../sys/system.ts";
import { type Hook, type Standing, standingOf } from "../agents/standing.ts";
import { tryHook } from "../agents/trial.ts";
import { check, type Finding, type Patient } from "./check.ts";
import { inStage } from "./stage.ts";

type Problem =
	| "absent"
	| "unreadable"
	| "off"
	| "gone"
	| "other"
	| "bare"
	| "narrow"
	| "fails-open"
	| "trust"
	| "not-refused"
	| "not-silent"
	| "no-scratch";
type Found = Finding & { advice?: Problem };

/** What the command of a hook starts. */
function binaryFinding(system: System, subject: string, { binary, command, file }: Hook): Found {
	const written = typeof command === "string" ? command : command.join(" ");
	const runs = `${quote(file)} runs ${quote(fromText(written))}`;
	const path = fromText(binary);
	if (!binary.includes("/")) return { status: "warn", subject, found: `${runs}, which the agent looks up on its PATH`, advice: "bare" };
	const identity = system.identity(path);
	if (identity === undefined || !system.executable(path)) {
		const why = identity === undefined ? "does not exist" : "cannot be run";
		return { status: "fail", subject, found: `${runs}, and ${quote(path)} ${why}`, advice: "gone" };
	}
	if (identity.id === system.identity("/proc/self/exe")?.id) return { status: "ok", subject, found: runs };
	return { status: "warn", subject, found: `${runs}, and that is not this tmx`, advice: "other" };
}

const TRUST: Readonly<Record<Trust, readonly [status: Finding["status"], found: string]>> = {
	trusted: ["ok", "Codex trusts it"],
	untrusted: ["fail", "Codex skips it in silence: it is not trusted"],
	changed: ["fail", "Codex skips it in silence: it has changed since it was trusted"],
	off: ["fail", "Codex has it switched off"],
	unknown: ["warn", "whether Codex trusts it cannot be read from its settings"],
};

function hookFindings(system: System, subject: string, hook: Hook): Found[] {
	const findings = [binaryFinding(system, subject, hook)];
	if (hook.only !== undefined) {
		findings.push({ status: "warn", subject, found: `it is asked for these tools alone: ${quote(fromText(hook.only))}`, advice: "narrow" });
	}
	if (hook.failsOpen) {
		findings.push({
			status: "warn",
			subject,
			found: "a hook that fails is taken for permission: onFailure is not block",
			advice: "fails-open",
		});
	}
	if (hook.trust !== undefined) {
		const [status, found] = TRUST[hook.trust];
		findings.push(status === "ok" ? { status, subject, found } : { status, subject, found, advice: "trust" });
	}
	return findings;
}

function standingFindings(system: System, subject: string, { hooks, unreadable, off }: Standing, must: boolean): Found[] {
	const findings: Found[] = unreadable.map((found) => ({ status: must ? "fail" : "warn", subject, found, advice: "unreadable" }));
	if (hooks.length === 0) {
		// What cannot be read may hold one.
		if (unreadable.length > 0) return findings;
		findings.push({
			status: must ? "fail" : "ok",
			subject,
			found: "no hook of tmx is set up",
			advice: "absent",
		});
		return findings;
	}
	const switched = off.map((found): Found => ({ status: "fail", subject, found: `no hook is run: ${found}`, advice: "off" }));
	return [...findings, ...switched, ...hooks.flatMap((hook) => hookFindings(system, subject, hook))];
}

/** Try each hook of an agent, each command once. */
function trials(patient: Patient, row: Registration, { hooks }: Standing): Found[] {
	const commands = new Map(hooks.map((hook) => [JSON.stringify(hook.command), hook]));
	return inStage<Found>(patient, (stage) =>
		[...commands.values()].flatMap((hook) =>
			tryHook(patient, row, hook, stage).map(({ good, expected, words }): Found => {
				if (good) return { status: "ok", subject: row.agent, found: words };
				return { status: "fail", subject: row.agent, found: words, advice: expected === "refused" ? "not-refused" : "not-silent" };
			}),
		),
	);
}

/** The agents that are there: those that must be, else those that have a directory of this person's. */
function present({ system, agents: wanted }: Patient): Registration[] {
	if (wanted.length > 0) return [...wanted];
	return [...registrations.values()].filter((row) => {
		const home = row.home(system);
		return home !== undefined && system.kind(home, true) === "directory";
	});
}

/** The hook that the session around us has put on the agent's command line. */
function sessionHook(system: System, row: Registration): Hook[] {
	const [around] = sessionsAround(system);
	const { agent, hook } = around?.session ?? {};
	const own = hook === undefined || agent !== row.agent ? undefined : ownCommand(hook, row.agent);
	if (around === undefined || hook === undefined || own === undefined) return [];
	const file = join(around.directory, RECORD);
	const policy = toText(join(around.directory, SHIMS));
	return [{ file, binary: own.binary, command: hook, policy, only: undefined, failsOpen: false, trust: undefined }];
}

export const agents = check<Problem>({
	name: "agents",
	advice: {
		absent: '"tmx install --agent NAME" adds what the shims do not see: redirections, the agent\'s own file tools, commands by their path',
		unreadable: "mend the file: its agent cannot read it either",
		off: "take that setting away, or the hook is never asked",
		gone: 'put the binary back, or "tmx install --agent NAME" with one that stays',
		other: 'nothing, when it is the version that you mean; else "tmx install --agent NAME"',
		bare: '"tmx install --agent NAME" writes the whole path: a name that is not found there is taken for permission',
		narrow: 'new tools of the agent are not seen: "tmx install --agent NAME" asks for all of them',
		"fails-open": '"tmx install --agent NAME" adds it; Claude Code before 2.1.295 does not know it',
		trust: "start codex, type /hooks, and trust the hook; it must be done again after each change",
		"not-refused": 'the hook does not guard: look at its command, and at the policy that it takes ("tmx help hook")',
		"not-silent": "the hook stands in the way of everything: look at what it says",
		"no-scratch": "point TMPDIR to a directory that this user can write",
	},
	run(patient) {
		const { system, agents: wanted } = patient;
		return present(patient).flatMap((row) => {
			const written = standingOf(system, row);
			const given = sessionHook(system, row);
			// What is on the command line is not switched off by a file.
			const standing = given.length > 0 ? { ...written, hooks: given, off: [] } : written;
			const must = wanted.length > 0;
			const findings = standingFindings(system, row.agent, standing, must);
			return must && standing.hooks.length > 0 ? [...findings, ...trials(patient, row, standing)] : findings;
		});
	},
});
