// Each command line of the corpus, asked of the compiled hook.

import { afterAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { PATIENCE } from "../support/box.ts";
import type { Env } from "../support/shell.ts";
import { makeWorld } from "./world.ts";

setDefaultTimeout(PATIENCE);

interface Case {
	expected: "deny" | "allow" | "either";
	name: string;
	why: string;
	env: Env;
	command: string;
}

interface Section {
	title: string;
	cases: Case[];
}

const HEAD = /^(deny|allow|either) +([\w-]+): (.*)$/;

function corpus(): Section[] {
	const sections: Section[] = [];
	const lines = readFileSync(join(import.meta.dir, "lines.txt"), "utf8").split("\n");
	for (const [k, line] of lines.entries()) {
		const section = sections.at(-1);
		const last = section?.cases.at(-1);
		const head = HEAD.exec(line);
		const env = /^ {2}env (\w+)=(.*)$/.exec(line);
		if (line.startsWith("== ")) sections.push({ title: line.slice(3), cases: [] });
		else if (head)
			section?.cases.push({ expected: head[1] as Case["expected"], name: head[2] ?? "", why: head[3] ?? "", env: {}, command: "" });
		else if (line.startsWith("    ") && last) last.command += `${last.command === "" ? "" : "\n"}${line.slice(4).replaceAll("<CR>", "\r")}`;
		else if (env && last) last.env[env[1] as string] = env[2];
		else if (line === "" && last && lines[k + 1]?.startsWith("    ")) last.command += "\n";
		else if (line !== "" && !line.startsWith("#")) throw new Error(`lines.txt:${k + 1}: ${line}`);
	}
	return sections;
}

const world = makeWorld();
afterAll(() => world.box.remove());

for (const { title, cases } of corpus()) {
	describe(title, () => {
		for (const { expected, name, why, env, command } of cases) {
			test.concurrent(`${expected} ${name}: ${why}`, async () => {
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
