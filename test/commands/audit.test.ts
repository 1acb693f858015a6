// tmx audit, as the compiled binary prints it.

import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { appendFileSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Entry } from "../../src/audit.ts";
import { BINARY } from "../support/binary.ts";
import { type Box, makeBox, shims, stub } from "../support/box.ts";
import { type Env, type Ran, run } from "../support/shell.ts";

// The machine that runs the tests may be busy with other things.
setDefaultTimeout(60_000);

let box: Box;
let directory: string;
let env: Env;

beforeEach(() => {
	box = makeBox();
	directory = shims(box, stub(box), ["rm", "mv"]);
	env = { PATH: `${directory}:/usr/bin:/bin`, HOME: box.home, TMX_ROOTS: box.root, TZ: "Europe/Berlin" };
});
afterEach(() => box.remove());

const audit = (...words: string[]): Promise<Ran> => run([BINARY, "audit", ...words], env, box.root);

/** A record as tmx writes it. */
function record(more: Partial<Entry> = {}): Entry {
	const { id = "01a22cad-354f-7a84-b564-58fc48bae0ef", ts = "2026-01-31T12:30:00.000Z", decision = "accept", ...rest } = more;
	const fixed = { version: "0.1.0", decision, door: "shim" as const, tool: "rm", argv: ["rm", "a"], cwd: "/w", pid: 7, ppid: 6 };
	return { id, ts, ...fixed, ...rest };
}

const line = (more?: Partial<Entry>) => `${JSON.stringify(record(more))}\n`;
const named = (name: string, more?: Partial<Entry>) => line({ argv: ["rm", name], ...more });
const write = (...lines: string[]) => writeFileSync(box.audit, lines.join(""));

/** The operands of the records that were printed as JSON. */
const namesIn = (output: string) => output.split("\n").flatMap((text) => (text === "" ? [] : [JSON.parse(text).argv.at(-1)]));

const HEAD = "TIME                 DECISION  DOOR     CALL\n";

test("verdicts of a shim come out as a table, with the reason below a refusal", async () => {
	await run([join(directory, "rm"), "-f", "a b"], env, box.root);
	await run([join(directory, "mv"), "a", box.outside, join(box.outside, "c")], env, box.root);
	const { status, stdout, stderr } = await audit();
	expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
	expect(
		stdout
			.replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/g, "when")
			.replaceAll(box.outside, "$O")
			.replaceAll(directory, "$S"),
	).toBe(
		`${HEAD}when  accept    shim     $S/rm -f 'a b'\nwhen  reject    shim     $S/mv a $O $O/c\n    why $O: it is outside the session's directories, and 1 more\n`,
	);
});

test("times are local", async () => {
	write(line());
	expect((await audit()).stdout).toBe(`${HEAD}2026-01-31 13:30:00  accept    shim     rm a\n`);
	env.TZ = "UTC";
	expect((await audit()).stdout).toContain("2026-01-31 12:30:00");
});

test("--json prints the records as they lie in the file", async () => {
	const text = named("a") + named("b", { decision: "reject" });
	write(text);
	expect((await audit("--json")).stdout).toBe(text);
});

describe("what is shown", () => {
	beforeEach(() => {
		write(
			named("old", { ts: "2020-06-01T10:00:00.000Z" }),
			named("bad", { decision: "reject", ts: "2026-01-30T23:30:00.000Z" }),
			named("moved", { tool: "mv", ts: "2026-01-31T12:30:00.000Z" }),
			named("worse", { decision: "reject", tool: "mv", ts: "2026-02-01T00:00:00.000Z" }),
			named("stopped", { decision: "stop", ts: new Date().toISOString() }),
		);
	});

	for (const [words, names] of [
		["", ["old", "bad", "moved", "worse", "stopped"]],
		["--rejects", ["bad", "worse"]],
		["--tool mv", ["moved", "worse"]],
		["--tool=mv --rejects", ["worse"]],
		["--tool m", []],
		["--since 2026-01-31T12:30:00Z", ["moved", "worse", "stopped"]],
		["--since 2026-01-31T13:30:00+01:00", ["moved", "worse", "stopped"]],
		["--since 2026-01-31T12:30:00.001Z", ["worse", "stopped"]],
		["--since 2026-01-31", ["bad", "moved", "worse", "stopped"]],
		["--since 2026-01-31T13:30", ["moved", "worse", "stopped"]],
		["--since 10m", ["stopped"]],
		["--since 2h", ["stopped"]],
		["--since 9999w", ["old", "bad", "moved", "worse", "stopped"]],
	] as const) {
		test(`audit ${words}`, async () => {
			expect(namesIn((await audit("--json", ...words.split(" ").filter((word) => word !== ""))).stdout)).toEqual([...names]);
		});
	}

	for (const when of ["yesterday", "2026-02-30", "2026-13-01", "10", "10y", "-5m", "2026-01-31T25:00:00Z", "1769860800"]) {
		test(`--since=${when} is a wrong command line`, async () => {
			const { status, stdout, stderr } = await audit(`--since=${when}`);
			expect({ status, stdout }).toEqual({ status: 5, stdout: "" });
			expect(stderr).toBe(
				`tmx: audit: user_error: --since ${when} is no moment; known are RFC 3339 such as 2026-01-31T13:30:00Z, a date such as 2026-01-31, or 10m, 2h, 3d\n`,
			);
		});
	}
});

