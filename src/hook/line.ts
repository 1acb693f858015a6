// A whole command line judged: each call, redirection and assignment in the order in which they would happen.

import { readersFor } from "../guardfile/readers.ts";
import type { Bytes } from "../policy/bytes.ts";
import type { ToolPolicy } from "../policy/policy.ts";
import { baseOf } from "../policy/resolve.ts";
import { readCommandLine } from "../shell/read.ts";
import type { AssignEvent, Reading, ShellEvent, TestEvent } from "../shell/reading.ts";
import { judgeCall } from "./calls.ts";
import { type Finding, refused } from "./finding.ts";
import { textOf } from "./holes.ts";
import { judgeOutputs } from "./outputs.ts";
import { judgePatch } from "./patches.ts";
import { whyNotAssigned } from "./protected.ts";
import type { Session } from "./session.ts";
import { judgeRedirect } from "./targets.ts";

/** What judging a command line came to. */
export interface LineJudged {
	reading: Reading;
	/** Each event, and what judging it came to; nothing where nothing guards it. */
	steps: { event: ShellEvent; finding: Finding | undefined }[];
	findings: Finding[];
	/** What nobody can know from the text, in words. */
	unclear: string[];
}

/** Judging takes milliseconds; who needs longer than this is trying something. */
const DEADLINE = 3000;
/** Where others work too, it may take that much more by the clock. Every agent waits longer. */
const LAST = 6000;

/** Whether judging that began at a time has taken too long: by the clock, and by what this process itself has worked. */
function isLate(began: number): boolean {
	const passed = Date.now() - began;
	if (passed <= DEADLINE || passed > LAST) return passed > LAST;
	const { user, system } = process.cpuUsage();
	return (user + system) / 1000 > DEADLINE;
}

function judgeAssign({ name, source }: AssignEvent, variables: readonly string[]): Finding | undefined {
	const why = whyNotAssigned(name, variables);
	if (why === undefined) return undefined;
	const verdict = refused(name, `a command may not set it: ${why}`);
	return { tool: "assignment", argv: [source], source, policy: undefined, verdict, unknown: [], left: "pass" };
}

function judgeEvent(event: ShellEvent, session: Session, variables: readonly string[], unsure: boolean): Finding | undefined {
	if (event.kind === "call")
		return judgePatch(event, session, unsure) ?? judgeCall(event, session, unsure) ?? judgeOutputs(event, session, unsure);
	if (event.kind === "redirect") return judgeRedirect(event, session);
	return event.kind === "assign" ? judgeAssign(event, variables) : undefined;
}

/** What a question about a link is answered in each future: of other files the calls in between may have made anything. */
function answer({ operator, operand, cwd, step }: TestEvent, session: Session): void {
	const text = textOf(operand);
	const [directory, other] = cwd;
	if (text === undefined || other !== undefined || (directory === undefined && !text.startsWith("/"))) return;
	for (const future of session.futures) {
		const { look } = future.worldAt(directory);
		if (look.kind(text, false) !== "link") continue;
		const kind = look.kind(text, true);
		if (operator === "-L" || operator === "-h") future.tell(step, true);
		else if (kind !== undefined) future.tell(step, operator === "-d" ? kind === "directory" : operator !== "-f" || kind === "file");
	}
}

/** The policies of the tools that are called. */
function policiesOf(events: readonly ShellEvent[], { policies }: Session): ToolPolicy[] {
	const found = new Set<ToolPolicy>();
	for (const event of events) {
		const word = event.kind === "call" && event.words[0] ? textOf(event.words[0]) : undefined;
		const policy = word === undefined ? undefined : policies.tool(baseOf(word));
		if (policy !== undefined && !("unusable" in policy)) found.add(policy);
	}
	return [...found];
}

/**
 * Judge the text of a command line.
 * @param unsure the directory may be another one than the session's
 */
export async function judgeLine(text: Bytes, session: Session, unsure: boolean): Promise<LineJudged> {
	const began = Date.now();
	const { system, world, cwd, files } = session;
	const env = (name: string) => system.env(name);
	const around = { cwd, env, home: world.home || world.passwdHome, files, vital: () => session.vital };
	const reading = readCommandLine(text, { ...around, system: system.platform === "darwin" ? "Darwin" : "Linux" });
	const variables = session.policies.rootVariables();
	const judged: LineJudged = { reading, steps: [], findings: [], unclear: [] };
	if (reading.exhausted) {
		// It is refused whatever its beginning says.
		judged.unclear.push(...reading.events.flatMap((event) => (event.kind === "unclear" ? [`${event.why}: ${event.source}`] : [])));
		const last = judged.unclear.at(-1) ?? "";
		judged.findings.push(tooMuch(text, `it is too much to be judged (${last}): make it several commands, or a script`));
		return judged;
	}
	session.readers = await readersFor(policiesOf(reading.events, session));
	for (const event of reading.events) {
		if (event.kind === "unclear") judged.unclear.push(`${event.why}: ${event.source}`);
		if (isLate(began)) {
			judged.findings.push(tooMuch(text, "it takes too long to be judged"));
			return judged;
		}
		if (event.kind === "test") {
			answer(event, session);
			continue;
		}
		const finding = judgeEvent(event, session, variables, unsure);
		judged.steps.push({ event, finding });
		if (finding !== undefined) judged.findings.push(finding);
	}
	return judged;
}

/** A command line that cannot be read to its end is not fine. */
function tooMuch(text: Bytes, why: string): Finding {
	const source = text.slice(0, 200);
	return { tool: "command", argv: [source], source, policy: undefined, verdict: refused(source, why), unknown: [], left: "pass" };
}
