// What the floor costs: `tmx wrap --floor` beside `tmx wrap`, and system calls under it by git status of a large tree. `npm run bench:floor`.

import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { compile } from "../../build.ts";

const { values } = parseArgs({
	options: {
		rounds: { type: "string", default: "100" },
		files: { type: "string", default: "20000" },
		check: { type: "boolean", default: false },
	},
});
const rounds = Number(values.rounds);
const count = Number(values.files);

/** The budgets: milliseconds of a launch, and how much longer git may take. */
const LAUNCH = 5;
const RATIO = 1.05;

// In memory where there is such a place, and without a runtime directory: a session with a floor does not lie in that, and where
// sessions are written is not what is measured.
const scratch = realpathSync(mkdtempSync(join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), "tmx-bench-")));
process.on("exit", () => rmSync(scratch, { recursive: true, force: true }));

const tmx = join(scratch, "tmx");
await compile(resolve(import.meta.dir, "../../src/main.ts"), tmx);
for (const name of ["project", "home"]) {
	mkdirSync(join(scratch, name));
	chmodSync(join(scratch, name), 0o700);
}
const env = { PATH: "/usr/local/bin:/usr/bin:/bin", HOME: join(scratch, "home") };

/** The default policy without the system's temporary directories, in which all of this lies. */
function build(): string {
	const text = readFileSync(resolve(import.meta.dir, "../../src/guardfile/default.kdl"), "utf8").replaceAll(/^ *root "\/.*$/gm, "");
	writeFileSync(join(scratch, "guard.kdl"), `${text}\nfloor {\n    deny-group "temp"\n}\n`, { mode: 0o644 });
	run([tmx, "build", join(scratch, "guard.kdl"), "--out", join(scratch, "shims")]);
	return join(scratch, "shims");
}

const program = Bun.which("true", { PATH: "/usr/bin:/bin" }) ?? "/bin/true";

type Clock = "wall" | "processor";

/** Milliseconds that a program takes, by the clock or of the processor with all its children: others' work does not count there. */
function run(argv: readonly string[], clock: Clock = "wall", cwd = join(scratch, "project")): number {
	const start = Bun.nanoseconds();
	const done = Bun.spawnSync([...argv], { cwd, env, stdin: null, stdout: "ignore", stderr: "pipe" });
	const wall = (Bun.nanoseconds() - start) / 1e6;
	if (done.exitCode !== 0) throw new Error(`${argv.join(" ")}: exit ${done.exitCode}\n${done.stderr}`);
	return clock === "wall" ? wall : Number(done.resourceUsage?.cpuTime.total ?? 0) / 1e3;
}

/** Medians of runs that take turns. */
function medians<Label extends string>(
	rows: Record<Label, readonly string[]>,
	times: number,
	clock?: Clock,
	cwd?: string,
): Record<Label, number> {
	const taken = new Map<Label, number[]>();
	const labels = Object.keys(rows) as Label[];
	for (let k = 0; k < times; k++) for (const label of labels) taken.set(label, [...(taken.get(label) ?? []), run(rows[label], clock, cwd)]);
	const median = (all: number[]) => all.sort((a, b) => a - b)[all.length >> 1] ?? Number.NaN;
	return Object.fromEntries(labels.map((label) => [label, median(taken.get(label) ?? [])])) as Record<Label, number>;
}

function show(title: string, rows: Record<string, number>): void {
	console.log(`\n${title}`);
	for (const [label, median] of Object.entries(rows)) console.log(`  ${label.padEnd(40)}${median.toFixed(2).padStart(9)} ms`);
}

/** A repository with so many files. */
function repository(): string {
	const path = join(scratch, "project/large");
	for (let k = 0; k < count; k++) {
		const directory = join(path, `d${k % 97}`, `e${k % 11}`);
		if (k < 97 * 11) mkdirSync(directory, { recursive: true });
		writeFileSync(join(directory, `f${k}`), `${k}\n`);
	}
	run(["git", "init", "-q"], "wall", path);
	run(["git", "add", "."], "wall", path);
	return path;
}

const policy = ["--policy", build()];
const launches = medians(
	{
		"tmx wrap -- true": [tmx, "wrap", ...policy, "--", program],
		"tmx wrap --floor -- true": [tmx, "wrap", ...policy, "--floor", "--", program],
	},
	rounds,
);
show(`A launch, ${rounds} rounds`, launches);
const more = launches["tmx wrap --floor -- true"] - launches["tmx wrap -- true"];

const tree = repository();
const status = ["sh", "-c", "for k in 1 2 3 4 5 6 7 8; do git --no-optional-locks status --porcelain -unormal || exit 1; done"];
const calls = medians(
	{ "git status, eight times": status, "the same under the floor": [tmx, "floor", ...policy, "--", ...status] },
	Math.max(5, rounds / 2),
	"processor",
	tree,
);
show(`git status of ${count} files, of the processor`, calls);
const start = medians(
	{ true: [program], "tmx floor -- true": [tmx, "floor", ...policy, "--", program] },
	Math.max(5, rounds / 5),
	"processor",
	tree,
);
show("of which the start takes", start);
const ratio = (calls["the same under the floor"] - start["tmx floor -- true"]) / (calls["git status, eight times"] - start.true);

const held = [more <= LAUNCH, ratio <= RATIO];
console.log(`\n  ${held[0] ? "held  " : "BROKEN"}  a floor adds ${more.toFixed(2)} ms to a launch, at most ${LAUNCH}`);
console.log(`  ${held[1] ? "held  " : "BROKEN"}  system calls under it take ${ratio.toFixed(3)} of the time, at most ${RATIO}`);
if (values.check && held.includes(false)) process.exit(1);
