// What may be killed: each form that belongs to a person is a row, and is left alone.

import { describe, expect, test } from "bun:test";
import { killable, killableProcess } from "../../src/confine/killable.ts";
import type { Manager } from "../../src/confine/manager.ts";

const USER = "/user.slice/user-1000.slice/user@1000.service";
const MANAGER: Manager = { mount: "/sys/fs/cgroup", path: USER };
const AGENT = "confine-agent-4711-1a2b3c4d.scope";

/** A unit, its cgroup path, and whether it may be killed. */
const ROWS: readonly [unit: string, path: string, yes: boolean][] = [
	[AGENT, `${USER}/agent.slice/${AGENT}`, true],
	["confine-agent-1-0.scope", `${USER}/agent.slice/confine-agent-1-0.scope`, true],
	// What a person works in.
	["session-3.scope", "/user.slice/user-1000.slice/session-3.scope", false],
	["init.scope", `${USER}/init.scope`, false],
	["init.scope", "/init.scope", false],
	["user@1000.service", USER, false],
	["user-1000.slice", "/user.slice/user-1000.slice", false],
	["agent.slice", `${USER}/agent.slice`, false],
	["human.slice", `${USER}/human.slice`, false],
	["vte-spawn-0b9c.scope", `${USER}/app.slice/app-org.gnome.Terminal.slice/vte-spawn-0b9c.scope`, false],
	["app-gnome-firefox-4711.scope", `${USER}/app.slice/app-gnome-firefox-4711.scope`, false],
	["app-org.kde.konsole-4711.scope", `${USER}/app.slice/app-org.kde.konsole-4711.scope`, false],
	["app-Hyprland-kitty-1a2b.scope", `${USER}/app.slice/app-Hyprland-kitty-1a2b.scope`, false],
	["kitty-4711-0.scope", `${USER}/app.slice/kitty-4711-0.scope`, false],
	["tmux-spawn-0b9c.scope", `${USER}/tmux-spawn-0b9c.scope`, false],
	["ptyxis-spawn-0b9c.scope", `${USER}/app.slice/ptyxis-spawn-0b9c.scope`, false],
	["run-r1a2b.scope", `${USER}/app.slice/run-r1a2b.scope`, false],
	["dbus.service", `${USER}/session.slice/dbus.service`, false],
	["ssh.service", "/system.slice/ssh.service", false],
	// The right name anywhere else.
	[AGENT, `${USER}/app.slice/${AGENT}`, false],
	[AGENT, `${USER}/human.slice/${AGENT}`, false],
	[AGENT, `${USER}/${AGENT}`, false],
	[AGENT, `/agent.slice/${AGENT}`, false],
	[AGENT, `/user.slice/user-1001.slice/user@1001.service/agent.slice/${AGENT}`, false],
	[AGENT, `${USER}/app.slice/x.service/agent.slice/${AGENT}`, false],
	[AGENT, `${USER}/agent.slice/vte-spawn-1.scope/${AGENT}`, false],
	[AGENT, `${USER}/agent.slice/../app.slice/${AGENT}`, false],
	[AGENT, `${USER}/agent.slice/${AGENT}/`, false],
	[AGENT, `${USER}/agent.slice/${AGENT} (deleted)`, false],
	// The right place, with a name that only looks like one of ours.
	...[
		"vte-spawn-1.scope",
		"confine-agent-1-a.service",
		"confine-agent-1-a.slice",
		"confine-agent--a.scope",
		"confine-agent-0-a.scope",
		"confine-agent-1-.scope",
		"confine-agent-1-A.scope",
		"confine-agent-1-a.scope.scope",
		"confine-agent-1-a-b.scope",
		"confine-human-1-a.scope",
		"xconfine-agent-1-a.scope",
		"confine-agent-1-a.scope\n",
		"confine-agent-1-a.scope/..",
		"../app.slice/vte-spawn-1.scope",
		"confine-agent-*.scope",
		"",
	].map((name): [string, string, boolean] => [name, `${USER}/agent.slice/${name}`, false]),
];

describe("killable", () => {
	for (const [unit, path, yes] of ROWS) {
		test(`${yes ? "yes" : "no "} ${JSON.stringify(unit)} at ${JSON.stringify(path)}`, () => {
			const answer = killable(unit, path, MANAGER);
			expect("unit" in answer).toBe(yes);
			if ("no" in answer) expect(answer.no).not.toBe("");
		});
	}

	test("the shell's pid is read from the name", () => {
		expect(killable(AGENT, `${USER}/agent.slice/${AGENT}`, MANAGER)).toEqual({ unit: AGENT, shell: 4711 });
	});

	test("a process that is in no tool shell's scope is left alone: init, this one, and one that is not there", () => {
		for (const pid of [1, process.pid, 2 ** 30]) expect("no" in killableProcess(pid, MANAGER)).toBe(true);
	});
});
