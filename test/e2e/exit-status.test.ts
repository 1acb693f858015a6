// Each exit status of the contract, on the compiled binary: 0, 2, 4, 5, 126, 127.

import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { BINARY } from "../support/binary.ts";
import { type Box, makeBox, PATIENCE, policyOf, RAN, shims, stub, writePolicy } from "../support/box.ts";
import { type Env, run, shell } from "../support/shell.ts";

setDefaultTimeout(PATIENCE);

let box: Box;
let env: Env;
let directory: string;

/** Make `rm` stand for another program. */
function standsFor(exec: string): void {
	writePolicy(directory, "rm", policyOf(box, "rm", exec));
}

beforeAll(() => {
	box = makeBox();
	directory = shims(box, stub(box), ["rm"]);
	env = { PATH: directory, TMX_ROOTS: box.root, HOME: box.home };
});
afterAll(() => box.remove());

test("0: the tool's own success", async () => {
	standsFor(stub(box));
	expect(await shell("rm a", env, box.root)).toEqual({ status: 0, stdout: RAN, stderr: "" });
});

test("2: refused", async () => {
	standsFor(stub(box));
	expect((await shell("rm /", env, box.root)).status).toBe(2);
});

test("4: no other tool of that name on PATH, at once", async () => {
	standsFor("rm");
	const before = performance.now();
	const ran = await shell("rm a", { ...env, PATH: `${directory}:${directory}/` }, box.root);
	expect(performance.now() - before).toBeLessThan(10_000);
	expect(ran.status).toBe(4);
	expect(ran.stderr).toBe("tmx: rm: internal: no other rm on PATH; install it, or take the shim's directory off PATH\n");
});

test("4: the program that the policy names does not exist", async () => {
	standsFor("/no/such/rm");
	const ran = await shell("rm a", env, box.root);
	expect(ran.status).toBe(4);
	expect(ran.stderr).toBe("tmx: rm: internal: /no/such/rm, which the policy names, does not exist\n");
});

test("5: a command line that is none of ours", async () => {
	const ran = await run([BINARY, "no-such-command"], { ...env, PATH: "/usr/bin:/bin" }, box.root);
	expect(ran.status).toBe(5);
	expect(ran.stdout).toBe("");
	expect(ran.stderr).toStartWith("tmx: ");
	expect(ran.stderr).toContain(": user_error: ");
});

test("126: found but not executable", async () => {
	writeFileSync(`${box.base}/plain`, "#!/bin/sh\n");
	standsFor(`${box.base}/plain`);
	const absolute = await shell("rm a", env, box.root);
	expect(absolute.status).toBe(126);
	expect(absolute.stderr).toBe(`tmx: rm: not_runnable: ${box.base}/plain is not executable\n`);
	mkdirSync(`${box.base}/blocked`);
	writeFileSync(`${box.base}/blocked/rm`, "#!/bin/sh\n");
	standsFor("rm");
	const onPath = await shell("rm a", { ...env, PATH: `${directory}:${box.base}/blocked` }, box.root);
	expect(onPath.status).toBe(126);
});

test("127: its interpreter does not exist", async () => {
	writeFileSync(`${box.base}/orphan`, "#!/no/such/interpreter\n");
	chmodSync(`${box.base}/orphan`, 0o755);
	standsFor(`${box.base}/orphan`);
	const ran = await shell("rm a", env, box.root);
	expect(ran.status).toBe(127);
	expect(ran.stderr).toStartWith("tmx: rm: not_found: ");
});
