// What a refusal is: nothing runs, one record says so, and the message tells what, where and what next.

import { afterEach, beforeEach, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { type Box, type Fake, fake, makeBox, PATIENCE, policyOf, shims, writePolicy } from "../support/box.ts";
import { records } from "../support/records.ts";
import { type Env, shell } from "../support/shell.ts";

setDefaultTimeout(PATIENCE);

let box: Box;
let real: Fake;
let env: Env;

beforeEach(() => {
	box = makeBox();
	real = fake(box, "rm");
	env = { PATH: shims(box, real.path, ["rm", "mv"]), TMX_ROOTS: box.root, HOME: box.home, O: box.outside, R: box.root };
	writeFileSync(`${box.outside}/f`, "kept");
	writeFileSync(`${box.root}/a`, "");
});
afterEach(() => box.remove());

test("a refused call runs nothing and exits 2", async () => {
	const ran = await shell("rm -f a $O/f", env, box.root);
	expect(ran.status).toBe(2);
	expect(ran.stdout).toBe("");
	expect(real.argv()).toBeUndefined();
	expect(existsSync(`${box.root}/a`)).toBe(true);
	expect(existsSync(`${box.outside}/f`)).toBe(true);
});

test("an allowed call becomes the tool, with the tool's own exit status", async () => {
	const ran = await shell("rm -f a", env, box.root);
	expect(ran).toEqual({ status: 0, stdout: "", stderr: "" });
	expect(real.argv()).toEqual(["-f", "a"]);
	for (const status of [1, 7, 255]) {
		writeFileSync(real.path, `#!/bin/sh\nexit ${status}\n`);
		expect((await shell("rm a", env, box.root)).status).toBe(status);
	}
});

test("the message names the operand, where it leads, the roots, the rule and what to do", async () => {
	symlinkSync(box.outside, `${box.root}/ld`);
	const policy = policyOf(box, "rm", real.path);
	for (const { settings } of policy.gates) settings.reason = ["ask Kai"];
	writePolicy(env.PATH as string, "rm", policy);
	const { stderr } = await shell("rm a ld/f", env, box.root);
	const { base, root, outside } = box;
	expect(stderr.replaceAll(base, "B")).toBe(
		[
			"tmx: rm: policy_denied: ld/f: it is outside the session's directories; nothing was run",
			"  remove ld/f: is B/O/f through the link B/R/ld -> B/O, it is outside the session's directories",
			"  allowed: B/R (TMX_ROOTS)",
			"  rule: B/test.kdl:3, paths-within",
			"  next: name a path below B/R, or ask the person whose machine this is",
			"  ask Kai",
			"",
		].join("\n"),
	);
	expect([root, outside]).toEqual([`${base}/R`, `${base}/O`]);
});

test("the first five refused operands are named, the others are counted", async () => {
	const { stderr } = await shell("rm $O/1 $O/2 a $O/3 $O/4 $O/5 $O/6 $O/7", env, box.root);
	for (const k of [1, 2, 3, 4, 5]) expect(stderr).toContain(`  remove ${box.outside}/${k}:`);
	expect(stderr).not.toContain(`remove ${box.outside}/6`);
	expect(stderr).toContain("  and 2 more\n");
});

test("dropped roots are named with the reason", async () => {
	const { stderr, status } = await shell("rm a", { ...env, TMX_ROOTS: `/:${box.home}:relative:/no/such` }, box.root);
	expect(status).toBe(2);
	expect(stderr).toContain("  allowed: nothing\n");
	expect(stderr).toContain("  / (TMX_ROOTS) does not count: it is the whole machine\n");
	expect(stderr).toContain(`  ${box.home} (TMX_ROOTS) does not count: it is the home directory\n`);
	expect(stderr).toContain("  relative (TMX_ROOTS) does not count: it is relative");
	expect(stderr).toContain("  /no/such (TMX_ROOTS) does not count: there is no such directory\n");
});

test("a variable that names no directory that counts is to be corrected, also where other roots are left", async () => {
	const policy = policyOf(box, "rm", real.path);
	for (const { settings } of policy.gates) settings.root = [box.root];
	writePolicy(env.PATH as string, "rm", policy);
	const { stderr } = await shell("rm $O/f", { ...env, TMX_ROOTS: box.home }, box.root);
	expect(stderr).toContain(
		`next: name a path below ${box.root}, or ask the person whose machine this is to correct TMX_ROOTS, which names no directory that counts\n`,
	);
});

test("an option that is not known is judged as if it named a file, and the text says so", async () => {
	const { stderr, status } = await shell("rm --new-option=$O/f a", env, box.root);
	expect(status).toBe(2);
	expect(stderr).toContain(`not understood, so every word was judged: --new-option=${box.outside}/f\n`);
});

test("one record a verdict, none while the gate is inert", async () => {
	await shell("rm a", { ...env, TMX_ROOTS: undefined }, box.root);
	expect(records(box.audit)).toEqual([]);
	await shell("rm a; rm -f $O/f", env, box.root);
	const [accept, reject] = records(box.audit);
	expect(records(box.audit)).toHaveLength(2);
	expect(accept).toMatchObject({ decision: "accept", door: "shim", tool: "rm", argv: ["rm", "a"], cwd: box.root, gate: "paths-within" });
	expect(reject).toMatchObject({
		decision: "reject",
		argv: ["rm", "-f", `${box.outside}/f`],
		operands: [{ text: `${box.outside}/f`, role: "removed", resolved: `${box.outside}/f` }],
		reason: "it is outside the session's directories",
	});
});

test("a message deceives no terminal", async () => {
	mkdirSync(`${box.outside}/x`);
	const { stderr } = await shell("rm $O/$'\\e[2J\\xff\\n'", env, box.root);
	expect(stderr).toContain(`$'${box.outside}/\\x1b[2J\\xff\\n'`);
	expect(stderr).not.toContain("\u001b");
});

test("a very long operand is shown by its beginning, with its length", async () => {
	const name = `é${"n".repeat(3000)}`;
	const { stderr } = await shell(`rm $O/${name}`, env, box.root);
	const [line = ""] = Buffer.from(stderr, "latin1").toString().split("\n");
	expect(line).toStartWith(`tmx: rm: policy_denied: ${box.outside}/én`);
	expect(line).toEndWith(`n... (${box.outside.length + 3003} bytes): it is outside the session's directories; nothing was run`);
	expect(stderr.length).toBeLessThan(1200);
});
