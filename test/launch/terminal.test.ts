// On a terminal a wrapped program is as without us: window, modes, signals, job control, exit status, death by a signal.

import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { BINARY } from "../support/binary.ts";
import { PATIENCE } from "../support/box.ts";
import { makeSessions, type Sessions } from "../support/session.ts";

setDefaultTimeout(PATIENCE);

let sessions: Sessions;
beforeEach(() => {
	sessions = makeSessions();
});
afterEach(() => sessions.remove());

const python = Bun.which("python3", { PATH: "/usr/bin:/bin:/usr/local/bin" }) ?? Bun.which("python3");

type Step = ["expect" | "send", string] | ["size", number, number];

interface Row {
	name: string;
	command: string[];
	steps: Step[];
	/** What must be among what was seen, so that two equal failures are none. */
	sees: string;
}

const C = "\x03";
const Z = "\x1a";
const BACKSLASH = "\x1c";
const sh = (text: string) => ["bash", "--norc", "-c", text];

const ROWS: Row[] = [
	{ name: "the size of the window", command: ["stty", "size"], steps: [], sees: "31 97" },
	{
		name: "a change of the size, with its signal",
		command: sh('trap "stty size; exit 5" WINCH; echo ready; while :; do sleep 0.05; done'),
		steps: [
			["expect", "ready"],
			["size", 40, 120],
		],
		sees: "40 120",
	},
	{
		name: "raw mode: keys one by one, and the modes as they were",
		command: sh(
			'was=$(stty -g); stty raw -echo; echo ready; k=$(head -c 1 | od -An -tx1); stty "$was"; [ "$was" = "$(stty -g)" ] && echo "key$k"',
		),
		steps: [
			["expect", "ready"],
			["send", C],
		],
		sees: "key 03",
	},
	{ name: "the modes of the terminal", command: ["stty", "-a"], steps: [], sees: "isig icanon" },
	{
		name: "Ctrl-C, which it dies of",
		command: ["sh", "-c", "echo ready; exec sleep 20"],
		steps: [
			["expect", "ready"],
			["send", C],
		],
		sees: "^C",
	},
	{
		name: "Ctrl-C, which it catches",
		command: sh('trap "echo caught; exit 7" INT; echo ready; while :; do sleep 0.05; done'),
		steps: [
			["expect", "ready"],
			["send", C],
		],
		sees: "caught",
	},
	{
		name: "Ctrl-\\",
		command: ["sh", "-c", "ulimit -c 0; echo ready; exec sleep 20"],
		steps: [
			["expect", "ready"],
			["send", BACKSLASH],
		],
		sees: "ready",
	},
	{
		name: "the foreground of the terminal, its session and group",
		command: sh("read -r _ _ _ _ g s _ f _ </proc/$$/stat; [ $$ = $g ] && [ $$ = $s ] && [ $$ = $f ] && echo leads"),
		steps: [],
		sees: "leads",
	},
	{ name: "an exit status", command: sh("exit 43"), steps: [], sees: "" },
	{ name: "a death by a signal", command: sh("kill -USR1 $$"), steps: [], sees: "" },
	{ name: "standard input to its end", command: sh("cat; echo end"), steps: [["send", "line\n\x04"]], sees: "end" },
	{
		name: "the same three descriptors, all of them the terminal",
		command: sh("[ -t 0 ] && [ -t 1 ] && [ -t 2 ] && ls /proc/$$/fd | tr '\\n' ' '"),
		steps: [],
		sees: "0 1 2",
	},
];

/** Drive a program on a terminal; what was seen, without what differs from run to run. */
function drive(steps: Step[], command: string[]): { seen: string; status?: number; signal?: number } {
	const env = { ...sessions.env, TERM: "xterm" };
	const done = Bun.spawnSync([python as string, join(import.meta.dir, "terminal.py"), JSON.stringify(steps), ...command], {
		env,
		cwd: sessions.box.root,
		stdin: null,
		stderr: "inherit",
	});
	return JSON.parse(done.stdout.toString());
}

describe.skipIf(python === null)("on a terminal it is as without us (skipped without python3, which makes the terminal)", () => {
	for (const { name, command, steps, sees } of ROWS) {
		test(name, () => {
			const plain = drive(steps, command);
			expect(plain.seen).toContain(sees);
			expect(drive(steps, [BINARY, "wrap", "--policy", sessions.policy, "--", ...command])).toEqual(plain);
		});
	}

	test("an interactive bash has its .bashrc, and the shims first although that sets PATH anew", () => {
		writeFileSync(join(sessions.box.home, ".bashrc"), "PATH=/usr/bin:/bin\nPS1=PROMPT\ngreet() { echo hello; }\n");
		const steps: Step[] = [
			["expect", "PROMPT"],
			["send", `greet; rm ${sessions.keep}\n`],
			["expect", "hello\r\n"],
			["expect", "tmx: rm: policy_denied"],
			["expect", "PROMPT"],
			["send", "exit 3\n"],
		];
		for (const command of [["bash"], ["bash", "-i"]])
			expect(drive(steps, [BINARY, "wrap", "--policy", sessions.policy, "--", ...command]).status).toBe(3);
	});

	test("Ctrl-Z and fg in a shell with jobs", () => {
		const job = `${sh('echo one; read -r x; echo "two $x"; exit 9')
			.map((word) => `'${word}'`)
			.join(" ")}`;
		const steps = (prefix: string): Step[] => [
			["expect", "PROMPT"],
			["send", `${prefix}${job}\n`],
			["expect", "one\r\n"],
			["send", Z],
			["expect", "Stopped"],
			["expect", "PROMPT"],
			["send", "jobs -r | wc -l; fg >/dev/null\n"],
			["expect", "0"],
			["send", "word\n"],
			["expect", "two word"],
			["expect", "PROMPT"],
			["send", "echo status $?; exit\n"],
			["expect", "status 9"],
		];
		const shell = ["env", "PS1=PROMPT", "bash", "--norc", "-i"];
		for (const prefix of ["", `'${BINARY}' wrap -- `]) expect(drive(steps(prefix), shell)).toMatchObject({ status: 0 });
	});
});
