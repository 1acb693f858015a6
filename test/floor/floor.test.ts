// tmx floor: what it becomes, what it shows, asks, learns; which places of git and of agents are open; floors within floors.

import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, lstatSync, mkdirSync, readFileSync, statSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { BINARY } from "../support/binary.ts";
import { PATIENCE, script } from "../support/box.ts";
import { works } from "../support/shell.ts";
import { GUARDFILE, makeStage, noFloor, type Stage, snapshot, users } from "./stage.ts";

setDefaultTimeout(PATIENCE);

const [user] = users as [(typeof users)[number]];
const why = `(skipped where there is no floor${noFloor && `: ${noFloor}`})`;
let stage: Stage;
beforeEach(async () => {
	stage = await makeStage(user, '    write "~/notes"\n    write "~/gone"');
	mkdirSync(join(stage.home, "notes"));
});
afterEach(() => stage.remove());

interface Entry {
	group: string;
	text: string;
	path: string;
	what: string;
	fate: string;
	note: string;
}

/** The places as data; `root` is the session's. */
async function entries(root: string, env = {}, ...options: string[]): Promise<Entry[]> {
	const shown = await stage.run([BINARY, "floor", "--policy", stage.shims, "--root", root, "--show", "--json", ...options], root, env);
	expect(shown.stderr).toBe("");
	return (JSON.parse(shown.stdout) as { entries: Entry[] }).entries;
}

const brief = (all: Entry[], group: string) => all.filter((entry) => entry.group === group).map(({ path, fate }) => `${path} ${fate}`);

/** The notes that the stage's own policy brings about. */
const GONE = "tmx: floor: note: '~/gone' is not opened: it is not there\n".replaceAll("'", "");

describe.skipIf(noFloor !== "")(`becoming a command ${why}`, () => {
	test("it is the command, with its words, directory, environment and descriptors", async () => {
		const ran = await stage.under(["/bin/sh", "-c", 'printf "%s|" "$0" "$@"; pwd; echo "$X"', "a", "", "b c", "--help"], [], { X: "y" });
		expect(ran).toEqual({ status: 0, stdout: `a||b c|--help|${stage.root}\ny\n`, stderr: GONE });
	});

	test("a word that is not UTF-8 arrives as it is", async () => {
		const line = `exec "$T" floor --policy "$P" --root . -- printf %s "$(printf 'a\\377')"`;
		const ran = await stage.run(["/bin/sh", "-c", line], stage.root, { T: BINARY, P: stage.shims });
		expect(ran.stdout).toBe("a\xff");
	});

	test("exit status, death by signal, and signals that are not ignored", async () => {
		expect((await stage.under(["/bin/sh", "-c", "exit 7"])).status).toBe(7);
		expect((await stage.under(["/bin/sh", "-c", "kill -9 $$"])).status).toBe(128);
		expect((await stage.under(["/bin/sh", "-c", "grep SigIgn /proc/self/status"])).stdout).toContain("0000000000000000");
	});

	test.each([
		[["/nowhere/at/all"], 127, "not_found: /nowhere/at/all does not exist"],
		[["no-such-program"], 127, "not_found: there is no no-such-program on PATH"],
		[["/etc/passwd"], 126, "not_runnable: /etc/passwd cannot be executed"],
		[["/bin"], 126, "not_runnable: /bin cannot be executed"],
	])("%p cannot be run", async (words, status, said) => {
		const ran = await stage.under(words);
		expect(ran.status).toBe(status);
		expect(ran.stderr).toContain(`tmx: floor: ${said}`);
	});

	test("the file that standard error goes to may be opened anew by its descriptor, and no other beside it", async () => {
		const line = `exec "$T" floor --policy "$P" --root . -- sh -c 'echo one >&2; echo two >>/dev/stderr; echo x >"$O/other"' 2>>"$O/log"`;
		await stage.run(["/bin/sh", "-c", line], stage.root, { T: BINARY, P: stage.shims, O: stage.outside });
		expect(readFileSync(join(stage.outside, "log"), "utf8")).toStartWith(`${GONE}one\ntwo\n`);
		expect(existsSync(join(stage.outside, "other"))).toBe(false);
	});

	test("a script without an interpreter runs under sh, as execvp(3) has it; a missing interpreter is 127", async () => {
		writeFileSync(join(stage.root, "plain"), "echo plain\n", { mode: 0o755 });
		writeFileSync(join(stage.root, "lost"), "#!/nowhere\n", { mode: 0o755 });
		expect((await stage.under(["./plain"])).stdout).toBe("plain\n");
		expect((await stage.under(["./lost"])).status).toBe(127);
	});
});

