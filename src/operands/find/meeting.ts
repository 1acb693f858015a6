// How a command meets a file: by which name, in which directory, and what is sure of files of which only little is known.

import type { Bytes } from "../../policy/bytes.ts";
import type { Operand } from "../../policy/call.ts";
import { withoutSlashes } from "../../policy/resolve.ts";
import type { Met } from "./tests.ts";

/** What find puts in the place of `{}`, and the directory that the command then runs in when it is not find's. */
export interface Meeting {
	match: Bytes;
	cwd: Bytes | undefined;
}

/** A file of which nothing is known but perhaps its name and its type. */
export const anyFile = (name: Bytes | undefined, kind: Met["kind"]): Met => ({
	path: undefined,
	name,
	kind,
	otherKind: () => undefined,
	readlink: () => undefined,
});

/** The name that -execdir gives a starting point, and the directory that it runs the command in. */
export function inItsDirectory(start: Bytes): Meeting {
	const name = withoutSlashes(start);
	const slash = name.lastIndexOf("/");
	return { match: `./${start.slice(slash + 1)}`, cwd: slash < 0 ? "." : name.slice(0, slash + 1) };
}

/** No tool removes or moves a directory that is spelled by a dot (rm(1); EINVAL and EBUSY of the kernel). */
export const spelledByDot = ({ text, role }: Operand) => (role === "removed" || role === "moved") && /(^|\/)\.\/*$/.test(text);

/** How often the words climb from what is met: a file that is not that deep may lead out of the starting point. */
export function climbs(words: readonly Bytes[], inDirectory: boolean): number {
	const climbing = inDirectory ? words : words.filter((word) => /^-|\{\}|\bcd\b|pushd|\$/.test(word));
	return [...climbing.join(" ").matchAll(/(?<![\w.])\.\.(?![\w.])/g)].length;
}