test("renamed files come first, the oldest before the newer ones", async () => {
	write(named("now"));
	for (const number of [8, 2, 1]) writeFileSync(`${box.audit}.${number}`, named(`file ${number}`));
	writeFileSync(`${box.audit}.9`, named("beyond"));
	expect(namesIn((await audit("--json")).stdout)).toEqual(["file 8", "file 2", "file 1", "now"]);
});

describe("torn lines", () => {
	const half = (name: string) => named(name).slice(0, 60);

	for (const [what, lines, names, torn] of [
		["a record that was cut", [half("x"), "\n", named("a")], ["a"], 1],
		["a piece with a record behind it", [half("x"), named("a")], ["a"], 1],
		["two records without a newline between", [named("a").trimEnd(), named("b")], ["a", "b"], 0],
		["a record with a piece behind it", [named("a").trimEnd(), half("x"), "\n", named("b")], ["a", "b"], 1],
		["the end of a record", [named("x").slice(50), named("a")], ["a"], 1],
		["empty lines", ["\n", named("a"), "\n\n", named("b")], ["a", "b"], 0],
		["a last record without a newline", [named("a"), named("b").trimEnd()], ["a", "b"], 0],
		["a last record that was cut", [named("a"), half("b")], ["a"], 1],
		["text that is no record", ["hello\n", "{}\n", "null\n", '{"id":"1"}\n', "[1]\n", "\0\0\0\n", named("a")], ["a"], 6],
		["a record whose fields are something else", [line({ argv: 5 as never }), line({ operands: [null] as never }), named("a")], ["a"], 2],
		["a name that looks like the start of a record", [named('{"id":"')], ['{"id":"'], 0],
	] as const) {
		test(what, async () => {
			write(...lines);
			const { status, stdout, stderr } = await audit("--json");
			expect(status).toBe(0);
			expect(namesIn(stdout)).toEqual([...names]);
			const pieces = torn === 1 ? "1 piece is no whole record and is" : `${torn} pieces are no whole records and are`;
			expect(stderr).toBe(torn === 0 ? "" : `tmx: audit: note: ${box.audit}: ${pieces} left out\n`);
		});
	}

	test("a line of more than 16 MiB holds no record, and the next one is read", async () => {
		write(named("a"), `{"id":"${"x".repeat(17 << 20)}\n`, named("b"));
		const { stdout, stderr } = await audit("--json");
		expect(namesIn(stdout)).toEqual(["a", "b"]);
		expect(stderr).toContain("1 piece is no whole record");
	});
});

describe("a hostile record", () => {
	const hostile = ["\u001b]0;x\u0007", "\u009b31m", "\u007f", "\u202egnp", "\udcff", "\n", "é"];

	test("cannot act on the terminal, and JSON keeps its meaning", async () => {
		write(line({ argv: ["rm", ...hostile], tool: "rm\u001b", decision: "reject", reason: "\u001b[2J", operands: [] }));
		const table = Buffer.from((await audit()).stdout, "latin1").toString();
		expect(table.replaceAll("\n", "")).not.toMatch(/[^ -~é]/);
		expect(table).toContain(String.raw`$'\x1b]0;x\x07'`);
		const json = Buffer.from((await audit("--json")).stdout, "latin1").toString();
		expect(json.trimEnd()).not.toMatch(/[^ -~é]/);
		expect(JSON.parse(json).argv).toEqual(["rm", ...hostile]);
	});

	test("with fields that a newer tmx may write is shown as far as it is known", async () => {
		write(line({ decision: "postponed" as never, door: "window" as never, ts: "later" }));
		expect((await audit()).stdout).toBe(`${HEAD}${"later".padEnd(19)}  postponed  window   rm a\n`);
	});
});