describe("the command line", () => {
	test.each([
		[["--test"], "--test needs PATH..."],
		[["x"], 'paths go with --test, and a command stands after "--"'],
		[["--learn"], '--learn needs a command after "--"'],
		[["--show", "--learn", "--", "x"], "--show and --learn ask for different things"],
		[["--"], 'no command stands after "--"'],
		[["--require"], '--require goes with a command after "--" alone'],
		[["--json", "--", "true"], "--json goes with --show and --test"],
		[["--abi", "x"], "--abi x is no version of Landlock; known are 0 to 7"],
		[["--root", "/"], "--root / does not count: it is the whole machine"],
		[["--root", "/nowhere"], "--root /nowhere does not count: there is no such directory"],
		[["--requre"], 'unknown option --requre; did you mean "--require"?'],
	])("%p is refused", async (words, said) => {
		const ran = await stage.run([BINARY, "floor", ...words]);
		expect([ran.status, ran.stdout]).toEqual([5, ""]);
		expect(ran.stderr).toContain(`tmx: floor: user_error: ${said}`);
	});

	test("the home directory is no root", async () => {
		const ran = await stage.run([BINARY, "floor"], stage.home);
		expect(ran.status).toBe(5);
		expect(ran.stderr).toContain("the working directory, does not count: it is the home directory; name the directory");
	});

	test("a policy that others could have written, or that is broken, is not used", async () => {
		writeFileSync(join(stage.shims, "policy/floor.json"), "{");
		const broken = await stage.under(["true"]);
		expect([broken.status, broken.stderr]).toEqual([
			4,
			`tmx: floor: internal: the policy file ${stage.shims}/policy/floor.json is not valid\n`,
		]);
		await stage.run(["chmod", "666", join(stage.shims, "policy/floor.json")]);
		expect((await stage.under(["true"])).stderr).toContain("can be written by group or others");
	});
});

describe("the places", () => {
	test("each group with its reason; what is not there, denied or dropped says so", async () => {
		const all = await entries(stage.root);
		expect(brief(all, "roots")).toEqual([`${stage.root} granted`, `${stage.root}/tmp granted`]);
		expect(brief(all, "temp").every((line) => line.endsWith(" denied") || line === `${stage.root}/tmp denied`)).toBe(true);
		expect(brief(all, "devices")).toContain("/dev/null granted");
		expect(brief(all, "guardfile")).toEqual([`${stage.home}/notes granted`, `${stage.home}/gone missing`]);
		const text = await stage.run([BINARY, "floor", "--policy", stage.shims]);
		expect(text.stdout).toContain("temp: scratch files");
		expect(text.stdout).toContain(`(${stage.base}/guard.kdl:2)`);
	});

	test("a directory that a variable names counts unless it would open the home or more", async () => {
		const all = await entries(stage.root, { XDG_RUNTIME_DIR: stage.outside, CARGO_HOME: stage.home, GOPATH: "/", RUSTUP_HOME: "relative" });
		expect(brief(all, "runtime")).toEqual([`${stage.outside} granted`]);
		expect(all.find(({ text }) => text === "$CARGO_HOME")).toMatchObject({ fate: "dropped", note: "it is the home directory" });
		expect(all.find(({ text }) => text === "$GOPATH")).toMatchObject({ fate: "dropped", note: "it is the whole machine" });
		expect(all.some(({ text }) => text === "$RUSTUP_HOME")).toBe(false);
	});

	test.skipIf(noFloor !== "")("a policy that could be written makes the floor partial, and --require refuses it", async () => {
		const words = [BINARY, "floor", "--policy", stage.shims, "--root", stage.shims];
		const said = `the floor is partial: ${stage.shims}, which the guard stands on, lies in ${stage.shims} and can be written`;
		expect((await stage.run([...words, "--", "true"])).stderr).toContain(said);
		expect((await stage.run([...words, "--require", "--", "true"])).status).toBe(4);
	});

	test.skipIf(noFloor !== "")("the audit grows, and is neither emptied, removed, renamed nor linked", async () => {
		const audit = join(stage.home, ".local/state/tmx/audit.jsonl");
		const lines = `echo one >>"$A" && for act in ': >' 'rm -f' 'mv -t .' 'truncate -s 0' 'ln -t .'; do eval "$act \\"$A\\"" 2>/dev/null; done; echo x >"$A.1"`;
		await stage.under(["/bin/sh", "-c", lines], [], { A: audit });
		expect(readFileSync(audit, "utf8")).toBe("one\n");
		expect(lstatSync(audit).nlink).toBe(1);
		expect(existsSync(`${audit}.1`)).toBe(false);
		expect(statSync(audit).mode & 0o777).toBe(0o600);
	});

	test.skipIf(noFloor !== "")("an audit that is long is put away at the start, since nothing can be renamed later", async () => {
		const audit = join(stage.home, ".local/state/tmx/audit.jsonl");
		await stage.run(["/bin/sh", "-c", `mkdir -p "$(dirname "${audit}")" && echo old >"${audit}"`]);
		truncateSync(audit, 17 * 1024 * 1024);
		await stage.under(["/bin/sh", "-c", `echo new >>"${audit}"`]);
		expect(readFileSync(audit, "utf8")).toBe("new\n");
		expect(statSync(`${audit}.1`).size).toBe(17 * 1024 * 1024);
	});
});

