// The same sources under Deno: explain, and a shim call through a wrapper of sh. Only sys/ has a member for it.

import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, writeFileSync } from "node:fs";
import { ROOT } from "./support/binary.ts";
import { type Box, type Fake, fake, makeBox, PATIENCE, script, shims } from "./support/box.ts";
import { records } from "./support/records.ts";
import { type Env, run, shell } from "./support/shell.ts";

setDefaultTimeout(PATIENCE);

const DENO = `${ROOT}/node_modules/.bin/deno`;
const MAIN = `${ROOT}/src/main.ts`;

let box: Box;
let real: Fake;
let env: Env;

beforeAll(() => {
	box = makeBox();
	real = fake(box, "rm");
	const policies = shims(box, real.path, ["rm"]);
	script(`${box.base}/deno/rm`, `exec "${DENO}" run -A "${MAIN}" shim ${policies}/rm "$@"`);
	env = { PATH: `${box.base}/deno:/usr/bin:/bin`, TMX_ROOTS: box.root, HOME: box.home, DENO_DIR: `${box.base}/cache`, O: box.outside };
	writeFileSync(`${box.outside}/f`, "kept");
});
afterAll(() => box.remove());

test("explain shows the verdict", async () => {
	const explain = (more: Env) => run([DENO, "run", "-A", MAIN, "explain", "--", "rm", "/etc/passwd"], { ...env, ...more }, box.root);
	const refused = await explain({});
	expect(refused.stderr).toBe("");
	expect(refused.status).toBe(2);
	expect(refused.stdout).toContain("refused");
	expect(refused.stdout).toContain("it is outside the session's directories");
	const inert = await explain({ TMX_ROOTS: "" });
	expect(inert.status).toBe(0);
	expect(inert.stdout).toContain("inert");
});

test("a shim call that leads outside is refused", async () => {
	const ran = await shell("rm -f $O/f", env, box.root);
	expect(ran.stderr).toStartWith(`tmx: rm: policy_denied: ${box.outside}/f: `);
	expect([ran.status, ran.stdout]).toEqual([2, ""]);
	expect(real.argv()).toBeUndefined();
	expect(existsSync(`${box.outside}/f`)).toBe(true);
});

test("one that stays inside becomes the tool, with the same bytes", async () => {
	expect(await shell("rm -f -- a 'b c' '' $'\\xff'", env, box.root)).toEqual({ status: 0, stdout: "", stderr: "" });
	expect(real.argv()).toEqual(["-f", "--", "a", "b c", "", "\xff"]);
	expect(records(box.audit).map(({ decision }) => decision)).toEqual(["reject", "accept"]);
});
