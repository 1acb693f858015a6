// Whether tool shells can be confined here: one real scope for a process that only sleeps, and what the kernel then enforces.

import { spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { cgroupOf, type Manager, managerOf, textOf } from "../../confine/manager.ts";
import { scopesOf } from "../../confine/scopes.ts";
import { propertiesOf } from "../../confine/units.ts";
import type { System } from "../../sys/system.ts";
import { check, type Finding } from "./check.ts";

type Problem = "no-manager" | "no-bus" | "not-moved" | "not-enforced" | "override" | "empty" | "linger" | "sandbox";
type Found = Finding & { advice?: Problem };

/** How long the probe may take until it counts as not moved. */
const PATIENCE_MS = 1000;
/** A number of tasks that nobody else sets. */
const TASKS = 4093;

const SANDBOXES = ["SANDBOX_RUNTIME", "CODEX_SANDBOX", "CODEX_SANDBOX_NETWORK_DISABLED", "FLATPAK_ID"];

/** Ask for a scope as the fragment does. */
function ask(unit: string, pid: number): boolean {
	const properties = [
		"PIDs",
		"au",
		"1",
		`${pid}`,
		"Slice",
		"s",
		"agent.slice",
		"TasksMax",
		"t",
		`${TASKS}`,
		"CollectMode",
		"s",
		"inactive-or-failed",
	];
	const manager = ["org.freedesktop.systemd1", "/org/freedesktop/systemd1", "org.freedesktop.systemd1.Manager"];
	const call = ["--user", "--quiet", "--timeout=1", "call", ...manager, "StartTransientUnit", "ssa(sv)a(sa(sv))", unit, "fail"];
	return (
		spawnSync("busctl", [...call, "5", ...properties, "OOMPolicy", "s", "continue", "0"], { timeout: 2000, stdio: "ignore" }).status === 0
	);
}

function whereWithin(pid: number, end: string): string | undefined {
	for (const until = Date.now() + PATIENCE_MS; Date.now() < until; Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2)) {
		const path = cgroupOf(pid);
		if (path?.endsWith(end)) return path;
	}
	return undefined;
}

/** What the kernel has of a limit, or that it has none. */
function enforced(manager: Manager, path: string, unit: string): Found[] {
	const said = propertiesOf(unit, ["TasksMax", "OOMPolicy"]) ?? {};
	const file = textOf(`${manager.mount}${path}/pids.max`)?.trim();
	const findings: Found[] = [{ status: "ok", subject: "OOMPolicy", found: said.OOMPolicy ?? "unknown" }];
	if (said.TasksMax !== String(TASKS)) {
		findings.push({ status: "warn", subject: "TasksMax", found: `${TASKS} was asked for, and ${said.TasksMax} holds`, advice: "override" });
	}
	if (file === undefined)
		findings.push({ status: "warn", subject: "pids.max", found: "is not there: no limit of tasks is enforced", advice: "not-enforced" });
	else findings.push({ status: "ok", subject: "pids.max", found: `the kernel has ${file}` });
	if (textOf(`${manager.mount}${path}/memory.max`) === undefined) {
		findings.push({ status: "warn", subject: "memory.max", found: "is not there: no limit of memory is enforced", advice: "not-enforced" });
	}
	return findings;
}

/** One real scope, and away with it. */
function probe(manager: Manager): Found[] {
	const sleeper = spawn("sleep", ["20"], { stdio: "ignore" });
	const pid = sleeper.pid ?? 0;
	const unit = `confine-agent-${pid}-d0c.scope`;
	try {
		const before = performance.now();
		if (pid === 0 || !ask(unit, pid))
			return [{ status: "warn", subject: "a scope", found: "the manager refuses it or does not answer", advice: "not-moved" }];
		const path = whereWithin(pid, `/agent.slice/${unit}`);
		const took = Math.round(performance.now() - before);
		if (path === undefined)
			return [{ status: "warn", subject: "a scope", found: "is made, and the process is not moved into it", advice: "not-moved" }];
		return [{ status: "ok", subject: "a scope", found: `a process was moved into it after ${took} ms` }, ...enforced(manager, path, unit)];
	} finally {
		sleeper.kill("SIGKILL");
	}
}

function leftOver(manager: Manager): Found[] {
	const empty = scopesOf(manager).filter(({ pids }) => pids.length === 0).length;
	return empty === 0 ? [] : [{ status: "warn", subject: "empty scopes", found: `${empty}`, advice: "empty" }];
}

function linger(system: System): Found[] {
	const user = system.env("USER");
	if (!system.env("SSH_CONNECTION") || !user || existsSync(`/var/lib/systemd/linger/${user}`)) return [];
	return [{ status: "warn", subject: "linger", found: "this user's manager ends with the last login", advice: "linger" }];
}

export const confine = check<Problem>({
	name: "tool shells",
	advice: {
		"no-manager": "nothing, where there is no systemd: tool shells run unconfined",
		"no-bus": "log in so that a user bus is started, or set XDG_RUNTIME_DIR",
		"not-moved": 'look at "systemctl --user status" and at the manager\'s journal',
		"not-enforced": "have the controllers delegated (Delegate= of user@.service), on a machine whose cgroups are all of version 2",
		override: "a drop-in confine-.scope.d of yours beats the fragment; take it away if it is not meant",
		empty: '"tmx kill --empty", or let "tmx install --monitor" do it',
		linger: '"loginctl enable-linger", or a dev server ends when you log out',
		sandbox: "run doctor outside: in a sandbox the fragment does nothing",
	},
	run({ system }) {
		if (system.platform !== "linux")
			return [{ status: "ok", subject: "systemd", found: "this system has none; tool shells run unconfined" }];
		const sandbox = SANDBOXES.find((name) => system.env(name));
		if (sandbox) return [{ status: "warn", subject: sandbox, found: "is set, so this is a sandbox", advice: "sandbox" }];
		const manager = managerOf(system.uid());
		if (manager === undefined)
			return [{ status: "warn", subject: "manager", found: "no systemd user manager stands here", advice: "no-manager" }];
		const runtime = system.env("XDG_RUNTIME_DIR") || `/run/user/${system.uid()}`;
		if (!existsSync(`${runtime}/bus`)) return [{ status: "warn", subject: "bus", found: `there is no ${runtime}/bus`, advice: "no-bus" }];
		return [...probe(manager), ...leftOver(manager), ...linger(system)];
	},
});
