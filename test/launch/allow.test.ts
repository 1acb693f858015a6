// tmx allow: a person widens a session that runs, from a terminal of their own; nobody else does.

import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { BINARY } from "../support/binary.ts";
import { PATIENCE } from "../support/box.ts";
import { makeSessions, type Ran, runIn, type Sessions } from "../support/session.ts";

setDefaultTimeout(PATIENCE);

let sessions: Sessions;
beforeEach(() => {
	sessions = makeSessions();
});
afterEach(() => sessions.remove());

/** Without script(1) nobody has a terminal here. */
const terminal = Bun.which("script") !== null;

/** A session in which bash reads commands from us. */
function start() {
	const child = Bun.spawn([BINARY, "wrap", "--policy", sessions.policy, "--", "bash"], {
		env: sessions.env,
		cwd: sessions.box.root,
		stdin: "pipe",
		stdout: "pipe",
		stderr: "pipe",
	});
	const lines = child.stdout.getReader();
	const decoder = new TextDecoder();
	/** Run one command; what it printed. */
	const says = async (command: string): Promise<string> => {
		child.stdin.write(`{ ${command}; } 2>&1; echo "=$?"\n`);
		child.stdin.flush();
		for (let text = ""; ; ) {
			const { value } = await lines.read();
			text += decoder.decode(value);
			if (/=\d+\n$/.test(text)) return text;
		}
	};
	/** Other tests may have sessions of this user, too. */
	const id = async () => (await says('basename "$TMX_SESSION"')).split("\n")[0] ?? "";
	const end = async () => {
		child.stdin.end();
		await child.exited;
	};
	return { says, id, end };
}

/** Run the binary on a terminal of its own. */
function onTerminal(words: string[]): Ran {
	const command = [BINARY, ...words].map((word) => `'${word}'`).join(" ");
	const { exitCode, stdout } = Bun.spawnSync(["script", "-qec", command, "/dev/null"], {
		env: sessions.env,
		cwd: sessions.box.root,
		stdin: null,
	});
	return { status: exitCode, stdout: stdout.toString().replaceAll("\r\n", "\n"), stderr: "" };
}

const records = () =>
	readFileSync(sessions.box.audit, "utf8")
		.trim()
		.split("\n")
		.map((line) => JSON.parse(line) as { door: string; decision: string; argv: string[]; session: string })
		.filter(({ door }) => door === "person");

