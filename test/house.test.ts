// The house holds: floors, the hot path file by file, who may say what, how a room looks; and each rule bites when it is broken.

import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gates } from "../src/gates/index.ts";
import { EVERYDAY } from "../src/guardfile/readers.ts";
import { everyday } from "../src/operands/everyday.ts";
import { readers } from "../src/operands/index.ts";
import { ROOT } from "./support/binary.ts";
import {
	againstTheFloors,
	againstTheRegistries,
	allImports,
	forbiddenPackages,
	hotPath,
	longFunctions,
	putOff,
	readSources,
	type Sources,
	withoutCaption,
	wordsOutOfPlace,
} from "./support/house.ts";

const sources = readSources();
const LONGEST = 60;

/** The sources with one more line in front of a file, or with a file more. */
function seeded(path: string, text: string): Sources {
	return new Map([...sources, [path, `${text}\n${sources.get(path) ?? ""}`]]);
}

test("imports go down, or stay in their room", () => {
	expect(againstTheFloors(sources)).toEqual([]);
});

test("the hot path is these files and no others: no package, no node: module", () => {
	expect(hotPath(sources)).toEqual([
		"audit.ts",
		"gates/index.ts",
		"gates/mounts.ts",
		"gates/paths-within.ts",
		"guardfile/built-in.ts",
		"guardfile/default.compiled.ts",
		"guardfile/load.ts",
		"guardfile/readers.ts",
		"main.ts",
		"operands/destination.ts",
		"operands/options.ts",
		"operands/positional-and-target.ts",
		"operands/positional.ts",
		"operands/suspects.ts",
		"policy/bytes.ts",
		"policy/call.ts",
		"policy/judge.ts",
		"policy/leads-out.ts",
		"policy/policy.ts",
		"policy/refusal.ts",
		"policy/resolve.ts",
		"shim.ts",
		"sys/exit.ts",
		"sys/ffi.bun.ts",
		"sys/find-tool.ts",
		"sys/index.ts",
		"sys/inheritance.ts",
		"sys/libc.ts",
		"sys/linux-files.ts",
		"sys/linux.ts",
		"sys/memory.ts",
		"sys/mode.ts",
		"sys/system.ts",
		"version.ts",
	]);
});

