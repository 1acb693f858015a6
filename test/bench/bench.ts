// What a call costs: medians of interleaved runs, and ratios within one run. `npm run bench [-- --rounds N] [--check]`.

import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { compile } from "../../build.ts";

/** One thing to time; the fields are those of timer.c. */
interface Row {
	label: string;
	program: string;
	words: string[];
	set?: Record<string, string>;
	files?: number;
}

/** A promise about two rows of one run: the first takes at most `most` times the second. */
interface Budget {
	row: string;
	beside: string;
	most: number;
}

const here = import.meta.dir;
const { values } = parseArgs({ options: { rounds: { type: "string", default: "200" }, check: { type: "boolean", default: false } } });
const rounds = Number(values.rounds);
const scratch = realpathSync(mkdtempSync(join(tmpdir(), "tmx-bench-")));
process.on("exit", () => rmSync(scratch, { recursive: true, force: true }));
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => process.exit(130));

const say = (words: string) => console.error(`== ${words}`);

function must(command: string[]): void {
	const { exitCode, stdout, stderr } = Bun.spawnSync(command, { cwd: scratch });
	if (exitCode !== 0) throw new Error(`${command.join(" ")}: exit ${exitCode}\n${stdout}${stderr}`);
}

/** A guardfile with the default's roots and so many wraps; the first is rm's. */
function guardfile(wraps: number): string {
	const roots = 'roots "session" { root-env "TMX_ROOTS"; root "/tmp"; root "/var/tmp"; root "/private/tmp"; root "/dev/shm"; }';
	const wrap = (name: string, replace: string) =>
		`wrap ${name} { exec ${name}; ${replace} can run "*" { gate paths-within { operands "positional"; roots "session"; }; }; }`;
	const others = Array.from({ length: wraps - 1 }, (_, k) => wrap(`tool${k}`, ""));
	return `${[roots, wrap("rm", "replace;"), ...others].join("\n")}\n`;
}

/** Build the shims of a policy with so many wraps; the path of its rm. */
function shims(tmx: string, wraps: number): string {
	const source = join(scratch, `${wraps}.kdl`);
	const out = join(scratch, `wraps-${wraps}`);
	writeFileSync(source, guardfile(wraps), { mode: 0o644 });
	must([tmx, "build", source, "--out", out]);
	return join(out, "rm");
}

const median = (sorted: number[]) => sorted[Math.floor(sorted.length / 2)] as number;

/** Run the rows in turn; the median of each in microseconds. */
function time(timer: string, rows: Row[], count: number): Map<string, number> {
	const plan: string[] = [];
	for (const { label, program, words, set = {}, files } of rows) {
		const directory = join(scratch, "work", label.replaceAll(/[^a-z0-9]+/g, "-"));
		mkdirSync(directory, { recursive: true });
		plan.push(`row ${label}`, `in ${directory}`, `run ${program}`, ...words.map((word) => `word ${word}`));
		for (const [name, value] of Object.entries(set)) plan.push(`set ${name}=${value}`);
		if (files) plan.push(`files ${files}`);
	}
	const { exitCode, stdout, stderr } = Bun.spawnSync([timer, String(count)], { stdin: Buffer.from(`${plan.join("\n")}\n`), cwd: scratch });
	if (exitCode !== 0) throw new Error(`${stderr}`);
	const medians = new Map<string, number>();
	for (const line of `${stdout}`.trim().split("\n")) {
		const [label, durations] = line.split("\t") as [string, string];
		medians.set(
			label,
			median(
				durations
					.split(" ")
					.map(Number)
					.sort((a, b) => a - b),
			),
		);
	}
	return medians;
}

/** A table of medians, each beside the rows that it is compared with. */
function table(title: string, medians: Map<string, number>, beside: string[]): void {
	console.log(`\n${title}`);
	console.log(`  ${"".padEnd(34)}${"median ms".padStart(10)}${beside.map((label) => `/ ${label}`.padStart(14)).join("")}`);
	for (const [label, value] of medians) {
		const ratios = beside.map((other) => (value / (medians.get(other) ?? Number.NaN)).toFixed(3).padStart(14));
		console.log(`  ${label.padEnd(34)}${(value / 1000).toFixed(2).padStart(10)}${ratios.join("")}`);
	}
}

