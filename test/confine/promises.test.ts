// What the fragment promises of the shell that sources it, under a real user manager, for root and for an ordinary user.

import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { eventually, ORDINARY, Rig, UNABLE, WHY_SKIPPED } from "../rig/rig.ts";
import { CONFINED, confined, PLACE, runUntil, SHELLS } from "./shells.ts";

// A busy machine needs many tries.
setDefaultTimeout(120_000);

/** Prints the cgroup of the shell, then runs the rest. */
const OWN = 'cat /proc/self/cgroup; . "$F"; cat "/proc/$$/cgroup"; ';

const cgroups = (text: string) => [...text.matchAll(/^0::(.*)$/gm)].map(([, path]) => path as string);

for (const user of ["root", ORDINARY]) {
	describe.skipIf(UNABLE !== undefined)(`as ${user}${WHY_SKIPPED}`, () => {
		let rig: Rig;
		beforeAll(async () => {
			rig = await Rig.start(user);
		}, 60_000);
		afterAll(() => rig.stop(), 60_000);

		for (const [name, argv] of SHELLS) {
			const say = (script: string, options = {}) => confined(rig, [...argv, script], options);

			test(`${name}: the shell moves, and the session that started it stays`, () => {
				const session = 'x=$("$@" ". \\"\\$F\\"; cat /proc/\\$\\$/cgroup"); printf "%s\\n" "$x"; cat /proc/$$/cgroup';
				const { stdout } = confined(rig, ["bash", "-c", session, "session", ...argv]);
				const [tool, parent] = cgroups(stdout);
				expect(tool).toMatch(CONFINED);
				expect(parent).toEndWith("/app.slice/vte-spawn-rig.scope");
			});

			test(`${name}: the scope is named after the shell, lies under agent.slice, and has the properties`, () => {
				const show = "systemctl --user show -p Slice -p TasksMax -p OOMPolicy -p CollectMode -p MemoryMax -p CPUWeight";
				const { stdout } = say(`${OWN} echo "pid=$$"; c=$(grep 0:: /proc/$$/cgroup); ${show} "\${c##*/}"`);
				expect(/pid=(\d+)/.exec(stdout)?.[1]).toBe(CONFINED.exec(stdout)?.[1] as string);
				const lines = ["Slice=agent.slice", "TasksMax=1024", "OOMPolicy=continue", "CollectMode=inactive-or-failed"];
				expect(stdout.split("\n")).toEqual(expect.arrayContaining([...lines, "MemoryMax=infinity", "CPUWeight=[not set]"]));
			});

			test(`${name}: limits come from the environment`, () => {
				const env = { AGENT_TASKS_MAX: "333", AGENT_MEMORY_MAX: "2G", AGENT_MEMORY_SWAP_MAX: "0", AGENT_CPU_WEIGHT: "42" };
				const show = "systemctl --user show -p TasksMax -p MemoryMax -p MemorySwapMax -p CPUWeight";
				const { stdout } = say(`${OWN} c=$(grep 0:: /proc/$$/cgroup); ${show} "\${c##*/}"`, { env });
				expect(stdout.split("\n")).toEqual(
					expect.arrayContaining(["TasksMax=333", "MemoryMax=2147483648", "MemorySwapMax=0", "CPUWeight=42"]),
				);
			});

			test(`${name}: what is forked later is inside, and nested or sourced again it stays one scope`, () => {
				const nested = `"$@" '. "$F"; cat /proc/self/cgroup'`;
				const { stdout } = confined(rig, [
					...argv,
					`. "$F"; cat "/proc/$$/cgroup"; . "$F"; cat /proc/self/cgroup; ${nested}`,
					"sh",
					...argv,
				]);
				const paths = cgroups(stdout);
				expect(paths).toHaveLength(3);
				expect(new Set(paths).size).toBe(1);
			});

			test(`${name}: pid, group, stdin, stdout and exit code are the command's own`, () => {
				const script = `a="$$ $(cut -d' ' -f5,6 /proc/$$/stat)"; ${OWN} [ "$a" = "$$ $(cut -d' ' -f5,6 /proc/$$/stat)" ] && echo same; cat; exit 37`;
				const ran = say(script, { input: "the input\n" });
				expect(ran.stdout).toEndWith("same\nthe input\n");
				expect([ran.status, ran.stderr]).toEqual([37, ""]);
			});

			test(`${name}: SIGKILL of the process group still ends all of it`, async () => {
				const inside = `${OWN} sleep 600 >/dev/null & echo "child=$!"; wait`;
				const outside = 'while read -r l; do echo "$l"; case $l in child=*) break ;; esac; done < <(setsid --fork "$@" 2>/dev/null)';
				const { stdout } = confined(rig, ["bash", "-c", outside, "x", ...argv, inside]);
				const child = Number(/child=(\d+)/.exec(stdout)?.[1]);
				const shell = Number(CONFINED.exec(stdout)?.[1]);
				process.kill(-shell, "SIGKILL");
				const isGone = (pid: number) => rig.run(["grep", "-q", "State:.[ZX]", `/proc/${pid}/status`]).status !== 1;
				expect(await eventually(() => isGone(shell) && isGone(child))).toBe(true);
			});

			test(`${name}: of a script on stdin nothing is eaten`, () => {
				const script = `. "$F"\ncat "/proc/$$/cgroup" </dev/null\nread -r x\nthe input\necho "$x, and on"\n`;
				const ran = confined(rig, [argv[0] as string, ...argv.slice(1, -1)], { input: script });
				expect(ran.stdout).toEndWith("the input, and on\n");
				expect([ran.status, ran.stderr]).toEqual([0, ""]);
			});

			test(`${name}: an interactive shell on a terminal says nothing of its helper's end`, () => {
				const line = [...argv.slice(0, -1), "-i", "-c", `'. "$F"; echo "status $?"; jobs; cat "/proc/$$/cgroup"'`].join(" ");
				const ran = confined(rig, ["script", "--quiet", "--command", line, "/dev/null"], { env: { TERM: "dumb" } });
				expect(ran.stdout.split(/\r?\n/).filter((said) => said !== "" && !/^\d+:.*:\//.test(said))).toEqual(["status 0"]);
			});

			test(`${name}: CONFINE_TOOL_SHELL=0 switches it off`, () => {
				const ran = rig.run([...argv, `. "$F"; echo "$?"; cat "/proc/$$/cgroup"`], { env: { ...PLACE, CONFINE_TOOL_SHELL: "0" } });
				expect(ran.stdout).toStartWith("0\n");
				expect(ran.stdout).not.toMatch(CONFINED);
			});

			test(`${name}: as text in an eval, and in a subshell, it moves just that`, () => {
				const { stdout } = confined(rig, [...argv, 'eval "$(cat "$F")"; cat "/proc/$$/cgroup"; eval "$(cat "$F")"; echo after']);
				expect(stdout).toEndWith("after\n");
				const sub = runUntil(rig, [...argv, '(. "$F"; cat /proc/self/cgroup; :); cat "/proc/$$/cgroup"'], (ran) =>
					CONFINED.test(ran.stdout),
				);
				expect(cgroups(sub.stdout)[0]).toMatch(CONFINED);
				expect(cgroups(sub.stdout)[1]).toEndWith("/vte-spawn-rig.scope");
			});
		}

		test("a bad value of a limit is ignored", () => {
			const bad = { AGENT_TASKS_MAX: "many", AGENT_MEMORY_MAX: "4 GB", AGENT_MEMORY_SWAP_MAX: "-1", AGENT_CPU_WEIGHT: "20000" };
			const script = `${OWN} c=$(grep 0:: /proc/$$/cgroup); systemctl --user show -p TasksMax -p MemoryMax -p CPUWeight "\${c##*/}"`;
			for (const env of [bad, { AGENT_MEMORY_MAX: "4", AGENT_TASKS_MAX: "0" }, { AGENT_MEMORY_MAX: "9999999T", AGENT_TASKS_MAX: "-5" }]) {
				const { stdout } = confined(rig, ["bash", "-c", script], { env });
				expect(stdout.split("\n")).toEqual(expect.arrayContaining(["TasksMax=1024", "MemoryMax=infinity", "CPUWeight=[not set]"]));
			}
		});

		test("BASH_ENV and .zshenv carry it", () => {
			const bash = confined(rig, ["bash", "-c", "cat /proc/$$/cgroup; echo after"], { env: { BASH_ENV: PLACE.F } });
			expect(bash.stdout).toEndWith("after\n");
			const home = rig.env.HOME as string;
			rig.run(["bash", "-c", 'printf %s ". \\"$F\\"" >"$HOME/.zshenv"'], { env: PLACE });
			const zsh = confined(rig, ["zsh", "-c", "cat /proc/$$/cgroup; echo after"], { env: { ZDOTDIR: home } });
			expect(zsh.stdout).toEndWith("after\n");
			expect(CONFINED.test(bash.stdout) && CONFINED.test(zsh.stdout)).toBe(true);
		});

		test("dash passes it by", () => {
			const ran = rig.run(["dash", "-c", '. "$F"; echo "$?"; cat /proc/$$/cgroup'], { env: PLACE });
			expect([ran.stderr, ran.stdout.split("\n")[0]]).toEqual(["", "0"]);
			expect(ran.stdout).not.toMatch(CONFINED);
		});

		test("no scope is left when the shells have ended", async () => {
			expect(await eventually(() => rig.scopes().length === 0)).toBe(true);
		});
	});
}
