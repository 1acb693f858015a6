// What another program starts under the shim directory is judged by the shim: real tools, in a tree of their own.

import { afterEach, beforeEach, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, lstatSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { type Box, makeBox, PATIENCE, shims } from "../support/box.ts";
import { records } from "../support/records.ts";
import { type Env, type Ran, shell, works } from "../support/shell.ts";

setDefaultTimeout(PATIENCE);

const SYSTEM = "/usr/bin:/bin";
const hasMake = works(["make", "--version"]);

let box: Box;
let env: Env;

beforeEach(() => {
	box = makeBox();
	// Only rm has a shim, so that nothing but rm's own verdict is seen.
	env = { PATH: `${shims(box, "", ["rm"])}:${SYSTEM}`, TMX_ROOTS: box.root, HOME: box.home, O: box.outside, R: box.root };
	mkdirSync(`${box.root}/d`);
	for (const path of [`${box.root}/d/x`, `${box.root}/a`, `${box.outside}/f`]) writeFileSync(path, "");
});
afterEach(() => box.remove());

/** A call that reaches outside: the file there stays, and the shim of rm said why. */
async function refused(line: string): Promise<Ran> {
	const ran = await shell(line, env, box.root);
	expect(existsSync(`${box.outside}/f`), line).toBe(true);
	expect(ran.stderr, line).toContain("tmx: rm: policy_denied: ");
	expect(records(box.audit).at(-1), line).toMatchObject({ decision: "reject", tool: "rm" });
	return ran;
}

/** A call that stays inside: the file goes. */
async function removed(line: string, path: string): Promise<void> {
	const ran = await shell(line, env, box.root);
	expect(ran, line).toMatchObject({ status: 0, stderr: "" });
	expect(existsSync(`${box.root}/${path}`), line).toBe(false);
}

test("find -exec, with ; and with +, and -execdir", async () => {
	expect((await refused("find $O -name f -exec rm {} +")).status).toBe(1);
	await refused("find $O -name f -exec rm {} ';'");
	await refused("find $O -name f -execdir rm {} ';'");
	await removed("find . -name x -exec rm {} +", "d/x");
});

test("xargs", async () => {
	expect((await refused("printf '%s\\0' $O/f | xargs -0 rm")).status).toBe(123);
	await removed("printf '%s\\n' d/x | xargs rm", "d/x");
});

test("sh -c, env, nice, a subshell, a function and a script", async () => {
	expect((await refused("sh -c 'rm -f $O/f'")).status).toBe(2);
	await refused("env rm $O/f");
	await refused("nice rm $O/f");
	await refused("(cd $O && rm f)");
	await refused("clean() { command rm -r $O; }; clean");
	writeFileSync(`${box.root}/clean.sh`, "rm -rf $O/f\n");
	await refused("bash clean.sh");
	await removed("sh -c 'rm -f a'", "a");
});

test.skipIf(!hasMake)("make clean (skipped where make is not installed)", async () => {
	writeFileSync(`${box.root}/Makefile`, "outside:\n\trm -f $(O)/f\nclean:\n\t@rm -rf d\n");
	expect((await refused("make outside")).stderr).toContain("Error 2");
	await removed("make clean", "d");
});

test("a program of another language", async () => {
	const program = "require('child_process').execFileSync('rm', [process.env.O + '/f'])";
	writeFileSync(`${box.root}/clean.cjs`, program);
	await refused(`"${process.execPath}" clean.cjs`);
});

test("a find that has a shim itself refuses before anything is removed", async () => {
	env.PATH = `${shims(box, "", ["rm", "find"], "both")}:${SYSTEM}`;
	const ran = await shell("find d $O -name '[xf]' -delete", env, box.root);
	expect(ran.status).toBe(2);
	for (const path of [`${box.root}/d/x`, `${box.outside}/f`]) expect(existsSync(path)).toBe(true);
	await removed("find d -name x -exec rm {} +", "d/x");
	expect(records(box.audit).map(({ tool }) => tool)).toEqual(["find", "find", "rm"]);
});

test("a find reads the tools that it runs, whether they are guarded or not", async () => {
	env.PATH = `${shims(box, "", ["find"], "find")}:${SYSTEM}`;
	symlinkSync(`${box.outside}/f`, `${box.root}/d/l`);
	expect((await shell("find . -name l -exec touch {} +", env, box.root)).status).toBe(2);
	expect((await shell("find d -exec cp $O/f copy ';' -name l -exec rm {} +", env, box.root)).status).toBe(0);
	expect(existsSync(`${box.root}/copy`)).toBe(true);
	expect(existsSync(`${box.outside}/f`)).toBe(true);
	expect(lstatSync(`${box.root}/d/l`, { throwIfNoEntry: false })).toBeUndefined();
});
