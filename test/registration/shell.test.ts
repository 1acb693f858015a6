// tmx install and uninstall as a person runs them: shims, the line in the shells' start files, hooks; and a home that is as before.

import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import {
	chmodSync,
	chownSync,
	existsSync,
	linkSync,
	lstatSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	readlinkSync,
	rmSync,
	statSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { PATIENCE } from "../support/box.ts";
import { run, works } from "../support/shell.ts";
import { type Home, makeHome, SETTINGS } from "./home.ts";

setDefaultTimeout(PATIENCE);

let home: Home;
beforeEach(() => {
	home = makeHome();
	home.env.SHELL = "/bin/bash";
});
afterEach(() => home.remove());

const SHIMS = ".local/share/tmx/shims";
const OPENS = "# >>> tmx install";

/** Everything below a directory: the kind, the mode and the content of each name. */
function tree(at = home.home): Record<string, string> {
	const names = readdirSync(at, { recursive: true, encoding: "buffer" }).map((name) => name.toString("latin1"));
	const rows = names.sort().map((name) => {
		const path = Buffer.from(`${at}/${name}`, "latin1");
		const stats = lstatSync(path);
		const mode = (stats.mode & 0o7777).toString(8);
		if (stats.isSymbolicLink()) return [name, `-> ${readlinkSync(path, "latin1")}`];
		return [name, stats.isDirectory() ? `directory ${mode}` : `${mode} ${readFileSync(path, "latin1")}`];
	});
	return Object.fromEntries(rows);
}

/** A tree without the directories in which people's programs put things, which stay. */
function withoutFolders(all: Record<string, string>): Record<string, string> {
	return Object.fromEntries(Object.entries(all).filter(([name, what]) => !(what.startsWith("directory") && name.startsWith(".local"))));
}

const DEBIAN = `# ~/.bashrc: executed by bash(1) for non-login shells.
case $- in
    *i*) ;;
      *) return;;
esac
HISTCONTROL=ignoreboth
`;

/** A person's home with everything in it that an installer could spoil. */
function furnish(): void {
	home.write(".bashrc", DEBIAN);
	home.write(".profile", `# ~/.profile\nif [ -n "\${BASH_VERSION:-}" ]; then\n\t. "$HOME/.bashrc"\nfi`);
	home.write(".zshrc", "bindkey -e\r\nsetopt no_beep\r\n");
	home.write(SETTINGS.claude as string, '{ // mine\n\t"model" :"opus",\n      "zebra": [1,2 ,3], "unknown": {"b":1,"a":2,},\n}');
	home.write(".claude/CLAUDE.md", "be careful\n");
	home.write(".codex/config.toml", '# mine\nmodel = "gpt"   # trailing\n[projects."/a b"]\ntrust_level="trusted"');
	home.write(SETTINGS.codex as string, '{"hooks":{"PreToolUse":[{"matcher":"^x$","hooks":[{"command":"other","type":"command"}]}]}}');
}

test("install, install again and uninstall leave a home byte for byte as it was", async () => {
	furnish();
	chmodSync(join(home.home, ".bashrc"), 0o444);
	chmodSync(join(home.home, SETTINGS.claude as string), 0o600);
	const before = tree();
	const first = await home.run("install", "--write");
	expect({ status: first.status, errors: first.stderr.split("\n").filter((line) => !/note|^$/.test(line)) }).toEqual({
		status: 0,
		errors: [],
	});
	const installed = tree();
	for (const name of [".bashrc", ".profile", ".zshrc"]) expect(installed[name]).toContain(OPENS);
	expect(installed[SETTINGS.claude as string]).toContain("hook claude");
	expect((await home.run("install", "--write")).status).toBe(0);
	expect(tree()).toEqual(installed);
	expect((await home.run("uninstall")).status).toBe(0);
	expect(withoutFolders(tree())).toEqual(before);
	expect(await home.run("uninstall")).toEqual({ status: 0, stdout: "", stderr: "" });
});

test("where no shell is known the line is given to the person, and nothing is promised of it", async () => {
	delete home.env.SHELL;
	const { status, stdout, stderr } = await home.run("install", "--write");
	expect(status).toBe(5);
	expect(stderr).toContain("neither bash nor zsh has a start file here; put this into your shell's:");
	expect(stdout).toContain("put the line into your start file and open a new shell");
});

describe("a start file is byte for byte as it was", () => {
	for (const [what, text] of [
		["that is empty", ""],
		["with no newline at its end", "alias x=y"],
		["with a newline alone", "\n"],
		["with line ends of DOS", "alias x=y\r\nalias z=w\r\n"],
		["with line ends of DOS and none at its end", "a=1\r\nb=2"],
		["that is not UTF-8", Buffer.from([0x61, 0x3d, 0xff, 0xfe, 0x0a, 0xe9])],
		["with a NUL in it", "a=1\n\0\n"],
		["with the lines of another installer", "# >>> conda initialize >>>\nx\n# <<< conda initialize <<<\n"],
		["that ends in a continued line", "PATH=/bin:\\\n/usr/bin \\"],
	] as const) {
		test(what, async () => {
			home.write(".bashrc", text);
			home.write(".profile", text);
			for (let k = 0; k < 2; k++) expect((await home.run("install", "--shims", "--write")).status).toBe(0);
			expect(readFileSync(join(home.home, ".bashrc"), "latin1")).toContain(OPENS);
			expect((await home.run("uninstall", "--shims")).status).toBe(0);
			for (const name of [".bashrc", ".profile"]) expect(readFileSync(join(home.home, name))).toEqual(Buffer.from(text));
			expect(readdirSync(home.home).sort()).toEqual([".bashrc", ".local", ".profile"]);
		});
	}

	for (const mode of [0o400, 0o444, 0o600, 0o640, 0o755]) {
		test(`with the mode ${mode.toString(8)}, which it keeps`, async () => {
			home.write(".bashrc", DEBIAN);
			const path = join(home.home, ".bashrc");
			chmodSync(path, mode);
			await home.run("install", "--shims", "--write");
			expect(readFileSync(path, "latin1")).toContain(OPENS);
			expect(statSync(path).mode & 0o7777).toBe(mode);
			await home.run("uninstall", "--shims");
			expect({ text: readFileSync(path, "latin1"), mode: statSync(path).mode & 0o7777 }).toEqual({ text: DEBIAN, mode });
		});
	}

	test("behind a link, which goes on being one", async () => {
		const file = join(home.base, "dotfiles/bash rc");
		mkdirSync(dirname(file));
		writeFileSync(file, DEBIAN);
		symlinkSync("../dotfiles/bash rc", join(home.home, ".bashrc"));
		await home.run("install", "--shims", "--write");
		expect(readFileSync(file, "utf8")).toContain(OPENS);
		await home.run("uninstall", "--shims");
		expect(readFileSync(file, "utf8")).toBe(DEBIAN);
		expect(readlinkSync(join(home.home, ".bashrc"))).toBe("../dotfiles/bash rc");
		expect(readdirSync(dirname(file))).toEqual(["bash rc"]);
	});
});

test("what was written behind our lines stays, on a line of its own", async () => {
	home.write(".bashrc", "a=1");
	await home.run("install", "--shims", "--write");
	home.write(".bashrc", `${home.read(".bashrc")}b=2\n`);
	await home.run("uninstall", "--shims");
	expect(home.read(".bashrc")).toBe("a=1\nb=2\n");
});

test("a second tmx brings the line up to date where it stands", async () => {
	home.write(
		".bashrc",
		"a=1\n# >>> tmx install >>>\nold\n# <<< tmx install <<<\nb=2\n# >>> tmx install >>>\nolder\n# <<< tmx install <<<\nc=3\n",
	);
	await home.run("install", "--shims", "--write");
	expect(
		home
			.read(".bashrc")
			?.split("\n")
			.map((line) => line.replace(/^tmx_=.*/, "LINE")),
	).toEqual(["a=1", "# >>> tmx install >>>", "LINE", "# <<< tmx install <<<", "b=2", "c=3", ""]);
});

describe("a start file that is refused keeps its bytes", () => {
	for (const [what, text] of [
		["with half of our marks", "a=1\n# >>> tmx install >>>\nb=2\n"],
		["with the other half", "a=1\n# <<< tmx install <<<\nb=2\n"],
		["with one mark within another", "# >>> tmx install >>>\n# >>> tmx install >>>\n# <<< tmx install <<<\n"],
	] as const) {
		test(what, async () => {
			home.write(".bashrc", text);
			for (const command of [
				["install", "--shims", "--write"],
				["uninstall", "--shims"],
			]) {
				const { status, stderr } = await home.run(...command);
				expect(status).toBe(5);
				expect(stderr).toContain(`${join(home.home, ".bashrc")}: the marks of tmx's lines in it do not pair`);
				expect(home.read(".bashrc")).toBe(text);
			}
		});
	}

	test("with another name, and the words say what to do", async () => {
		home.write(".bashrc", DEBIAN);
		linkSync(join(home.home, ".bashrc"), join(home.home, "bashrc-in-git"));
		const { status, stderr } = await home.run("install", "--shims", "--write");
		expect(status).toBe(5);
		expect(stderr).toContain("is a hard link");
		expect(stderr).toContain("\n  tmx_=");
		expect(home.read(".bashrc")).toBe(DEBIAN);
	});

	test("that is a directory, or a link that leads nowhere", async () => {
		mkdirSync(join(home.home, ".bashrc"));
		symlinkSync("/nowhere/profile", join(home.home, ".profile"));
		const { status, stderr } = await home.run("install", "--shims", "--write");
		expect(status).toBe(5);
		expect(stderr).toContain(".bashrc: it is no regular file");
		expect(stderr).toContain(".profile: it is a link that leads nowhere");
		expect(readlinkSync(join(home.home, ".profile"))).toBe("/nowhere/profile");
		expect((await home.run("uninstall", "--shims")).stderr).toContain(".bashrc: it is no regular file");
	});
});

describe("which start files get the line", () => {
	const BASH = [".bashrc", ".profile"];
	for (const [what, shell, there, expected] of [
		["bash without any: its own two are made", "/bin/bash", [], BASH],
		["bash with a .bash_profile, which hides .profile", "/bin/bash", [".bash_profile", ".profile"], [".bash_profile", ".bashrc"]],
		["bash with a .bash_login", "/bin/bash", [".bash_login"], [".bash_login", ".bashrc"]],
		["zsh alone", "/usr/bin/zsh", [".profile"], [".zshrc"]],
		["zsh, and a .bashrc", "/usr/bin/zsh", [".bashrc"], [".bashrc", ".profile", ".zshrc"]],
		["another shell, and a .zshrc", "/usr/bin/fish", [".zshrc"], [".zshrc"]],
	] as const) {
		test(what, async () => {
			for (const name of there) home.write(name, "# mine\n");
			home.env.SHELL = shell;
			expect((await home.run("install", "--shims", "--write")).status).toBe(0);
			const names = () => readdirSync(home.home).filter((name) => name !== ".local");
			expect(
				names()
					.filter((name) => home.read(name)?.includes(OPENS))
					.sort(),
			).toEqual([...expected]);
			expect((await home.run("uninstall", "--shims")).status).toBe(0);
			expect(
				readdirSync(home.home)
					.filter((name) => name !== ".local")
					.sort(),
			).toEqual([...there].sort());
		});
	}

	test("zsh with a ZDOTDIR of the person's; one elsewhere is a launcher's", async () => {
		home.env.SHELL = "/usr/bin/zsh";
		home.write("zsh/.zshrc", "# mine\n");
		home.env.ZDOTDIR = join(home.home, "zsh");
		await home.run("install", "--shims", "--write");
		expect(home.read("zsh/.zshrc")).toContain(OPENS);
		await home.run("uninstall");
		expect(home.read("zsh/.zshrc")).toBe("# mine\n");
		home.env.ZDOTDIR = home.project;
		await home.run("install", "--shims", "--write");
		expect(existsSync(join(home.project, ".zshrc"))).toBe(false);
		expect(home.read(".zshrc")).toContain(OPENS);
	});

	test("none: it is said, and the line is shown", async () => {
		home.env.SHELL = "/usr/bin/fish";
		const { status, stderr } = await home.run("install", "--shims", "--write");
		expect(status).toBe(5);
		expect(stderr).toContain("put this into your shell's:\n  tmx_=");
	});
});

describe("the line puts the shims first", () => {
	const rm = () => join(home.home, SHIMS, "rm");
	for (const [what, argv] of [
		["in a login bash, which reads Debian's /etc/profile", ["/bin/bash", "-lc"]],
		["in a bash with -eu", ["/bin/bash", "-euc", '. "$HOME/.profile"; eval "$0"']],
		["in sh", ["/bin/sh", "-euc", '. "$HOME/.profile"; eval "$0"']],
		["in an interactive bash", ["/bin/bash", "-ic"]],
		["in an interactive zsh", ["/usr/bin/zsh", "-ic"]],
	] as const) {
		test.skipIf(!existsSync(argv[0]))(what, async () => {
			furnish();
			await home.run("install", "--shims", "--write");
			const ask = `command -v rm; echo "$AGENT_TASKS_MAX"; case "$PATH" in *"/shims:"*"/shims"*) echo twice ;; esac`;
			const { stdout } = await run([...argv, ask], { ...home.env, AGENT_TASKS_MAX: undefined }, home.project);
			const [path, tasks, twice] = stdout.split("\n");
			expect(path).toBe(rm());
			expect(Number(tasks)).toBeGreaterThanOrEqual(4096);
			expect(twice).toBe("");
		});
	}

	test("in a session of the launcher's, those of the session, in every kind of shell", async () => {
		furnish();
		await home.run("install", "--shims", "--write");
		home.env.XDG_RUNTIME_DIR = join(home.base, "run");
		mkdirSync(home.env.XDG_RUNTIME_DIR, { mode: 0o700 });
		const shells = ["/bin/bash -c", "/bin/bash -lc", "/bin/bash -ic", "/bin/bash -lic", "/usr/bin/zsh -ic", "/usr/bin/zsh -lic"];
		for (const shell of shells.filter((words) => existsSync(words.split(" ")[0] ?? ""))) {
			const { stdout } = await home.run("wrap", "--no-confine", "--", ...shell.split(" "), 'echo "$(command -v rm) [$tmx_]"');
			expect(`${shell}: ${stdout}`).toStartWith(`${shell}: ${home.env.XDG_RUNTIME_DIR}/tmx/sessions/`);
			expect(stdout).toEndWith("/shims/rm []\n");
		}
	});

	test("before what was put in front of them since, and a number of tasks that is set stays", async () => {
		furnish();
		await home.run("install", "--shims", "--write");
		const env = { ...home.env, PATH: `/opt/x:${join(home.home, SHIMS)}:/usr/bin:/bin`, AGENT_TASKS_MAX: "77" };
		const { stdout } = await run(["/bin/sh", "-c", '. "$HOME/.profile"; echo "$PATH $AGENT_TASKS_MAX"'], env, home.project);
		expect(stdout).toBe(`${join(home.home, SHIMS)}:${env.PATH} 77\n`);
	});

	test("from a home with a name that is not UTF-8 and full of what shells read", async () => {
		const name = Buffer.from("a 'b' $(c) \"d\" \xff", "latin1");
		const odd = Buffer.concat([Buffer.from(`${home.base}/`), name]);
		mkdirSync(odd);
		writeFileSync(Buffer.concat([odd, Buffer.from("/.profile")]), "# mine\n");
		// A runtime's environment is text, so a shell sets it.
		const line = `HOME=$(printf '%s/%b' "$1" "a 'b' \\$(c) \\"d\\" \\\\0377"); export HOME; "$0" install --shims --write >/dev/null && "$HOME/.local/share/tmx/shims/rm" --version | head -n 1; sh -c '. "$HOME/.profile"; command -v rm' | od -An -c | tr -d ' \\n'; "$0" uninstall >/dev/null; cat "$HOME/.profile"`;
		const { stdout, stderr } = await run(
			["/bin/bash", "-c", line, home.tmx, home.base],
			{ PATH: "/usr/bin:/bin", SHELL: "/bin/bash" },
			home.project,
		);
		expect(stderr).toBe("");
		expect(stdout).toStartWith("rm (GNU coreutils)");
		expect(stdout).toContain("/a'b'$(c)\"d\"377/.local/share/tmx/shims/rm");
		expect(stdout).toEndWith("# mine\n");
	});
});

test("without --write the line is shown and no start file is touched", async () => {
	furnish();
	const before = tree();
	const { status, stdout } = await home.run("install", "--shims");
	expect(status).toBe(0);
	expect(stdout).toContain(`put this at the end of ${join(home.home, ".bashrc")} and ${join(home.home, ".profile")};`);
	expect(stdout).toContain(`put this at the end of ${join(home.home, ".zshrc")};`);
	const line = /^ {2}(tmx_=.*)$/m.exec(stdout)?.[1] ?? "";
	const { stdout: found } = await run(["/bin/sh", "-c", `${line}; command -v rm`], home.env, home.project);
	expect(found).toBe(`${join(home.home, SHIMS, "rm")}\n`);
	for (const name of [".bashrc", ".profile", ".zshrc"]) expect(tree()[name]).toBe(before[name] as string);
});

test("the summary says what is to do and how to undo it, with commands that work", async () => {
	furnish();
	const { stdout } = await home.run("install", "--write");
	const undo = /^to undo all of it: (.*) \(/m.exec(stdout)?.[1] ?? "";
	expect(undo).toBe(`${home.tmx} uninstall`);
	expect(stdout).toContain(`${home.tmx}, which is not on PATH`);
	const ran = await run(["/bin/sh", "-c", undo], home.env, home.project);
	expect({ status: ran.status, left: existsSync(join(home.home, SHIMS)) }).toEqual({ status: 0, left: false });
	home.env.PATH = `${dirname(home.tmx)}:${home.env.PATH}`;
	const onPath = (await home.run("install", "--write")).stdout;
	expect(onPath).not.toContain("not on PATH");
	expect(onPath).toContain("to undo all of it: tmx uninstall");
});

test("hooks are set up in the agents that are there; --agent picks, and --write keeps to what is picked", async () => {
	furnish();
	mkdirSync(join(home.home, ".gemini"));
	await home.run("install", "--write", "--agent", "gemini");
	expect(home.read(SETTINGS.gemini as string)).toContain("hook gemini");
	expect(home.read(SETTINGS.claude as string)).not.toContain("hook claude");
	expect(existsSync(join(home.home, SHIMS, "rm"))).toBe(true);
	await home.run("install");
	expect(home.read(SETTINGS.claude as string)).toContain("hook claude");
	expect(home.read(SETTINGS.cursor as string)).toBeUndefined();
});

test("uninstall leaves what it did not make, and says so", async () => {
	await home.run("install", "--shims");
	home.write(`${SHIMS}/mine`, "x");
	rmSync(join(home.home, SHIMS, "mv"));
	home.write(`${SHIMS}/mv`, "not a link any more");
	const { status, stdout } = await home.run("uninstall");
	expect(status).toBe(0);
	expect(stdout).toContain("removed 6 shims");
	expect(stdout).toContain("left in it, since tmx did not make it");
	expect(readdirSync(join(home.home, SHIMS)).sort()).toEqual(["mine", "mv"]);
});

test("a session cannot uninstall what guards it", async () => {
	furnish();
	await home.run("install", "--write");
	const before = tree();
	home.env.XDG_RUNTIME_DIR = join(home.base, "run");
	mkdirSync(home.env.XDG_RUNTIME_DIR, { mode: 0o700 });
	const words = ["wrap", "--no-confine", "--", "/bin/sh", "-c", 'unset TMX_SESSION; "$0" uninstall', home.tmx];
	const { status, stderr } = await home.run(...words);
	expect({ status, stderr }).toEqual({
		status: 5,
		stderr: "tmx: uninstall: user_error: not from within a session: run it in a shell of your own\n",
	});
	expect(tree()).toEqual(before);
});

test("a guardfile with a problem puts up no shims and no line", async () => {
	home.write(".config/tmx/guard.kdl", "wrap rm {\n");
	chmodSync(join(home.home, ".config/tmx/guard.kdl"), 0o644);
	home.write(".bashrc", DEBIAN);
	const { status, stderr } = await home.run("install", "--write");
	expect(status).toBe(5);
	expect(stderr).toContain("no shims were put up");
	expect(home.read(".bashrc")).toBe(DEBIAN);
	expect(existsSync(join(home.home, SHIMS))).toBe(false);
});

describe("a home that is no place to install into", () => {
	test("does not exist", async () => {
		home.env.HOME = join(home.base, "none");
		expect((await home.run("install", "--shims")).stderr).toContain("does not exist; set HOME to yours");
	});
	test("has a colon in its name", async () => {
		home.env.HOME = join(home.base, "a:b");
		mkdirSync(home.env.HOME);
		expect((await home.run("install", "--shims")).stderr).toContain("cannot stand on PATH");
	});
	test("is another user's", async () => {
		const isRoot = process.getuid?.() === 0;
		home.env.HOME = isRoot ? join(home.base, "other") : "/";
		if (isRoot) {
			mkdirSync(home.env.HOME);
			chownSync(home.env.HOME, 4321, 4321);
		}
		expect((await home.run("install", "--shims")).stderr).toContain("which another user owns");
	});
	test.skipIf(process.getuid?.() === 0)("may not be written", async () => {
		furnish();
		chmodSync(home.home, 0o555);
		const { status, stderr } = await home.run("install", "--write");
		chmodSync(home.home, 0o755);
		expect(status).toBe(5);
		expect(stderr).toContain("permission denied");
		expect(home.read(".bashrc")).toBe(DEBIAN);
	});
});

test("a full disk leaves each file as it was", async () => {
	if (!works(["unshare", "-rm", "sh", "-c", "mount -t tmpfs -o size=64k none /tmp"])) {
		console.info("skipped: no mount namespace here");
		return;
	}
	const script = `
mount -t tmpfs -o size=128k none "$HOME" || exit 99
cd "$HOME" && mkdir .claude && echo '{"a": 1}' >.claude/settings.json && echo 'a=1' >.bashrc && cp .bashrc .profile
dd if=/dev/zero of=fill bs=1k count=4096 2>/dev/null
"$0" install --write >out 2>&1; echo "status $?"
cat .claude/settings.json .bashrc .profile; ls -A`;
	const { stdout } = await run(["unshare", "-rm", "/bin/sh", "-c", script, home.tmx], home.env, home.home);
	expect(stdout).toMatch(/^status [45]\n/);
	expect(stdout).toContain('{"a": 1}\na=1\na=1\n');
	expect(stdout.split("\n").filter((name) => name.includes("tmx-"))).toEqual([]);
});

test("killed at fifty moments, an install leaves each file as it was or as it will be, and nothing behind", async () => {
	furnish();
	const before = tree();
	await home.run("install", "--write");
	const after = tree();
	await home.run("uninstall");
	expect(withoutFolders(tree())).toEqual(before);
	// The second time shows how long one takes when the machine has seen the binary.
	const started = performance.now();
	await home.run("install", "--write");
	const takes = performance.now() - started;
	await home.run("uninstall");
	const watched = [".bashrc", ".profile", ".zshrc", ".codex/config.toml", SETTINGS.claude, SETTINGS.codex] as string[];
	let killed = 0;
	for (let k = 0; k < 50; k++) {
		const child = Bun.spawn([home.tmx, "install", "--write"], { env: home.env, cwd: home.project, stdio: ["ignore", "ignore", "ignore"] });
		await Bun.sleep((k / 50) * takes);
		child.kill("SIGKILL");
		await child.exited;
		if (child.signalCode !== null) killed++;
		const now = tree();
		for (const name of watched) expect([before[name], after[name]] as (string | undefined)[]).toContain(now[name]);
		// A shim that is up has its policy.
		if (existsSync(join(home.home, SHIMS, "rm")))
			expect((await run([join(home.home, SHIMS, "rm"), "--version"], home.env, home.project)).status).toBe(0);
		// Every other one goes on with what the one before has left.
		if (k % 2 === 0) continue;
		await home.run("uninstall");
		expect(withoutFolders(tree())).toEqual(before);
	}
	expect(killed).toBeGreaterThan(10);
});

test("two at once both succeed, and the line stands once", async () => {
	furnish();
	const before = tree();
	const both = await Promise.all([1, 2, 3].map(() => home.run("install", "--write")));
	const failures = both.filter(({ status }) => status !== 0).map(({ stderr }) => stderr);
	expect(failures).toEqual([]);
	expect(home.read(".bashrc")?.split(OPENS)).toHaveLength(2);
	await home.run("uninstall");
	expect(withoutFolders(tree())).toEqual(before);
});

describe("completions and the manual page", () => {
	const BASH = ".local/share/bash-completion/completions/tmx";
	const MAN = ".local/share/man/man1/tmx.1";

	test("lie where shells and man(1) look, for the shells that are used", async () => {
		furnish();
		mkdirSync(join(home.home, ".config/fish"), { recursive: true });
		expect((await home.run("install", "--shims")).status).toBe(0);
		expect(home.read(BASH)).toBe((await home.run("completions", "bash")).stdout);
		expect(home.read(MAN)).toBe((await home.run("help", "--man")).stdout);
		expect(home.read(".local/share/fish/vendor_completions.d/tmx.fish")).toBe((await home.run("completions", "fish")).stdout);
		const out = (await home.run("uninstall", "--shims")).stdout;
		expect(out.split("\n").filter((line) => line.startsWith("removed the "))).toHaveLength(4);
		expect(readdirSync(join(home.home, ".local/share"))).toEqual([]);
	});

	test.skipIf(!existsSync("/usr/bin/zsh"))("are found by a zsh with a compinit before our lines, and with one behind them", async () => {
		for (const before of ["autoload -Uz compinit; compinit -u -D\n", ""]) {
			home.write(".zshrc", before);
			await home.run("install", "--shims", "--write");
			if (before === "") home.write(".zshrc", `${home.read(".zshrc")}autoload -Uz compinit; compinit -u -D\n`);
			const { stdout } = await run(["/usr/bin/zsh", "-ic", "setopt nounset; . ~/.zshrc; print -r -- $_comps[tmx]"], home.env, home.project);
			expect(stdout).toBe("_tmx\n");
		}
	});

	test("of somebody else stay, and the rest is installed", async () => {
		home.write(MAN, ".TH TMUX\n");
		const { status, stderr } = await home.run("install", "--shims", "--write");
		expect({ status, stderr }).toEqual({
			status: 5,
			stderr: `tmx: install: user_error: ${join(home.home, MAN)}: it is not tmx's, and stays as it is\n`,
		});
		expect(home.read(".bashrc")).toContain(OPENS);
		expect((await home.run("uninstall")).status).toBe(0);
		expect(home.read(MAN)).toBe(".TH TMUX\n");
	});
});