const GIT = "git -c user.name=a -c user.email=a@b -c init.defaultBranch=main -c protocol.file.allow=always";

describe.skipIf(!works(["git", "--version"]))("git (skipped where there is none)", () => {
	/** A repository outside, with a worktree and a submodule in the stage's root. */
	async function repository(): Promise<void> {
		const lines = `cd "$O" && ${GIT} init -q main && cd main && ${GIT} commit -q --allow-empty -m one && ${GIT} worktree add -q "$I/tree"
			cd "$O" && ${GIT} clone -q main super && cd super && ${GIT} submodule --quiet add "$O/main" sub`;
		const made = await stage.run(["/bin/sh", "-ec", lines], stage.root, { O: stage.outside, I: stage.root });
		expect(made).toMatchObject({ status: 0 });
	}

	test("a worktree's repository, a submodule's own directory, and that of a directory in a repository are open", async () => {
		await repository();
		const main = join(stage.outside, "main/.git");
		expect(brief(await entries(join(stage.root, "tree")), "git")).toEqual([`${main} granted`]);
		expect(brief(await entries(join(stage.outside, "super/sub")), "git")).toEqual([`${stage.outside}/super/.git/modules/sub granted`]);
		expect(brief(await entries(join(stage.outside, "main")), "git")).toEqual([]);
		mkdirSync(join(stage.outside, "main/part"));
		expect(brief(await entries(join(stage.outside, "main/part")), "git")).toEqual([`${main} granted`]);
	});

	test.skipIf(noFloor !== "")("one commits in a worktree under the floor", async () => {
		await repository();
		const line = `cd tree && echo a >a && ${GIT} add a && ${GIT} commit -qm two && ${GIT} stash list`;
		const words = [BINARY, "floor", "--policy", stage.shims, "--root", join(stage.root, "tree"), "--require", "--", "/bin/sh", "-c", line];
		expect((await stage.run(words)).status).toBe(0);
	});

	test("a .git that names somebody's directory, or a repository that does not name it back, opens nothing", async () => {
		await repository();
		const hostile = join(stage.root, "hostile");
		mkdirSync(hostile);
		for (const target of [stage.home, join(stage.outside, "main/.git"), join(stage.outside, "main/.git/worktrees/tree"), "/"]) {
			writeFileSync(join(hostile, ".git"), `gitdir: ${target}\n`);
			const found = brief(await entries(hostile), "git");
			expect({ target, open: found.filter((line) => line.endsWith(" granted")) }).toEqual({ target, open: [] });
		}
		// A worktree's directory that came with an archive, and leads to a home.
		const made = join(hostile, "fake/worktrees/w");
		mkdirSync(made, { recursive: true });
		writeFileSync(join(hostile, ".git"), `gitdir: ${made}\n`);
		writeFileSync(join(made, "gitdir"), join(hostile, ".git"));
		writeFileSync(join(made, "commondir"), stage.home);
		expect(brief(await entries(hostile), "git")).toEqual([]);
		await stage.run(["rm", join(hostile, ".git")]);
		symlinkSync(join(stage.outside, "main/.git"), join(hostile, ".git"));
		expect(brief(await entries(hostile), "git")).toEqual([`${stage.outside}/main/.git dropped`]);
	});
});

