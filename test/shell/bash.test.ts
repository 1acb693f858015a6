// Words that are known must be what bash passes: generated lines, read and run, with a function that prints its words as the only command.

import { expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fromText } from "../../src/policy/bytes.ts";
import { readCommandLine } from "../../src/shell/read.ts";
import { textOf } from "../../src/shell/words.ts";
import { system } from "../../src/sys/index.ts";
import { Random } from "../fuzz/random.ts";
import { line as shownLine } from "./notation.ts";

const LINES = 250;
const NAMES = ["a", "b.c", "d e", "sub/x", "sub/y z", ".hid", "[q]", "s*r", "-n"];

/** The sections of pieces.txt. */
function section(title: string): string[] {
	const text = readFileSync(join(import.meta.dir, "pieces.txt"), "utf8");
	const lines = (text.split(`== ${title}\n`)[1] as string).split("\n\n")[0] as string;
	return lines
		.split("\n")
		.filter((piece) => piece !== "")
		.map((piece) => piece.replaceAll("<NL>", "\n"));
}

const [ALWAYS, WORDS, BEFORE] = [section("always"), section("words"), section("before")];

function lineFrom(random: Random): string {
	const setup = Array.from({ length: random.below(4) }, () => random.pick(BEFORE));
	const words = Array.from({ length: 1 + random.below(4) }, () =>
		Array.from({ length: 1 + random.below(3) }, () => random.pick(WORDS)).join(""),
	);
	return [...ALWAYS, ...setup, `argv ${words.join(" ")}`].join("; ");
}

/** Runs each line in a shell of its own, and gives the words that the function got. */
function run(lines: string[], cwd: string): string[] {
	const script = `argv() { printf '%s\\0' "$#" "$@"; }
while IFS= read -r -d '' line; do ( eval "$line" ) 2>/dev/null; printf '\\0==END==\\0'; done`;
	const env = { HOME: "/home/u", PATH: "/usr/bin:/bin", LC_ALL: "C" };
	const ran = Bun.spawnSync(["/bin/bash", "-c", script, "bash"], {
		env,
		cwd,
		stdin: Buffer.from(lines.map((each) => `${each}\0`).join("")),
	});
	return ran.stdout.toString("latin1").split("\0==END==\0").slice(0, -1);
}

test("known words are the words that bash passes", () => {
	const directory = mkdtempSync(join(tmpdir(), "words-"));
	try {
		mkdirSync(join(directory, "sub"));
		for (const name of NAMES) writeFileSync(join(directory, name), "");
		const random = new Random(Number(process.env.SEED ?? 1), 0);
		const lines = Array.from({ length: Number(process.env.LINES ?? LINES) }, () => lineFrom(random));
		const wrong: string[] = [];
		let compared = 0;
		for (const [k, got] of run(lines, directory).entries()) {
			const text = lines[k] as string;
			const env: Record<string, string> = { HOME: "/home/u", PATH: "/usr/bin:/bin" };
			const { events, exhausted } = readCommandLine(fromText(text), {
				cwd: directory,
				env: (name) => env[name],
				home: "/home/u",
				files: system,
			});
			const calls = events.filter((event) => event.kind === "call" && textOf(event.words[0]) === "argv");
			const words = calls.map((event) => (event.kind === "call" ? event.words.slice(1).map(textOf) : []));
			if (exhausted || events.some(({ kind }) => kind === "unclear") || words.some((each) => each.includes(undefined))) continue;
			if (calls.some((event) => event.kind === "call" && event.conditional)) continue;
			compared++;
			const read = words.map((each) => [String(each.length), ...each].map((word) => `${word}\0`).join("")).join("");
			if (read !== got)
				wrong.push(
					`${text}\n   bash ${JSON.stringify(got)}\n   read ${JSON.stringify(read)}\n   ${calls.map((call) => shownLine(call, directory)).join("\n   ")}`,
				);
		}
		expect(wrong).toEqual([]);
		expect(compared).toBeGreaterThan(lines.length / 3);
	} finally {
		rmSync(directory, { recursive: true });
	}
});
