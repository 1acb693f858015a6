// Working directories that are gone, too deep for a path, or closed: the tool still runs there, and what leads out is still refused.

import { afterEach, beforeEach, expect, setDefaultTimeout, test } from "bun:test";
import { chmodSync, chownSync, copyFileSync, mkdirSync, rmSync, symlinkSync } from "node:fs";
import { BINARY } from "../support/binary.ts";
import { type Box, makeBox, PATIENCE, RAN, shims, stub } from "../support/box.ts";
import { type Env, type Ran, run, shell, works } from "../support/shell.ts";

setDefaultTimeout(PATIENCE);

let box: Box;
let env: Env;

beforeEach(() => {
	box = makeBox();
	env = { PATH: shims(box, stub(box), ["rm", "mv", "tee", "mkdir"]), TMX_ROOTS: box.root, HOME: box.home, O: box.outside, R: box.root };
	for (const directory of [box.root, box.outside]) mkdirSync(`${directory}/gone`);
});
afterEach(() => box.remove());

/** The stub is a script, and its shell may say that it does not know where it is. */
const ranTool = ({ status, stdout }: Ran) => status === 0 && stdout === RAN;

test("in a deleted directory an absolute path inside is allowed and one outside refused", async () => {
	expect(ranTool(await shell("cd gone && /bin/rmdir $R/gone && rm $R/a", env, box.root))).toBe(true);
	const outside = await shell("cd $O/gone && /bin/rmdir $O/gone && rm $O/f", env, box.root);
	expect(outside.status).toBe(2);
});

test("from a deleted directory the kernel still reaches its parent, and so does the verdict", async () => {
	const { status, stderr } = await shell("cd $O/gone && /bin/rmdir $O/gone && rm ../f", env, box.root);
	expect(status).toBe(2);
	expect(stderr).toStartWith("tmx: rm: policy_denied: ");
});

test("a name in a deleted directory names nothing, whichever way it is judged", async () => {
	const ran = await shell("cd gone && /bin/rmdir $R/gone && rm a", env, box.root);
	expect(ranTool(ran) || ran.status === 2).toBe(true);
	expect((await shell("cd $O/gone && /bin/rmdir $O/gone && rm a", env, box.root)).status).toBe(2);
});

test("in a directory whose path is longer than the kernel takes, a name is judged as everywhere", async () => {
	const deep = "for k in {1..30}; do /bin/mkdir $N; cd $N; done 2>/dev/null";
	const there = (line: string, from = "$R") => shell(`cd ${from}; ${deep}; ${line}`, { ...env, N: "n".repeat(200) }, box.root);
	for (const line of ["rm a", "rm -r $R/a", "rm ../b", "mv a b", "tee new", ">old; tee old", "mkdir -p n/m"])
		expect(ranTool(await there(line)), line).toBe(true);
	const out = await there("rm a", "$O");
	expect(out.status).toBe(2);
	expect(out.stderr).toMatch(/: a: it is outside the session's directories; .*\n {2}remove a: is \S{200,}\.\.\. \(\d+ bytes\),/);
	for (const line of ["rm $O/f", "/bin/ln -s $O/new l; tee l", "/bin/ln -s $O ld; rm ld/f", "/bin/ln -s $O ld; mv a ld"])
		expect((await there(line)).status, line).toBe(2);
});

test("a file whose name ends as the kernel marks deleted ones is no deleted one", async () => {
	const line = (name: string) => `>"${name}"; exec 9<"${name}"; tee /dev/fd/9`;
	expect(ranTool(await shell(line("$R/f (deleted)"), env, box.root))).toBe(true);
	expect((await shell(line("$O/f (deleted)"), env, box.root)).status).toBe(2);
	expect(ranTool(await shell(">$O/g; exec 9<$O/g; /bin/rm $O/g; tee /dev/fd/9", env, box.root))).toBe(true);
	// With a second name left it is still somebody's file.
	const second = ">$O/g; /bin/ln $O/g $O/h; exec 9<$O/g; /bin/rm $O/g; tee /dev/fd/9";
	expect((await shell(second, env, box.root)).status).toBe(2);
});

/** How root becomes somebody whom permissions hold. */
const NOBODY = process.getuid?.() === 0 ? [Bun.which("setpriv") ?? "setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] : [];

test.skipIf(!works([...NOBODY, "true"]))(
	"in a directory that may not be searched the tool itself says so (skipped as root without setpriv)",
	async () => {
		copyFileSync(BINARY, `${box.base}/tmx`);
		rmSync(`${env.PATH}/rm`);
		symlinkSync(`${box.base}/tmx`, `${env.PATH}/rm`);
		mkdirSync(`${box.root}/closed`);
		chmodSync(`${box.root}/closed`, 0o777);
		chmodSync(box.base, 0o755);
		const call = (line: string) => {
			// An ordinary user cannot even start there once it is closed.
			chmodSync(`${box.root}/closed`, 0o777);
			return run([...NOBODY, "/bin/bash", "-c", `exec 2>&1; /bin/chmod 0 . ; ${line}`], env, `${box.root}/closed`);
		};
		if (NOBODY.length > 0) chownSync(`${box.root}/closed`, 65534, 65534);
		for (const word of ["a", "./a", "../a"]) expect((await call(`rm ${word}`)).stdout).not.toContain("tmx:");
		const out = await call("rm $O/f");
		chmodSync(`${box.root}/closed`, 0o700);
		expect(out.status).toBe(2);
	},
);

test("what PWD says does not matter", async () => {
	expect((await shell("cd $O && PWD=$R rm f", env, box.root)).status).toBe(2);
	expect(ranTool(await shell("PWD=$O rm a", env, box.root))).toBe(true);
	expect(ranTool(await shell("unset PWD OLDPWD; rm a", env, box.root))).toBe(true);
});
