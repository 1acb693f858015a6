// Each line of the corpus, called through the compiled shim over real files.

import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { type Box, makeBox, PATIENCE, RAN, shims, stub } from "./support/box.ts";
import { type Env, NAMESPACE, type Ran, run, shell } from "./support/shell.ts";
import { type Case, corpus, type Expected, parse, type Section } from "./verdicts/corpus.ts";

setDefaultTimeout(PATIENCE);

const WORLDS = join(import.meta.dir, "verdicts/worlds.sh");

/** A section's tree, where its cases start, and their environment. */
interface World {
	box: Box;
	cwd: string;
	env: Env;
}

async function makeWorld(section: Section): Promise<World> {
	const box = makeBox();
	const { root, outside, base, home, other } = box;
	const names = { R: root, O: outside, X: other, B: base, H: home, WORLDS };
	const commands = ['. "$WORLDS"', ...section.setup, "pwd -P"].join("\n");
	const done = await run(["/bin/bash", "-euc", commands], { ...names, PATH: process.env.PATH }, root);
	if (done.status !== 0) throw new Error(`the set-up of "${section.title}" failed: ${done.stderr}`);
	const PATH = shims(box, stub(box, section.real));
	return { box, cwd: Buffer.from(done.stdout, "latin1").toString().trimEnd(), env: { ...names, PATH, HOME: home, TMX_ROOTS: root } };
}

/** The outcomes that a line of the corpus accepts. */
function accepted(expected: Expected): string[] {
	return expected === "allow" || expected === "deny" ? [expected] : ["allow", "deny"];
}

/** What a call came to: the two outcomes that there may be, or all that was seen. */
function outcome({ status, stdout, stderr }: Ran): string {
	if (status === 2 && stdout === "" && /^tmx: \w+: policy_denied: /.test(stderr)) return "deny";
	if (status === 0 && stdout === RAN && stderr === "") return "allow";
	return `exit ${status}\n${stdout}${stderr}`;
}

async function call(world: World, section: Section, { line }: Case): Promise<string> {
	const { cwd, env, box } = world;
	// Unquoted variables of a line are one word each, whatever the directory's name.
	const words = `IFS=; ${line}`;
	if (section.mounts.length === 0) return outcome(await shell(words, env, cwd));
	const mounted = ["set -e", ...section.mounts, 'PATH=$SHIMS; cd "$CWD"', "set +e", words].join("\n");
	const outer = { ...env, PATH: process.env.PATH, SHIMS: env.PATH, CWD: cwd };
	return outcome(await run([...(NAMESPACE ?? []), "/bin/bash", "-c", mounted], outer, box.root));
}

function skipped(section: Section, { line }: Case, other: string | undefined): string | undefined {
	if (section.mounts.length > 0 && NAMESPACE === undefined) return "this system gives no mount namespace";
	const text = [...section.setup, line].join("\n");
	return text.includes("$X") && other === undefined ? "there is no second file system at /dev/shm" : undefined;
}

const probe = makeBox();
probe.remove();

for (const { file, sections } of corpus()) {
	describe(file, () => {
		for (const section of sections) {
			describe(section.title, () => {
				let world: World;
				const reasons = section.cases.map((one) => skipped(section, one, probe.other));
				beforeAll(async () => {
					if (reasons.includes(undefined)) world = await makeWorld(section);
				});
				afterAll(() => world?.box.remove());
				for (const [k, one] of section.cases.entries()) {
					const reason = reasons[k];
					test.concurrent.skipIf(reason !== undefined)(`${one.expected} ${one.line} # ${one.id}: ${reason ?? one.why}`, async () => {
						const came = await call(world, section, one);
						expect(accepted(one.expected).includes(came) ? one.expected : came).toBe(one.expected);
					});
				}
			});
		}
	});
}

test("the runner tells a refusal, a run and anything else apart", async () => {
	const lines = ["deny rm $O/f # one: x", "allow rm a # two: x", "deny cd nope && rm a # three: x", "allow no-such-tool # four: x"];
	const [section] = parse(`== Title\n$ links\n${lines.join("\n")}`, "test") as [Section];
	const world = await makeWorld(section);
	const came = await Promise.all(section.cases.map((one) => call(world, section, one)));
	world.box.remove();
	expect(came.slice(0, 2)).toEqual(["deny", "allow"]);
	expect(came[2]).toStartWith("exit 1\n");
	expect(came[3]).toStartWith("exit 127\n");
	expect(() => parse("== Title\nperhaps rm a # x: y", "test")).toThrow("test:2: ");
});

test("no identifier stands twice in a file, and no file is empty", () => {
	for (const { file, sections } of corpus()) {
		const ids = sections.flatMap((section) => section.cases.map((one) => one.id));
		expect(ids.length, file).toBeGreaterThan(0);
		expect(new Set(ids).size, file).toBe(ids.length);
	}
});
