// The command line of tmx: words that nobody knows, help, the version, and colours on a terminal alone.

import { expect, test } from "bun:test";
import { version } from "../../package.json";
import { BINARY } from "../support/binary.ts";
import { works } from "../support/shell.ts";

function tmx(words: string[], env: Record<string, string> = {}) {
	const ran = Bun.spawnSync([BINARY, ...words], {
		env: { PATH: "/usr/bin:/bin", HOME: "/nowhere", ...env },
		stdin: "ignore",
		stdout: "pipe",
		stderr: "pipe",
	});
	return { status: ran.exitCode, stdout: ran.stdout.toString(), stderr: ran.stderr.toString() };
}

/** Wrong command lines, and what is said before the hint at the help. */
const WRONG: readonly [words: string[], command: string, said: string][] = [
	[["biuld"], "tmx", 'unknown command biuld; did you mean "build"?'],
	[["constructor"], "tmx", "unknown command constructor"],
	[["__proto__"], "tmx", "unknown command __proto__"],
	[["toString", "x"], "tmx", "unknown command toString"],
	[["rm -rf"], "tmx", "unknown command 'rm -rf'"],
	[["\u001b[2J"], "tmx", "unknown command $'\\x1b[2J'"],
	[[""], "tmx", "unknown command ''"],
	[["--verison"], "tmx", 'unknown option --verison; did you mean "--version"?'],
	[["-x"], "tmx", "unknown option -x"],
	[["--", "build"], "tmx", "no command is given"],
	[["build", "--ouk", "d"], "build", 'unknown option --ouk; did you mean "--out"?'],
	[["build", "--constructor=x"], "build", "unknown option --constructor"],
	[["build", "-o", "d"], "build", "unknown option -o"],
	[["build", "--no-check", "--out", "d"], "build", 'unknown option --no-check; did you mean "--check"?'],
	[["build", "--out"], "build", "--out needs a value"],
	[["build", "--out="], "build", "--out needs a value"],
	[["build", "--out", "a", "--out", "b"], "build", "--out is given twice"],
	[["build", "--check=yes", "--out", "d"], "build", "--check takes no value"],
	[["build"], "build", "needs --out DIR"],
	[["build", "--out", "d", "--", "x.kdl"], "build", 'takes no "--"'],
	[["check"], "check", "needs FILE..."],
	[["explain", "rm", "-rf", "x"], "explain", 'the words of TOOL ARG... stand after "--"'],
	[["explain", "rm", "x"], "explain", 'the words of TOOL ARG... stand after "--"'],
	[["explain", "-x", "rm"], "explain", "unknown option -x"],
	[["wrap", "codex", "--model", "x"], "wrap", 'the words of COMMAND [ARG...] stand after "--"'],
	[["check", "--", "x.kdl"], "check", "needs FILE..."],
];

for (const [words, command, said] of WRONG) {
	test(`tmx ${JSON.stringify(words)} is a wrong command line`, () => {
		const { status, stdout, stderr } = tmx(words);
		const help = command === "tmx" ? "tmx --help" : `tmx ${command} --help`;
		expect(stderr).toStartWith(`tmx: ${command}: user_error: ${said}; see "${help}"\n`);
		expect({ status, stdout }).toEqual({ status: 5, stdout: "" });
	});
}

test("the version is one line", () => {
	for (const option of ["--version", "-v"]) expect(tmx([option])).toEqual({ status: 0, stdout: `tmx ${version}\n`, stderr: "" });
});

test("the help names every command, and without a command it comes with the error", () => {
	const help = tmx(["--help"]);
	expect(help).toMatchObject({ status: 0, stderr: "" });
	for (const name of ["build", "check", "explain", "audit", "doctor", "help"])
		expect(help.stdout).toMatch(new RegExp(`^  ${name} +\\S`, "m"));
	expect(tmx(["-h"]).stdout).toBe(help.stdout);
	expect(tmx([])).toEqual({ status: 5, stdout: "", stderr: `tmx: tmx: user_error: no command is given; see "tmx --help"\n${help.stdout}` });
});

test("the help of a command tells its options and operands, whatever else stands there", () => {
	const help = tmx(["build", "--help"]);
	expect(help).toMatchObject({ status: 0, stderr: "" });
	expect(help.stdout).toContain("USAGE tmx build [OPTIONS] --out=<DIR> [FILE...]\n");
	expect(help.stdout).toContain("--check");
	expect(tmx(["build", "x.kdl", "-h"]).stdout).toBe(help.stdout);
});

test("a value that looks like an option is a value", () => {
	expect(tmx(["build", "--out", "--help", "--check"]).stdout).toMatch(/\/--help\/policy'?\n/);
});

test("an operand that is named like a source file of tmx is an operand", () => {
	expect(tmx(["check", "/nowhere/main.ts"]).stderr).toStartWith("tmx: check: user_error: /nowhere/main.ts: does not exist\n");
});

const ESCAPE = "\u001b[";
const onTerminal = (command: string) => ["script", "-qec", command, "/dev/null"];

test("help has no colours where it is no terminal", () => {
	for (const env of [{}, { FORCE_COLOR: "1" }, { TERM: "xterm-256color" }])
		expect(tmx(["build", "--help"], env).stdout).not.toContain(ESCAPE);
});

test.skipIf(!works(onTerminal("true")))("help has colours on a terminal, and none with NO_COLOR (needs script)", () => {
	const help = (env: Record<string, string>) => {
		const ran = Bun.spawnSync(onTerminal(`"${BINARY}" build --help`), {
			env: { PATH: "/usr/bin:/bin", TERM: "xterm", ...env },
			stdin: "ignore",
			stdout: "pipe",
		});
		return ran.stdout.toString();
	};
	expect(help({})).toContain(ESCAPE);
	for (const value of ["1", "0", "yes"]) expect(help({ NO_COLOR: value })).not.toContain(ESCAPE);
	expect(help({ NO_COLOR: "" })).toContain(ESCAPE);
});

/** Agents take any failure but this one for permission. */
for (const [words, said] of [
	[["hook"], "no agent is named"],
	[["hook", "nobody"], "no agent is called nobody"],
	[["hook", "claude", "codex"], "codex has no meaning here"],
	[["hook", "claude", "--polcy", "x"], "--polcy has no meaning here"],
] as const) {
	test(`tmx ${words.join(" ")} refuses, as whatever the hook cannot judge`, () => {
		const { status, stdout, stderr } = tmx([...words]);
		expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
		expect(stderr).toStartWith(`tmx: hook: user_error: ${said}`);
	});
}
