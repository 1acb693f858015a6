// Compile dist/tmx: a base executable that obeys no environment variable and warms up no heap, then `bun build --compile` with the flags of the hot path.

import { chmodSync, copyFileSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { BunPlugin } from "bun";
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

/**
 * `BUN_JSC_NAME=VALUE` sets an option of the JavaScript engine: one ends the process with status 0 before a line of ours has run,
 * others write files. The name stands nowhere as text: eight comparisons of a byte each, every one followed by a jump to the next variable.
 */
const ENGINE_PREFIX = "BUN_JSC_";

/** x86-64: `cmp byte [reg+k], letter; jne` for each letter; the first has no offset. */
function comparisons(): RegExp {
	const hex = (byte: number) => `\\x${byte.toString(16).padStart(2, "0")}`;
	const one = (letter: string, k: number) => `(?:\\x41)?\\x80[\\s\\S]${k === 0 ? "" : hex(k)}${hex(letter.charCodeAt(0))}\\x75[\\s\\S]`;
	return new RegExp([...ENGINE_PREFIX].map(one).join(""), "g");
}

const JNE = 0x75;
const JMP = 0xeb;

/** Make the first of those jumps unconditional, so that no variable is an option. Only x86-64 is known by its code. */
function muteEngine(executable: Buffer): void {
	if (process.arch !== "x64") return;
	const found = [...executable.toString("latin1").matchAll(comparisons())];
	const [only] = found;
	if (only === undefined || found.length > 1)
		throw new Error(`${ENGINE_PREFIX} is compared in ${found.length} places of the base executable, expected 1: has Bun changed?`);
	executable[executable.indexOf(JNE, only.index)] = JMP;
}

/**
 * x86-64: how the engine sets the defaults of two of its options, warmUpMarkedBlockCount and warmUpMarkedBlockStartAfterBlocks, 32 and 64 in
 * one go. The instruction before it is `mov byte [useWarmUpMarkedBlocks], 1`: a thread that makes pages of the heap resident ahead of
 * their use. A shim or a hook is gone before that pays, and on two processors it takes a tenth of their time.
 */
const WARM_UP = Buffer.from("48b82000000040000000488905", "hex");
const MOVE_BYTE = 0x05c6;
const MOVE_BYTE_LENGTH = 7;

/** Keep the engine from starting that thread. Only x86-64 is known by its code. */
function calmHeap(executable: Buffer): void {
	if (process.arch !== "x64") return;
	const at = executable.indexOf(WARM_UP);
	const isOnly = at > 0 && executable.indexOf(WARM_UP, at + 1) < 0;
	if (!isOnly || executable.readUInt16LE(at - MOVE_BYTE_LENGTH) !== MOVE_BYTE || executable[at - 1] !== 1)
		throw new Error("the default of useWarmUpMarkedBlocks is not found in the base executable: has Bun changed?");
	executable[at - 1] = 0;
}

/** What main.ts loads for one purpose and in a hurry, each with a mark for its copies of the modules that others have as well. */
const ALONE: Readonly<Record<string, string>> = { "./launch/door.ts": "?launch", "./hook.ts": "?hook" };
const APART = "?apart";
const MARKED = /\?(apart|launch|hook)$/;

/**
 * What is imported by `import()` gets copies of its own of the modules that it shares with the hot path. Without them the
 * bundler puts each shared module into a file beside the main one, and a start has to load eight of them.
 */
const apart: BunPlugin = {
	name: "apart",
	setup(build) {
		build.onResolve({ filter: /./ }, ({ path, importer, kind }) => {
			const mark = MARKED.exec(importer)?.[0] ?? (kind === "dynamic-import" ? (ALONE[path] ?? APART) : undefined);
			// Of packages only the hook has a copy of its own: the one that it reads command lines with.
			if (mark === undefined || /^(node|bun):/.test(path) || (mark !== ALONE["./hook.ts"] && !/^[.#]/.test(path))) return undefined;
			const found = Bun.resolveSync(path, dirname(importer));
			return /\.[jt]s$/.test(found) ? { path: found + mark } : undefined;
		});
		build.onLoad({ filter: MARKED }, ({ path }) => {
			const file = path.replace(MARKED, "");
			return { contents: readFileSync(file, "utf8"), loader: file.endsWith(".ts") ? "ts" : "js" };
		});
	},
};

async function bundle(entry: string, base: string, outfile: string): Promise<void> {
	const built = await Bun.build({
		entrypoints: [resolve(import.meta.dir, entry)],
		target: "bun",
		format: "esm",
		splitting: true,
		minify: true,
		bytecode: true,
		define: { TMX_VERSION: JSON.stringify(version) },
		plugins: [apart],
		compile: {
			executablePath: base,
			outfile,
			autoloadDotenv: false,
			autoloadBunfig: false,
			// Any such argument also makes the binary start in a deleted working directory; this one refuses eval.
			execArgv: ["--disallow-code-generation-from-strings=strict"],
			// Compiling machine code starts threads, and a shim is gone before that pays.
			jitPolicy: 100,
		},
	});
	// Bun calls it a success when it could not generate bytecode, and leaves a binary that throws.
	if (!built.success || built.logs.length > 0) throw new Error(`the build failed:\n${built.logs.join("\n")}`);
}

/** Compile `entry` (below this directory) to `out`. Two builds of one tree are byte-identical. */
export async function compile(entry: string, out: string): Promise<void> {
	const directory = join(out, "..");
	mkdirSync(directory, { recursive: true });
	const base = join(directory, `.base-${process.pid}`);
	// The name goes into the binary, so the file is built under its own name in a directory of this build's.
	const staging = join(directory, `.build-${process.pid}`);
	try {
		const executable = readFileSync(process.execPath);
		hush(executable);
		muteEngine(executable);
		calmHeap(executable);
		writeFileSync(base, executable);
		chmodSync(base, 0o755);
		mkdirSync(staging);
		const outfile = join(staging, "tmx");
		await bundle(entry, base, outfile);
		// The bundler writes in small pieces, and the page cache keeps them so: a copy starts half a millisecond faster.
		const whole = join(staging, "copy");
		copyFileSync(outfile, whole);
		chmodSync(whole, 0o755);
		renameSync(whole, out);
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

/** What packages put beside the binary, under the names that man(1) and the shells want; the binary itself makes it. */
const TEXTS: readonly [name: string, words: string[]][] = [
	["tmx.1", ["help", "--man"]],
	["completions/tmx", ["completions", "bash"]],
	["completions/_tmx", ["completions", "zsh"]],
	["completions/tmx.fish", ["completions", "fish"]],
];

function writeTexts(binary: string): void {
	mkdirSync(join(dirname(binary), "completions"), { recursive: true });
	for (const [name, words] of TEXTS) {
		const { exitCode, stdout, stderr } = Bun.spawnSync([binary, ...words]);
		if (exitCode !== 0) throw new Error(`tmx ${words.join(" ")}: ${stderr}`);
		writeFileSync(join(dirname(binary), name), stdout);
	}
}

if (import.meta.main) {
	writeDefault();
	const out = join(import.meta.dir, "dist/tmx");
	await compile("src/main.ts", out);
	writeTexts(out);
	console.error(`built ${out}`);
}
