// The hook, top to bottom: one event of an agent on standard input, its verdict, the audit, and the answer in the agent's own protocol.

import { type Agent, type Answer, type Asked, DENIED, type Event, SILENCE } from "./agents/agent.ts";
import { isObject } from "./agents/fields.ts";
import { agents } from "./agents/index.ts";
import { type Choice, choosePolicy } from "./guardfile/choose.ts";
import { commandsOf, isPlain } from "./hook/plain.ts";
import { Policies } from "./hook/policies.ts";
import { worldOfText } from "./hook/world.ts";
import { type Bytes, fromText, quote } from "./policy/bytes.ts";
import type { World } from "./policy/policy.ts";
import { message } from "./sys/exit.ts";
import type { System } from "./sys/system.ts";

/** How long standard input may take, in milliseconds; agents write the event at once. */
const PATIENCE = 4000;

/** A refusal because we are at fault, in words that tell so. */
const atFault = (agent: Agent, why: string): Answer => agent.deny(message("hook", "internal", `tmx could not judge this: ${why}`));

/** The words of `tmx hook AGENT [--policy DIR]`; `strange` is one that has no meaning here. */
function wordsOf(words: Bytes[]): { name: Bytes | undefined; policy: Bytes | undefined; strange: Bytes | undefined } {
	let policy: Bytes | undefined;
	const names: Bytes[] = [];
	for (let at = 0; at < words.length; at++) {
		const word = words[at] as Bytes;
		if (word === "--policy") policy = words[++at];
		else if (word.startsWith("--policy=")) policy = word.slice("--policy=".length);
		else names.push(word);
	}
	const [name, second] = names;
	return { name, policy, strange: second ?? (name?.startsWith("-") ? name : undefined) };
}

/** The event as an object; a text for people when it is none. */
function eventOf(input: Uint8Array | undefined): Event | string {
	if (input === undefined || input.length === 0) return "there is no event on standard input";
	let value: unknown;
	try {
		value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(input));
	} catch {
		return "the event on standard input is no JSON in UTF-8";
	}
	return isObject(value) ? value : "the event on standard input is no JSON object";
}

/** The variable of a session that has a floor, of which its failures could come. */
const FLOOR = "TMX_FLOOR";

async function answerTo(system: System, agent: Agent, policy: Bytes | undefined): Promise<Answer> {
	const choice = choosePolicy(system, policy);
	if ("unusable" in choice) return atFault(agent, choice.unusable);
	const policies = new Policies(system, choice);
	const world = worldOfText(system, policies);
	const floor = world.env(FLOOR) !== "";
	const on = policies.areOn(world);
	if (!on && !floor) return SILENCE;
	const event = eventOf(system.input(PATIENCE));
	if (typeof event === "string") return on ? atFault(agent, event) : SILENCE;
	const outcome = agent.outcome?.(event);
	if (outcome !== undefined) return floor ? (await import("./hook/after.ts")).tellOfFloor(system, outcome, world) : SILENCE;
	if (!on) return SILENCE;
	const ground = { system, agent, choice, world, policies, event };
	const asked = agent.decode(event);
	if (asked.kind !== "several") return answerToOne(asked, ground);
	for (const part of asked.parts) {
		const answer = await answerToOne(part, ground);
		if (answer !== SILENCE) return answer;
	}
	return SILENCE;
}

/** By what an event is answered. */
interface Ground {
	system: System;
	agent: Agent;
	choice: Choice;
	world: World;
	policies: Policies;
	event: Event;
}

async function answerToOne(asked: Asked, { system, agent, choice, world, policies, event }: Ground): Promise<Answer> {
	if (asked.kind === "nothing") return SILENCE;
	if (asked.kind === "several") return atFault(agent, "there are calls within its calls");
	if (asked.kind === "malformed") return atFault(agent, asked.why);
	const commands = asked.kind === "command" ? commandsOf(asked.text) : undefined;
	if (commands && isPlain(commands, policies)) return SILENCE;
	// What judges is loaded when there is something to judge: loading it takes longer than all of the above.
	return (await import("./hook/answer.ts")).answerAsked(agent, asked, {
		...{ system, choice, world, policies, commands },
		notes: agent.notes?.(event) ?? [],
	});
}

/**
 * Answer one event. Whatever goes wrong on our side ends as a refusal that says so, since agents take a failed hook for permission.
 * @param words the agent's name, and `--policy DIR`
 * @returns the exit status
 */
export async function runHook(system: System, words: Bytes[]): Promise<number> {
	const { name, policy, strange } = wordsOf(words);
	const agent = agents.get(name ?? "");
	if (agent === undefined || strange !== undefined) {
		const known = [...agents.keys()].join(", ");
		const nobody = name === undefined ? "no agent is named" : `no agent is called ${quote(name)}`;
		const what = agent === undefined ? nobody : `${quote(strange ?? "")} has no meaning here`;
		system.write(2, fromText(message("hook", "user_error", `${what}; known are ${known}`)));
		return DENIED;
	}
	let answer: Answer;
	try {
		answer = await answerTo(system, agent, policy);
	} catch (error) {
		answer = atFault(agent, error instanceof Error ? error.message : String(error));
	}
	if (answer.stdout !== "") system.write(1, fromText(answer.stdout));
	if (answer.stderr !== "") system.write(2, fromText(answer.stderr));
	return answer.status;
}