describe.skipIf(noFloor !== "")(`what an agent keeps ${why}`, () => {
	/** A program under an agent's name that runs a line. */
	const agent = (name: string, line: string) => script(join(stage.base, "bin", name), line);

	test("claude's sessions are kept, and its settings are not to be written", async () => {
		mkdirSync(join(stage.home, ".claude"));
		writeFileSync(join(stage.home, ".claude/settings.json"), "{}\n");
		await stage.run(["chown", "-R", String(user.uid), stage.home]);
		const line = `cd ~ && echo s >.claude/projects/s && echo h >>.claude/history.jsonl && echo '{"a":1}' >.claude.json
			{ echo x >.claude/settings.json; rm -f .claude/settings.json; mv .claude/settings.json x; echo x >.claude/settings.local.json; } 2>/dev/null
			mv .claude elsewhere 2>/dev/null; echo done`;
		const ran = await stage.under([agent("claude", line)]);
		expect(ran.stdout).toBe("done\n");
		expect(readFileSync(join(stage.home, ".claude/settings.json"), "utf8")).toBe("{}\n");
		expect(readFileSync(join(stage.home, ".claude.json"), "utf8")).toBe('{"a":1}\n');
		expect(existsSync(join(stage.home, ".claude/settings.local.json"))).toBe(false);
		expect(readFileSync(join(stage.home, ".claude/projects/s"), "utf8")).toBe("s\n");
	});

	test("codex has the whole of its directory, made when it is missing", async () => {
		expect((await stage.under([agent("codex", "cd ~/.codex && mkdir sessions && echo x >state.db && mv state.db s2")])).status).toBe(0);
	});

	test("another program makes no agent's directory", async () => {
		await stage.under(["true"]);
		expect(existsSync(join(stage.home, ".claude"))).toBe(false);
		expect(existsSync(join(stage.home, ".codex"))).toBe(false);
	});

	test("a file that is there already is never overwritten by the start", async () => {
		writeFileSync(join(stage.home, ".claude.json"), '{"kept":true}\n');
		await Promise.all([1, 2, 3].map(() => stage.under([agent("claude", "true")])));
		expect(readFileSync(join(stage.home, ".claude.json"), "utf8")).toBe('{"kept":true}\n');
	});
});

describe.skipIf(noFloor !== "")(`floors within floors ${why}`, () => {
	/** A command under so many floors. */
	function nested(depth: number, options: (level: number) => string[], words: string[]): string[] {
		const one = (level: number) => [BINARY, "floor", "--policy", stage.shims, ...options(level), "--"];
		return [...Array.from({ length: depth }, (_, level) => one(level)).flat(), ...words];
	}

	test("the same floor is not added again, however deep", async () => {
		const ran = await stage.run(nested(20, () => ["--root", stage.root], ["/bin/sh", "-c", `echo in >in; rm ${stage.outside}/file`]));
		expect(ran.stderr).not.toContain("16 floors");
		expect(existsSync(join(stage.root, "in"))).toBe(true);
		expect(existsSync(join(stage.outside, "file"))).toBe(true);
	});

	test("an inner one narrows, and never widens", async () => {
		mkdirSync(join(stage.root, "part"));
		await stage.run(["chown", String(user.uid), join(stage.root, "part")]);
		const narrow = nested(2, (level) => ["--root", level === 0 ? stage.root : join(stage.root, "part")], [
			"/bin/sh",
			"-c",
			"echo x >part/a; echo x >b",
		]);
		await stage.run(narrow);
		expect([existsSync(join(stage.root, "part/a")), existsSync(join(stage.root, "b"))]).toEqual([true, false]);
		const before = snapshot(stage.outside);
		await stage.run(
			nested(2, (level) => ["--root", level === 0 ? stage.root : stage.outside], ["/bin/sh", "-c", `rm -rf ${stage.outside}/*`]),
		);
		expect(snapshot(stage.outside)).toEqual(before);
	});

	test("the seventeenth that differs is said, and with --require refused", async () => {
		const levels = Array.from({ length: 17 }, (_, level) => join(stage.root, `d${level}`));
		await stage.run(["mkdir", ...levels]);
		const options = (level: number) => ["--root", stage.root, "--root", levels[level] as string];
		const ran = await stage.run(nested(17, options, ["/bin/sh", "-c", `rm ${stage.outside}/file; echo ran`]));
		expect(ran.stderr).toContain("note: there is no floor of this session's own: 16 floors hold here already, and no other can be added\n");
		expect(ran.stdout).toBe("ran\n");
		expect(existsSync(join(stage.outside, "file"))).toBe(true);
		const strict = await stage.run(nested(17, (level) => [...options(level), "--require"], ["echo", "ran"]));
		expect([strict.status, strict.stdout]).toEqual([4, ""]);
	});

	test("a mark without a floor is not believed", async () => {
		const marked = await stage.under(["/bin/sh", "-c", "echo $TMX_FLOOR"]);
		await stage.under(["rm", join(stage.outside, "file")], [], { TMX_FLOOR: marked.stdout.trim() });
		expect(existsSync(join(stage.outside, "file"))).toBe(true);
	});
});