describe.skipIf(!terminal)("from a terminal (skipped without script(1))", () => {
	test("the refusal says how, and it works at once, for the session that is meant alone", async () => {
		const { box, keep } = sessions;
		const [one, other] = [start(), start()];
		const refusal = await one.says(`rm ${keep}`);
		const advice = /in another terminal: tmx (allow) DIR (--session) (\S+)/.exec(refusal)?.slice(1) ?? [];
		const [verb = "", option = "", id = ""] = advice;
		const said = onTerminal([verb, box.outside, option, id]);
		expect([said.status, said.stdout]).toEqual([0, `session ${id} may now change ${box.outside}\n`]);
		expect(await other.says(`rm ${keep}`)).toContain("policy_denied");
		expect(await one.says(`rm ${keep}`)).toBe("=0\n");
		expect(existsSync(keep)).toBe(false);
		expect(records()).toMatchObject([{ decision: "accept", argv: ["allow", box.outside], session: id }]);
		await Promise.all([one.end(), other.end()]);
	});

	test("of a directory that is opened what is in it may go; it goes itself when one that holds it is opened", async () => {
		const { box } = sessions;
		const inner = join(box.outside, "inner");
		mkdirSync(join(inner, "d"), { recursive: true });
		const session = start();
		const id = await session.id();
		onTerminal(["allow", inner, "--session", id]);
		expect(await session.says(`rm -r ${inner}/d`)).toBe("=0\n");
		const refusal = await session.says(`rm -r ${inner}`);
		expect(refusal).toContain(`next: name what is in ${inner}, and not the directory itself, or ask the person whose machine this is\n`);
		onTerminal(["allow", box.outside, "--session", id]);
		expect(await session.says(`rm -r ${inner}`)).toBe("=0\n");
		expect(await session.says(`rm -r ${box.root}`)).toContain("it is one of the session's directories itself");
		await session.end();
	});

	test("twice says so and changes nothing; below what is allowed as well", async () => {
		const { box } = sessions;
		const session = start();
		const id = await session.id();
		mkdirSync(join(box.outside, "d"));
		expect(onTerminal(["allow", box.outside, "--session", id]).stdout).toContain("may now change");
		expect(onTerminal(["allow", join(box.outside, "d"), "--session", id]).stdout).toContain("could change");
		await session.end();
	});

	test("several sessions are listed where none is named", async () => {
		const running = [start(), start()];
		for (const { says } of running) await says("true");
		const { status, stdout } = onTerminal(["allow", sessions.box.outside]);
		expect(status).toBe(5);
		for (const name of sessions.names()) expect(stdout).toContain(`${name} (bash, in ${sessions.box.root})`);
		const listed = runIn(["allow", "--list", "--json"], sessions.env, sessions.box.root).stdout.trim().split("\n");
		const names = listed.map((line) => (JSON.parse(line) as { session: string }).session);
		for (const name of sessions.names()) expect(names).toContain(name);
		for (const { end } of running) await end();
		const [gone = ""] = sessions.names();
		expect(onTerminal(["allow", sessions.box.outside, "--session", gone]).stdout).toMatch(/there is no session|no session runs/);
	});

	const REFUSED: [directory: string, why: string][] = [
		["/", "it is the whole machine"],
		["%H", "it is the home directory"],
		["/nowhere", "there is no such directory"],
	];
	for (const [directory, why] of REFUSED) {
		test(`${directory} does not count, and the attempt is recorded`, async () => {
			const session = start();
			const { status, stdout } = onTerminal(["allow", directory.replace("%H", sessions.box.home), "--session", await session.id()]);
			expect([status, stdout.includes(why)]).toEqual([5, true]);
			expect(records()).toMatchObject([{ decision: "reject" }]);
			await session.end();
		});
	}

	test("twenty at once are all in it afterwards", async () => {
		const { box } = sessions;
		const session = start();
		const id = await session.id();
		const names = Array.from({ length: 20 }, (_, k) => join(box.outside, `d${k}`));
		for (const name of names) mkdirSync(name);
		const all = names.map((name) => {
			return Bun.spawn(["script", "-qec", `'${BINARY}' allow ${name} --session ${id}`, "/dev/null"], {
				env: sessions.env,
				cwd: box.root,
				stdin: null,
			}).exited;
		});
		expect(await Promise.all(all)).toEqual(names.map(() => 0));
		expect(await session.says(`rm -r ${names.map((name) => `${name}/x`).join(" ")}`)).not.toContain("policy_denied");
		await session.end();
	});
});

describe("nobody else", () => {
	test("without a terminal", async () => {
		const session = start();
		await session.says("true");
		const { exitCode, stderr } = Bun.spawnSync(["setsid", BINARY, "allow", sessions.box.outside], {
			env: sessions.env,
			stdin: null,
			stderr: "pipe",
		});
		expect(exitCode).toBe(2);
		expect(stderr.toString()).toContain("there is no terminal here");
		await session.end();
	});

	test("from within, also on a terminal that it made, and with another environment; each attempt is recorded", async () => {
		const { box, keep } = sessions;
		const session = start();
		const call = `'${BINARY}' allow ${box.outside}`;
		for (const line of [
			call,
			`script -qec "${call}" /dev/null </dev/null`,
			`env -i ${call}`,
			`env -i XDG_RUNTIME_DIR=/tmp setsid ${call}`,
		]) {
			expect(await session.says(line)).toContain("a session does not widen itself");
		}
		expect(await session.says(`rm ${keep}`)).toContain("policy_denied");
		expect(records().map(({ decision }) => decision)).toEqual(["reject", "reject", "reject", "reject"]);
		await session.end();
	});
});
