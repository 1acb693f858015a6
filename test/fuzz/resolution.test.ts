// The kernel's resolution, the walk by components and the fuzz's model agree on random link farms.

import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, realpathSync, rmdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Bytes } from "../../src/policy/bytes.ts";
import { Resolver } from "../../src/policy/resolve.ts";
import { system } from "../../src/sys/index.ts";
import { DEFAULT_TOOLS, makeCase } from "./case.ts";
import { build, removeAll } from "./disk.ts";
import { makeFarm, type Step } from "./farm.ts";
import { Spelling } from "./paths.ts";
import { Random } from "./random.ts";
import { pathOf, type Tree } from "./tree.ts";

let scratch = "";

beforeAll(() => {
	scratch = realpathSync(mkdtempSync(join(tmpdir(), "tmx-farm-")));
});

/** Hundreds of files; a busy disk takes its time. */
const PATIENCE = 60_000;

afterAll(() => {
	removeAll(Buffer.from(scratch));
	rmdirSync(scratch);
}, PATIENCE);

/** Two farms are built at two places; a path of the model is put below one of them. */
const placed = (base: string, path: Bytes) => (/^\/+f[zx](\/|$)/.test(path) ? base + path : path);

function moved(base: string, step: Step): Step {
	const path = placed(base, step.path);
	return "to" in step ? { ...step, path, to: placed(base, step.to) } : { ...step, path };
}

/** Where the model says that a path leads; undefined when it leads nowhere or out of the model. */
function modelled(tree: Tree, base: string, path: Bytes): Bytes | undefined {
	const place = tree.target(path);
	if (typeof place === "string" || place.node === undefined || place.node === tree.root) return undefined;
	const directory = pathOf(tree.root, place.directory);
	if (place.name === "") return base + directory;
	return `${base}${directory === "/" ? "" : directory}/${place.name}`;
}

/** Every difference of one farm in words. */
function differences(seed: number): { wrong: string[]; compared: number } {
	const random = new Random(20, seed);
	const farm = makeFarm(random, false);
	const steps = farm.steps.filter(({ make }) => make !== "mount");
	if (steps.length < farm.steps.length) return { wrong: [], compared: 0 };
	const base = join(scratch, String(seed));
	build(steps.map((step) => moved(base, step)));
	const wrong: string[] = [];
	let compared = 0;
	for (let k = 0; k < 120; k++) {
		const cwd = farm.somewhere();
		const text = placed(base, new Spelling(farm, cwd).any());
		const look = new Resolver(system, base + cwd);
		const real = text === "" ? undefined : system.real(text.startsWith("/") ? text : `${base}${cwd}/${text}`, false);
		if (real === undefined) continue;
		compared++;
		const walked = look.walk(text, true).path;
		if (walked !== real) wrong.push(`${text} in ${cwd}: the kernel says ${real}, the walk ${walked}`);
		const [entry, alone] = [look.entry(text), look.walk(text, false).path];
		if (entry !== alone) wrong.push(`entry ${text} in ${cwd}: ${entry} and by walking ${alone}`);
		const model =
			text.startsWith(base) || !text.startsWith("/")
				? modelled(farm.tree, base, text.startsWith("/") ? text.slice(base.length) : `${cwd}/${text}`)
				: real;
		if (model !== undefined && model !== real) wrong.push(`${text} in ${cwd}: the kernel says ${real}, the model ${model}`);
	}
	return { wrong, compared };
}

test(
	"the kernel, the walk and the model lead to the same file on random link farms",
	() => {
		const farms = Array.from({ length: 25 }, (_, seed) => differences(seed));
		expect(farms.flatMap(({ wrong }) => wrong)).toEqual([]);
		expect(farms.reduce((sum, { compared }) => sum + compared, 0)).toBeGreaterThan(1000);
	},
	PATIENCE,
);

test(
	"a seed and a number always give the same case",
	() => {
		for (let index = 0; index < 50; index++) {
			const [first, second] = [makeCase(7, index, DEFAULT_TOOLS), makeCase(7, index, DEFAULT_TOOLS)];
			expect(first.argv).toEqual(second.argv);
			expect(first.steps).toEqual(second.steps);
		}
	},
	PATIENCE,
);

// A typed array whose memory moves when the optimizing compiler takes over would make every answer after it the first one.
test(
	"the types of files stay right over very many calls",
	() => {
		let wrong = 0;
		for (let k = 0; k < 50_000; k++) {
			if (system.kind("/", true) !== "directory") wrong++;
			if (system.kind(import.meta.path, true) !== "file") wrong++;
		}
		expect(wrong).toBe(0);
	},
	PATIENCE,
);
