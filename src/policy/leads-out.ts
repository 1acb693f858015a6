// Links below an operand that lead out of the session's directories and that the tool would follow.

import type { Bytes } from "./bytes.ts";
import type { Below, Operand } from "./call.ts";
import type { ActiveGate } from "./policy.ts";
import { join, type Resolver } from "./resolve.ts";
import type { Evidence } from "./verdict.ts";

/** How many names a walk below an operand may see before it gives up and refuses. */
const WALK_LIMIT = 400_000;

/**
 * Walk the tree below an operand.
 * @returns the evidence of the first link that leads out and that the tool would follow
 */
export function leadsOut(operand: Operand, below: Below, gate: ActiveGate, look: Resolver): Evidence | undefined {
	const start = look.target(operand.text);
	const kind = look.kind(start, true);
	if (kind !== "directory") return undefined;
	const inner = look.from("");
	const { follow, like: likeStart, ending } = below;
	const pending: { path: Bytes; beside: Bytes | undefined }[] = [{ path: start, beside: likeStart }];
	const seen = new Set<Bytes>();
	let names = 0;
	while (pending.length > 0) {
		const { path, beside } = pending.pop() as { path: Bytes; beside: Bytes | undefined };
		if (seen.has(path)) continue;
		seen.add(path);
		for (const { name, kind } of inner.files.list(path) ?? []) {
			const here = join(path, name);
			if (++names > WALK_LIMIT)
				return { operand, resolved: here, links: [], why: "the tree is too large to look for links that lead out of it" };
			const like = beside === undefined ? undefined : join(beside, name);
			if (like !== undefined && look.kind(like, false) === undefined) continue;
			const type = kind ?? inner.kind(here, false);
			if (type === "directory") pending.push({ path: here, beside: like });
			if (type !== "link") continue;
			const directory = inner.isDirectory(here);
			const entered = directory && follow !== "links";
			if (!entered && below.spares?.(name)) continue;
			if (!entered && (follow === "directories" || (ending !== undefined && !here.endsWith(ending)))) continue;
			const target = inner.target(here);
			const why = gate.refuses({ ...operand, role: "written" }, target);
			if (why !== undefined) {
				const links = [{ at: here, to: inner.files.readlink(here) ?? "" }];
				return { operand, resolved: target, links, why: `a link below it is followed: ${why}` };
			}
			if (entered) pending.push({ path: target, beside: undefined });
		}
	}
	return undefined;
}
