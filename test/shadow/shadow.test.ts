// Shadows on real repositories: nothing of the person's checkout changes, and nothing goes that stands nowhere else.

import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { BINARY } from "../support/binary.ts";
import { NAMESPACE, run, works } from "../support/shell.ts";
import { makeWorld, photograph, type World } from "./world.ts";

setDefaultTimeout(120_000);

let world: World;
beforeEach(async () => {
	world = await makeWorld();
});
afterEach(() => world.remove());

const ran = (mark: string) => existsSync(join(world.base, mark));
const branches = async () =>
	(await world.git(["branch", "--list", "--format=%(refname:short)", "tmx-shadow-*"])).split("\n").filter((name) => name !== "");
/** Directories of worktrees in the repository, also such as no git knows any more. */
const admins = () => readdirSync(join(world.project, ".git/worktrees"));
const worktrees = async () => (await world.git(["worktree", "list", "--porcelain"])).match(/^worktree .*/gm)?.length;

/** Nothing is left of any shadow but the branches that are named. */
async function isGone(kept: string[] = []): Promise<void> {
	expect(readdirSync(world.shadows)).toEqual([]);
	expect([await worktrees(), admins()]).toEqual([2, ["linked"]]);
	expect(await branches()).toEqual(kept);
}

describe("a session in a shadow", () => {
	test("works in a worktree on a branch of its own, with home and seat beside it", async () => {
		const before = photograph(world.project);
		const { status, stdout } = await world.wrap(
			`pwd; printf '%s\\n' "$PWD" "$AOS_NATIVE_SESSION_PROJECTS" "$TMX_ROOTS"; git branch --show-current; ls`,
		);
		const [id = ""] = world.ids();
		const root = join(world.shadows, id);
		const worktree = join(root, "projects/project");
		expect(stdout.split("\n")).toEqual([
			worktree,
			worktree,
			join(root, "projects"),
			`${root}:${worktree}`,
			`tmx-shadow-${id}`,
			"deep",
			"lib",
			"one",
			"",
		]);
		expect(status).toBe(0);
		expect(readdirSync(root).sort()).toEqual(["home", "projects", "seat"]);
		expect(photograph(world.project)).toEqual(before);
		expect([ran("hook-ran"), ran("monitor-ran")]).toEqual([false, false]);
	});

	test("says which work of the person's is not in it", async () => {
		expect((await world.wrap("true")).stderr).toContain(
			`3 changes that you have not committed in ${world.project} stay there, and are not in the shadow`,
		);
	});

	test("may change its shadow, and not the checkout that it came from", async () => {
		const { stdout, stderr } = await world.wrap(`rm one && echo gone; rm ${world.project}/one; echo $?; rm -r "$PWD"; echo $?`);
		expect(stdout).toBe("gone\n2\n2\n");
		expect(stderr).toContain("policy_denied");
		expect(readFileSync(join(world.project, "one"), "utf8")).toBe("one\nchanged\n");
	});

	test("has the submodules that the person has, without the network, and knows their true remote", async () => {
		rmSync(join(world.base, "inner.git"), { recursive: true });
		const { stdout, stderr } = await world.wrap("cat lib/inner/file; git -C lib/inner remote get-url origin; git submodule status");
		expect(stdout).toMatch(new RegExp(`^inner\n${world.base}/inner.git\n [0-9a-f]{40} lib/inner \\(`));
		expect(stderr).not.toContain("empty");
	});

	test("ends as its command ends", async () => {
		expect((await world.wrap("exit 7")).status).toBe(7);
		expect((await world.wrap("kill -TERM $$")).status).toBe(128);
	});

	test("starts where the person stands, if that place is in the commit", async () => {
		expect((await world.wrap("pwd", join(world.project, "deep"))).stdout).toEndWith("/projects/project/deep\n");
		expect((await world.wrap("pwd", join(world.project, "build"))).stdout).toEndWith("/projects/project\n");
	});

	for (const [what, place, before] of [
		["a linked worktree", "linked", "true"],
		["a detached head", "project", "git stash -q && git checkout -q --detach HEAD~1"],
		[
			"a merge with a conflict",
			"project",
			"git stash -q && git checkout -q side && echo x >one && git commit -qam x && git checkout -q main && echo y >one && git commit -qam y && ! git merge -q side",
		],
		["a rebase that stands still", "project", "git stash -q && GIT_SEQUENCE_EDITOR='sed -i 1s/pick/edit/' git rebase -q -i HEAD~1"],
		["a submodule", "project/lib/inner", "true"],
		["a bare repository", "bare.git", "git clone -q --bare ../remote.git ../bare.git"],
		[
			"a repository that is no one's clone",
			"alone",
			"git init -q ../alone && cd ../alone && echo a >a && git add a && git commit -qm a && echo b >a",
		],
		["a sparse checkout", "sparse", "git clone -q ../remote.git ../sparse && git -C ../sparse sparse-checkout set deep"],
		["a shallow clone", "shallow", 'git clone -q --depth 1 "file://$BASE/remote.git" ../shallow'],
		[
			"a repository whose branch is called as tmx is",
			"named",
			"git clone -q ../remote.git ../named && git -C ../named branch tmx && git -C ../named branch shadow",
		],
	] as const) {
		test(`of ${what} leaves it as it was`, async () => {
			const laid = await run(["/bin/sh", "-euc", before], world.env, world.project);
			expect({ status: laid.status, stderr: laid.status === 0 ? "" : laid.stderr }).toEqual({ status: 0, stderr: "" });
			const there = join(world.base, place);
			const [picture, main] = [photograph(there), photograph(world.project)];
			const head = await world.git(["rev-parse", "HEAD"], there);
			const made = await world.wrap(
				"git rev-parse HEAD; git status --short; git commit -q --allow-empty -m mine; git rev-parse HEAD~1",
				there,
			);
			expect({ status: made.status, stdout: made.stdout }).toEqual({ status: 0, stdout: `${head}\n${head}\n` });
			expect(photograph(there)).toEqual(picture);
			expect(photograph(world.project)).toEqual(main);
			const [id = ""] = world.ids();
			expect((await world.tmx(["shadow", "release", id], there)).status).toBe(0);
			expect(await world.git(["log", "-1", "--format=%s", `tmx-shadow-${id}`], there)).toBe("mine");
			expect(photograph(there)).toEqual(picture);
		});
	}

	for (const [what, name] of [
		["blanks, quotes and what shells read", `-rf $(touch x) 'q' "d" *`],
		["a newline at its end", "ends\n"],
		["bytes that are no UTF-8", "caf\\351"],
	] as const) {
		test(`of a repository with ${what} in its name`, async () => {
			const line = `d=$(printf '%b.' "$1"); d=\${d%.}; git init -q "$BASE/$d" && cd "$BASE/$d" && echo a >a && git add a && git commit -qm a && "$0" wrap --no-confine --shadow -- sh -c 'cat a; pwd; echo b >b'
"$0" shadow list --json; git worktree list --porcelain | grep -c ^HEAD`;
			const { stdout, stderr } = await run(["/bin/sh", "-c", line, BINARY, name], world.env, world.base);
			expect(stderr).not.toContain("user_error");
			expect(stdout).toMatch(/^a\n.*\/projects\/project\n\{"shadow":.*"unknown":\["b"\].*\}\n2\n$/);
			expect(existsSync(join(world.base, "x"))).toBe(false);
		});
	}

	describe("is refused, and nothing is left", () => {
		for (const [what, before, why] of [
			["outside of a repository", "mkdir ../plain && cd ../plain", "it is in no git repository"],
			[
				"before the first commit",
				"git init -q ../fresh && cd ../fresh",
				"it has no commit yet; git commit --allow-empty -m start makes one",
			],
			["within the repository's own directory", "cd .git", "it is within the repository's own directory; go to a checkout of it"],
		] as const) {
			test(what, async () => {
				const { stdout, stderr } = await run(
					["/bin/sh", "-c", `${before}; "$0" wrap --shadow -- true; echo $?`, BINARY],
					world.env,
					world.project,
				);
				expect(stdout).toBe("5\n");
				expect(stderr).toContain(`tmx: wrap: user_error: no shadow of `);
				expect(stderr).toContain(why);
				expect(world.ids()).toEqual([]);
			});
		}

		test("within a session", async () => {
			const { stderr } = await world.wrap(`${BINARY} wrap --shadow -- true`);
			expect(stderr).toContain("--shadow has no place within a session");
			expect(world.ids()).toHaveLength(1);
		});

		test("for a command that does not exist", async () => {
			const { status } = await world.tmx(["wrap", "--shadow", "--", "no-such-command"]);
			expect(status).toBe(127);
			await isGone();
		});

		test("where others may write to the place of shadows", async () => {
			mkdirSync(world.shadows, { recursive: true });
			chmodSync(world.shadows, 0o777);
			expect((await world.wrap("true")).stderr).toContain("is not yours alone to change");
		});

		test("when git cannot make the worktree", async () => {
			mkdirSync(join(world.project, ".git/refs/heads/x"), { recursive: true });
			// Objects that are gone: the checkout of HEAD fails half way.
			const blob = await world.git(["rev-parse", "HEAD:deep/two"]);
			rmSync(join(world.project, ".git/objects", blob.slice(0, 2), blob.slice(2)));
			const { status, stderr } = await world.wrap("true");
			expect(status).toBe(5);
			expect(stderr).toContain("git reset:");
			expect(stderr).toContain("nothing is left of it");
			await isGone();
		});
	});
});

