// Whatever state a shell is in, the fragment confines it, says nothing, answers 0, and leaves nothing behind.

import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { ORDINARY, type Ran, Rig, ROOT, UNABLE, WHY_SKIPPED } from "../rig/rig.ts";
import { CONFINED, runUntil, SHELLS } from "./shells.ts";
import { type State, statesOf } from "./states.ts";

setDefaultTimeout(120_000);

const SNAPSHOT = join(ROOT, "test/confine/snapshot.sh");

/**
 * Sources the fragment between two snapshots, and writes its status and the own cgroup down. By then the words of the shell
 * may be shadowed, so they are quoted and called as builtins, or by their path.
 */
function script({ setup }: State): string {
	return `D=$1
SNAPSHOT=$D/snapshot
t_status=
${setup}
\\. ${SNAPSHOT}
/bin/mv "$SNAPSHOT" "$D/before"
\\. "$F" >|"$D/out" 2>|"$D/err" && t_status=0 || t_status="$?"
case "$t_status" in 0) /bin/cat "/proc/$$/cgroup" >|"$D/cgroup" ;; *) /bin/echo "status $t_status" >|"$D/cgroup" ;; esac
\\. ${SNAPSHOT}
/bin/mv "$SNAPSHOT" "$D/after"
`;
}

/** Runs the script with a directory of its own, and prints what it wrote there. */
const DRIVER = `D=$(mktemp -d); "$@" "$D" >/dev/null 2>&1
cd "$D" && for f in cgroup out err before after; do cat "$f"; printf "\\0"; done; cd / && rm -r "$D"`;

function runState(rig: Rig, argv: string[], state: State) {
	const isDone = ({ stdout }: Ran) => state.ends === "open" || CONFINED.test(stdout.split("\0")[0] ?? "");
	const ran = runUntil(rig, ["bash", "-c", DRIVER, "driver", ...argv, script(state), "states"], isDone);
	const [cgroup = "", out, err, before, after] = ran.stdout.split("\0");
	return { cgroup, out, err, before, after };
}

for (const user of ["root", ORDINARY]) {
	describe.skipIf(UNABLE !== undefined)(`as ${user}${WHY_SKIPPED}`, () => {
		let rig: Rig;
		beforeAll(async () => {
			rig = await Rig.start(user);
		});
		afterAll(() => rig.stop());

		for (const [shell, argv] of SHELLS.filter(([name]) => !name.includes(" "))) {
			for (const state of statesOf(shell)) {
				test(`${shell}: ${state.name}`, () => {
					const { cgroup, out, err, before, after } = runState(rig, argv, state);
					if (state.ends === "open") expect(cgroup).toMatch(/^0::/m);
					else expect(cgroup).toMatch(CONFINED);
					expect([out, err]).toEqual(["", ""]);
					expect(before).toContain("flags ");
					expect(after).toBe(before as string);
				});
			}
		}
	});
}
