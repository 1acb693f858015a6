// A policy file that cannot be trusted or read ends in exit 4, and the tool does not run.

import { afterEach, beforeEach, expect, setDefaultTimeout, test } from "bun:test";
import { chmodSync, chownSync, copyFileSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { BINARY } from "../support/binary.ts";
import { type Box, type Fake, fake, makeBox, PATIENCE, policyOf, shims, writePolicy } from "../support/box.ts";
import { type Env, run, shell, works } from "../support/shell.ts";

setDefaultTimeout(PATIENCE);

const root = process.getuid?.() === 0;
const canBecomeNobody = root && works(["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "true"]);

let box: Box;
let real: Fake;
let env: Env;
let file: string;

beforeEach(() => {
	box = makeBox();
	real = fake(box, "rm");
	const directory = shims(box, real.path, ["rm"]);
	file = `${directory}/policy/rm.json`;
	env = { PATH: directory, TMX_ROOTS: box.root, HOME: box.home };
});
afterEach(() => box.remove());

/** Call rm, which must fail with these words and leave no mark. */
async function unusable(words: string): Promise<void> {
	const ran = await shell("rm a", env, box.root);
	expect(ran.stderr).toStartWith(`tmx: rm: internal: the policy ${words}`);
	expect(ran.stderr).toEndWith('; "tmx doctor" shows what is wrong\n');
	expect([ran.status, ran.stdout]).toEqual([4, ""]);
	expect(real.argv()).toBeUndefined();
}

test("text that is no JSON", async () => {
	for (const text of ["", "{", "policy", '{"format":1,}', "\0", "\xff"]) {
		writeFileSync(file, text, "latin1");
		await unusable(`file ${file} is not valid JSON`);
	}
});

test("a format that this binary does not read", async () => {
	for (const format of [0, 3, 99, "1", null, undefined]) {
		writePolicy(env.PATH as string, "rm", { ...policyOf(box, "rm", real.path), format });
		await unusable(`file ${file} has format ${format}, and this tmx reads 1 to 2`);
	}
	for (const value of [null, 1, [], "x"]) {
		writePolicy(env.PATH as string, "rm", value);
		await unusable(`file ${file} has format undefined`);
	}
});

test("a policy that lacks a field", async () => {
	for (const field of ["tool", "exec", "guardfile", "audit", "home", "uid", "gates"]) {
		writePolicy(env.PATH as string, "rm", { ...policyOf(box, "rm", real.path), [field]: undefined });
		await unusable(`file ${file} lacks a field`);
	}
});

test("a gate or a reader of another version", async () => {
	const policy = policyOf(box, "rm", real.path);
	const [gate] = policy.gates;
	writePolicy(env.PATH as string, "rm", { ...policy, gates: [{ ...gate, gate: "no-gate" }] });
	await unusable('asks for gate "no-gate", which this tmx does not have');
	writePolicy(env.PATH as string, "rm", { ...policy, gates: [{ ...gate, operands: "no-reader" }] });
	await unusable('asks for operand reader "no-reader", which this tmx does not have');
});

test("a file that group or others could have written", async () => {
	for (const mode of [0o664, 0o646, 0o666, 0o620]) {
		chmodSync(file, mode);
		await unusable(`file ${file} can be written by group or others`);
	}
	for (const mode of [0o644, 0o600, 0o400]) {
		chmodSync(file, mode);
		expect((await shell("rm a", env, box.root)).status).toBe(0);
	}
});

test.skipIf(!root)("a file of another user (skipped unless root, who alone can give a file away)", async () => {
	chownSync(file, 12345, 12345);
	await unusable(`file ${file} is owned by user 12345, neither root nor the caller`);
});

test.skipIf(!canBecomeNobody)("a policy of root's guards other users too (skipped unless root and setpriv is there)", async () => {
	copyFileSync(BINARY, `${box.base}/tmx`);
	rmSync(`${env.PATH}/rm`);
	symlinkSync(`${box.base}/tmx`, `${env.PATH}/rm`);
	chmodSync(box.base, 0o755);
	const nobody = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"];
	const call = (word: string) => run([...nobody, `${env.PATH}/rm`, word], { ...env, PATH: "/usr/bin:/bin" }, box.root);
	expect((await call("/no/such/file")).status).toBe(2);
	expect((await call("a")).stderr).not.toContain("tmx:");
});

const nobodysBox = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "unshare", "--user", "--map-root-user"];

test.skipIf(!(root && works([...nobodysBox, "true"])))(
	"a policy of root's guards in a user namespace, where every owner is hidden (skipped unless root and unshare may)",
	async () => {
		copyFileSync(BINARY, `${box.base}/tmx`);
		rmSync(`${env.PATH}/rm`);
		symlinkSync(`${box.base}/tmx`, `${env.PATH}/rm`);
		chmodSync(box.base, 0o755);
		const call = (word: string, roots: string) =>
			run([...nobodysBox, `${env.PATH}/rm`, word], { ...env, PATH: "/usr/bin:/bin", TMX_ROOTS: roots }, box.root);
		expect((await call("/no/such/file", box.root)).status).toBe(2);
		expect((await call("a", box.root)).stderr).not.toContain("tmx:");
		expect((await call("/no/such/file", "")).stderr).not.toContain("tmx:");
		chmodSync(file, 0o666);
		expect((await call("a", box.root)).stderr).toContain("can be written by group or others");
	},
);

test("a policy file that is no file", async () => {
	rmSync(file);
	mkdirSync(file);
	await unusable(`file ${file} cannot be read`);
	rmSync(file, { recursive: true });
	symlinkSync("rm.json", file);
	await unusable(`file ${file} cannot be read`);
	rmSync(file);
	expect(works(["mkfifo", "-m", "600", file])).toBe(true);
	await unusable(`file ${file} is not valid JSON`);
});

test.skipIf(root)("a policy file that this user may not read (skipped as root, who may read everything)", async () => {
	chmodSync(file, 0o000);
	await unusable(`file ${file} cannot be read`);
});
