// Compile dist/tmx: a base executable that obeys no environment variable, then `bun build --compile` with the flags of the hot path.

import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { version } from "./package.json";
import { defaultModule } from "./src/guardfile/generate.ts";

/**
 * The variables that a Bun executable obeys before our first line runs, and in how many places at least their names stand
 * in it. A name whose first byte is NUL can match no entry of an environment, so the tool gets the variable and we do not.
 */
const OBEYED: readonly [name: string, atLeast: number][] = [
	["BUN_OPTIONS", 2],
	["BUN_BE_BUN", 1],
	["BUN_INSPECT", 1],
	["BUN_FEATURE_FLAG_NO_ORPHANS", 1],
	["JSC_SIGNAL_FOR_GC", 1],
];

/** Names that stand within quotes or behind a space are help texts and messages, not what getenv(3) is given. */
const isProse = (before: number | undefined) => before === 0x20 || before === 0x22;

/** Make the names of OBEYED unmatchable in a copy of the executable. */
function hush(executable: Buffer): void {
	for (const [name, atLeast] of OBEYED) {
		let count = 0;
		for (let at = executable.indexOf(name); at >= 0; at = executable.indexOf(name, at + 1)) {
			if (isProse(executable[at - 1])) continue;
			executable[at] = 0;
			count++;
		}
		if (count < atLeast) throw new Error(`${name} stands in ${count} places of the base executable, expected ${atLeast}: has Bun changed?`);
	}
}

const FLAGS = [
	"--compile",
	"--bytecode",
	"--minify",
	"--format=esm",
	"--splitting",
	"--compile-jit-policy=100",
	"--no-compile-autoload-dotenv",
	"--no-compile-autoload-bunfig",
	"--compile-exec-argv=--disallow-code-generation-from-strings=strict",
];

/** Compile `entry` to `out`. Two builds of one tree are byte-identical. */
export function compile(entry: string, out: string): void {
	const root = import.meta.dir;
	const directory = join(out, "..");
	mkdirSync(directory, { recursive: true });
	const base = join(directory, `.base-${process.pid}`);
	// The name goes into the binary, so the file is built under its own name in a directory of this build's.
	const staging = join(directory, `.build-${process.pid}`);
	try {
		const executable = readFileSync(process.execPath);
		hush(executable);
		writeFileSync(base, executable);
		chmodSync(base, 0o755);
		mkdirSync(staging);
		const outfile = join(staging, "tmx");
		const run = Bun.spawnSync(
			[
				process.execPath,
				"build",
				...FLAGS,
				`--compile-executable-path=${base}`,
				`--define=TMX_VERSION="${version}"`,
				`--outfile=${outfile}`,
				entry,
			],
			{ cwd: root, stdout: "pipe", stderr: "pipe" },
		);
		const said = `${run.stdout}${run.stderr}`;
		// Bun exits 0 when it could not generate bytecode, and leaves a binary that throws.
		if (run.exitCode !== 0 || said.includes("Failed to generate bytecode")) throw new Error(`bun build failed:\n${said}`);
		renameSync(outfile, out);
	} finally {
		rmSync(base, { force: true });
		rmSync(staging, { recursive: true, force: true });
	}
}

/** Write the default guardfile in compiled form where the sources import it, unless it stands there already. */
function writeDefault(): void {
	const directory = join(import.meta.dir, "src/guardfile");
	const path = join(directory, "default.compiled.ts");
	const text = defaultModule(readFileSync(join(directory, "default.kdl"), "utf8"));
	if (readFileSync(path, "utf8") !== text) writeFileSync(path, text);
}

if (import.meta.main) {
	writeDefault();
	const out = join(import.meta.dir, "dist/tmx");
	compile("src/main.ts", out);
	console.error(`built ${out}`);
}
