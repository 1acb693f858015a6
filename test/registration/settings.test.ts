// Settings files in every layout: our hook comes in once, the rest keeps its bytes, and it goes without a trace.

import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { PATIENCE } from "../support/box.ts";
import { makeHome, SETTINGS } from "./home.ts";
import { cases } from "./settings.ts";

setDefaultTimeout(PATIENCE);

const home = makeHome();
afterAll(() => home.remove());

for (const { agent, title, before, after, uninstalled } of cases()) {
	test(`${agent}: ${title}`, async () => {
		const file = SETTINGS[agent] ?? "";
		home.write(file, before);
		const first = await home.run("install", "--agent", agent);
		expect(first.stderr.replace(/^tmx: install: note: Codex .*\n/, "")).toBe("");
		const filled = after.replaceAll("{TMX}", home.tmx);
		expect(home.read(file)).toBe(filled);
		expect((await home.run("install", "--agent", agent)).stdout).toContain("is there already");
		expect(home.read(file)).toBe(filled);
		const last = await home.run("uninstall", "--agent", agent);
		expect({ status: last.status, stderr: last.stderr }).toEqual({ status: 0, stderr: "" });
		expect(home.read(file)).toBe(uninstalled);
		expect(home.read(`${file}.tmx-backup`)).toBeUndefined();
	});
}
