// What a launch costs: medians of interleaved runs of `tmx wrap -- true` beside the empty binary and the program alone. `npm run bench:launch`.

import { chmodSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { compile } from "../../build.ts";

const { values } = parseArgs({ options: { rounds: { type: "string", default: "100" }, check: { type: "boolean", default: false } } });
const rounds = Number(values.rounds);
const scratch = realpathSync(mkdtempSync(join(tmpdir(), "tmx-bench-")));
// A runtime directory is in memory wherever a login makes one.
const runtime = mkdtempSync(join(existsSync("/dev/shm") ? "/dev/shm" : scratch, "tmx-bench-"));
process.on("exit", () => {
	for (const directory of [scratch, runtime]) rmSync(directory, { recursive: true, force: true });
});

const tmx = join(scratch, "tmx");
await compile(resolve(import.meta.dir, "entry.ts"), tmx);
symlinkSync(tmx, join(scratch, "empty"));
for (const name of ["project", "home"]) {
	mkdirSync(join(scratch, name));
	chmodSync(join(scratch, name), 0o700);
}
const env = { PATH: "/usr/local/bin:/usr/bin:/bin", HOME: join(scratch, "home"), XDG_RUNTIME_DIR: runtime };
const program = Bun.which("true", { PATH: "/usr/bin:/bin" }) ?? "/bin/true";

/** Milliseconds that a program takes. */
function run(argv: string[]): number {
	const start = Bun.nanoseconds();
	const { exitCode, stderr } = Bun.spawnSync(argv, { cwd: join(scratch, "project"), env, stdin: null, stdout: "ignore", stderr: "pipe" });
	if (exitCode !== 0) throw new Error(`${argv.join(" ")}: exit ${exitCode}\n${stderr}`);
	return (Bun.nanoseconds() - start) / 1e6;
}

const ROWS = {
	"empty binary": [join(scratch, "empty")],
	true: [program],
	"tmx wrap -- true": [tmx, "wrap", "--", program],
} as const;
const times = new Map(Object.keys(ROWS).map((label) => [label, [] as number[]]));
for (let k = 0; k < rounds; k++) for (const [label, argv] of Object.entries(ROWS)) times.get(label)?.push(run([...argv]));
const median = (label: keyof typeof ROWS) => {
	const sorted = [...(times.get(label) ?? [])].sort((a, b) => a - b);
	return sorted[sorted.length >> 1] ?? Number.NaN;
};
console.log(`\nA launch, ${rounds} rounds\n${"".padEnd(30)}median ms`);
for (const label of Object.keys(ROWS) as (keyof typeof ROWS)[]) console.log(`  ${label.padEnd(28)}${median(label).toFixed(2).padStart(9)}`);
const ratio = median("tmx wrap -- true") / (median("empty binary") + median("true"));
const held = ratio <= 2.5;
console.log(`  ${held ? "held  " : "BROKEN"}  tmx wrap is ${ratio.toFixed(2)} of the empty binary and the program, at most 2.5`);
if (values.check && !held) process.exit(1);