/** Work in a new shadow; its name. */
async function worked(line: string): Promise<string> {
	const { status, stderr } = await world.wrap(line);
	expect({ status, stderr: status === 0 ? "" : stderr }).toEqual({ status: 0, stderr: "" });
	return world.ids()[0] ?? "";
}

describe("release", () => {
	test("of a shadow with nothing of its own leaves nothing", async () => {
		const before = photograph(world.project);
		const id = await worked("true");
		expect(await world.tmx(["shadow", "release", id])).toEqual({ status: 0, stdout: `${id} is released\n`, stderr: "" });
		await isGone();
		expect(photograph(world.project)).toEqual(before);
	});

	test("keeps commits on the branch, and says which", async () => {
		const id = await worked("echo x >x && git add x && git commit -qm 'a new x'");
		const { stdout } = await world.tmx(["shadow", "release", id]);
		expect(stdout).toMatch(
			new RegExp(`^${id}: 1 commit on no other branch, which are kept; 1 on no remote\n${id}:   '[0-9a-f]+ a new x'\n`),
		);
		expect(stdout).toEndWith(`${id} is released; branch tmx-shadow-${id} in ${world.project} keeps its commits\n`);
		await isGone([`tmx-shadow-${id}`]);
		expect(await world.git(["show", `tmx-shadow-${id}:x`])).toBe("x");
	});

	test("takes the branch away when its commits are elsewhere", async () => {
		const id = await worked("git commit -q --allow-empty -m x && git branch -q other");
		await world.tmx(["shadow", "release", id]);
		await isGone();
		expect(await world.git(["log", "-1", "--format=%s", "other"])).toBe("x");
	});

	test("keeps commits of a detached head on a branch", async () => {
		const id = await worked("git checkout -q --detach && git commit -q --allow-empty -m loose");
		const { stdout } = await world.tmx(["shadow", "release", id]);
		expect(stdout).toContain(`branch tmx-shadow-${id}-head`);
		await isGone([`tmx-shadow-${id}-head`]);
		expect(await world.git(["log", "-1", "--format=%s", `tmx-shadow-${id}-head`])).toBe("loose");
	});

	test("keeps what an own branch and a detached head hold, both", async () => {
		const id = await worked("git commit -q --allow-empty -m on && git checkout -q --detach HEAD~1 && git commit -q --allow-empty -m off");
		await world.tmx(["shadow", "release", id]);
		await isGone([`tmx-shadow-${id}`, `tmx-shadow-${id}-head`]);
	});

	test("keeps the commit that it began with, when the person has dropped it since", async () => {
		await world.git(["commit", "-q", "-m", "staged"]);
		const id = await worked("true");
		await world.git(["reset", "-q", "--hard", "HEAD~1"]);
		await world.tmx(["shadow", "release", id]);
		await isGone([`tmx-shadow-${id}`]);
	});

	test("keeps branches and stashes that were made in it", async () => {
		const id = await worked("git checkout -q -b feature && git commit -q --allow-empty -m f && echo s >one && git stash -q");
		await world.tmx(["shadow", "release", id]);
		await isGone();
		expect(await world.git(["log", "-1", "--format=%s", "feature"])).toBe("f");
		expect(await world.git(["show", "stash@{0}:one"])).toBe("s");
	});

	for (const [what, line, said] of [
		["a changed file", "echo x >>one", "1 changed file, not committed: one"],
		["a staged file", "echo x >x && git add x", "1 changed file, not committed: x"],
		["a removed file", "rm one", "1 changed file, not committed: one"],
		["a new file", "echo x >x", "1 new file, not committed: x"],
		["six new files", "touch 1 2 3 4 5 6", "6 new files, not committed: 1 2 3 4 5 and 1 more"],
		["an ignored file", "echo x >x.log", "1 path that git ignores: x.log"],
		["a repository within it", "git init -q sub && touch sub/x", "1 new file, not committed: sub/"],
		["a file in home", "echo x >../../home/x", "1 file beside the worktree: home/x"],
		["another project", "mkdir ../other && echo x >../other/x", "1 file beside the worktree: projects/other/x"],
		["a link in seat", "ln -s / ../../seat/root", "1 file beside the worktree: seat/root"],
		[
			"a changed file that git is told not to look at",
			"git update-index --assume-unchanged one && echo x >>one",
			"1 changed file, not committed: one",
		],
		["a changed file that is skipped", "git update-index --skip-worktree one && echo x >>one", "1 changed file, not committed: one"],
		["a rebase under way", "GIT_SEQUENCE_EDITOR='sed -i 1s/pick/edit/' git rebase -q -i HEAD~1", "a rebase is under way"],
		["a new file in a submodule", "echo x >lib/inner/x", "the submodule lib/inner has 1 file not committed and 0 commits"],
		[
			"a commit in a submodule",
			"cd lib/inner && git checkout -q --detach && git commit -q --allow-empty -m x && cd ../.. && git commit -qam x",
			"the submodule lib/inner has 0 files not committed and 1 commit that its remote does not have",
		],
		[
			"a stash in a submodule",
			"cd lib/inner && echo x >file && git stash -q",
			"the submodule lib/inner has 0 files not committed and 2 commits",
		],
		["an index that cannot be read", 'echo x >"$(git rev-parse --git-dir)/index"', "what it holds cannot be said"],
		[
			"a file that only its own list of exclusions hides",
			'echo "*" >>"$(git rev-parse --git-common-dir)/info/exclude" && echo x >x',
			"1 path that git ignores: x",
		],
	] as const) {
		test(`without a terminal refuses to lose ${what}`, async () => {
			const id = await worked(line);
			const before = photograph(join(world.shadows, id));
			for (const verb of [["list"], ["reap"]]) expect((await world.tmx(["shadow", ...verb])).stdout).toContain(said);
			const { status, stdout, stderr } = await world.tmx(["shadow", "release", id]);
			expect({ status, stdout }).toEqual({ status: 5, stdout: "" });
			expect(stderr).toStartWith(`tmx: shadow: user_error: ${id} stays, as it holds what is saved nowhere: `);
			expect(stderr).toContain(said);
			expect(photograph(join(world.shadows, id))).toEqual(before);
			expect(await worktrees()).toBe(3);
		});
	}

	test("what its refusal advises works: to commit, and to let go what git ignores", async () => {
		const id = await worked("echo x >x && echo y >y.log");
		const first = await world.tmx(["shadow", "release", id]);
		const commit = /"(git -C \S+ add -A) && (git -C \S+ commit)" saves/.exec(first.stderr);
		expect((await run(["/bin/sh", "-c", `${commit?.[1]} && ${commit?.[2]} -qm saved`], world.env, world.base)).status).toBe(0);
		const second = await world.tmx(["shadow", "release", id]);
		const release = /"(tmx shadow release --ignored \S+)" lets it go/.exec(second.stderr)?.[1] ?? "false";
		expect((await run(["/bin/sh", "-c", release], world.env, world.base)).status).toBe(0);
		await isGone([`tmx-shadow-${id}`]);
	});

	test.skipIf(!works(["script", "--version"]))("on a terminal shows what would be lost and asks", async () => {
		const id = await worked("echo x >x");
		const answer = (typed: string) =>
			run(
				["/bin/sh", "-c", `(sleep 1; printf '%s\\n' "$1") | script -qec "'$0' shadow release ${id}" /dev/null`, BINARY, typed],
				{ ...world.env, TERM: "dumb" },
				world.project,
			);
		for (const no of ["y", "", "yes"]) {
			const { stdout } = await answer(no);
			expect(stdout).toContain(`${id} holds what is saved nowhere:`);
			expect(stdout).toContain("1 new file, not committed: x");
			expect(stdout).toContain(`${id} stays`);
			expect(existsSync(join(world.worktree(), "x"))).toBe(true);
		}
		expect((await answer(id)).stdout).toContain(`${id} is released`);
		await isGone();
	});

	test("refuses while somebody uses it, and says who", async () => {
		const child = Bun.spawn([BINARY, "wrap", "--no-confine", "--shadow", "--", "/bin/sh", "-c", "cd /; echo up; exec sleep 60"], {
			env: world.env,
			cwd: world.project,
			stdout: "pipe",
			stderr: "ignore",
		});
		await child.stdout.getReader().read();
		const [id = ""] = world.ids();
		for (const verb of [["release", id], ["reap"]]) {
			const { stdout, stderr } = await world.tmx(["shadow", ...verb]);
			expect(stdout + stderr).toContain(`in use by ${child.pid} ('sleep 60')`);
		}
		child.kill();
		await child.exited;
		const standing = await run([BINARY, "shadow", "release", id], world.env, world.worktree());
		expect(standing.status).toBe(0);
		await isGone();
	});

	test("refuses a shell that stands in it", async () => {
		const id = await worked("true");
		const { stdout, stderr } = await run(["/bin/sh", "-c", `"$0" shadow release ${id}; echo $?`, BINARY], world.env, world.worktree());
		expect(stdout).toBe("5\n");
		expect(stderr).toContain("leave the directory, first");
	});

	test("follows no link, and removes what may not be written", async () => {
		const outside = join(world.base, "outside");
		mkdirSync(outside);
		writeFileSync(join(outside, "precious"), "x");
		const id = await worked("mkdir -p build/a/b && touch build/a/b/c && chmod 555 build/a/b && chmod 0 build/a");
		symlinkSync(outside, join(world.worktree(), "build/link"));
		expect((await world.tmx(["shadow", "release", "--ignored", id])).status).toBe(0);
		await isGone();
		expect(readFileSync(join(outside, "precious"), "utf8")).toBe("x");
	});

	for (const [what, line] of [
		[
			"a program that looks for changes, in a repository that the worktree was led to",
			`mkdir evil && git init -q evil/repo && git -C evil/repo config core.fsmonitor "$MARK" && git -C evil/repo config core.worktree "$PWD" && rm .git && echo "gitdir: $PWD/evil/repo/.git" >.git`,
		],
		["a program that looks for changes, in a submodule", 'git -C lib/inner config core.fsmonitor "$MARK"; echo x >lib/inner/x'],
		["a filter", `git config filter.x.clean "$MARK; cat" && echo '* filter=x' >.gitattributes && touch one`],
		[
			"a filter in a submodule",
			`git -C lib/inner config filter.x.process "$MARK" && echo '* filter=x' >lib/inner/.gitattributes && touch lib/inner/file`,
		],
		[
			"a program that checks signatures",
			'git config log.showSignature true && git config gpg.program "$MARK" && git commit -q --allow-empty -m x; echo x >x',
		],
	] as const) {
		test(`runs nothing that the session has left for those who look: ${what}`, async () => {
			const program = join(world.base, "mark");
			writeFileSync(program, `#!/bin/sh\ntouch ${world.base}/left-ran\nexit 1\n`, { mode: 0o755 });
			const id = await worked(`MARK=${program}; ${line}`);
			rmSync(join(world.base, "left-ran"), { force: true });
			expect((await world.tmx(["shadow", "list"])).stdout).toContain("not committed");
			await world.tmx(["shadow", "reap"]);
			expect((await world.tmx(["shadow", "release", id])).status).toBe(5);
			expect(ran("left-ran")).toBe(false);
			// The trap is one: whoever does not see to it runs it.
			await run(["git", "status"], world.env, world.worktree());
			if (!what.includes("signatures")) expect(ran("left-ran")).toBe(true);
		});
	}

	test("of what the person has removed by hand tidies up", async () => {
		const id = await worked("git commit -q --allow-empty -m x");
		rmSync(join(world.shadows, id), { recursive: true });
		expect((await world.tmx(["shadow", "release", id])).status).toBe(0);
		await isGone([`tmx-shadow-${id}`]);
	});

	test("touches no worktree that came under the name of its own", async () => {
		const id = await worked("true");
		await world.git(["worktree", "remove", "--force", "--force", world.worktree()]);
		const other = join(world.base, "other/project");
		await world.git(["worktree", "add", "-q", "--detach", other]);
		await world.git(["commit", "-q", "--allow-empty", "-m", "theirs"], other);
		expect(admins().sort()).toEqual(["linked", "project"]);
		const before = photograph(join(world.project, ".git/worktrees/project"));
		expect((await world.tmx(["shadow", "release", id])).status).toBe(0);
		expect(photograph(join(world.project, ".git/worktrees/project"))).toEqual(before);
		expect(await branches()).toEqual([`tmx-shadow-${id}`]);
		expect(readdirSync(world.shadows)).toEqual([]);
	});

	test("leaves the branch to a worktree of the person's that has it by now", async () => {
		const id = await worked("git checkout -q --detach");
		await world.git(["worktree", "add", "-q", join(world.base, "taken"), `tmx-shadow-${id}`]);
		expect((await world.tmx(["shadow", "release", id])).status).toBe(0);
		expect(await branches()).toEqual([`tmx-shadow-${id}`]);
	});

	test("asks when the repository is gone, for the files are all that is left", async () => {
		const id = await worked("true");
		rmSync(world.project, { recursive: true });
		const { status, stderr } = await world.tmx(["shadow", "release", id], world.base);
		expect(status).toBe(5);
		expect(stderr).toContain("its repository, or what it knows of this worktree, is gone");
		expect(existsSync(join(world.worktree(), "one"))).toBe(true);
	});

	test("of a name that is none says so", async () => {
		const id = await worked("true");
		const { status, stderr } = await world.tmx(["shadow", "release", id.replace(/.$/, "x"), "../../etc"]);
		expect(status).toBe(5);
		expect(stderr).toContain(`did you mean "${id}"`);
		expect(stderr).toContain("there is no shadow ../../etc");
	});
});

