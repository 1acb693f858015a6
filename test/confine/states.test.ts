// Whatever state a shell is in, the fragment confines it, says nothing, answers 0, and leaves nothing behind.

import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { ORDINARY, Rig, ROOT, UNABLE } from "../rig/rig.ts";
import { CONFINED, runUntil, SHELLS } from "./shells.ts";
import { type State, statesOf } from "./states.ts";

setDefaultTimeout(120_000);

const SNAPSHOT = join(ROOT, "test/confine/snapshot.sh");

/**
 * Sources the fragment between two snapshots, and writes its status and the own cgroup down. By then the words of the shell
 * may be shadowed, so they are quoted and called as builtins, or by their path.
 */
function script({ setup }: State): string {
	return `D=$1; S=${SNAPSHOT}
t_status=
t_after() { t_status=$1; }
${setup}
\\builtin '.' "$S" "$D/before"
\\builtin '.' "$F" >|"$D/out" 2>|"$D/err" && t_status=0 || t_status="$?"
case "\${t_status}" in 0) /bin/cat "/proc/$$/cgroup" >|"$D/cgroup" ;; *) /bin/echo "status $t_status" >|"$D/cgroup" ;; esac
t_status=
\\builtin '.' "$S" "$D/after"
`;
}

const READ = 'cd "$1" && for f in cgroup out err before after; do cat "$f"; printf "\\0"; done';

function runState(rig: Rig, argv: string[], state: State) {
	const directory = rig.run(["mktemp", "-d"]).stdout.trim();
	const env = { F: join(ROOT, "shims/tool-confine.sh") };
	let read: string[] = [];
	const isDone = () => {
		read = rig.run(["bash", "-c", READ, "read", directory]).stdout.split("\0");
		return state.ends === "open" || CONFINED.test(read[0] ?? "");
	};
	runUntil(rig, [...argv, script(state), "states", directory], isDone, { env });
	rig.run(["rm", "-r", directory]);
	const [cgroup = "", out, err, before, after] = read;
	return { cgroup, out, err, before, after };
}

for (const user of UNABLE ? [] : ["root", ORDINARY]) {
	describe(`as ${user}`, () => {
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

if (UNABLE) test.skip(`no rig: ${UNABLE}`, () => {});
