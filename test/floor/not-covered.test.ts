// What the floor does not cover, shown: each of these changes something outside, and the page says so.

import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, linkSync, lstatSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../support/binary.ts";
import { PATIENCE } from "../support/box.ts";
import { shell, works } from "../support/shell.ts";
import { makeStage, noFloor, type Stage, users } from "./stage.ts";

setDefaultTimeout(PATIENCE);

const page = readFileSync(join(ROOT, "src/floor/floor.md"), "utf8");

const PYTHON = "/usr/bin/python3";

/** A server that runs outside of the floor and makes a file when somebody connects. */
const SERVER = `import os, socket, sys
s = socket.socket(socket.AF_UNIX); os.chdir(sys.argv[1]); s.bind("daemon"); s.listen(1)
s.accept(); open(sys.argv[2], "w").close()`;

describe.skipIf(noFloor !== "")(`not covered (skipped where there is no floor${noFloor && `: ${noFloor}`})`, () => {
	const [user] = users as [(typeof users)[number]];
	let stage: Stage;
	let file: string;
	beforeEach(async () => {
		stage = await makeStage(user);
		file = join(stage.outside, "file");
	});
	afterEach(() => stage.remove());

	/** A line under the floor that succeeds, and that the page speaks of. */
	async function passes(line: string, said: string): Promise<void> {
		const ran = await stage.under(["/bin/sh", "-c", line], [], { O: stage.outside, I: stage.root });
		expect({ status: ran.status, stderr: ran.stderr }).toEqual({ status: 0, stderr: "" });
		expect(page).toContain(said);
	}

	test("permission bits", async () => {
		await passes("chmod 600 $O/file", "chmod");
		expect(lstatSync(file).mode & 0o777).toBe(0o600);
	});

	test.skipIf(user.uid !== 0)("the owner (for root)", async () => {
		await passes("chown 65534 $O/file", "chown");
		expect(lstatSync(file).uid).toBe(65534);
	});

	test("times", async () => {
		await passes("touch -c -d @1000 $O/file", "times");
		expect(lstatSync(file).mtimeMs).toBe(1_000_000);
	});

	test.skipIf(!works([PYTHON, "--version"]))("extended attributes", async () => {
		const probe = await stage.run([PYTHON, "-c", "import os, sys; os.setxattr(sys.argv[1], 'user.t', b'1')", join(stage.root, "mine")]);
		if (probe.status !== 0) return console.log("no extended attributes here: not shown");
		await passes(`${PYTHON} -c 'import os; os.setxattr(os.environ["O"] + "/file", "user.t", b"1")'`, "extended attributes");
		return undefined;
	});

	test("locks", async () => {
		await passes("flock -n $O/file true", "locks");
	});

	test("a descriptor that was opened before", async () => {
		const words = [
			...user.as,
			process.env.TMX_TEST_BINARY ?? join(ROOT, "dist/tmx"),
			"floor",
			"--policy",
			stage.shims,
			"--root",
			stage.root,
		];
		const line = `${words.join(" ")} -- sh -c 'echo more >&3' 3>>${file}`;
		expect((await shell(line, stage.env, stage.root)).status).toBe(0);
		expect(readFileSync(file, "utf8")).toBe("kept\nmore\n");
		expect(page).toContain("opened before");
	});

	test("another name of the same file, that was inside before", async () => {
		linkSync(file, join(stage.root, "same"));
		await passes("echo lost >$I/same", "hard link");
		expect(readFileSync(file, "utf8")).toBe("lost\n");
	});

	test.skipIf(!works([PYTHON, "--version"]))("a daemon that runs outside, by its socket", async () => {
		const made = join(stage.outside, "by-daemon");
		const server = Bun.spawn([...user.as, PYTHON, "-c", SERVER, stage.outside, made], { env: stage.env });
		while (!existsSync(join(stage.outside, "daemon"))) await Bun.sleep(10);
		await passes(`${PYTHON} -c 'import os, socket; os.chdir(os.environ["O"]); socket.socket(socket.AF_UNIX).connect("daemon")'`, "daemon");
		await server.exited;
		expect(existsSync(made)).toBe(true);
	});

	test("signals to processes outside", async () => {
		const sleeper = Bun.spawn([...user.as, "sleep", "60"], { env: stage.env });
		await passes(`kill ${sleeper.pid}`, "signals");
		await sleeper.exited;
		expect(sleeper.signalCode).toBe("SIGTERM");
	});

	test("reading", async () => {
		await passes("cat $O/file >/dev/null && ls $O >/dev/null", "Reading");
	});
});
