// The real agents with tmx as their hook: what is refused does not run and the model reads why, what is allowed runs.

import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import type { Step } from "./models.ts";
import { isThere, makePlace, type Name, type Place, play } from "./rig.ts";

setDefaultTimeout(180_000);

let place: Place;
beforeEach(() => {
	place = makePlace();
});
afterEach(() => place.remove());

/** A file that the agent's own tool makes. */
function writes(agent: Name, path: string): Step {
	if (agent === "claude") return { tool: "Write", input: { file_path: path, content: "x\n" } };
	return { patch: `*** Begin Patch\n*** Add File: ${path}\n+x\n*** End Patch\n` };
}

for (const agent of ["claude", "codex"] as const) {
	describe.skipIf(!isThere(agent))(`${agent} (skipped where test/agents/run.sh has not installed it)`, () => {
		test("a refused command does not run, and the model reads the reason", async () => {
			const { results, status, stderr } = await play(agent, place, [`rm ${place.outside}/keep`, `echo x > ${place.outside}/new`]);
			expect([status, results.length, stderr].slice(0, 2)).toEqual([0, 2]);
			expect(results[0]?.text).toContain(`tmx: rm: policy_denied: ${place.outside}/keep: it is outside the session's directories`);
			expect(results[0]?.text).toContain(`allowed: ${place.work} (TMX_ROOTS)`);
			expect(results[1]?.text).toContain("tmx: redirection: policy_denied: ");
			expect(readFileSync(`${place.outside}/keep`, "utf8")).toBe("kept\n");
			expect(existsSync(`${place.outside}/new`)).toBe(false);
		});

		test("an allowed one runs, and the agent goes on after a refusal", async () => {
			const script = ["echo one > a", `rm -rf ${place.outside}`, "mkdir d && mv a d/b && cat d/b"];
			const { results } = await play(agent, place, script);
			expect(results).toHaveLength(3);
			expect(results[2]?.text).toContain("one");
			expect(results[2]?.text).not.toContain("tmx:");
			expect(readFileSync(`${place.work}/d/b`, "utf8")).toBe("one\n");
			expect(existsSync(`${place.outside}/keep`)).toBe(true);
		});

		test("a file outside is not written, one inside is", async () => {
			const { results } = await play(agent, place, [writes(agent, `${place.outside}/new`), writes(agent, `${place.work}/new`)]);
			expect(results[0]?.text).toContain(`policy_denied: ${place.outside}/new`);
			expect(existsSync(`${place.outside}/new`)).toBe(false);
			expect(readFileSync(`${place.work}/new`, "utf8")).toBe("x\n");
		});
	});
}