/** Whether each budget holds; prints one line a budget. */
function budgets(medians: Map<string, number>, rows: Budget[]): boolean {
	let held = true;
	for (const { row, beside, most } of rows) {
		const ratio = (medians.get(row) ?? Number.NaN) / (medians.get(beside) ?? Number.NaN);
		const ok = ratio <= most;
		held &&= ok;
		console.log(`  ${ok ? "held  " : "BROKEN"}  ${row} is ${ratio.toFixed(3)} of ${beside}, at most ${most}`);
	}
	return held;
}

/** Other people's wrappers, where they are installed. */
function neighbours(roots: Record<string, string>): Row[] {
	const found: Row[] = [];
	const safeRm = Bun.which("safe-rm");
	if (safeRm) found.push({ label: "safe-rm", program: safeRm, words: ["safe-rm", "-f", "gone"], set: roots });
	const home = process.env.HOME ?? "";
	for (const [name, shim] of [
		["pyenv shim", join(home, ".pyenv/shims/python3")],
		["mise shim", join(home, ".local/share/mise/shims/python3")],
	] as const) {
		if (existsSync(shim)) found.push({ label: `${name} of python3 -V`, program: shim, words: ["python3", "-V"] });
	}
	return found;
}

say("compiling the benched binary and the timer");
const tmx = join(scratch, "tmx");
await compile(resolve(here, "entry.ts"), tmx);
const timer = join(scratch, "timer");
must([Bun.which("cc") ?? "cc", "-O2", "-o", timer, join(here, "timer.c")]);
for (const name of ["empty", "x"]) symlinkSync(tmx, join(scratch, name));
const rm = Bun.which("rm", { PATH: "/usr/bin:/bin" }) ?? "/bin/rm";
const [one, hundred, thousand] = [1, 100, 1000].map((wraps) => shims(tmx, wraps)) as [string, string, string];
const roots = { TMX_ROOTS: join(scratch, "work"), XDG_STATE_HOME: scratch };
const call = ["rm", "-f", "gone"];
const absolute = (name: string) => [join(scratch, name), "-f", "gone"];

say(`one call, ${rounds} rounds`);
const single = time(
	timer,
	[
		{ label: "rm alone", program: rm, words: call },
		{ label: "empty program", program: join(scratch, "empty"), words: absolute("empty") },
		{ label: "X", program: join(scratch, "x"), words: absolute("x") },
		{ label: "shim, inert", program: one, words: call },
		{ label: "shim, judged and audited", program: one, words: call, set: roots },
		{ label: "the same, 100 wraps", program: hundred, words: call, set: roots },
		{ label: "the same, 1000 wraps", program: thousand, words: call, set: roots },
		...neighbours(roots),
	],
	rounds,
);
table("One call of rm (X becomes rm with full fidelity and does nothing else)", single, ["rm alone", "X"]);

let held = budgets(single, [
	{ row: "shim, inert", beside: "X", most: 1.08 },
	{ row: "shim, judged and audited", beside: "X", most: 1.15 },
	{ row: "the same, 1000 wraps", beside: "shim, judged and audited", most: 1.05 },
]);

for (const count of [1, 1000, 50_000]) {
	const turns = Math.max(5, Math.min(rounds, Math.round(20_000 / count)));
	say(`${count} operands, ${turns} rounds`);
	const many = time(
		timer,
		[
			{ label: `rm ${count}`, program: rm, words: ["rm", "-f"], files: count },
			{ label: `shim ${count}`, program: one, words: ["rm", "-f"], files: count, set: roots },
		],
		turns,
	);
	table(`${count} operands, real files made anew before each run`, many, [`rm ${count}`]);
	if (count === 50_000) held = budgets(many, [{ row: `shim ${count}`, beside: `rm ${count}`, most: 1.25 }]) && held;
}
if (values.check && !held) process.exit(1);
