// Completions in the real shells, and the manual page under the real formatters: both made from the definitions of the commands.

import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { registrations } from "../../src/registration/agents.ts";
import { BINARY } from "../support/binary.ts";
import { type Env, type Ran, run, works } from "../support/shell.ts";

setDefaultTimeout(60_000);

let base: string;
let env: Env;
beforeAll(() => {
	base = realpathSync(mkdtempSync(join(tmpdir(), "tmx-complete-")));
	for (const name of ["a dir", "deep/in", "bin"]) mkdirSync(join(base, name), { recursive: true });
	for (const name of ["a dir/guard.kdl", "guard file.kdl", "other.txt"]) writeFileSync(join(base, name), "");
	env = { PATH: process.env.PATH, HOME: base, TERM: "dumb", TMX: BINARY, XDG_CACHE_HOME: base };
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

const NAMES =
	"allow audit build check completions confine doctor explain floor help hook install kill monitor ps shadow uninstall wrap".split(" ");
const AGENTS = [...registrations.keys()].sort();

/** Command lines up to the cursor, each with what is proposed; the last word is what stands before the cursor. */
const LINES: readonly [line: string, proposed: readonly string[]][] = [
	["tmx bu", ["build"]],
	["tmx un", ["uninstall"]],
	["tmx hook cl", ["claude"]],
	["tmx hook ", AGENTS],
	["tmx install --ag", ["--agent"]],
	["tmx install --agent op", ["opencode"]],
	["tmx doctor --json --agent ge", ["gemini"]],
	["tmx completions z", ["zsh"]],
	["tmx help paths", ["paths-within"]],
	["tmx help bui", ["build"]],
	["tmx audit --fol", ["--follow"]],
	["tmx build --out dee", ["deep"]],
	["tmx check oth", ["other.txt"]],
	["tmx check guard", ["guard file.kdl"]],
	["tmx audit --since 1", []],
	["tmx shadow rel", ["release"]],
	["tmx nothing ", []],
];

test("every command is completed", async () => {
	const { stdout } = await run([BINARY, "--help"], env, base);
	for (const name of NAMES) expect(stdout).toContain(`\n  ${name} `);
});

/** What a shell proposes, sorted; directories without a slash, descriptions away. */
const proposals = ({ stdout }: Ran) =>
	[...new Set(stdout.split("\n").map((line) => (line.split("\t")[0] ?? "").replace(/\/$/, "")))].filter((word) => word !== "").sort();

describe.skipIf(!existsSync("/bin/bash"))("bash", () => {
	const complete = (words: string[]) => {
		const script = `set -eu; . <("$TMX" completions bash); set +e; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _tmx; [ \${#COMPREPLY[@]} -eq 0 ] || printf '%s\\n' "\${COMPREPLY[@]}"`;
		return run(["/bin/bash", "-c", script, "bash", ...words], env, base);
	};
	test.each([...LINES])("%s", async (line, proposed) => {
		const ran = await complete(line.split(" "));
		expect({ ...ran, stdout: proposals(ran) }).toEqual({ status: ran.status, stderr: "", stdout: [...proposed].sort() });
	});

	test("without a word, all commands", async () => {
		expect(proposals(await complete(["tmx", ""]))).toEqual(["--help", "--version", ...NAMES].sort());
	});

	test("a value behind =, which bash takes for a word", async () => {
		expect(proposals(await complete(["tmx", "build", "--out", "=", "dee"]))).toEqual(["deep"]);
		expect(proposals(await complete(["tmx", "install", "--agent", "="]))).toEqual(AGENTS);
	});

	test("an option that also stands alone has its value behind = alone", async () => {
		expect(proposals(await complete(["tmx", "wrap", "--floor", "=", "req"]))).toEqual(["require"]);
		expect(proposals(await complete(["tmx", "wrap", "--floor", "--no-h"]))).toEqual(["--no-hook"]);
	});

	test("behind -- it is another program's command line", async () => {
		for (const name of ["explain", "wrap"]) expect(proposals(await complete(["tmx", name, "--", "base64"]))).toEqual(["base64"]);
		expect(proposals(await complete(["tmx", "explain", "--", "rm", "oth"]))).toEqual(["other.txt"]);
		expect(proposals(await complete(["tmx", "build", "--", "oth"]))).toEqual([]);
	});

	test("a name of a file is text, whatever is in it", async () => {
		writeFileSync(join(base, "deep/$(touch x) `y` *"), "");
		expect(proposals(await complete(["tmx", "check", "deep/$"]))).toEqual(["deep/$(touch x) `y` *"]);
		expect(existsSync(join(base, "x"))).toBe(false);
	});
});

describe.skipIf(!existsSync("/usr/bin/zsh"))("zsh", () => {
	/** A terminal in which the line is typed, then TAB, then Return; a function in tmx's place writes down which words it got. */
	const DRIVER = `
zmodload zsh/zpty
wait_for() { local k; for k in {1..100}; do [[ -e $1 ]] && return; sleep 0.05; done; return 1 }
zpty z zsh -i
wait_for ready || print -r -- "no shell"
zpty -w -n z "$1"$'\\t'
sleep 0.5
zpty -w -n z $'\\n'
wait_for got || print -r -- "no call"
cat got
zpty -d z`;
	const START = `PS1= RPS1=; fpath=($HOME/zsh $fpath); autoload -Uz compinit; compinit -u -D
tmx() { print -r -- "GOT<\${(j:|:)@}>" >$HOME/got.new; mv $HOME/got.new $HOME/got }
: >$HOME/ready
`;
	const functions = () => join(base, "zsh");

	test.each([
		["tmx bu", "build"],
		["tmx hook cl", "hook|claude"],
		["tmx install --agent=op", "install|--agent=opencode"],
		["tmx install --agent op", "install|--agent|opencode"],
		["tmx doctor --json --agent ge", "doctor|--json|--agent|gemini"],
		["tmx completions zs", "completions|zsh"],
		["tmx help paths", "help|paths-within"],
		["tmx build --out=dee", "build|--out=deep"],
		["tmx check guard", "check|guard file.kdl"],
		["tmx wrap --floor=req", "wrap|--floor=require"],
		["tmx wrap --floor --no-h", "wrap|--floor|--no-hook"],
		["tmx explain -- base6", "explain|--|base64"],
	])("%s", async (line, got) => {
		mkdirSync(functions(), { recursive: true });
		const script = await run([BINARY, "completions", "zsh"], env, base);
		writeFileSync(join(functions(), "_tmx"), script.stdout, "latin1");
		writeFileSync(join(base, ".zshrc"), START);
		for (const name of ["ready", "got"]) rmSync(join(base, name), { force: true });
		const { stdout } = await run(["/usr/bin/zsh", "-f", "-c", DRIVER, "zsh", line], env, base);
		expect(/GOT<(.*)>/.exec(stdout)?.[1]).toBe(got);
	});

	test("sourced after compinit it is known too", async () => {
		const script = `autoload -Uz compinit; compinit -u -D; . <("$TMX" completions zsh); print -r -- "$_comps[tmx]"`;
		expect((await run(["/usr/bin/zsh", "-f", "-c", script], env, base)).stdout).toBe("_tmx\n");
	});
});

const fish = Bun.which("fish");
if (fish === null) console.info("skipped: no fish here");
describe.skipIf(fish === null)("fish", () => {
	const complete = (line: string) =>
		run([fish ?? "", "--no-config", "-c", '$TMX completions fish | source; complete -C "$argv[1]"', line], env, base);
	test.each([...LINES])("%s", async (line, proposed) => {
		const ran = await complete(line);
		expect({ stderr: ran.stderr, stdout: proposals(ran) }).toEqual({ stderr: "", stdout: [...proposed].sort() });
	});
	test("behind -- it is another program's command line", async () => {
		expect(proposals(await complete("tmx explain -- base6"))).toContain("base64");
		expect(proposals(await complete("tmx explain -- tmx bu"))).toEqual(["build"]);
	});
});

test("a shell that is not known is refused, with the nearest that is", async () => {
	const { status, stderr } = await run([BINARY, "completions", "fsh"], env, base);
	expect({ status, stderr }).toEqual({
		status: 5,
		stderr: 'tmx: completions: user_error: no completions for fsh; did you mean "zsh"?; known are bash, zsh, fish\n',
	});
});

describe("the manual page", () => {
	const page = async () => (await run([BINARY, "help", "--man"], env, base)).stdout;

	test("has every command with every option of its --help", async () => {
		const plain = (await page()).replaceAll(/\\f[BIR]/g, "").replaceAll("\\-", "-");
		for (const name of NAMES) {
			const { stdout } = await run([BINARY, name, "--help"], env, base);
			const options = [...stdout.matchAll(/^\s+(?:-\w, )?(--[\w-]+)/gm)].map(([, option]) => option);
			const at = plain.indexOf(`.SS tmx ${name}\n`);
			const section = plain.slice(at, plain.indexOf("\n.S", at + 1));
			expect(at).toBeGreaterThan(0);
			for (const option of options) expect(section).toContain(`${option}`);
		}
	});

	for (const [what, there, argv] of [
		["groff finds no fault with it", works(["groff", "--version"]), ["groff", "-man", "-Tutf8", "-ww", "-z"]],
		["man finds no fault with it", works(["man", "--version"]), ["man", "--warnings", "-E", "UTF-8", "-l", "-Tutf8", "-Z"]],
		["mandoc finds no fault with it", works(["which", "mandoc"]), ["mandoc", "-T", "lint", "-W", "error"]],
	] as const) {
		if (!there) console.info(`skipped: ${what}: it is not here`);
		test.skipIf(!there)(what, async () => {
			const path = join(base, "tmx.1");
			writeFileSync(path, await page(), "latin1");
			const { status, stdout, stderr } = await run([...argv, path], { ...env, MANWIDTH: "80" }, base);
			expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
			if (argv[0] === "mandoc") expect(stdout).toBe("");
		});
	}

	test("is plain ASCII in lines that every tool takes", async () => {
		const lines = (await page()).split("\n");
		expect(lines.filter((line) => /[^ -~]/.test(line))).toEqual([]);
		expect(lines.filter((line) => line.length > 200)).toEqual([]);
	});

	test("takes no topic", async () => {
		expect((await run([BINARY, "help", "--man", "hook"], env, base)).stderr).toContain("takes no topic");
	});
});
