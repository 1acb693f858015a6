// tmx kill: end tool shells' scopes, each with all that is in it; a person's scope is never among them.

import { killable, killableProcess } from "../confine/killable.ts";
import type { Manager } from "../confine/manager.ts";
import { type Scope, scopesOf } from "../confine/scopes.ts";
import { type Ended, stopScope } from "../confine/stop.ts";
import { millisecondsOf } from "../confine/words.ts";
import { fromText, quote } from "../policy/bytes.ts";
import { EXIT } from "../sys/exit.ts";
import type { System } from "../sys/system.ts";
import { command, fail, print } from "./command.ts";
import { managerHere } from "./confine/here.ts";

const GRACE = "5s";

const SAID: Readonly<Record<Exclude<Ended, object>, string>> = {
	ended: "ended after TERM",
	killed: "killed",
	emptied: "was empty, and is gone",
	gone: "was gone already",
};

/** Which scopes one of the three options means. */
const SETS: Readonly<Record<"all" | "empty" | "orphans", (scope: Scope) => boolean>> = {
	all: () => true,
	empty: ({ pids }) => pids.length === 0,
	orphans: ({ pids, shellGone }) => shellGone && pids.length > 0,
};

/** The unit that an operand names: a unit, or a process by its number. */
function unitOf(operand: string, manager: Manager): { unit: string } | { no: string } {
	if (/^[1-9]\d{0,9}$/.test(operand)) return killableProcess(Number(operand), manager);
	const unit = operand.includes(".") ? operand : `${operand}.scope`;
	return killable(unit, `${manager.path}/agent.slice/${unit}`, manager);
}

/** End one, say so, and answer whether it did. */
async function endOne(system: System, unit: string, manager: Manager, grace: number): Promise<boolean> {
	const ended = await stopScope(unit, manager, grace);
	if (typeof ended === "string") {
		print(system, `${unit}: ${SAID[ended]}\n`);
		return true;
	}
	fail(system, "kill", "internal", `${unit}: ${"no" in ended ? ended.no : ended.failed}`);
	return false;
}

export default command({
	args: {
		all: { type: "boolean", description: "every tool shell of this user" },
		empty: { type: "boolean", description: "those that hold no process any more" },
		orphans: { type: "boolean", description: "those whose shell has ended while something of it goes on" },
		grace: { type: "string", valueHint: "TIME", default: GRACE, description: "how long after TERM the rest is killed: 500ms, 5s, 1m" },
	},
	operands: { name: "UNIT...", description: "a scope that `tmx ps` shows, or the number of a process in one", least: 0, most: 1000 },
	async run({ system, args, operands }) {
		const grace = millisecondsOf(args.grace);
		if (grace === undefined)
			return fail(system, "kill", "user_error", `--grace ${quote(fromText(args.grace))} is no time; known are 500ms, 5s, 1m`);
		const sets = (["all", "empty", "orphans"] as const).filter((name) => args[name]);
		if (sets.length + operands.length === 0) return fail(system, "kill", "user_error", "name a scope, or give --all, --empty or --orphans");
		const manager = managerHere(system, "kill");
		if (typeof manager === "number") return manager;
		const answers = operands.map((operand) => ({ operand, answer: unitOf(operand, manager) }));
		const refused = answers.filter(({ answer }) => "no" in answer);
		for (const { operand, answer } of refused) {
			fail(system, "kill", "policy_denied", `${quote(fromText(operand))} is left alone: ${"no" in answer ? answer.no : ""}`);
		}
		// Nothing is half done: one that may not be killed keeps the others alive.
		if (refused.length > 0) return EXIT.policy_denied;
		const named = answers.map(({ answer }) => ("unit" in answer ? answer.unit : ""));
		const meant = scopesOf(manager).filter((scope) => sets.some((name) => SETS[name](scope)));
		const units = new Set([...named, ...meant.map(({ unit }) => unit)]);
		const done = await Promise.all([...units].map((unit) => endOne(system, unit, manager, grace)));
		return done.every((ended) => ended) ? EXIT.ok : EXIT.internal;
	},
});
