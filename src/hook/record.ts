// The audit of the hook: one record an event, of the call that was refused or of the whole command line.

import type { Asked } from "../agents/agent.ts";
import { record } from "../audit.ts";
import type { Bytes } from "../policy/bytes.ts";
import type { Call } from "../policy/call.ts";
import type { ToolPolicy } from "../policy/policy.ts";
import type { Verdict } from "../policy/verdict.ts";
import { type Finding, isRefused, refused as noVerdict } from "./finding.ts";
import type { Session } from "./session.ts";

/** The policy whose audit it goes to. */
function policyOf(session: Session, finding: Finding | undefined): ToolPolicy | undefined {
	const { policies } = session;
	for (const policy of [finding?.policy, policies.files(), policies.tool("rm")])
		if (policy !== undefined && !("unusable" in policy)) return policy;
	return undefined;
}

/** The verdict of the whole: the refusal, else an acceptance, with what nobody knew. */
function verdictOf(refused: Finding | undefined, findings: Finding[], unclear: string[]): Verdict {
	if (refused?.verdict.decision === "deny") return refused.verdict;
	if (refused !== undefined) return noVerdict(refused.unknown[0] ?? "", "it cannot be known before it runs", refused.verdict);
	const unknown: Bytes[] = [];
	for (const finding of findings) unknown.push(...finding.unknown);
	unknown.push(...unclear);
	const judged = findings[0]?.verdict;
	if (unknown.length === 0 && judged?.decision === "allow") return judged;
	return { decision: "abstain", unknown };
}

/** Record what became of an event. A command that touches nothing guarded leaves nothing. */
export function recordEvent(
	session: Session,
	asked: Exclude<Asked, { kind: "nothing" | "malformed" | "several" }>,
	findings: Finding[],
	unclear: string[],
): void {
	if (findings.length === 0 && unclear.length === 0) return;
	let refused: Finding | undefined;
	for (const finding of findings) if (isRefused(finding)) refused ??= finding;
	const policy = policyOf(session, refused);
	if (policy === undefined) return;
	const text: Bytes = asked.kind === "command" ? asked.text : asked.targets.map((target) => target.text).join(" ");
	const tool = refused?.tool ?? (asked.kind === "command" ? "command" : asked.tool);
	const argv = refused === undefined ? [text] : refused.argv;
	const call: Call = { tool, argv, cwd: session.cwd ?? "", posix: false, implementation: "gnu", env: session.world.env };
	const door = asked.kind === "command" ? "hook" : "files";
	record(session.system, door, policy, call, verdictOf(refused, findings, unclear), session.world.passwdHome);
}
