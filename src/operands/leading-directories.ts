// The directories that lead to a name, for tools that make or remove them all the way.

import type { Bytes } from "../policy/bytes.ts";
import type { Operand } from "../policy/call.ts";
import { type Resolver, withoutSlashes } from "../policy/resolve.ts";

/** The path and all of its leading directories, longest first: `a/b/c`, `a/b`, `a`. */
export function prefixes(text: Bytes): Bytes[] {
	const found: Bytes[] = [];
	for (let path = withoutSlashes(text); path !== "" && path !== "/"; ) {
		found.push(path);
		const slash = path.lastIndexOf("/");
		path = withoutSlashes(path.slice(0, Math.max(slash, 0)));
	}
	return found;
}

/** How many directories that a `..` leaves again are looked at; each costs a resolution of its own. */
const STEPS = 64;

/** Whether making `text` from the left also makes a directory that a later `..` steps back out of. */
const stepsBack = (prefix: Bytes, text: Bytes) => /^\/+\.\.(\/|$)/.test(text.slice(prefix.length));

/**
 * What mkdir makes: with -p everything that is missing, from the left; what is there is left alone. Where the last one
 * may be made so may those on the way to it, but for the ones that a `..` leaves again.
 */
export function made(text: Bytes, parents: boolean, look: Resolver): Operand[] {
	if (!parents) return [{ text, role: "written", leaf: "entry" }];
	const making = text.includes("..") ? prefixes(text).filter((prefix) => prefix === text || stepsBack(prefix, text)) : [];
	if (making.length > STEPS)
		return [{ text, role: "written", leaf: "target", unknowable: "its path steps back by `..` too often to be followed" }];
	const missing = [text, ...making.filter((prefix) => prefix !== text)].filter((prefix) => !look.isDirectory(prefix));
	return missing.map((prefix) => ({ text: prefix, role: "written", leaf: "target" }));
}
