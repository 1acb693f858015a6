// Whether a refused operand really leads outside, by the model and not by the code that refused it.

import type { Bytes } from "../../src/policy/bytes.ts";
import type { Operand } from "../../src/policy/call.ts";
import { join } from "../../src/policy/resolve.ts";
import type { Evidence } from "../../src/policy/verdict.ts";
import { type Node, type Nowhere, type Place, type Tree, within } from "./tree.ts";

function leavesRoots(place: Place, taken: boolean, roots: ReadonlySet<Node>): boolean {
	const { directory, node } = place;
	if (taken && node !== undefined && roots.has(node)) return true;
	return !within(node?.kind === "directory" && !taken ? node : directory, roots);
}

function pathOf(operand: Operand, cwd: Bytes): Bytes {
	const at = operand.at ?? "";
	const base = at.startsWith("/") ? at : join(cwd, at);
	return operand.text.startsWith("/") ? operand.text : join(base, operand.text);
}

function places(operand: Operand, path: Bytes, tree: Tree): (Place | Nowhere)[] {
	const both = operand.leaf === "both" || /(^|\/)\.{0,2}$/.test(path);
	if (both) return [tree.entry(path), tree.target(path)];
	return [operand.leaf === "entry" ? tree.entry(path) : tree.target(path)];
}

/** Whether a refusal is about something outside, a root to take away, or nothing that the kernel could find. */
export function aimsOutside({ operand, links }: Evidence, cwd: Bytes, tree: Tree, roots: ReadonlySet<Node>): boolean {
	const taken = operand.role === "removed" || operand.role === "moved";
	const outside = (place: Place | Nowhere) => typeof place === "string" || leavesRoots(place, taken, roots);
	// Of a tree that is walked, the link that leads out is what counts.
	if (operand.below !== undefined && links[0] !== undefined && outside(tree.target(links[0].at))) return true;
	return places(operand, pathOf(operand, cwd), tree).some(outside);
}

/** Whether the kernel finds nothing under that name, not even a directory to look in. */
export function namesNothing(operand: Operand, cwd: Bytes, tree: Tree): boolean {
	return places(operand, pathOf(operand, cwd), tree).some((place) => typeof place === "string" && place !== "system");
}

/** Whether there is no such file. */
export function isMissing(operand: Operand, cwd: Bytes, tree: Tree): boolean {
	return places(operand, pathOf(operand, cwd), tree).some((place) => typeof place === "string" || place.node === undefined);
}