test("without an audit the command says so and exits 0", async () => {
	const { status, stdout, stderr } = await audit();
	expect({ status, stdout }).toEqual({ status: 0, stdout: "" });
	expect(stderr).toBe(`tmx: audit: note: there is no ${box.audit}: nothing was judged and recorded yet\n`);
	expect(existsSync(box.audit)).toBe(false);
});

test("an audit that is a directory cannot be read, which is our fault", async () => {
	mkdirSync(box.audit);
	const { status, stderr } = await audit();
	expect(status).toBe(4);
	expect(stderr).toBe(`tmx: audit: internal: ${box.audit} cannot be read: EISDIR\n`);
});

test("the audit is that of the policy that is named", async () => {
	const other = makeBox();
	writeFileSync(other.audit, named("theirs"));
	const there = shims(other, stub(other), ["rm"]);
	expect(namesIn((await audit("--json", "--policy", there)).stdout)).toEqual(["theirs"]);
	other.remove();
});

test("a reader that stops early ends the command without a word", async () => {
	write(...Array.from({ length: 20_000 }, (_, k) => named(`file ${k}`)));
	const { status, stdout, stderr } = await run(
		["/bin/bash", "-o", "pipefail", "-c", `"${BINARY}" audit --json | head -n 1`],
		env,
		box.root,
	);
	expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
	expect(namesIn(stdout)).toEqual(["file 0"]);
	expect((await run(["/bin/bash", "-c", `"${BINARY}" audit >&-`], env, box.root)).stderr).toBe("");
});

test("on a terminal a line is cut to its width", async () => {
	write(named("x".repeat(200)), named("漢字".repeat(40)));
	const typed = `stty cols 60; '${BINARY}' audit`;
	const { stdout } = await run(["/usr/bin/script", "-qec", typed, "/dev/null"], { ...env, TERM: "xterm", NO_COLOR: "1" }, box.root);
	const rows = Buffer.from(stdout, "latin1").toString().replaceAll("\r", "").split("\n");
	expect(rows.slice(1, 3)).toEqual([
		`2026-01-31 13:30:00  accept    shim     rm ${"x".repeat(16)}…`,
		`2026-01-31 13:30:00  accept    shim     rm ${"漢字".repeat(4)}…`,
	]);
});

describe("--follow", () => {
	/** What is done to the audit once the reader has printed so many records. */
	type Step = readonly [after: number, act: () => void | Promise<void>];

	/** What a following reader prints up to `count` records, or in a while. */
	async function following(count: number, ...steps: Step[]): Promise<string[]> {
		const reader = Bun.spawn([BINARY, "audit", "--follow", "--json"], { env, cwd: box.root, stdout: "pipe", stderr: "ignore" });
		const limit = setTimeout(() => reader.kill(), 40_000);
		const names: string[] = [];
		const proceed = async () => {
			while (steps[0] && names.length >= steps[0][0]) await steps.shift()?.[1]();
		};
		await proceed();
		let rest = "";
		for await (const chunk of reader.stdout) {
			rest += Buffer.from(chunk).toString();
			const end = rest.lastIndexOf("\n") + 1;
			names.push(...namesIn(rest.slice(0, end)));
			rest = rest.slice(end);
			await proceed();
			if (names.length >= count) break;
		}
		clearTimeout(limit);
		reader.kill();
		return names;
	}

	const add = (name: string, path = box.audit) => appendFileSync(path, named(name));
	const rename = (from: string, to: string) => renameSync(box.audit + from, box.audit + to);

	test("goes on through rotations, also with a writer that still has the old file open", async () => {
		write(named("before"));
		const once = () => {
			add("one");
			rename("", ".1");
			add("two");
		};
		const twice = () => {
			add("late", `${box.audit}.1`);
			rename(".1", ".2");
			rename("", ".1");
			add("three");
			rename(".2", ".3");
			rename(".1", ".2");
			rename("", ".1");
			add("four");
		};
		expect(await following(6, [1, once], [3, twice])).toEqual(["before", "one", "two", "late", "three", "four"]);
	});

	test("waits for an audit that is not there yet, and for the end of a line", async () => {
		const late = async () => {
			await Bun.sleep(500);
			appendFileSync(box.audit, named("first").slice(0, 40));
			await Bun.sleep(500);
			appendFileSync(box.audit, named("first").slice(40));
		};
		expect(await following(1, [0, late])).toEqual(["first"]);
	});

	test("reads a file anew that somebody emptied", async () => {
		write(named("before"), named("and more"));
		expect(await following(3, [2, () => write(named("after"))])).toEqual(["before", "and more", "after"]);
	});
});

test("reading changes nothing", async () => {
	const text = named("a") + named("b").slice(0, 50);
	write(text);
	await audit();
	expect(readFileSync(box.audit, "utf8")).toBe(text);
});
