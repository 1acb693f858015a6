// The text of a script that nobody can take apart: which paths it names.

import type { Bytes } from "../policy/bytes.ts";
import type { Call, Leaf, Operand } from "../policy/call.ts";
import type { Resolver } from "../policy/resolve.ts";
import { pathsInText } from "./run/named-paths.ts";

/** What holds nothing that is written to it. */
const DEVICES = /^\/dev\/(null|zero|full|tty|stdout|stderr)$/;

/**
 * The paths that the text of a script names, each as if it were removed.
 * @param look stands where the script runs
 * @param leaf whether it may write through a link
 */
export function scriptOperands(call: Call, script: Bytes, look: Resolver, at: Bytes | undefined, leaf: Leaf): Operand[] {
	const paths = pathsInText(script, call.env("HOME"), look).filter((path) => !DEVICES.test(path));
	return paths.map((text) => ({ text, role: "removed", leaf, note: "named in the script", ...(at !== undefined && { at }) }));
}
