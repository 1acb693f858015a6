// The real agents under the floor: they start, keep their sessions, run tools; what is refused is explained in the next turn.

import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { noFloor } from "../floor/stage.ts";
import { isThere, makePlace, type Name, type Place, playWrapped } from "./rig.ts";

setDefaultTimeout(180_000);

let place: Place;
beforeEach(() => {
	place = makePlace();
});
afterEach(() => place.remove());

/** A program that no shim and no hook sees through. */
const script = () => {
	writeFileSync(join(place.work, "clean.py"), `import os\nos.unlink("${place.outside}/keep")\n`);
	return "/usr/bin/python3 clean.py";
};

const files = (directory: string): string[] => (existsSync(directory) ? readdirSync(directory, { recursive: true, encoding: "utf8" }) : []);

const reason = noFloor === "" ? "" : `: no floor here, ${noFloor}`;

for (const agent of ["claude", "codex"] as const) {
	describe.skipIf(!isThere(agent) || noFloor !== "")(`${agent} (skipped where test/agents/run.sh has not installed it${reason})`, () => {
		const options = ["--floor=require"];

		test("it starts, runs tools, and its sessions are kept", async () => {
			const { results, status, stderr } = await playWrapped(
				agent,
				place,
				["echo one >a && mkdir d && mv a d/b && cat d/b", "git init -q r && ls r"],
				{ options },
			);
			expect({ status, said: stderr.split("\n").filter((line) => line.startsWith("tmx:")) }).toEqual({ status: 0, said: [] });
			expect(results[0]?.text).toContain("one");
			expect(results).toHaveLength(2);
			const kept = agent === "claude" ? files(join(place.home, ".claude/projects")) : files(join(place.home, ".codex/sessions"));
			expect(kept.filter((name) => name.endsWith(".jsonl"))).not.toEqual([]);
		});

		test("a script's os.unlink outside fails, and the model reads why", async () => {
			const { results, read } = await playWrapped(agent, place, [script(), "echo next"], { options });
			expect(readFileSync(join(place.outside, "keep"), "utf8")).toBe("kept\n");
			expect(results[0]?.text).toContain("Permission denied");
			expect(read).toContain(`tmx: floor: ${place.outside}/keep: outside this session's roots, ${place.work}`);
		});

		test("what works is not commented on", async () => {
			const { read } = await playWrapped(agent, place, ["echo x >a", "cat missing"], { options });
			expect(read).not.toContain("tmx: floor:");
		});

		test("without the floor the same script succeeds: the test can fail", async () => {
			const { read } = await playWrapped(agent, place, [script()]);
			expect(existsSync(join(place.outside, "keep"))).toBe(false);
			expect(read).not.toContain("tmx: floor:");
		});
	});
}

describe.skipIf(!isThere("claude") || noFloor !== "")(`claude's settings (skipped where it is not installed${reason})`, () => {
	test("they are not written by whatever it runs, and a session goes on", async () => {
		mkdirSync(join(place.home, ".claude"), { recursive: true });
		writeFileSync(join(place.home, ".claude/settings.json"), '{"model":"sonnet"}\n');
		const write = `/usr/bin/python3 -c 'open("${place.home}/.claude/settings.json", "w")'`;
		const { results, read } = await playWrapped("claude", place, [write, "echo on"], { options: ["--floor"] });
		expect(readFileSync(join(place.home, ".claude/settings.json"), "utf8")).toBe('{"model":"sonnet"}\n');
		expect(results[1]?.text).toContain("on");
		expect(read).toContain("tmx: floor:");
	});
});

const OTHERS: readonly Name[] = ["opencode", "gemini", "copilot"];

for (const agent of OTHERS) {
	test.skipIf(!isThere(agent) || noFloor !== "")(
		`${agent} starts under the floor and runs tools (skipped where it is not installed${reason})`,
		async () => {
			const { results } = await playWrapped(agent, place, ["echo one >a && cat a", script()], { options: ["--floor"] });
			expect(results[0]?.text).toContain("one");
			expect(readFileSync(join(place.outside, "keep"), "utf8")).toBe("kept\n");
		},
	);
}