describe("asking", () => {
	test("what could be done with a path, and what would open it", async () => {
		const words = [BINARY, "floor", "--policy", stage.shims, "--test"];
		const asked = await stage.run([...words, "mine", `${stage.outside}/file`, "leads-out/file", "/dev/null"]);
		expect(asked.status).toBe(2);
		expect(asked.stdout).toBe(
			[
				`open     mine (is ${stage.root}/mine): write, make, remove and rename (roots: ${stage.root})`,
				`refused  ${stage.outside}/file: in no place that may be written`,
				`         next: floor { write "${stage.outside}" } in the guardfile opens it, from the next session on`,
				`refused  leads-out/file (is ${stage.outside}/file): in no place that may be written`,
				`         next: floor { write "${stage.outside}" } in the guardfile opens it, from the next session on`,
				"open     /dev/null: write (devices: /dev/null)",
				"",
			].join("\n"),
		);
		expect((await stage.run([...words, "mine"])).status).toBe(0);
		// A file in a directory that is too much to open is opened alone, and one that is not there not at all.
		await stage.run(["touch", join(stage.home, "notes.txt")]);
		const opens = "in the guardfile opens it, to be written and not to be removed or renamed, from the next session on\n";
		for (const [path, place] of [
			[`${stage.home}/notes.txt`, "~/notes.txt"],
			["/etc/passwd", "/etc/passwd"],
		] as const) {
			expect((await stage.run([...words, path])).stdout).toContain(`         next: floor { write "${place}" } ${opens}`);
		}
		for (const path of [`${stage.home}/no-such`, "/etc/no-such"]) {
			expect((await stage.run([...words, path])).stdout).not.toContain("next:");
		}
		expect((await stage.run([...words, "~/x/y", `${stage.home}/x/y`])).stdout).toContain(`next: mkdir -p ~/x, and floor { write "~/x" }`);
	});

	test.skipIf(noFloor !== "" || !works(["/usr/bin/python3", "--version"]))("the answers are what the kernel does", async () => {
		symlinkSync(join(stage.root, "mine"), join(stage.outside, "leads-in"));
		const paths = [
			"mine",
			"new",
			"tmp/new",
			"leads-out/file",
			"leads-out/new",
			`${stage.outside}/leads-in`,
			`${stage.outside}/file`,
			stage.root,
		];
		paths.push(`${stage.home}/notes/new`, `${stage.home}/new`, "/dev/null", "/etc/tmx-floor-new", "../outside/tree/leaf", stage.outside);
		const asked = await stage.run([BINARY, "floor", "--policy", stage.shims, "--root", stage.root, "--test", "--json", ...paths]);
		const model = (JSON.parse(asked.stdout) as { write: boolean; rename: boolean }[]).map(({ write, rename }) => [write, rename]);
		const probe = `import errno, os, sys
def open_(p):
    try:
        if os.path.isdir(p): os.rmdir(os.path.join(p, "")) if False else os.close(os.open(p, os.O_TMPFILE | os.O_WRONLY))
        elif os.path.exists(p): os.close(os.open(p, os.O_WRONLY))
        else: os.close(os.open(p, os.O_WRONLY | os.O_CREAT)); os.unlink(p)
        return True
    except OSError as e: return e.errno not in (errno.EACCES, errno.EXDEV)
def name(p):
    try: os.rename(p, p) if os.path.lexists(p) else None
    except OSError as e: return False
    q = p.rstrip("/") + ".probe"
    try: os.mkdir(q); os.rmdir(q); return True
    except OSError as e: return False
for p in sys.argv[1:]: print(int(open_(p)), int(name(p)))`;
		const ran = await stage.under(["/usr/bin/python3", "-c", probe, ...paths]);
		const truth = ran.stdout
			.trim()
			.split("\n")
			.map((line) => line.split(" ").map((bit) => bit === "1"));
		expect(Object.fromEntries(paths.map((path, k) => [path, model[k]]))).toEqual(
			Object.fromEntries(paths.map((path, k) => [path, truth[k]])),
		);
	});
});

