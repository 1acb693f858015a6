// Each command line of the corpus, asked of the compiled hook.

import { afterAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { PATIENCE } from "../support/box.ts";
import { corpus } from "./corpus.ts";
import { makeWorld } from "./world.ts";

setDefaultTimeout(PATIENCE);

const world = makeWorld();
afterAll(() => world.box.remove());

const sections = ["lines.txt", "everyday.txt", "leaving.txt"].flatMap((file) => corpus(readFileSync(join(import.meta.dir, file), "utf8")));

for (const { title, cases } of sections) {
	describe(title, () => {
		for (const { expected, name, why, env, command } of cases) {
			test.concurrent(`${expected} ${name === "" ? why : `${name}: ${why}`}`, async () => {
				const filled = Object.fromEntries(Object.entries(env).map(([key, value]) => [key, world.fill(value ?? "")]));
				const { status, stdout, stderr } = await world.command(world.fill(command), filled);
				const came =
					status === 2 && /policy_denied/.test(stderr)
						? "deny"
						: status === 0 && stdout === "" && stderr === ""
							? "allow"
							: `exit ${status}\n${stderr}`;
				expect(came === "deny" || came === "allow" ? (expected === "either" ? expected : came) : came).toBe(expected);
			});
		}
	});
}
