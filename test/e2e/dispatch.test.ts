// Which tool the binary is: the executed file's name and directory say so, whatever argv[0] claims.

import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { copyFileSync, linkSync, mkdirSync, renameSync, symlinkSync } from "node:fs";
import { BINARY } from "../support/binary.ts";
import { type Box, makeBox, PATIENCE, policyOf, RAN, shims, stub, writePolicy } from "../support/box.ts";
import { type Env, run, shell } from "../support/shell.ts";

setDefaultTimeout(PATIENCE);

let box: Box;
let env: Env;
let directory: string;

const refused = (stderr: string) => stderr.startsWith("tmx: rm: policy_denied: ");

/** Expect a way of calling rm to be its shim: it refuses what is outside and runs what is not. */
async function isShim(call: string, cwd = box.root): Promise<void> {
	const outside = await shell(`${call} $O/f`, env, cwd);
	expect([outside.status, outside.stdout, refused(outside.stderr)]).toEqual([2, "", true]);
	expect(await shell(`${call} $R/a`, env, cwd)).toEqual({ status: 0, stdout: RAN, stderr: "" });
}

beforeAll(() => {
	box = makeBox();
	directory = shims(box, stub(box), ["rm"]);
	env = { PATH: directory, TMX_ROOTS: box.root, HOME: box.home, S: directory, O: box.outside, R: box.root, B: box.base, T: BINARY };
	// Copies that hard links can be made of: links reach neither another file system nor another user's file.
	mkdirSync(`${box.base}/hard`);
	copyFileSync(BINARY, `${box.base}/hard/tmx`);
	linkSync(`${box.base}/hard/tmx`, `${box.base}/hard/rm`);
	writePolicy(`${box.base}/hard`, "rm", policyOf(box, "rm", `${box.base}/real/gnu`));
});
afterAll(() => box.remove());

test("a symbolic link by its name, by an absolute and by a relative path", async () => {
	await isShim("rm");
	await isShim("$S/rm");
	await isShim("./shims/rm", box.base);
	await isShim("../shims/./rm");
	await isShim("PATH=../shims rm");
	await isShim("cd $S && PATH=: rm");
});

test("a hard link", async () => {
	await isShim("$B/hard/rm");
	await isShim("cd $B/hard && ./rm");
});

test("a copy under the tool's name", async () => {
	mkdirSync(`${box.base}/copy`);
	renameSync(`${box.base}/hard/tmx`, `${box.base}/copy/rm`);
	writePolicy(`${box.base}/copy`, "rm", policyOf(box, "rm", `${box.base}/real/gnu`));
	await isShim("$B/copy/rm");
});

test("a link to a shim brings its own directory's policy, which here is missing", async () => {
	mkdirSync(`${box.base}/far/policy`, { recursive: true });
	symlinkSync(`${directory}/rm`, `${box.base}/far/rm`);
	const ran = await shell("$B/far/rm $R/a", env, box.root);
	expect(ran.status).toBe(4);
	expect(ran.stderr).toStartWith(`tmx: rm: internal: there is no policy for rm in ${box.base}/far/policy`);
});

test("argv[0] cannot talk a shim out of being one", async () => {
	for (const lie of ["tmx", "/bin/rm", "ls", "''", "-rm", '"$T"']) await isShim(`exec -a ${lie} rm`);
});

test("argv[0] makes no shim of the command line", async () => {
	const ran = await shell('exec -a rm "$T" --version', env, box.root);
	expect(ran.status).toBe(0);
	expect(ran.stdout).toMatch(/^tmx \d+\.\d+\.\d+|^\d+\.\d+\.\d+/);
});

test("a descriptor has no name of its own, so there argv[0] counts", async () => {
	await isShim("exec 9<$S/rm; exec -a $S/rm /proc/self/fd/9");
});

test("the tool keeps the argv[0] that it was called by", async () => {
	writePolicy(directory, "rm", policyOf(box, "rm", "/bin/bash"));
	const ran = await shell(
		"exec -a some-name rm -c 'echo $0 $BASH_ARGV0; exec cat /proc/$$/cmdline'",
		{ ...env, TMX_ROOTS: undefined },
		"/",
	);
	writePolicy(directory, "rm", policyOf(box, "rm", `${box.base}/real/gnu`));
	expect(ran.stdout).toStartWith("some-name");
});

test("a link to a shim from another directory has the shim's policy, also through links of other names", async () => {
	const elsewhere = `${box.base}/elsewhere/bin`;
	mkdirSync(elsewhere, { recursive: true });
	symlinkSync(`${directory}/rm`, `${elsewhere}/rm`);
	symlinkSync("../elsewhere/bin/rm", `${box.base}/elsewhere/del`);
	symlinkSync("elsewhere/del", `${box.base}/gone`);
	for (const name of [`${elsewhere}/rm`, `${box.base}/elsewhere/del`, `${box.base}/gone`]) {
		const refused = await run([name, `${box.outside}/f`], env, box.root);
		expect([name, refused.status]).toEqual([name, 2]);
		expect(refused.stderr).toContain("test.kdl:");
		expect((await run([name, "a"], env, box.root)).stdout).toBe(RAN);
	}
});

test("without a policy beside the shim the guardfile in the binary applies", async () => {
	mkdirSync(`${box.base}/alone`);
	for (const name of ["rm", "cp", "ls"]) symlinkSync(BINARY, `${box.base}/alone/${name}`);
	const path = `${box.base}/alone:${box.base}/tools`;
	for (const name of ["rm", "cp"]) {
		mkdirSync(`${box.base}/tools`, { recursive: true });
		symlinkSync(`${box.base}/real/gnu`, `${box.base}/tools/${name}`);
	}
	const call = (argv: string[], roots?: string) => run(argv, { PATH: path, HOME: box.home, TMX_ROOTS: roots }, box.root);
	expect((await call(["rm", "/no/such/file"], box.root)).status).toBe(2);
	expect((await call(["rm", "/no/such/file"], box.root)).stderr).toContain("default.kdl:");
	expect((await call(["rm", "a"], box.root)).stdout).toBe(RAN);
	expect((await call(["rm", "/no/such/file"])).stdout).toBe(RAN);
	// A wrap without `replace` gets no link, and one that somebody makes is its shim.
	expect((await call(["cp", "a", "/no/such/file"], box.root)).status).toBe(2);
	expect((await call(["ls"], box.root)).status).toBe(4);
});
