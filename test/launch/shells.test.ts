// The shims stay first in every shell that a session starts, whatever the person's files and the child's environment say.

import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PATIENCE } from "../support/box.ts";
import { makeSessions, type Sessions } from "../support/session.ts";

setDefaultTimeout(PATIENCE);

let sessions: Sessions;
beforeEach(() => {
	sessions = makeSessions();
});
afterEach(() => sessions.remove());

const zsh = Bun.which("zsh", { PATH: "/usr/bin:/bin" });

/** A command of a row; `%K` stands for a file outside, `%O` for its directory. */
type Command = string[];

/** How a guarded tool may be called in a session. Each must be refused. */
const CALLS: [name: string, command: Command, needsZsh?: true][] = [
	["directly", ["rm", "%K"]],
	["bash -c", ["bash", "-c", "rm %K"]],
	["bash -lc, behind a profile that sets PATH anew", ["bash", "-lc", "rm %K"]],
	["bash -c in bash -lc in bash -c", ["bash", "-c", `bash -lc 'bash -c "rm %K"'`]],
	["sh -c", ["sh", "-c", "rm %K"]],
	["find -delete", ["bash", "-c", "find %O -name keep -delete"]],
	["find -exec rm", ["bash", "-c", "find %O -name keep -exec rm {} +"]],
	["xargs rm", ["bash", "-c", "echo %K | xargs rm"]],
	["env rm", ["bash", "-lc", "env rm %K"]],
	["a function that is exported under the tool's name", ["bash", "-c", "rm() { command rm $@; }; export -f rm; bash -c 'rm %K'"]],
	[
		"a function that stands in the place of every builtin",
		["bash", "-c", "builtin() { :; }; export -f builtin; PATH=/bin:$PATH bash -c 'rm %K'"],
	],
	["a bash that prompts, as COMMAND", ["bash", "-ic", "rm %K"]],
	["a bash that prompts, with options before", ["bash", "-o", "vi", "-i", "-c", "rm %K"]],
	["bash -c in a bash that prompts, with PATH set anew between", ["bash", "-ic", "PATH=/usr/bin:/bin bash -c 'rm %K'"]],
	["a bash that is told to stop at the first failure", ["bash", "-euc", "rm %K"]],
	["TMX_ROOTS made wide", ["bash", "-c", "TMX_ROOTS=/:%O rm %K"]],
	["TMX_ROOTS empty", ["bash", "-c", "TMX_ROOTS= rm %K"]],
	["TMX_ROOTS unset", ["bash", "-c", "unset TMX_ROOTS AOS_NATIVE_SESSION_PROJECTS; rm %K"]],
	["another root variable of the policy set", ["bash", "-c", "AOS_NATIVE_SESSION_PROJECTS=%O/x rm %K"]],
	["PATH set anew in a child, and bash -c behind it", ["bash", "-c", "PATH=/usr/bin:/bin bash -c 'rm %K'"]],
	["zsh -c", ["zsh", "-c", "rm %K"], true],
	["zsh -lc", ["zsh", "-lc", "rm %K"], true],
	["zsh -ic", ["zsh", "-ic", "rm %K"], true],
	["zsh -c in bash -lc", ["bash", "-lc", "zsh -c 'rm %K'"], true],
	["bash -lc in zsh -lc", ["zsh", "-lc", "bash -lc 'rm %K'"], true],
	["PATH set anew, and zsh -c behind it", ["bash", "-c", "PATH=/usr/bin:/bin zsh -c 'rm %K'"], true],
];

/** Files of a person's that would put the shims away. */
function hostileFiles(home: string): void {
	const reset = "export PATH=/usr/bin:/bin\n";
	for (const name of [".bash_profile", ".bashrc", ".zprofile", ".zshrc", ".zlogin"]) writeFileSync(join(home, name), reset);
	writeFileSync(join(home, ".bashrc"), `${reset}export BASH_ENV=/nowhere\n`);
	writeFileSync(join(home, ".zshenv"), `${reset}rm() { command rm "$@" }\nalias find=/usr/bin/find\n`);
}

describe("a guarded tool is refused outside of the session", () => {
	for (const files of ["no files of the person's", "files that set PATH anew"] as const) {
		for (const [name, command, needsZsh] of CALLS) {
			test.skipIf(needsZsh === true && zsh === null)(`${name}, with ${files}${needsZsh && !zsh ? " (skipped: no zsh)" : ""}`, () => {
				const { box, keep } = sessions;
				if (files !== "no files of the person's") hostileFiles(box.home);
				const { stderr } = sessions.wrap(
					[],
					command.map((word) => word.replaceAll("%K", keep).replaceAll("%O", box.outside)),
				);
				expect(stderr).toContain("policy_denied");
				expect(existsSync(keep)).toBe(true);
			});
		}
	}
});

test("inside of the session it runs", () => {
	const { status, stdout, stderr } = sessions.wrap([], ["bash", "-lc", "touch a && rm a && mkdir d && touch d/b && find d -delete && ls"]);
	expect([status, stdout, stderr]).toEqual([0, "", ""]);
});

