// apply_patch as a command: agents take it out of the line and change the files that the patch names.

import { patchTargets } from "../agents/patch.ts";
import { baseOf } from "../policy/resolve.ts";
import type { CallEvent } from "../shell/reading.ts";
import type { Finding } from "./finding.ts";
import { textOf } from "./holes.ts";
import type { Session } from "./session.ts";
import { judgeTargets } from "./targets.ts";

/** The names under which agents offer it to a shell (Codex: apply_patch). */
const TOOLS = ["apply_patch", "applypatch"];

/**
 * Judge a patch that is a word of the command, or its input; nothing where the text of it is not known.
 * @param unsure the directory may be another one than the session's, and then names that stand on it prove nothing
 */
export function judgePatch({ words, input, cwd }: CallEvent, session: Session, unsure: boolean): Finding | undefined {
	const tool = words[0] && textOf(words[0]);
	if (tool === undefined || !TOOLS.includes(baseOf(tool))) return undefined;
	const patch = words[1] ? textOf(words[1]) : input?.kind === "text" ? textOf(input.word) : undefined;
	const named = patchTargets(patch ?? "");
	let last: Finding | undefined;
	for (const directory of cwd.length === 0 ? [undefined] : cwd) {
		const stands = directory !== undefined && !(unsure && directory === session.cwd);
		const targets = stands ? named : named.filter(({ text }) => text.startsWith("/"));
		if (targets.length > 0) last = judgeTargets(tool, targets, session, directory);
		if (last?.verdict.decision === "deny") return last;
	}
	return last;
}
