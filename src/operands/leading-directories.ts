// The directories that lead to a name, for tools that make or remove them all the way.

import type { Bytes } from "../policy/bytes.ts";
import type { Operand } from "../policy/call.ts";
import type { Resolver } from "../policy/resolve.ts";

/** The path and all of its leading directories, longest first: `a/b/c`, `a/b`, `a`. */
export function prefixes(text: Bytes): Bytes[] {
	const found: Bytes[] = [];
	for (let path = text.replace(/(?<=.)\/+$/, ""); path !== "" && path !== "/"; ) {
		found.push(path);
		const slash = path.lastIndexOf("/");
		path = path.slice(0, Math.max(slash, 0)).replace(/(?<=.)\/+$/, "");
	}
	return found;
}

/** What mkdir makes: with -p everything that is missing, from the left; what is there is left alone. */
export function made(text: Bytes, parents: boolean, look: Resolver): Operand[] {
	if (!parents) return [{ text, role: "written", leaf: "entry" }];
	const missing = prefixes(text).filter((prefix) => !look.isDirectory(prefix));
	return missing.map((prefix) => ({ text: prefix, role: "written", leaf: "target" }));
}
