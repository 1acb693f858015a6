// The same places as a profile of macOS's sandbox, in its language of rules; the last rule that fits decides.

import { type Bytes, toText } from "../policy/bytes.ts";
import type { Grant } from "../sys/landlock.ts";
import type { System } from "../sys/system.ts";

/** A text in a profile: double quotes, with backslash before what would end it. */
const text = (path: Bytes) => `"${toText(path).replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;

/** One rule's filter. */
function filter({ path, what }: Grant, directory: boolean): string {
	return what === "tree" && directory ? `(subpath ${text(path)})` : `(literal ${text(path)})`;
}

/**
 * The profile for sandbox-exec(1). Paths are real ones: /tmp is /private/tmp there. `file-write*` covers modes, owners, times and
 * extended attributes too, which Landlock does not. The audit may be written and neither removed nor renamed; that nothing empties
 * it cannot be said in a profile.
 */
export function profileOf(system: Pick<System, "kind">, grants: readonly Grant[]): string {
	const kept = grants.filter(({ what }) => what === "keep");
	const open = grants.filter(({ what }) => what !== "keep");
	const lines = ["(version 1)", "(allow default)", '(deny file-write* (subpath "/"))'];
	const filters = open.map((grant) => `  ${filter(grant, system.kind(grant.path, true) === "directory")}`);
	if (filters.length > 0) lines.push("(allow file-write*", ...filters, ")");
	if (kept.length > 0) lines.push("(allow file-write-data", ...kept.map((grant) => `  ${filter(grant, false)}`), ")");
	return `${lines.join("\n")}\n`;
}
