// tmx help: the pages that lie beside the code, out of the compiled binary.

import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { PAGES } from "../../src/commands/help/pages.ts";
import { BINARY, ROOT } from "../support/binary.ts";
import { type Ran, run } from "../support/shell.ts";

// The machine that runs the tests may be busy with other things.
setDefaultTimeout(60_000);

const ENV = { PATH: "/usr/bin:/bin", HOME: "/nonexistent" };
const tmx = (...words: string[]): Promise<Ran> => run([BINARY, ...words], ENV, "/");
const text = (ran: Ran) => Buffer.from(ran.stdout, "latin1").toString();

/** Where each page lies. */
const FILES: Readonly<Record<string, string>> = {
	audit: "src/audit.md",
	floor: "src/floor/floor.md",
	guardfile: "src/guardfile/guardfile.md",
	hook: "src/hook.md",
	"paths-within": "src/gates/paths-within.md",
	shim: "src/shim.md",
	"tool-confine": "shims/tool-confine.md",
	wrap: "src/launch/wrap.md",
};

test("without a topic the pages are listed, each with what it is about", async () => {
	const { status, stderr, ...ran } = await tmx("help");
	expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
	for (const [topic, { summary }] of Object.entries(PAGES))
		expect(text({ status, stderr, ...ran })).toContain(`${topic.padEnd(14)}${summary}\n`);
});

describe.each(Object.keys(PAGES))("the page %s", (topic) => {
	const page = readFileSync(join(ROOT, FILES[topic] ?? "no file is named for this page"), "utf8");

	test("is shown whole, without the marks of its headings and code", async () => {
		const shown = text(await tmx("help", topic));
		expect(shown).not.toMatch(/^#|^```|\*\*|^\|/m);
		const words = (of: string) => of.match(/[\p{L}\d]+/gu);
		expect(words(shown)).toEqual(words(page.replaceAll(/^```\w+$/gm, "")));
	});

	test("fits a narrow terminal", async () => {
		const lines = text(await tmx("help", topic)).split("\n");
		expect(lines.filter((line) => line.length > 90)).toEqual([]);
	});
});

test("the default guardfile is printed as it is, and passes the check", async () => {
	const { stdout, status } = await tmx("help", "default.kdl");
	expect([status, stdout]).toEqual([0, readFileSync(join(ROOT, "src/guardfile/default.kdl"), "latin1")]);
	expect(text(await tmx("help"))).toContain("tmx help default.kdl >my.kdl");
});

test("each part that guards says what it does not see or is not", () => {
	for (const topic of ["audit", "hook", "paths-within", "shim", "wrap"])
		expect(PAGES[topic]?.text).toMatch(/^## What it (does not see|is not)$/m);
});

test("a command's name is as good as its --help, where no page has the name", async () => {
	expect(await tmx("help", "explain")).toEqual(await tmx("explain", "--help"));
	expect(text(await tmx("help", "audit"))).toStartWith("audit\n");
});

for (const [topic, message] of [
	["path-within", 'there is no page path-within; did you mean "paths-within"?'],
	["zzz", "there is no page zzz"],
	["constructor", "there is no page constructor"],
	["", "there is no page ''"],
] as const) {
	test(`"help ${topic}" is a wrong command line`, async () => {
		const { status, stdout, stderr } = await tmx("help", topic);
		expect({ status, stdout }).toEqual({ status: 5, stdout: "" });
		expect(stderr).toStartWith(`tmx: help: user_error: ${message}`);
		expect(stderr).toContain(`known are ${Object.keys(PAGES).join(", ")}, default.kdl, and the names of commands`);
	});
}

test("under Deno the same pages are shown", async () => {
	const deno = [join(ROOT, "node_modules/.bin/deno"), "run", "-A", "src/main.ts", "help", "shim"];
	const shown = await run(deno, { ...ENV, PATH: process.env.PATH, DENO_NO_UPDATE_CHECK: "1" }, ROOT);
	expect(shown.stderr).toBe("");
	expect(shown.stdout).toBe((await tmx("help", "shim")).stdout);
});