test("the hook answers a plain command with our own files, and puts off what judges and what reads a command line", () => {
	const putOffBy = (entry: string) => {
		const reached = hotPath(sources, entry);
		return allImports(sources)
			.filter(({ from, kind }) => kind === "dynamic" && reached.includes(from))
			.map(({ from, to }) => `${from} loads ${to}`);
	};
	expect(hotPath(sources, "hook.ts").filter((path) => !sources.has(path) || /^(shell|operands)\//.test(path))).toEqual([]);
	expect(putOffBy("hook.ts")).toEqual(["hook.ts loads hook/after.ts", "hook.ts loads hook/answer.ts"]);
	expect(hotPath(sources, "hook/answer.ts").filter((path) => !sources.has(path) || /^shell\/(?!places)/.test(path))).toEqual([]);
	const rarer = ["guardfile/readers.ts loads operands/index.ts", "guardfile/readers.ts loads operands/everyday.ts"];
	const rest = ["notes", "line"].map((room) => `hook/answer.ts loads hook/${room}.ts`);
	expect(putOffBy("hook/answer.ts").toSorted()).toEqual([...rest, ...rarer].toSorted());
	expect(hotPath(sources, "hook/line.ts").filter((path) => !sources.has(path))).toEqual(["unbash"]);
	expect(putOffBy("hook/line.ts")).toEqual(rarer);
});

test("a launch loads our own files alone", () => {
	expect(hotPath(sources, "launch/door.ts").filter((path) => !sources.has(path) && !path.endsWith(".sh"))).toEqual([]);
});

test("what the hot path puts off is the command line, the hook, a launch, the rarer readers and the members for other systems", () => {
	expect(putOff(sources)).toEqual([
		"guardfile/readers.ts loads operands/everyday.ts",
		"guardfile/readers.ts loads operands/index.ts",
		"main.ts loads commands/index.ts",
		"main.ts loads hook.ts",
		"main.ts loads launch/door.ts",
		"sys/index.ts loads sys/darwin.ts",
		"sys/index.ts loads sys/without-ffi.ts",
	]);
});

test("packages and node: modules are imported where they belong", () => {
	expect(forbiddenPackages(sources)).toEqual([]);
});

test("a runtime, the process, the clock and the console are spoken of where they belong", () => {
	expect(wordsOutOfPlace(sources)).toEqual([]);
});

test("members of a registry know neither each other nor the registry, and none is forgotten", () => {
	expect(againstTheRegistries(sources)).toEqual([]);
});

test("a name stands once in its registry", () => {
	const listed = (path: string) =>
		(/const [A-Z]+[^=]*= \[([^\]]*)\]/.exec(sources.get(path) ?? "")?.[1] ?? "").split(",").filter((word) => word.trim() !== "").length;
	for (const registry of [gates, readers]) for (const [name, member] of registry) expect(member.name).toBe(name);
	expect(gates.size).toBe(listed("gates/index.ts"));
	expect(readers.size).toBe(listed("operands/everyday.ts") + listed("operands/index.ts"));
});

test("the readers of everyday tools are those that are said to be", () => {
	expect([...everyday.keys()].filter((name) => !["positional", "positional-and-target"].includes(name))).toEqual([...EVERYDAY]);
});

test("each file opens with one sentence on what it is for", () => {
	expect(withoutCaption(sources)).toEqual([]);
	const names = readdirSync(join(ROOT, "test"), { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"));
	const tests = new Map([...names, "../build.ts"].map((name) => [name, readFileSync(join(ROOT, "test", name), "utf8")]));
	expect(withoutCaption(tests)).toEqual([]);
});

test(`no function is longer than ${LONGEST} lines`, () => {
	expect(longFunctions(sources, LONGEST)).toEqual([]);
});

describe("each rule bites", () => {
	test("an import that goes up", () => {
		expect(againstTheFloors(seeded("policy/judge.ts", 'import { gates } from "../gates/index.ts";'))).toEqual([
			"policy/judge.ts imports gates/index.ts",
		]);
		expect(againstTheFloors(seeded("gates/index.ts", 'import type { Parsed } from "../operands/options.ts";'))).toHaveLength(1);
		expect(againstTheFloors(seeded("audit.ts", 'export { load } from "./guardfile/load.ts";'))).toHaveLength(1);
		expect(againstTheFloors(seeded("attic/x.ts", "// A room that nobody planned."))).toEqual(["attic stands on no floor"]);
	});

	test("a package or a module on the hot path", () => {
		for (const line of ['import { join } from "node:path";', 'import "consola";', 'import kdl from "@bgotink/kdl"; kdl();']) {
			const text = line.includes("join") ? `${line} join();` : line;
			const wrong = seeded("shim.ts", text);
			expect(hotPath(wrong)).not.toEqual(hotPath(sources));
			expect(forbiddenPackages(wrong)).toHaveLength(1);
		}
		expect(putOff(seeded("shim.ts", 'await import("./commands/index.ts");'))).toHaveLength(putOff(sources).length + 1);
	});

	test("a word out of place", () => {
		for (const [path, text] of [
			["policy/judge.ts", "process.env.HOME;"],
			["gates/mounts.ts", "Date.now();"],
			["operands/cp.ts", 'console.log("x");'],
			["audit.ts", "Bun.file;"],
			["guardfile/load.ts", "Deno.cwd();"],
		] as const) {
			expect(wordsOutOfPlace(seeded(path, text)), text).toHaveLength(1);
		}
		expect(wordsOutOfPlace(seeded("audit.ts", "// Bun and Deno may stand in a comment, process.env too."))).toEqual([]);
	});

	test("a member that knows another, and one that is not registered", () => {
		expect(againstTheRegistries(seeded("operands/cp.ts", 'import { dd } from "./dd.ts"; dd;'))).toEqual([
			"operands/cp.ts imports operands/dd.ts",
		]);
		expect(againstTheRegistries(seeded("gates/no-roots.ts", "// A gate."))).toEqual(["gates/no-roots.ts is in no registry"]);
	});

	test("a file without a caption, and a function that is too long", () => {
		expect(withoutCaption(seeded("gates/x.ts", "export const x = 1;"))).toEqual(["gates/x.ts"]);
		expect(withoutCaption(seeded("gates/x.ts", "// No sentence\n"))).toEqual(["gates/x.ts"]);
		const long = (head: string) => `${head} {\n${"\tx();\n".repeat(LONGEST)}}\n`;
		for (const head of ["export function f(): void", "const f = () =>", "async function f(a: string): Promise<{ a: number }>"]) {
			expect(longFunctions(new Map([["x.ts", long(head)]]), LONGEST), head).toEqual([`x.ts:1 has ${LONGEST + 2} lines`]);
		}
		expect(longFunctions(new Map([["x.ts", `class A {\n${long("\tread(call: Call)")}}\n`.replace(/^}$/m, "\t}")]]), LONGEST)).toHaveLength(
			1,
		);
	});
});
