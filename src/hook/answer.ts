// What an agent is about to do, judged, written into the audit, and answered.

import { type Agent, type Answer, type Asked, type NotePlace, SILENCE } from "../agents/agent.ts";
import type { Choice } from "../guardfile/choose.ts";
import type { World } from "../policy/policy.ts";
import { compileOften } from "../sys/engine.ts";
import type { System } from "../sys/system.ts";
import { type Finding, isRefused } from "./finding.ts";
import { judgeOpen } from "./open.ts";
import type { Policies } from "./policies.ts";
import { recordEvent } from "./record.ts";
import type { Simple } from "./scan.ts";
import { Session } from "./session.ts";
import { judgeTargets } from "./targets.ts";
import { askText, denyText } from "./text.ts";

/** What can be judged. */
export type Judgeable = Exclude<Asked, { kind: "nothing" | "malformed" | "several" }>;

type Files = Extract<Asked, { kind: "files" }>;

/** The kernel takes no longer path (PATH_MAX of <linux/limits.h>), so nothing is started in one. */
const LONGEST_PATH = 4096;

/** Bytes of a command line from which on compiling pays; it was measured with lines of 2 to 100 KB. */
const LONG = 2000;

/** What was found, and by which session. */
export interface Found {
	session: Session;
	findings: Finding[];
	unclear: string[];
}

/** What an event is judged by. */
export interface Ground {
	system: System;
	choice: Choice;
	world: World;
	policies: Policies;
	/** The simple commands that the line consists of, where it does. */
	commands: readonly Simple[] | undefined;
	/** Where the agent keeps notes of its own. */
	notes: readonly NotePlace[];
}

/** What there is to say of the files of a tool of the agent's own. */
async function fileFinding({ tool, targets }: Files, session: Session, notes: readonly NotePlace[]): Promise<Finding | undefined> {
	const finding = judgeTargets(tool, targets, session);
	if (finding === undefined || notes.length === 0 || !isRefused(finding)) return finding;
	const others = (await import("./notes.ts")).withoutNotes(targets, notes, session);
	if (others.length === targets.length) return finding;
	return others.length === 0 ? undefined : judgeTargets(tool, others, session);
}

/** What there is to say of what an agent is about to do. */
export async function findingsOf(asked: Judgeable, ground: Ground): Promise<Found> {
	const { system, choice, world, policies, commands } = ground;
	// A relative directory would be taken from this process's own.
	const cwd = asked.cwd?.startsWith("/") && asked.cwd.length < LONGEST_PATH ? asked.cwd : undefined;
	const session = new Session(system, choice, world, cwd, policies);
	if (asked.kind === "files") {
		const finding = await fileFinding(asked, session, ground.notes);
		return { session, findings: finding === undefined ? [] : [finding], unclear: [] };
	}
	const { text, unsure = false } = asked;
	// The reader of the shell's language is most of the hook, and most lines have no use for it.
	const open = commands && (await judgeOpen(text, commands, session, unsure));
	if (open !== undefined) return { session, findings: open, unclear: [] };
	if (text.length > LONG) compileOften();
	// What was judged so far has left its traces in the session.
	const fresh = commands === undefined ? session : new Session(system, choice, world, cwd, policies);
	const { findings, unclear } = await (await import("./line.ts")).judgeLine(text, fresh, unsure);
	return { session: fresh, findings, unclear };
}

/** The agent's answer; silence unless something is refused or asked. */
export async function answerAsked(agent: Agent, asked: Judgeable, ground: Ground): Promise<Answer> {
	const { session, findings, unclear } = await findingsOf(asked, ground);
	recordEvent(session, asked, findings, unclear);
	const refused = findings.filter(isRefused);
	if (refused.length > 0) return agent.deny(denyText(refused));
	const open = findings.filter(({ left }) => left === "ask");
	if (open.length === 0) return SILENCE;
	// An agent that cannot ask would take the question for permission.
	return agent.ask?.(askText(open)) ?? agent.deny(denyText(open));
}
