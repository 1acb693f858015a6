// Systems that refuse executable memory take FFI away: the call is still judged, recorded and run, or refused clearly.

import { afterAll, afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Box, type Fake, fake, makeBox, PATIENCE, shims } from "../support/box.ts";
import { records } from "../support/records.ts";
import { type Env, type Ran, run, shell, works } from "../support/shell.ts";

setDefaultTimeout(PATIENCE);

/** A program that runs another one under MemoryDenyWriteExecute; undefined without a C compiler, or before Linux 6.3. */
function denier(directory: string): string | undefined {
	const program = join(directory, "deny");
	const source = join(import.meta.dir, "deny-write-execute.c");
	return works(["cc", "-o", program, source]) && works([program, "true"]) ? program : undefined;
}
const scratch = mkdtempSync(join(tmpdir(), "tmx-deny-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));
const deny = denier(scratch);

/** Ways in which a caller takes it away: what stands in front of the shell, and in front of its line. */
const WAYS: Readonly<Record<string, { argv: string[]; text: string } | undefined>> = {
	"where no memory may be written and executed (skipped without cc or Linux 6.3)": deny ? { argv: [deny], text: "" } : undefined,
	"with less address space than a JIT reserves": { argv: [], text: "ulimit -v 3000000;" },
};

let box: Box;
let real: Fake;
let env: Env;

beforeEach(() => {
	box = makeBox();
	real = fake(box, "rm");
	env = { PATH: shims(box, real.path, ["rm"]), TMX_ROOTS: box.root, HOME: box.home, O: box.outside, R: box.root, S: `${box.base}/shims` };
});
afterEach(() => box.remove());

for (const [title, way] of Object.entries(WAYS)) {
	describe.skipIf(way === undefined)(title, () => {
		const call = (line: string, more: Env = {}): Promise<Ran> =>
			run([...(way?.argv ?? []), "/bin/bash", "-c", `${way?.text} ${line}`], { ...env, ...more }, box.root);

		test("a call inside runs the tool with the same words, and is recorded", async () => {
			expect(await call("rm -f a 'b c' '' é日本")).toEqual({ status: 0, stdout: "", stderr: "" });
			expect(real.argv()).toEqual(["-f", "a", "b c", "", "Ã©æ\u0097¥æ\u009c¬"]);
			expect(records(box.audit)).toMatchObject([
				{ decision: "accept", tool: "rm", argv: ["rm", "-f", "a", "b c", "", "é日本"], cwd: box.root },
			]);
		});

		test("a call outside is refused with the same words", async () => {
			const plain = await shell("rm $O/f", env, box.root);
			expect(await call("rm $O/f")).toEqual(plain);
			expect(plain.status).toBe(2);
			expect(real.argv()).toBeUndefined();
			expect(records(box.audit)).toHaveLength(2);
		});

		test("an inert call runs the tool and records nothing", async () => {
			expect((await call("rm /", { TMX_ROOTS: "" })).status).toBe(0);
			expect(real.argv()).toEqual(["/"]);
			expect(records(box.audit)).toEqual([]);
		});

		test("links are followed, and the shim is found by a path as well", async () => {
			expect((await call("/bin/ln -s $O ld; rm ld/f")).status).toBe(2);
			expect((await call("$S/rm ld")).status).toBe(0);
			expect((await call("cd $S && ./rm $R/ld/f")).status).toBe(2);
		});

		test("a name that is not UTF-8 is judged, and where it cannot be handed on nothing runs", async () => {
			expect((await call("rm $O/$'\\xff'")).status).toBe(2);
			const ran = await call("rm $'\\xff'");
			if (ran.status === 0) expect(real.argv()).toEqual(["\xff"]);
			else {
				expect(real.argv()).toBeUndefined();
				expect(ran.stderr).toStartWith("tmx: ");
				expect(ran.stderr).toContain("not UTF-8");
			}
		});

		test("the tool's exit status is its own", async () => {
			env.PATH = shims(box, "/bin/false", ["rm"], "false");
			expect((await call("rm a")).status).toBe(1);
		});
	});
}