test("neither a home that a child calls its own nor a guarded directory named anew takes the session's directory away", () => {
	const { status, stderr } = sessions.wrap([], ["bash", "-c", "touch a b; HOME=$PWD rm a; env HOME=$PWD rm b"]);
	expect([status, stderr]).toEqual([0, ""]);
});

describe("the person's own files keep working", () => {
	test("BASH_ENV, expanded as bash does it, with its functions; for others it stays set", () => {
		const { box } = sessions;
		writeFileSync(join(box.home, "mine.sh"), "greet() { echo hello; }\nexport MINE=1\nPATH=$PATH:/mine\n");
		const { stdout, stderr } = sessions.wrap(
			[],
			["bash", "-c", "greet; echo $MINE; bash -c greet; tr : '\\n' <<<\"$PATH\" | sed -n '$p;1p' | tac"],
			{
				env: { BASH_ENV: "$HOME/mine.sh" },
			},
		);
		const lines = stdout.split("\n");
		expect(stderr).toBe("");
		expect(lines.slice(0, 4)).toEqual(["hello", "1", "hello", "/mine"]);
		expect(lines[4]).toStartWith(sessions.place);
	});

	test("a BASH_ENV that does not exist is passed by in silence, as bash does", () => {
		const { status, stderr } = sessions.wrap([], ["bash", "-c", "true"], { env: { BASH_ENV: "/nowhere" } });
		expect([status, stderr]).toEqual([0, ""]);
	});

	test("a bash without one has nothing more than the session in it, and says nothing when it is traced", () => {
		const { stdout, stderr } = sessions.wrap([], ["bash", "-xc", "echo $0 $# $(compgen -v _tmx)", "name", "a"]);
		expect(stdout).toBe("name 1\n");
		expect(stderr).toBe("++ compgen -v _tmx\n+ echo name 1\n");
	});

	for (const [name, value] of [
		["as a path", '"$HOME/mine.sh"'],
		["as a text that bash expands", "'$HOME/mine.sh'"],
	] as const) {
		test(`a BASH_ENV that the .bashrc of a bash at a prompt names, ${name}`, () => {
			const { box } = sessions;
			writeFileSync(join(box.home, "mine.sh"), "greet() { echo hello; }\n");
			writeFileSync(join(box.home, ".bashrc"), `export BASH_ENV=${value}\n`);
			const { stdout } = sessions.wrap([], ["bash", "-ic", "bash -c 'greet; bash -c greet; type -p rm'"]);
			expect(stdout).toStartWith(`hello\nhello\n${sessions.place}/`);
		});
	}

	test.skipIf(!zsh)("zsh's files, each once and in order, in the ZDOTDIR that the person chose", () => {
		const { box } = sessions;
		const own = join(box.home, "zdot");
		mkdirSync(own);
		writeFileSync(join(box.home, ".zshenv"), `echo home-zshenv "$ZDOTDIR"; export ZDOTDIR=${own}\n`);
		for (const name of ["zshenv", "zprofile", "zshrc", "zlogin"]) {
			writeFileSync(join(own, `.${name}`), `echo ${name} "\${ZDOTDIR#$HOME/}"; f_${name}() { echo f ${name} }\n`);
		}
		const plain = Bun.spawnSync(["zsh", "-lic", "f_zshrc; zsh -c f_zshenv"], { env: sessions.env, cwd: box.root, stdin: null });
		const wrapped = sessions.wrap([], ["zsh", "-lic", "f_zshrc; zsh -c f_zshenv"]);
		expect(wrapped.stdout).toBe(plain.stdout.toString());
		expect(wrapped.stdout).toContain("zlogin zdot\nf zshrc\nzshenv zdot\nf zshenv\n");
	});

	test.skipIf(!zsh)("a ZDOTDIR that is set, but not exported, is not handed on", () => {
		const { box } = sessions;
		const own = join(box.home, "zdot");
		mkdirSync(own);
		writeFileSync(join(box.home, ".zshenv"), `echo home; ZDOTDIR=${own}\n`);
		writeFileSync(join(own, ".zshrc"), "echo rc\n");
		expect(sessions.wrap([], ["zsh", "-ic", "zsh -c true"]).stdout).toBe("home\nrc\nhome\n");
	});
});

test("the shims stand on PATH once, however deep shells are nested", () => {
	const { stdout } = sessions.wrap(
		[],
		["bash", "-c", `PATH=/a:$PATH bash -c 'PATH=/b:$PATH bash -lc "PATH=/c:\\$PATH bash -c \\"echo \\\\\\$PATH\\""'`],
	);
	expect(stdout.split(":").filter((element) => element.includes("/shims"))).toHaveLength(1);
	expect(stdout).toStartWith(`${sessions.place}/`);
});

test("what the session's files hold can be read and written by this user alone", () => {
	const { stdout } = sessions.wrap([], ["bash", "-c", 'find "$TMX_SESSION" ! -type l -perm /077; ls -A $TMX_SESSION']);
	expect(stdout.split("\n").sort().join(" ").trim()).toBe("bash.sh claude.sh session.json shims tool-confine.sh zsh");
	expect(readFileSync(sessions.keep, "utf8")).toBe("kept\n");
});