const strace = works(["strace", "-o", "/dev/null", "true"]);

describe("learning", () => {
	test.skipIf(!strace)(`the lines are those with which the command works${strace ? "" : " (there is no strace)"}`, async () => {
		const line = `cd ~ && mkdir -p keep/deep && echo x >keep/deep/f && mv keep/deep/f keep/g && ln -s g keep/l && echo y >>.profile
			cd "$I" && echo z >local && cd "$O" && rm file && (cd tree && rm leaf) && echo said`;
		writeFileSync(join(stage.home, ".profile"), "");
		const env = { O: stage.outside, I: stage.root };
		const learned = await stage.run(
			[BINARY, "floor", "--policy", stage.shims, "--root", stage.root, "--learn", "--", "/bin/sh", "-ec", line],
			stage.root,
			env,
		);
		expect(learned.stderr).toBe("said\n");
		expect(learned.stdout.replaceAll(/ \/\/.*/g, "")).toBe(
			["floor {", `    write "${stage.outside}"`, '    write "~/.profile"', '    write "~/keep"', "}", ""].join("\n"),
		);
		const lines = learned.stdout.split("\n").slice(1, -2).join("\n");
		writeFileSync(join(stage.base, "learned.kdl"), GUARDFILE(`    deny-group "temp"\n${lines}`), { mode: 0o644 });
		await stage.run([BINARY, "build", join(stage.base, "learned.kdl"), "--out", join(stage.base, "learned")]);
		const again = `rm -rf ~/keep && mkdir ~/keep && mkdir -p "$O/tree" && touch "$O/file" "$O/tree/leaf"`;
		expect((await stage.run(["/bin/sh", "-ec", again], stage.root, env)).status).toBe(0);
		const words = [
			BINARY,
			"floor",
			"--policy",
			join(stage.base, "learned"),
			"--root",
			stage.root,
			"--require",
			"--",
			"/bin/sh",
			"-ec",
			line,
		];
		expect(await stage.run(words, stage.root, env)).toEqual({ status: 0, stdout: "said\n", stderr: "" });
	});

	test.skipIf(!strace)("a command that needs nothing, one that fails, and a name that no line may open", async () => {
		const learn = (line: string) =>
			stage.run([BINARY, "floor", "--policy", stage.shims, "--root", stage.root, "--learn", "--", "/bin/sh", "-c", line], stage.root);
		expect((await learn("echo x >mine")).stdout).toBe("// it needs nothing besides what is open already\n");
		expect((await learn("exit 3")).stderr).toContain("the command ended with status 3, so there may be more that it needs");
		expect((await learn("mkdir ~/new && rmdir ~/new")).stdout).toContain("// not proposed, since it would open too much: ");
	});

	test("without strace it says so", async () => {
		const ran = await stage.run([BINARY, "floor", "--policy", stage.shims, "--learn", "--", "true"], stage.root, { PATH: stage.shims });
		expect([ran.status, ran.stdout, ran.stderr]).toEqual([
			5,
			"",
			"tmx: floor: user_error: strace is not on PATH; install it, and ask again\n",
		]);
	});
});
