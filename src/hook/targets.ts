// What has no argv: the target of a redirection, and the files that a tool of the agent's own changes.

import type { Target } from "../agents/agent.ts";
import type { Bytes } from "../policy/bytes.ts";
import type { Call, Operand, Reader } from "../policy/call.ts";
import { judge } from "../policy/judge.ts";
import { parentOf } from "../policy/resolve.ts";
import type { Course, RedirectEvent } from "../shell/reading.ts";
import { bound, rootsOf } from "./bound.ts";
import { type Finding, refused } from "./finding.ts";
import type { Future } from "./future.ts";
import { guarded } from "./guarded.ts";
import { Holes, knownOperands, textOf } from "./holes.ts";
import type { Session } from "./session.ts";

/** Operands that are known already. */
const given = (operands: Operand[]): Reader => ({ name: "given", read: () => ({ operands, unread: [] }) });

/** Judge operands by the policy of what has no argv. */
export function judgeOperands(
	tool: Bytes,
	source: Bytes,
	operands: (holes: Holes) => Operand[],
	cwd: Bytes | undefined,
	session: Session,
	future = session.futures[0] as Future,
): Finding | undefined {
	const policy = session.policies.files();
	if (policy === undefined) return undefined;
	const finding = { tool, argv: [source], source, unknown: [] as Bytes[], left: "pass" as Finding["left"] };
	if ("unusable" in policy) return { ...finding, policy: undefined, verdict: refused(source, policy.unusable) };
	const world = future.worldAt(cwd);
	const holes = new Holes();
	const standing = { look: world.look, known: cwd !== undefined, roots: rootsOf(future, policy, cwd) };
	const known = knownOperands(operands(holes), holes, standing, finding.unknown);
	const rules = bound(future, policy, () => given(known));
	if ("unusable" in rules) return { ...finding, policy, verdict: refused(source, rules.unusable) };
	const call: Call = { tool, argv: [source], cwd: cwd ?? "", posix: false, implementation: "gnu", env: session.world.env };
	const verdict = guarded(judge(rules, call, world, true), session, world.look);
	if (verdict.decision === "inert") return undefined;
	if (finding.unknown.length > 0) finding.left = session.onUnknown(policy);
	return { ...finding, policy, verdict };
}

/** A connection that bash opens itself (bash(1), REDIRECTION): no file, unless somebody made a directory of that name. */
const SOCKET = /^\/dev\/(tcp|udp)\/[^/]+\/[^/]+$/;

/** A redirection that writes: the file is opened, made, or cut to nothing before the command runs. */
export function judgeRedirect(event: RedirectEvent, session: Session): Finding | undefined {
	if (!event.writes) return undefined;
	const target = textOf(event.target);
	if (target !== undefined && SOCKET.test(target) && session.files.kind(parentOf(parentOf(target)), true) === undefined) return undefined;
	const operand = (holes: Holes): Operand[] => [{ text: holes.argument(event.target), role: "written", leaf: "target" }];
	let last: Finding | undefined;
	for (const cwd of event.cwd.length === 0 ? [undefined] : event.cwd) {
		for (const future of session.futuresAfter(event.after)) {
			last = judgeOperands("redirection", event.source, operand, cwd, session, future);
			if (last?.verdict.decision === "deny") return last;
		}
	}
	return withAstray(last, event, session, (cwd) => judgeOperands("redirection", event.source, operand, cwd, session));
}

/**
 * What was found, and what would be outside if a `cd` before had failed that presumably works: that is not known.
 * @param judged what is found in a directory
 */
export function withAstray(
	found: Finding | undefined,
	{ astray }: Pick<Course, "astray">,
	session: Session,
	judged: (cwd: Bytes) => Finding | undefined,
): Finding | undefined {
	if (found?.policy === undefined || astray === undefined) return found;
	const unknown = new Set(found.unknown);
	for (const cwd of astray) {
		const verdict = judged(cwd)?.verdict;
		if (verdict?.decision === "deny") for (const { operand } of verdict.refused) unknown.add(operand.text);
	}
	if (unknown.size === found.unknown.length) return found;
	return { ...found, unknown: [...unknown], left: session.onUnknown(found.policy) };
}

/** Files of a tool of the agent's own. A link is written through or replaced, depending on the agent, so both readings count. */
export function judgeTargets(
	tool: Bytes,
	targets: readonly Target[],
	session: Session,
	cwd: Bytes | undefined = session.cwd,
): Finding | undefined {
	const operands = targets.map(({ text, role }): Operand => ({ text, role, leaf: "both", node: role === "removed" }));
	return judgeOperands(tool, targets[0]?.text ?? "", () => operands, cwd, session);
}
