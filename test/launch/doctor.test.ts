// tmx doctor within a session: the agent's own shells are asked, its hook on the command line is tried, and all of it stands.

import { afterEach, beforeEach, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { BINARY } from "../support/binary.ts";
import { PATIENCE, script } from "../support/box.ts";
import { makeSessions, runIn, type Sessions } from "../support/session.ts";

setDefaultTimeout(PATIENCE);

let sessions: Sessions;
beforeEach(() => {
	sessions = makeSessions();
});
afterEach(() => sessions.remove());

interface Line {
	check: string;
	status: string;
	subject: string;
	found: string;
}

/** What doctor finds in a session whose COMMAND goes by an agent's name. */
function inSession(agent: string, options: string[] = []): { lines: Line[]; status: number } {
	const program = script(join(sessions.box.base, "agents", agent), `exec '${BINARY}' doctor --agent ${agent} --json`);
	const { status, stdout } = sessions.wrap(options, [program]);
	return {
		lines: stdout
			.trim()
			.split("\n")
			.map((line) => JSON.parse(line) as Line),
		status,
	};
}

for (const agent of ["claude", "codex", "gemini"]) {
	test(`${agent}: every shell runs the shims, and the hook refuses what it must`, () => {
		const { lines, status } = inSession(agent);
		expect(lines.filter(({ status }) => status === "fail")).toEqual([]);
		const shells = lines.filter(({ check }) => check === "agents' shells");
		expect(shells.length).toBeGreaterThan(1);
		for (const { found } of shells) expect(found).toEndWith("runs the shims: find mv rm");
		expect(lines.filter(({ check, found }) => check === "agents" && found.includes("as it must"))).toHaveLength(2);
		expect(status).toBe(0);
	});
}

test("copilot: what nothing of ours reaches is said, and so is that it has no hook", () => {
	const { lines, status } = inSession("copilot");
	const beyond = lines.filter(({ check, status }) => check === "agents' shells" && status === "warn");
	expect(beyond.map(({ subject }) => subject)).toEqual(["find", "mv", "rm"]);
	expect(lines.find(({ check, status }) => check === "agents" && status === "fail")?.found).toBe("no hook of tmx is set up");
	expect(status).toBe(4);
});

test("with --no-hook the hook is missed", () => {
	const { lines } = inSession("claude", ["--no-hook"]);
	expect(lines.filter(({ status }) => status === "fail").map(({ check }) => check)).toEqual(["agents"]);
});

test("outside of a session a PATH that a login shell sets anew is found out", () => {
	const env = { ...sessions.env, PATH: `${sessions.policy}:${sessions.env.PATH}`, TMX_ROOTS: sessions.box.root };
	const { stdout } = runIn(["doctor", "--agent", "codex", "--json"], env, sessions.box.root);
	const lines = stdout
		.trim()
		.split("\n")
		.map((line) => JSON.parse(line) as Line);
	const shells = lines.filter(({ check }) => check === "agents' shells");
	expect(shells[0]).toMatchObject({ status: "ok" });
	expect(shells.filter(({ status }) => status === "fail").length).toBeGreaterThan(0);
});
