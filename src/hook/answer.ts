// What an agent is about to do, judged, written into the audit, and answered.

import { type Agent, type Answer, type Asked, SILENCE } from "../agents/agent.ts";
import type { Choice } from "../guardfile/choose.ts";
import type { World } from "../policy/policy.ts";
import { compileOften } from "../sys/engine.ts";
import type { System } from "../sys/system.ts";
import { type Finding, isRefused } from "./finding.ts";
import type { Policies } from "./policies.ts";
import { recordEvent } from "./record.ts";
import { Session } from "./session.ts";
import { judgeTargets } from "./targets.ts";
import { askText, denyText } from "./text.ts";

/** What can be judged. */
export type Judgeable = Exclude<Asked, { kind: "nothing" | "malformed" }>;

/** Bytes of a command line from which on compiling pays; it was measured with lines of 2 to 100 KB. */
const LONG = 2000;

async function findingsOf(asked: Judgeable, session: Session): Promise<{ findings: Finding[]; unclear: string[] }> {
	if (asked.kind === "command") {
		if (asked.text.length > LONG) compileOften();
		// The reader of the shell's language is most of the hook, and a file tool has no use for it.
		return (await import("./line.ts")).judgeLine(asked.text, session, asked.unsure === true);
	}
	const finding = judgeTargets(asked.tool, asked.targets, session);
	return { findings: finding === undefined ? [] : [finding], unclear: [] };
}

/** What an event is judged by. */
interface Ground {
	system: System;
	choice: Choice;
	world: World;
	policies: Policies;
}

/** The agent's answer; silence unless something is refused or asked. */
export async function answerAsked(agent: Agent, asked: Judgeable, { system, choice, world, policies }: Ground): Promise<Answer> {
	// A relative directory would be taken from this process's own.
	const cwd = asked.cwd?.startsWith("/") ? asked.cwd : undefined;
	const session = new Session(system, choice, world, cwd, policies);
	const { findings, unclear } = await findingsOf(asked, session);
	recordEvent(session, asked, findings, unclear);
	const refused = findings.filter(isRefused);
	if (refused.length > 0) return agent.deny(denyText(refused));
	const open = findings.filter(({ left }) => left === "ask");
	if (open.length === 0) return SILENCE;
	// An agent that cannot ask would take the question for permission.
	return agent.ask?.(askText(open)) ?? agent.deny(denyText(open));
}
