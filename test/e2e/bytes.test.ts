// Names as the kernel has them: not UTF-8, with newlines, empty, very long, very many; to the tool, in judging and in the audit.

import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { fromText } from "../../src/policy/bytes.ts";
import { type Box, type Fake, fake, makeBox, PATIENCE, shims } from "../support/box.ts";
import { auditLines, records } from "../support/records.ts";
import { type Env, shell } from "../support/shell.ts";

setDefaultTimeout(PATIENCE);

let box: Box;
let real: Fake;
let env: Env;

beforeAll(() => {
	box = makeBox();
	real = fake(box, "rm");
	env = { PATH: shims(box, real.path, ["rm"]), TMX_ROOTS: box.root, HOME: box.home, O: box.outside, LC_ALL: "C" };
});
afterAll(() => box.remove());

test("every byte but NUL and the slash reaches the tool as it is", async () => {
	const bytes = Array.from({ length: 255 }, (_, k) => k + 1).filter((byte) => byte !== 0x2f);
	const word = bytes.map((byte) => `\\x${byte.toString(16).padStart(2, "0")}`).join("");
	expect((await shell(`rm $'${word}'`, env, box.root)).status).toBe(0);
	expect(real.argv()).toEqual([String.fromCharCode(...bytes)]);
});

test("a long text becomes its bytes, and a byte that is no UTF-8 itself", () => {
	const text = "é€😀a".repeat(5000);
	const bytes = Buffer.from(text).toString("latin1");
	expect(fromText(text) === bytes).toBe(true);
	expect(fromText(`${text}\udcff${text}`) === `${bytes}\xff${bytes}`).toBe(true);
});

test("a record holds a name that is not UTF-8 so that it comes back", async () => {
	await shell("rm $'\\xff\\xc3(é\\n' $'\\xed\\xa0\\x80'", env, box.root);
	const argv = records(box.audit).at(-1)?.argv.map(fromText);
	expect(argv).toEqual(["rm", "\xff\xc3(\xc3\xa9\n", "\xed\xa0\x80"]);
	expect(auditLines(box.audit).at(-1)).toContain("\\udcff");
});

test("a refusal names such a file so that it can be typed", async () => {
	const { stderr, status } = await shell("rm $O/$'\\xff'", env, box.root);
	expect(status).toBe(2);
	expect(stderr).toContain(`$'${box.outside}/\\xff'`);
	expect(fromText(records(box.audit).at(-1)?.operands?.[0]?.resolved ?? "")).toBe(`${box.outside}/\xff`);
});

test("an environment entry that is not UTF-8 reaches the tool", async () => {
	const directory = shims(box, "/usr/bin/printenv", ["rm"], "printenv");
	const ran = await shell("X=$'\\xfe\\xff\\n' rm X", { ...env, PATH: directory }, box.root);
	expect(ran.stdout).toBe("\xfe\xff\n\n");
});

test("a newline in a name is one record, on one line", async () => {
	const before = auditLines(box.audit).length;
	await shell("rm $'a\\nb' $'\\n'", env, box.root);
	expect(real.argv()).toEqual(["a\nb", "\n"]);
	expect(auditLines(box.audit)).toHaveLength(before + 1);
	expect(records(box.audit).at(-1)?.argv).toEqual(["rm", "a\nb", "\n"]);
});

test("empty words stay empty words", async () => {
	await shell("rm '' a ''", env, box.root);
	expect(real.argv()).toEqual(["", "a", ""]);
});

test("an operand as long as the kernel takes one", async () => {
	const ran = await shell("rm $(printf '%0131000d' 0)", env, box.root);
	expect(ran.status).toBe(0);
	expect(real.argv()?.[0]).toHaveLength(131000);
});

test("50,000 operands: all reach the tool, and one outside among them refuses the call", async () => {
	expect((await shell("rm -f d/{1..50000}", env, box.root)).status).toBe(0);
	expect(real.argv()).toHaveLength(50001);
	expect(real.argv()?.at(-1)).toBe("d/50000");
	const record = records(box.audit).at(-1);
	expect((record?.argv.length ?? 0) + (record?.omitted ?? 0)).toBe(50002);
	const ran = await shell("rm -f d/{1..49999} $O/f", env, box.root);
	expect(ran.status).toBe(2);
	expect(ran.stderr).toContain(`remove ${box.outside}/f: it is outside`);
	expect(real.argv()?.at(-1)).toBe("d/50000");
});
