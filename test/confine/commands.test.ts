// tmx ps, kill, monitor, confine, install and uninstall, the compiled binary on scopes that the fragment made.

import { afterAll, beforeAll, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync } from "node:fs";
import { eventually, FRAGMENT, ORDINARY, Rig, UNABLE, WHY_SKIPPED } from "../rig/rig.ts";
import { BINARY } from "../support/binary.ts";
import { CONFINED, confined } from "./shells.ts";

setDefaultTimeout(120_000);

test("tmx confine prints the fragment", () => {
	const printed = Bun.spawnSync([BINARY, "confine"]);
	expect(printed.stdout.toString()).toBe(readFileSync(FRAGMENT, "utf8"));
});

describe.skipIf(UNABLE !== undefined)(`under a user manager${WHY_SKIPPED}`, () => {
	let rig: Rig;
	beforeAll(async () => {
		rig = await Rig.start(ORDINARY);
	});
	afterAll(() => rig.stop());
	beforeEach(() => {
		rig.run([BINARY, "kill", "--all", "--grace", "0s"]);
	});

	const tmx = (...words: string[]) => rig.run([BINARY, ...words]);
	const list = () => {
		const { stdout } = tmx("ps", "--json");
		return stdout
			.split("\n")
			.filter((line) => line !== "")
			.map((line) => JSON.parse(line));
	};

	/** A confined shell that starts `script` in the background and ends; answers the unit. */
	function orphan(script = "sleep 300"): string {
		const { stdout } = confined(rig, ["bash", "-c", `. "$F"; cat /proc/$$/cgroup; setsid ${script} >/dev/null 2>&1 &`]);
		return (CONFINED.exec(stdout) as RegExpExecArray)[0].split("/").at(-1) as string;
	}

	/** A scope as a terminal or a desktop makes one, with a process that is still there afterwards. */
	function human(unit: string, slice = "app.slice"): number {
		rig.run(["bash", "-c", `systemd-run --user --scope --quiet --slice=${slice} --unit=${unit} sleep 300 >/dev/null 2>&1 & sleep 0.5`]);
		const procs = rig.run(["bash", "-c", `cat "$RIG_CGROUP/${slice}/${unit}/cgroup.procs"`]);
		return Number(procs.stdout.trim());
	}

	test("tmx ps lists a scope with what is in it", () => {
		const unit = orphan("sleep 299");
		const [row] = list();
		expect(row).toMatchObject({ unit, shellGone: true, empty: false, tasks: 1, command: "sleep 299" });
		expect(row.memory).toBeGreaterThan(0);
		expect(row.age).toBeLessThan(60);
		const { stdout, stderr } = tmx("ps");
		expect(stdout.split("\n")[0]).toMatch(/^UNIT +AGE +TASKS +MEMORY +CPU +SHELL +COMMAND$/);
		expect(stdout).toContain(unit);
		expect(stderr).toBe("");
	});

	test("tmx kill ends a scope by its name, and by the number of a process in it", async () => {
		for (const spell of [(unit: string) => unit, () => String(list()[0].pids[0])]) {
			const unit = orphan();
			const ran = tmx("kill", spell(unit));
			expect([ran.status, ran.stdout, ran.stderr]).toEqual([0, `${unit}: ended after TERM\n`, ""]);
			expect(await eventually(() => rig.scopes().length === 0)).toBe(true);
		}
	});

	test("what ignores TERM is killed after the grace, with all that it forks", async () => {
		const unit = orphan("bash -c 'trap \"\" TERM; for k in 1 2 3; do sleep 300 & done; while :; do sleep 1; done'");
		const ran = tmx("kill", unit, "--grace", "200ms");
		expect([ran.status, ran.stdout]).toEqual([0, `${unit}: killed\n`]);
		expect(await eventually(() => rig.scopes().length === 0)).toBe(true);
	});

	test("--orphans leaves a shell that is there, --all does not", async () => {
		const gone = orphan();
		const { stdout } = confined(rig, [
			"bash",
			"-c",
			"setsid bash -c '. \"$F\"; cat /proc/$$/cgroup; exec sleep 300 >/dev/null 2>&1' 2>/dev/null & sleep 1",
		]);
		const there = (CONFINED.exec(stdout) as RegExpExecArray)[0].split("/").at(-1) as string;
		expect(tmx("kill", "--orphans").stdout).toBe(`${gone}: ended after TERM\n`);
		expect(list().map(({ unit }) => unit)).toEqual([there]);
		expect(tmx("kill", "--all").stdout).toBe(`${there}: ended after TERM\n`);
	});

	test("what belongs to a person is refused, and nothing of the same call is ended", () => {
		const unit = orphan();
		const rows: [unit: string, slice: string][] = [
			["vte-spawn-0b9c.scope", "app.slice"],
			["app-gnome-firefox-4711.scope", "app.slice"],
			["tmux-spawn-0b9c.scope", "app.slice"],
			["run-r1a2b.scope", "app.slice"],
			["human-work.scope", "human.slice"],
			["confine-agent-4711-1a2b.scope", "human.slice"],
			["confine-human-1-a.scope", "agent.slice"],
		];
		const pids = rows.map(([name, slice]) => human(name, slice));
		const named = rows.map(([name]) => name).filter((name) => !name.startsWith("confine-agent-"));
		for (const word of [...named, ...pids.map(String), "init.scope", "session-3.scope", "user@1000.service", "agent.slice", "1", "../x"]) {
			const ran = tmx("kill", word, unit);
			expect([word, ran.status, ran.stdout]).toEqual([word, 2, ""]);
			expect(ran.stderr).toStartWith("tmx: kill: policy_denied: ");
		}
		tmx("kill", "confine-agent-4711-1a2b.scope", "--all", "--grace", "0s");
		for (const pid of pids) expect(rig.run(["test", "-d", `/proc/${pid}`]).status).toBe(0);
		for (const pid of pids) process.kill(pid, "SIGKILL");
	});

	test("tmx kill says what is wrong with a command line", () => {
		expect(tmx("kill").status).toBe(5);
		expect(tmx("kill", "--all", "--grace", "soon").status).toBe(5);
	});

	test("the monitor ends nothing but empty scopes unless it is told to", () => {
		const unit = orphan();
		expect(tmx("monitor", "--once").stdout).toBe("");
		expect(list().map((row) => row.unit)).toEqual([unit]);
		const ran = rig.run([BINARY, "monitor", "--once", "--memory", "100K"]);
		expect(ran.stdout).toStartWith(`tmx: monitor: stopped ${unit} (sleep 300): it uses `);
		expect(ran.stdout).toContain("to allow more, give the monitor a larger --memory");
		expect(ran.stdout.trim().split("\n")).toHaveLength(1);
	});

	test("the monitor stops a scope that is empty", async () => {
		// The kernel's side of a scope whose shell ended before it was moved in.
		const unit = "confine-agent-4242-leak.scope";
		const pid = human(unit, "agent.slice");
		rig.run(["bash", "-c", `kill -STOP "$RIG_MANAGER"; kill -KILL ${pid}`]);
		expect(await eventually(() => list().some((row) => row.unit === unit && row.empty))).toBe(true);
		rig.run(["bash", "-c", 'sleep 2.5; (sleep 0.5; kill -CONT "$RIG_MANAGER") & true']);
		const ran = tmx("monitor", "--once");
		expect(ran.stderr).toBe("");
		expect(await eventually(() => rig.scopes().length === 0)).toBe(true);
	});

	test("install --slice writes a drop-in, reads it back, and says what is not enforced; uninstall takes it away", () => {
		const before = rig.run(["find", rig.env.HOME as string]).stdout;
		const ran = tmx("install", "--slice", "--tasks-max", "4321", "--memory-max", "3G");
		expect([ran.status, ran.stderr]).toEqual([0, ""]);
		for (const line of ["TasksMax=4321: ", "MemoryMax=3221225472: ", "MemorySwapMax=1073741824: ", "CPUWeight=50: ", "IOWeight=50: "]) {
			expect(ran.stdout).toMatch(new RegExp(`^agent\\.slice: ${line}(not enforced: |the kernel has )`, "m"));
		}
		expect(tmx("install", "--slice", "--tasks-max", "4321", "--memory-max", "3G").stdout).toContain("there is ");
		expect(tmx("install", "--slice", "--cpu-weight", "0").status).toBe(5);
		expect(tmx("uninstall").status).toBe(0);
		expect(rig.run(["systemctl", "--user", "show", "-p", "TasksMax", "agent.slice"]).stdout).not.toContain("4321");
		const left = rig.run(["find", rig.env.HOME as string, "-type", "f"]).stdout;
		expect(left.split("\n").filter((path) => path !== "" && !before.includes(path))).toEqual([]);
	});

	test("a drop-in of somebody else stays", () => {
		const path = `${rig.env.HOME}/.config/systemd/user/agent.slice.d/50-tmx.conf`;
		rig.run(["bash", "-c", `mkdir -p "\${0%/*}"; printf "[Slice]\\nTasksMax=77\\n" >"$0"`, path]);
		expect(tmx("install", "--slice").status).toBe(4);
		tmx("uninstall");
		expect(rig.run(["cat", path]).stdout).toBe("[Slice]\nTasksMax=77\n");
		rig.run(["rm", path]);
	});

	test("install --monitor runs it as a service", async () => {
		const ran = tmx("install", "--monitor", "--memory", "4G", "--for", "30s");
		expect([ran.status, ran.stderr]).toEqual([0, ""]);
		const active = () => rig.run(["systemctl", "--user", "is-active", "tmx-monitor.service"]).stdout.trim();
		expect(await eventually(() => active() === "active")).toBe(true);
		tmx("uninstall", "--monitor");
		expect(active()).toBe("inactive");
	});

	test("install --snapshots adds a line once to each snapshot, also to new ones; uninstall gives each back byte for byte", async () => {
		// A home with a name that a shell, a unit file and an ill-made pattern would each read differently.
		const home = `${rig.env.HOME}/it's a "$HOME" 50% \\x é`;
		const snapshots = `${home}/.claude/shell-snapshots`;
		const env = { HOME: home, XDG_CONFIG_HOME: `${rig.env.HOME}/.config` };
		const files = {
			"snapshot-bash-1700000000000-abc123.sh": "export PATH=/bin:/usr/bin\n",
			"snapshot-zsh-1700000000001-abc124.sh": "x=\xe9",
			"other.sh": "x=1\n",
		};
		for (const [name, text] of Object.entries(files)) {
			rig.run(["bash", "-c", 'mkdir -p "$0"; cat >"$0/$1"', snapshots, name], { input: text });
		}
		rig.run(["ln", "-s", "/etc/passwd", `${snapshots}/snapshot-bash-1700000000002-link01.sh`]);
		const content = (name: string) => rig.run(["cat", `${snapshots}/${name}`]).stdout;
		const [bash, zsh] = Object.keys(files) as [string, string];
		expect(rig.run([BINARY, "install", "--snapshots"], { env }).status).toBe(0);
		const once = content(bash);
		expect(rig.run([BINARY, "install", "--snapshots"], { env }).status).toBe(0);
		expect(content(bash)).toBe(once);
		expect(once.match(/# tmx: tool-confine/g)).toHaveLength(1);
		for (const [shell, name] of [
			["bash", bash],
			["zsh", zsh],
		] as const) {
			const said = confined(rig, [shell, "-c", `. "$0"; cat /proc/$$/cgroup; echo "tasks=$AGENT_TASKS_MAX"`, `${snapshots}/${name}`]);
			expect(said.stdout).toMatch(CONFINED);
			expect(said.stdout).toMatch(/tasks=\d{4,}/);
		}
		const fresh = "snapshot-bash-1700000000003-fresh1.sh";
		rig.run(["bash", "-c", 'echo "y=1" >"$0"', `${snapshots}/${fresh}`]);
		expect(await eventually(() => content(fresh).includes("# tmx: tool-confine"))).toBe(true);
		expect(rig.run([BINARY, "uninstall"], { env }).status).toBe(0);
		for (const [name, text] of Object.entries(files)) expect(Buffer.from(content(name))).toEqual(Buffer.from(text));
		expect(content(fresh)).toBe("y=1\n");
		expect(rig.run(["find", home, "-name", "tool-confine.sh"]).stdout).toBe("");
	});

	test("doctor makes a real scope", () => {
		const { stdout } = tmx("doctor", "--json");
		const rows = stdout.split("\n").filter((line) => line.includes('"tool shells"'));
		expect(rows.map((line) => JSON.parse(line))).toContainEqual(expect.objectContaining({ subject: "a scope", status: "ok" }));
	});
});
