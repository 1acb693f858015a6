// The format of apply_patch: which files a patch changes, as the agents that apply it read its headers.

import { type Bytes, fromText, toText } from "../policy/bytes.ts";
import type { Target } from "./agent.ts";

/** A line that names a file. Codex wants a space behind the colon, OpenCode does not; white space is Unicode's, of which \s lacks one. */
const HEADER = /^[\s\u0085]*\*\*\* (Add File|Update File|Delete File|Move to):[\s\u0085]*(.*?)[\s\u0085]*$/s;
const STARS = "*** ";

/**
 * The files that a patch changes. Codex trims a header (apply-patch/src/parser.rs, parse_one_hunk), OpenCode takes it at the start of
 * its line only; to both a line that begins with a space is text of the file once an update has begun.
 */
export function patchTargets(patch: Bytes): Target[] {
	const targets: Target[] = [];
	let updates = false;
	for (const line of patch.split("\n")) {
		if (updates ? !line.startsWith(STARS) : !line.includes(STARS)) continue;
		const [, what, name] = HEADER.exec(toText(line)) ?? [];
		if (what === undefined) continue;
		updates = what === "Update File" || what === "Move to";
		targets.push({ text: fromText(name ?? ""), role: what === "Delete File" ? "removed" : "written" });
	}
	return targets;
}