test("list says for each what it is of, where, since when and what it holds; as data too", async () => {
	expect((await world.tmx(["shadow", "list"])).stdout).toBe("there is no shadow\n");
	const id = await worked("echo x >x && git commit -q --allow-empty -m mine");
	const { stdout } = await world.tmx(["shadow", "list"]);
	expect(stdout.replace(/[0-9a-f]{7,} mine/, "HASH mine")).toBe(
		`${id}  0s\n  of ${world.project}, branch tmx-shadow-${id}\n  at ${world.worktree()}\n  1 new file, not committed: x\n  1 commit on no other branch, which are kept; 1 on no remote\n    'HASH mine'\n`.replace(
			"0s",
			/^\S+ {2}(\S+)/.exec(stdout)?.[1] ?? "",
		),
	);
	const data = JSON.parse((await world.tmx(["shadow", "list", "--json"])).stdout);
	expect(data).toMatchObject({ shadow: id, state: "ready", checkout: world.project, unknown: ["x"], commits: 1, unpushed: 1, users: [] });
});

test("reap takes those that hold nothing to lose, and keeps the others with the reason", async () => {
	await worked("true");
	await worked("git commit -q --allow-empty -m x");
	await world.wrap("echo x >x");
	const before = world.ids();
	const { status, stdout } = await world.tmx(["shadow", "reap"]);
	expect(status).toBe(0);
	expect(stdout.match(/is released/g)).toHaveLength(2);
	expect(stdout).toContain("stays: 1 new file, not committed: x");
	expect(before).toHaveLength(3);
	expect(world.ids()).toHaveLength(1);
	expect(await branches()).toHaveLength(2);
});

