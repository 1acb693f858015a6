// Links below an operand that lead out of the session's directories and that the tool would follow.

import type { Bytes } from "./bytes.ts";
import type { Below, Operand } from "./call.ts";
import type { ActiveGate } from "./policy.ts";
import { join, type Kind, type Resolver, TOO_LONG } from "./resolve.ts";
import type { Evidence } from "./verdict.ts";

/** How many names a walk below an operand may see before it gives up and refuses. */
const WALK_LIMIT = 400_000;

/** A directory to look into, and the one whose names alone count there. */
interface Pending {
	path: Bytes;
	beside: Bytes | undefined;
}

/** What the tool does at a link: `enter` the directory that it leads to, `follow` it to what it writes there, or neither. */
function treatment({ follow }: Below, directory: boolean): "enter" | "follow" | undefined {
	if (directory && follow !== "links") return "enter";
	return follow === "directories" ? undefined : "follow";
}

/**
 * Walk the tree below an operand.
 * @returns the evidence of the first link that leads out and that the tool would follow
 */
export function leadsOut(operand: Operand, below: Below, gate: ActiveGate, look: Resolver): Evidence | undefined {
	const start = look.target(operand.text);
	if (look.kind(start, true) !== "directory") return undefined;
	const inner = look.from("");
	const refused = (resolved: Bytes, why: string): Evidence => ({ operand, resolved, links: [], why });
	const pending: Pending[] = [{ path: start, beside: below.like }];
	const seen = new Set<Bytes>();
	// What is not known to be opened may do something else to a device than write to it.
	const leaf = operand.role === "written" ? operand.leaf : "entry";
	let names = 0;
	while (pending.length > 0) {
		const { path, beside } = pending.pop() as Pending;
		if (seen.has(path)) continue;
		seen.add(path);
		if (path.length >= TOO_LONG) return refused(path, "the tree is too deep to look for links that lead out of it");
		for (const { name, kind } of (beside === undefined ? inner.list(path) : look.list(beside)) ?? []) {
			const here = join(path, name);
			const like = beside === undefined ? undefined : join(beside, name);
			const type: Kind | undefined = (like === undefined && kind) || inner.kind(here, false);
			if (type === undefined) continue;
			if (++names > WALK_LIMIT) return refused(here, "the tree is too large to look for links that lead out of it");
			if (type === "directory") pending.push({ path: here, beside: like });
			if (type !== "link" || (like !== undefined && below.meets?.(like, here) === false)) continue;
			const does = treatment(below, inner.isDirectory(here));
			if (does === undefined) continue;
			const target = inner.target(here);
			const why = gate.refuses({ ...operand, text: here, role: "written", leaf }, target);
			if (why !== undefined) {
				const links = [{ at: here, to: inner.files.readlink(here) ?? "" }];
				return { operand, resolved: target, links, why: `a link below it is followed: ${why}` };
			}
			if (does === "enter") pending.push({ path: target, beside: undefined });
		}
	}
	return undefined;
}
