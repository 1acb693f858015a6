// Compares what a tool inherits when it is called directly with what it inherits through its shim, in 34 states: `bun test/exec/fidelity.ts [BINARY]`.

import {
	chmodSync,
	closeSync,
	copyFileSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	openSync,
	readFileSync,
	realpathSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** One state, and the keys of the lines that differ in it; `lines` counts as diff(1) does. */
export interface Difference {
	state: string;
	keys: string[];
	lines: number;
}

/** Whether the shim judges the call or finds its gate switched off. */
export type Mode = "inert" | "judged";

const HERE = import.meta.dir;
const ARGV = ["rm", "-rf", "b c", "", "./x"];

function run(command: string[], cwd: string, env: Record<string, string>): string {
	const stderr = openSync(join(cwd, "messages"), "w");
	try {
		const done = Bun.spawnSync(command, { cwd, env, stdin: "ignore", stdout: "pipe", stderr });
		if (done.exitCode !== 0) throw new Error(`${command.join(" ")}: exit ${done.exitCode}: ${readFileSync(join(cwd, "messages"), "utf8")}`);
		return done.stdout.toString();
	} finally {
		closeSync(stderr);
	}
}

function build(scratch: string): void {
	for (const name of ["inherited", "state"]) {
		run(["cc", "-O1", "-o", join(scratch, name), join(HERE, `${name}.c`), "-lutil"], scratch, {
			PATH: process.env.PATH ?? "/usr/bin:/bin",
		});
	}
}

/** A shim of `rm` whose real tool is the program that prints what it inherited. */
function install(scratch: string, binary: string): string {
	const shims = join(scratch, "shims");
	mkdirSync(join(shims, "policy"), { recursive: true });
	// A copy: the state with another user must reach it, and a checkout may lie in a private directory.
	copyFileSync(binary, join(scratch, "tmx"));
	symlinkSync("../tmx", join(shims, "rm"));
	const rule = { gate: "paths-within", line: 1, operands: "positional", settings: { "root-env": ["TMX_ROOTS"] } };
	const policy = { format: 1, tool: "rm", exec: join(scratch, "inherited"), guardfile: "test.kdl", gates: [rule] };
	const audit = { audit: join(scratch, "audit.jsonl"), uid: process.getuid?.() ?? -1, home: "/nonexistent" };
	writeFileSync(join(shims, "policy/rm.json"), JSON.stringify({ ...policy, ...audit }), { mode: 0o644 });
	return join(shims, "rm");
}

/** The report as lines by key, with the numbers of this run's own processes replaced by what they are. */
function normalised(report: string): Map<string, string> {
	const lines = new Map(report.split("\n").map((line) => [line.split(/\s/, 1)[0] ?? "", line] as const));
	const own = (key: string) => lines.get(key)?.slice(key.length + 1);
	const names = new Map([
		[own("ran.child"), "CHILD"],
		[own("ran.parent"), "PARENT"],
	]);
	for (const [key, line] of lines) {
		if (/^(process|terminal|ran)\./.test(key))
			lines.set(
				key,
				line.replace(/\d+/g, (number) => names.get(number) ?? number),
			);
		// Which terminal the system gives out next depends on who else asks.
		if (key.startsWith("descriptor.")) lines.set(key, line.replace(/\/dev\/pts\/\d+/, "/dev/pts/N"));
	}
	return lines;
}

/** What `program` reports of the state. */
function observe(scratch: string, state: string, program: string, env: Record<string, string>, argv = ARGV): Map<string, string> {
	const report = join(scratch, "report");
	writeFileSync(report, "");
	chmodSync(report, 0o666);
	run([join(scratch, "state"), state, report, program, ...argv], scratch, env);
	return normalised(readFileSync(report, "latin1"));
}

function compare(state: string, direct: Map<string, string>, shimmed: Map<string, string>): Difference {
	const keys = [...new Set([...direct.keys(), ...shimmed.keys()])].filter((key) => direct.get(key) !== shimmed.get(key));
	const lines = keys.reduce((sum, key) => sum + Number(direct.has(key)) + Number(shimmed.has(key)), 0);
	return { state, keys, lines };
}

/** States in which there is no launch: no working directory, nowhere to write; and one that is about the name of tmx itself. */
const WITHOUT_LAUNCH = ["deleted-directory", "other-user", "no-environment", "empty-name"];

/** Run the states with the program that reports as COMMAND of `tmx wrap`, and by itself. The environment is meant to differ, and is left out. */
export function compareLaunches(binary: string): Difference[] {
	const scratch = mkdtempSync(join(realpathSync(tmpdir()), "tmx-exec-"));
	try {
		chmodSync(scratch, 0o777);
		build(scratch);
		install(scratch, binary);
		const [program, tmx] = [join(scratch, "inherited"), join(scratch, "tmx")];
		const states = run([join(scratch, "state")], scratch, {})
			.trim()
			.split("\n")
			.filter((state) => !WITHOUT_LAUNCH.includes(state));
		mkdirSync(join(scratch, "run"), { mode: 0o700 });
		const env = { PATH: "/usr/bin:/bin", HOME: "/nonexistent", XDG_RUNTIME_DIR: join(scratch, "run") };
		const words = [program, "b c", "", "./x"];
		return states.map((state) => {
			const direct = observe(scratch, state, program, env, words);
			const wrapped = observe(scratch, state, tmx, env, ["tmx", "wrap", "--policy", join(scratch, "shims"), "--", ...words]);
			const { keys, ...more } = compare(state, direct, wrapped);
			return { ...more, keys: keys.filter((key) => !key.startsWith("environment.")) };
		});
	} finally {
		rmSync(scratch, { recursive: true, force: true });
	}
}

/** Run all states with a compiled binary in each mode. The program that reports is the real tool, so nothing is removed. */
export function compareStates(binary: string): Record<Mode, Difference[]> {
	const scratch = mkdtempSync(join(realpathSync(tmpdir()), "tmx-exec-"));
	try {
		chmodSync(scratch, 0o777);
		build(scratch);
		const shim = install(scratch, binary);
		const states = run([join(scratch, "state")], scratch, {})
			.trim()
			.split("\n");
		const inMode = (mode: Mode) => {
			const env = { PATH: process.env.PATH ?? "", HOME: "/nonexistent", LANG: "C.UTF-8", TMX_ROOTS: mode === "judged" ? scratch : "" };
			const seen = (state: string, program: string) => observe(scratch, state, program, env);
			const differences = states.map((state) => compare(state, seen(state, join(scratch, "inherited")), seen(state, shim)));
			if (existsSync(join(scratch, "audit.jsonl")) !== (mode === "judged")) throw new Error(`the calls were not ${mode}`);
			return differences;
		};
		return { inert: inMode("inert"), judged: inMode("judged") };
	} finally {
		rmSync(scratch, { recursive: true, force: true });
	}
}

/** The differing keys, or how many they are when the tool was not run at all. */
const named = (keys: string[]) => (keys.length > 12 ? `(${keys.length} keys)` : keys.length > 0 ? `(${keys.join(", ")})` : "");

if (import.meta.main) {
	const binary = process.argv[2] ?? join(HERE, "../../dist/tmx");
	for (const [mode, differences] of Object.entries(compareStates(binary))) {
		console.log(`${mode}:`);
		for (const { state, keys, lines } of differences) console.log(`  ${state}: ${lines} differing lines ${named(keys)}`.trimEnd());
		const same = differences.filter(({ lines }) => lines === 0).length;
		console.log(`  ${same} of ${differences.length} states identical`);
	}
}