test("make prints the directory of a new shadow, for a session that is started otherwise", async () => {
	const { status, stdout } = await world.tmx(["shadow", "make"]);
	expect({ status, stdout }).toEqual({ status: 0, stdout: `${world.worktree()}\n` });
});

test("a wrong command line is explained", async () => {
	for (const [words, why] of [
		[["relase"], 'unknown verb relase; did you mean "release"?'],
		[["release"], "release needs the name of a shadow"],
		[["list", "x"], "list takes no names"],
		[["reap", "--json"], "--json goes with list"],
		[["list", "--ignored"], "--ignored goes with release and reap"],
	] as const) {
		const { status, stderr } = await world.tmx(["shadow", ...words]);
		expect(status).toBe(5);
		expect(stderr).toContain(why);
	}
});

describe("a place with little room", () => {
	/** A line with the state on a small file system of its own. */
	const cramped = (line: string) => {
		const mounted = `mkdir -p "$HOME/.local/state" && mount -t tmpfs -o size=400k,mode=700 none "$HOME/.local/state" || exit 99; ${line}`;
		return run([...(NAMESPACE ?? []), "/bin/sh", "-c", mounted, BINARY], world.env, world.project);
	};
	if (NAMESPACE === undefined) console.info("skipped: no mount namespace here");

	test.skipIf(NAMESPACE === undefined)("a making that fails for want of it leaves nothing", async () => {
		await run(
			["/bin/sh", "-c", "git stash -q && head -c 900000 /dev/urandom >large && git add large && git commit -qm large"],
			world.env,
			world.project,
		);
		const before = photograph(world.project);
		const { stdout, stderr } = await cramped(`"$0" wrap --shadow -- true; echo $?; ls -A "$HOME/.local/state/tmx/shadows"`);
		expect(stdout).toBe("5\n");
		expect(stderr).toContain("no shadow of");
		expect([admins(), await branches()]).toEqual([["linked"], []]);
		expect(photograph(world.project)).toEqual(before);
	});

	test.skipIf(NAMESPACE === undefined)("a release works on a full disk", async () => {
		const fill = 'dd if=/dev/zero of="$HOME/.local/state/fill" bs=1k count=4096 2>/dev/null';
		const { stdout } = await cramped(
			`"$0" shadow make >/dev/null && { ${fill}; "$0" shadow reap; ls -A "$HOME/.local/state/tmx/shadows"; }`,
		);
		expect(stdout).toMatch(/^\S+ is released\n$/);
		expect([admins(), await branches()]).toEqual([["linked"], []]);
	});

	test.skipIf(NAMESPACE === undefined)("what is mounted in a shadow is not walked into", async () => {
		mkdirSync(join(world.base, "outside"));
		writeFileSync(join(world.base, "outside/precious"), "x");
		const { stdout } = await cramped(
			`d=$("$0" shadow make) && mkdir "$d/build" && mount --bind "$BASE/outside" "$d/build" && { "$0" shadow release --ignored "$(ls "$HOME/.local/state/tmx/shadows" | grep -v json)" 2>&1; umount "$d/build"; "$0" shadow reap --ignored; }`,
		);
		expect(stdout).toContain("something is mounted below");
		expect(stdout).toContain("is released");
		expect(readFileSync(join(world.base, "outside/precious"), "utf8")).toBe("x");
	});
});

