// What every gate would let pass and the guard itself does not: the agent's own working directory, and what the guard stands on.

import type { Bytes } from "../policy/bytes.ts";
import { isBelow, type Resolver } from "../policy/resolve.ts";
import type { Evidence, Verdict } from "../policy/verdict.ts";
import { refused } from "./finding.ts";
import type { Session } from "./session.ts";

/** The working directory of the agent cannot go: in a deleted one no hook can be started. */
function isOwnDirectory({ operand, resolved }: Evidence, directory: Bytes): boolean {
	const { role, self, text } = operand;
	if (text === "" || directory === "" || !(resolved === directory || isBelow(directory, resolved))) return false;
	if (role === "started" && operand.reaches?.(directory)?.goes) return true;
	// No tool removes what ends in a dot or two (rmdir(2), rename(2): EINVAL, EBUSY, ENOTEMPTY).
	return (role === "removed" || role === "moved" || (role === "started" && !self)) && !/(^|\/)\.\.?\/*$/.test(text);
}

/** What the gates let pass and the guard itself does not. @param look how the call sees the files */
export function guarded(verdict: Verdict, session: Session, look: Resolver): Verdict {
	if (verdict.decision !== "allow") return verdict;
	for (const evidence of verdict.seen) {
		const own = isOwnDirectory(evidence, session.directory);
		const why = own
			? "it is or holds the working directory of the session, and without that no hook can start"
			: session.protection.why(evidence, look);
		if (why !== undefined) return refused(evidence.operand.text, why, verdict, evidence);
	}
	return verdict;
}
