// The shells that the fragment is for, and how a test has one confined although the machine is busy.

import { existsSync } from "node:fs";
import { FRAGMENT, type Options, type Ran, type Rig } from "../rig/rig.ts";

/** A name, and the words before the script. */
export const SHELLS: readonly [name: string, argv: string[]][] = [
	["bash", ["/bin/bash", "-c"]],
	["bash --posix", ["/bin/bash", "--posix", "-c"]],
	["zsh", ["/usr/bin/zsh", "-f", "-c"]],
	["zsh as sh", ["/usr/bin/zsh", "--emulate", "sh", "-f", "-c"]],
	// The oldest bash that is promised. macOS has it; a Debian does not, so it is used where somebody put it.
	...(existsSync("/opt/bash-3.2/bin/bash") ? [["bash 3.2", ["/opt/bash-3.2/bin/bash", "-c"]] as [string, string[]]] : []),
];

/** A cgroup path that says "confined". */
export const CONFINED = /\/agent\.slice\/confine-agent-(\d+)-([0-9a-z]+)\.scope$/m;

/** The environment that scripts find the fragment by. */
export const PLACE = { F: FRAGMENT };

const TRIES = 10;

/**
 * Run a script until `isDone`, a few times: on a machine with more work than processors the time for a scope runs out now
 * and then, and the command runs unconfined, as it should.
 */
export function runUntil(rig: Rig, argv: string[], isDone: (ran: Ran) => boolean, options: Options = {}): Ran {
	let ran: Ran | undefined;
	for (let k = 0; k < TRIES; k++) {
		ran = rig.run(argv, { ...options, env: { ...PLACE, ...options.env } });
		if (isDone(ran)) break;
		rig.forget();
	}
	return ran as Ran;
}

/** Run a script that prints its cgroup, until it is confined. */
export function confined(rig: Rig, argv: string[], options: Options = {}): Ran {
	return runUntil(rig, argv, ({ stdout }) => CONFINED.test(stdout), options);
}