describe("two at once, and a kill in the middle", () => {
	test("many at once make as many shadows", async () => {
		const before = photograph(world.project);
		const made = await Promise.all(
			Array.from({ length: 6 }, () => world.wrap("git rev-parse --show-toplevel; git commit -q --allow-empty -m $PWD")),
		);
		expect(made.map(({ status, stderr }) => (status === 0 ? "" : stderr)).filter((words) => words !== "")).toEqual([]);
		expect(new Set(made.map(({ stdout }) => stdout)).size).toBe(6);
		expect(photograph(world.project)).toEqual(before);
		const reaped = await Promise.all([world.tmx(["shadow", "reap"]), world.tmx(["shadow", "reap"])]);
		// A git of the other one may have ended before its name is asked for.
		const expected = /^.*(another tmx is at work on|in use by \d+ \((\S*git|\?)).*\n/gm;
		expect(reaped.map(({ stderr }) => stderr.replaceAll(expected, ""))).toEqual(["", ""]);
		await world.tmx(["shadow", "reap"]);
		expect(world.ids()).toEqual([]);
		expect(await branches()).toHaveLength(6);
	});

	/** Run something and kill it, with all that it started, at some moment. */
	async function killed(words: string[], after: number): Promise<void> {
		const child = Bun.spawn(["setsid", BINARY, ...words], { env: world.env, cwd: world.project, stdio: ["ignore", "ignore", "ignore"] });
		await Bun.sleep(after);
		try {
			process.kill(-child.pid, "SIGKILL");
		} catch {
			// It had ended.
		}
		await child.exited;
	}

	test("a making that is killed leaves what reap takes away, and the checkout as it was", async () => {
		const before = photograph(world.project);
		const started = performance.now();
		await world.tmx(["shadow", "make"]);
		const takes = performance.now() - started;
		for (let k = 0; k < 20; k++) await killed(["shadow", "make"], Math.random() * takes);
		expect(photograph(world.project)).toEqual(before);
		expect((await world.tmx(["shadow", "list"])).status).toBe(0);
		const { status, stderr } = await world.tmx(["shadow", "reap"]);
		expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
		expect(readdirSync(world.shadows)).toEqual([]);
		expect([await worktrees(), admins(), await branches()]).toEqual([2, ["linked"], []]);
	});

	/** What a git that was killed in the middle has left; `$admin` is its directory of the worktree, `$branch` the branch. */
	const LEFT: [name: string, lines: string][] = [
		["an empty directory of the worktree", 'mkdir -p "$admin"'],
		["one with a lock that says nothing yet", 'mkdir -p "$admin"; : >"$admin/locked"'],
		["a branch and nothing else", '/usr/bin/git "$@" && rm -rf "$admin"'],
		["a branch with a lock on it", '/usr/bin/git "$@"; : >"$repository/refs/heads/$branch.lock"'],
	];
	for (const [name, lines] of LEFT) {
		test(`${name}, left by a git that was killed with its tmx, is taken away`, async () => {
			const bin = join(world.base, "bin");
			mkdirSync(bin);
			const script = `#!/bin/sh
case " $* " in *" worktree add "*) ;; *) exec /usr/bin/git "$@" ;; esac
for word; do case "$word" in
	--git-dir=*) repository="\${word#*=}" ;;
	tmx-shadow-*) branch="$word" ;;
	*/shadows/*) admin="$repository/worktrees/\${word##*/}" ;;
esac; done
${lines}
kill -KILL $PPID\n`;
			writeFileSync(join(bin, "git"), script, { mode: 0o755 });
			const making = await run([BINARY, "shadow", "make"], { ...world.env, PATH: `${bin}:${world.env.PATH}` }, world.project);
			expect(making.status).not.toBe(0);
			expect([admins(), await branches()]).not.toEqual([["linked"], []]);
			await world.tmx(["shadow", "reap"]);
			await isGone();
		});
	}

	test("a release that is killed is finished by the next, and loses no commit", async () => {
		const before = photograph(world.project);
		for (let k = 0; k < 12; k++) {
			const id = await worked(
				`git commit -q --allow-empty -m on-${k} && git checkout -q --detach && git commit -q --allow-empty -m off-${k}`,
			);
			await killed(["shadow", "release", id], Math.random() * 250);
			const { status, stderr } = await world.tmx(["shadow", "reap"]);
			expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
			expect([world.ids(), admins()]).toEqual([[], ["linked"]]);
			const subjects = await world.git(["log", "--format=%s", "--branches=tmx-shadow-*", "--not", "main"]);
			expect(
				subjects
					.split("\n")
					.filter((subject) => subject.endsWith(`-${k}`))
					.sort(),
			).toEqual([`off-${k}`, `on-${k}`]);
			for (const branch of await branches()) await world.git(["update-ref", "-d", `refs/heads/${branch}`]);
		}
		// A git that outlives its tmx may have put a branch there after the others were seen.
		for (const branch of await branches()) await world.git(["update-ref", "-d", `refs/heads/${branch}`]);
		expect(photograph(world.project)).toEqual(before);
	});
});
