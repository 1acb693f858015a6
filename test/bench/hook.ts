// What a hook costs: medians of interleaved runs beside the empty binary and cc-safety-net, and who is right over the corpus. `npm run bench:hook`.

import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { compile } from "../../build.ts";
import { corpus } from "../hook/corpus.ts";
import { makeWorld } from "../hook/world.ts";
import { ROOT } from "../support/binary.ts";

const { values } = parseArgs({ options: { rounds: { type: "string", default: "60" }, check: { type: "boolean", default: false } } });
const rounds = Number(values.rounds);
const scratch = realpathSync(mkdtempSync(join(tmpdir(), "tmx-bench-")));
process.on("exit", () => rmSync(scratch, { recursive: true, force: true }));

/** Where the other guard lies: below .cache, as the real agents do. */
const directory = join(ROOT, ".cache/neighbour");
const OTHER = "cc-safety-net@2.4.5";

/** The other guard, its script run by node as its plugins for Claude Code and Codex do; undefined where it cannot be had. */
function neighbour(): string[] | undefined {
	const program = join(directory, "node_modules/cc-safety-net/dist/bin/cc-safety-net.js");
	if (!existsSync(program)) {
		mkdirSync(directory, { recursive: true });
		writeFileSync(join(directory, "package.json"), '{"private":true}\n');
		const words = ["npm", "install", "--prefix", directory, "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
		Bun.spawnSync([...words, OTHER], { stdout: "inherit", stderr: "inherit" });
	}
	const node = Bun.which("node");
	return existsSync(program) && node ? [node, program, "hook", "--claude-code"] : undefined;
}

const tmx = join(scratch, "tmx");
await compile(resolve(import.meta.dir, "entry.ts"), tmx);
symlinkSync(tmx, join(scratch, "empty"));
const world = makeWorld();
const cwd = `${world.box.root}/proj`;
const env = { PATH: `${world.shims}:/usr/local/bin:/usr/bin:/bin`, HOME: world.box.home, TMX_ROOTS: world.box.root };
const eventOf = (command: string) =>
	JSON.stringify({ session_id: "s", cwd, hook_event_name: "PreToolUse", tool_name: "Bash", tool_input: { command } });
/** Loops, values and the like have to be read. */
const COMMAND =
	'cd sub && make -j4 2>&1 | tee build.log && rm -rf ../build/*.o && for f in a b; do cp "$f" "x-$f"; done; git add -A && git commit -qm "fix: all of it" && echo done > out.txt 2>/dev/null; ls -la | head -n 3; exit 0';

/** Simple commands of guarded tools are judged as they stand. */
const SIMPLE =
	'cd sub && make -j4 2>&1 | tee build.log && rm -rf build.o && cp a x-a && cp b x-b; git add -A && git commit -qm "fix: all of it" && echo done > out.txt 2>/dev/null; ls -la | head -n 3; npm test -- --reporter=dot; exit 0';
const ONE =
	'cd sub && npm run build -- --mode production 2>&1 | tail -n 40 && rm -rf node_modules/.cache/babel-loader && npm test -- --coverage --reporter=dot 2>&1 | grep -v "^PASS" | head -n 60; git status --short && ls -la | head -n 3';

/** Most of what an agent runs looks like this, and nothing in it need be judged. */
const PLAIN =
	'cd sub && npm test -- --coverage 2>&1 | tail -n 20; git status && grep -rn "to do" src | head -n 5; git diff --stat HEAD~1 -- src test | tail -n 12 && cat package.json | jq .scripts && ls -la src | head -n 30 && echo "exit: $?"';
const FILE = JSON.stringify({
	...{ session_id: "s", cwd, hook_event_name: "PreToolUse" },
	...{ tool_name: "Write", tool_input: { file_path: `${cwd}/a.txt`, content: "x" } },
});

/** Milliseconds that a program takes with an event on standard input, and its exit status. */
function run(argv: string[], event: string, variables: Record<string, string> = env): { took: number; status: number; stdout: string } {
	const start = Bun.nanoseconds();
	const { exitCode, stdout } = Bun.spawnSync(argv, { cwd, env: variables, stdin: Buffer.from(event), stdout: "pipe", stderr: "ignore" });
	return { took: (Bun.nanoseconds() - start) / 1e6, status: exitCode, stdout: stdout.toString() };
}

const other = neighbour();
const hook = [tmx, "hook", "claude", "--policy", world.shims];
const { TMX_ROOTS: _, ...outside } = env;
/** A label, a command line, the event, and the variables. */
const rows: [label: string, argv: string[], event: string, variables: Record<string, string>][] = [
	// With the event on its standard input as well: writing it costs whoever starts the process half a millisecond.
	["empty binary", [join(scratch, "empty")], eventOf(COMMAND), env],
	["tmx hook, a loop among them", hook, eventOf(COMMAND), env],
	["tmx hook, eight that are guarded", hook, eventOf(SIMPLE), env],
	["tmx hook, one that is guarded", hook, eventOf(ONE), env],
	["tmx hook, nothing guarded", hook, eventOf(PLAIN), env],
	["tmx hook, a file that is written", hook, FILE, env],
	["tmx hook, no session", hook, eventOf(COMMAND), outside],
	...(other ? [["cc-safety-net", other, eventOf(COMMAND), env] satisfies (typeof rows)[number]] : []),
];

/** The command that it registers with the other agents; npx takes so long that a few runs of it do. */
const registered: (typeof rows)[number] = [
	"cc-safety-net by npx",
	["npx", "-y", OTHER, "hook", "--claude-code"],
	eventOf(COMMAND),
	{ ...env, PATH: process.env.PATH ?? "", HOME: join(directory, "home") },
];
if (other) {
	mkdirSync(join(directory, "home"), { recursive: true });
	run(registered[1], registered[2], registered[3]);
	rows.push(registered);
}
const EVERY = 6;
const times = new Map(rows.map(([label]) => [label, [] as number[]]));
for (let k = 0; k < rounds; k++)
	for (const row of rows) {
		const [label, argv, event, variables] = row;
		if (row !== registered || k % EVERY === 0) times.get(label)?.push(run(argv, event, variables).took);
	}
const median = (label: string) => {
	const sorted = [...(times.get(label) ?? [])].sort((a, b) => a - b);
	return sorted[sorted.length >> 1] ?? Number.NaN;
};
console.log(
	`\nOne event with a command line of ${[COMMAND, SIMPLE, ONE, PLAIN].map((line) => line.length).join(", ")} characters, ${rounds} rounds\n${"".padEnd(34)}median ms  / empty binary`,
);
for (const [label] of rows)
	console.log(
		`  ${label.padEnd(32)}${median(label).toFixed(2).padStart(9)}${(median(label) / median("empty binary")).toFixed(3).padStart(16)}`,
	);
let held = true;
const budget = (what: string, ratio: number, ok: boolean) => {
	held &&= ok;
	console.log(`  ${ok ? "held  " : "BROKEN"}  ${what} ${ratio.toFixed(2)}`);
};
const lines = rows.map(([label]) => label).filter((label) => /among|guarded/.test(label));
for (const label of lines) {
	const cost = median(label) / median("empty binary");
	budget(`${label}: of the empty binary, at most 1.6:`, cost, cost <= 1.6);
}
for (const than of other ? ["cc-safety-net", registered[0]] : [])
	for (const label of lines) {
		const gain = median(than) / median(label);
		budget(`${label}: times faster than ${than}, at least 15:`, gain, gain >= 15);
	}

/** Whether an answer refuses: by its status, or in the JSON of Claude Code. */
const refuses = ({ status, stdout }: { status: number; stdout: string }) =>
	status === 2 || /"permissionDecision"\s*:\s*"(deny|ask)"/.test(stdout);

const cases = corpus(readFileSync(join(import.meta.dir, "../hook/lines.txt"), "utf8")).flatMap((section) => section.cases);
console.log(
	`\nOver the corpus of ${cases.length} command lines (test/hook/lines.txt)\n${"".padEnd(20)}refused rightly  missed  refused wrongly`,
);
for (const [label, argv] of [["tmx hook", hook] as const, ...(other ? [["cc-safety-net", other] as const] : [])]) {
	const count = { right: 0, missed: 0, wrong: 0 };
	for (const { expected, command } of cases) {
		if (expected === "either") continue;
		const refused = refuses(run(argv, eventOf(world.fill(command))));
		if (expected === "deny") count[refused ? "right" : "missed"]++;
		else if (refused) count.wrong++;
	}
	console.log(
		`  ${label.padEnd(18)}${String(count.right).padStart(15)}${String(count.missed).padStart(8)}${String(count.wrong).padStart(17)}`,
	);
}
world.box.remove();
if (values.check && !held) process.exit(1);
