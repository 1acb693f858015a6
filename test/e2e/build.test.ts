// Two builds of one tree are byte-identical, so that a binary can be checked against its sources.

import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { compile } from "../../build.ts";
import { PATIENCE } from "../support/box.ts";
import { run } from "../support/shell.ts";

setDefaultTimeout(2 * PATIENCE);

const directory = mkdtempSync(join(tmpdir(), "tmx-build-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const digest = (path: string) => createHash("sha256").update(readFileSync(path)).digest("hex");

test("two builds are the same, byte for byte, and run", async () => {
	const [one, two] = [join(directory, "one/tmx"), join(directory, "two/tmx")] as const;
	await compile("src/main.ts", one);
	await compile("src/main.ts", two);
	expect(digest(two)).toBe(digest(one));
	const ran = await run([two, "--version"], { PATH: "/usr/bin:/bin" }, "/");
	expect([ran.status, ran.stderr]).toEqual([0, ""]);
});
