// tmx wrap: which directories a session may change, what is written and set, and that it ends as COMMAND.

import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { BINARY } from "../support/binary.ts";
import { PATIENCE, script } from "../support/box.ts";
import { makeSessions, runIn, type Sessions } from "../support/session.ts";
import { NAMESPACE } from "../support/shell.ts";

setDefaultTimeout(PATIENCE);

const spaceless = NAMESPACE === undefined ? " (skipped: no mount namespace here)" : "";

let sessions: Sessions;
beforeEach(() => {
	sessions = makeSessions();
});
afterEach(() => sessions.remove());

interface Shown {
	session: string;
	directory: string;
	roots: { path: string; from: string }[];
	environment: Record<string, string>;
	argv: string[];
	program: string;
	notes: string[];
}

/** What a launch would do. */
function shown(options: string[], command: string[], more: Parameters<Sessions["wrap"]>[2] = {}): Shown {
	const { stdout, stderr } = sessions.wrap([...options, "--dry-run", "--json"], command, more);
	expect(stderr).toBe("");
	return JSON.parse(stdout) as Shown;
}

/** Let the next launch look for what nobody uses, which it does once a minute. */
const aMinuteLater = () => utimesSync(join(sessions.place, ".swept"), 1, 1);

describe("the session's directories", () => {
	const from = (...[options, command, more]: Parameters<typeof shown>) => shown(options, command, more).roots;

	test("without a word they are the checkout, from anywhere in it, and TMPDIR", () => {
		const { box } = sessions;
		mkdirSync(join(box.root, ".git"));
		writeFileSync(join(box.root, ".git/HEAD"), "ref: refs/heads/main\n");
		mkdirSync(join(box.root, "a/b"), { recursive: true });
		const expected = [
			{ path: box.root, from: "git" },
			{ path: box.outside, from: "TMPDIR" },
		];
		expect(from([], ["true"], { cwd: join(box.root, "a/b"), env: { TMPDIR: box.outside } })).toEqual(expected);
	});

	test("a worktree is a checkout of its own, and an empty .git is none", () => {
		const { box } = sessions;
		const tree = join(box.root, "tree");
		mkdirSync(join(tree, "a"), { recursive: true });
		mkdirSync(join(tree, "a/.git"));
		writeFileSync(join(tree, ".git"), "gitdir: /elsewhere/.git/worktrees/tree\n");
		expect(from([], ["true"], { cwd: join(tree, "a") })).toEqual([{ path: tree, from: "git" }]);
	});

	test("outside of a checkout it is the working directory; and so it is where the checkout is the home", () => {
		const { box } = sessions;
		expect(from([], ["true"])).toEqual([{ path: box.root, from: "the working directory" }]);
		mkdirSync(join(box.home, ".git"));
		writeFileSync(join(box.home, ".git/HEAD"), "");
		mkdirSync(join(box.home, "project"));
		expect(from([], ["true"], { cwd: join(box.home, "project") })).toEqual([
			{ path: join(box.home, "project"), from: "the working directory" },
		]);
	});

	test("what is named replaces them, each by its real path and once; a comma in a name is no end of it", () => {
		const { box } = sessions;
		const odd = join(box.root, "a,b c");
		mkdirSync(odd);
		symlinkSync(odd, join(box.root, "link"));
		const options = ["--root", "a,b c", "--root=link", "--root", box.outside];
		expect(from(options, ["true"])).toEqual([
			{ path: odd, from: "--root" },
			{ path: box.outside, from: "--root" },
		]);
	});

	const REFUSED: [name: string, root: string, why: string][] = [
		["the whole machine", "/", "it is the whole machine"],
		["the home directory", "%H", "it is the home directory"],
		["what is not there", "%R/none", "there is no such directory"],
		["a file", "%O/keep", "there is no such directory"],
		["a name with a colon", "%R/a:b", "a colon in its name ends it in TMX_ROOTS"],
	];
	for (const [name, root, why] of REFUSED) {
		test(`${name} is refused at the start, with the reason`, () => {
			const { box } = sessions;
			mkdirSync(join(box.root, "a:b"));
			const path = root.replace("%H", box.home).replace("%R", box.root).replace("%O", box.outside);
			const { status, stdout, stderr } = sessions.wrap(["--root", path], ["echo", "ran"]);
			expect([status, stdout, stderr]).toEqual([5, "", `tmx: wrap: user_error: --root ${path} does not count: ${why}\n`]);
			expect(sessions.names()).toEqual([]);
		});
	}

	test("from the home directory the error says what to do, and that works", () => {
		const { box } = sessions;
		const { status, stderr } = sessions.wrap([], ["true"], { cwd: box.home });
		expect(status).toBe(5);
		expect(stderr).toContain("it is the home directory; name the directory that the session may change: tmx wrap --root DIR -- COMMAND");
		expect(sessions.wrap(["--root", box.root], ["true"], { cwd: box.home }).status).toBe(0);
	});

	test("a TMPDIR that does not count is worth a word, and the command runs", () => {
		const { status, stdout, stderr } = sessions.wrap([], ["echo", "ran"], { env: { TMPDIR: "/nowhere" } });
		expect([status, stdout]).toEqual([0, "ran\n"]);
		expect(stderr).toBe("tmx: wrap: note: TMPDIR, /nowhere, is none of the session's directories: there is no such directory\n");
	});
});

describe("what a person should know of a shell as COMMAND is said before it starts", () => {
	const LOGIN = "a login bash that prompts reads profiles, which may put other directories before the shims";
	const ROWS: [command: string, note: string][] = [
		["bash -l", LOGIN],
		["bash --login -i", LOGIN],
		["bash -lic true", LOGIN],
		["bash -lc true", ""],
		["bash -l true", ""],
		["bash -ic true", ""],
		["bash -c -- -l", ""],
		["tmux -V", "a server of tmux that runs already is not in this session, nor are its windows"],
	];
	for (const [command, note] of ROWS) {
		const words = command.split(" ");
		const missing = Bun.which(words[0] as string, { PATH: "/usr/bin:/bin" }) === null;
		test.skipIf(missing)(`${command}${missing ? " (skipped: it is not here)" : ""}`, () => {
			const notes = sessions
				.wrap([], words)
				.stderr.split("\n")
				.filter((line) => line.startsWith("tmx: wrap: note: "));
			expect(notes.map((line) => line.slice("tmx: wrap: note: ".length, "tmx: wrap: note: ".length + note.length))).toEqual(
				note === "" ? [] : [note],
			);
		});
	}
});

describe("it ends as COMMAND", () => {
	test("with its words byte for byte, everything behind the first -- among them", () => {
		const command = ["bash", "-c", 'printf "%s\\n" "$0" "$@" | od -An -tx1 | tr -d " \\n"', "--help", "--", "-n", "", "é"];
		expect(sessions.wrap([], command).stdout).toBe(Buffer.from("--help\n--\n-n\n\né\n").toString("hex"));
		const bytes = `exec '${BINARY}' wrap --policy '${sessions.policy}' -- printf '%s' $'a\\xff\\xfeb'`;
		const { stdout } = Bun.spawnSync(["bash", "-c", bytes], { env: sessions.env, cwd: sessions.box.root });
		expect(Buffer.from(stdout).toString("hex")).toBe("61fffe62");
	});

	test("in the same process, with its exit status, and with its death by a signal", () => {
		const { stdout } = Bun.spawnSync(["bash", "-c", `echo $$; exec '${BINARY}' wrap -- bash -c 'echo $$ $PPID'`], {
			env: sessions.env,
			cwd: sessions.box.root,
		});
		const [before, after] = stdout.toString().split("\n");
		expect(after?.split(" ")[0]).toBe(before as string);
		expect(sessions.wrap([], ["bash", "-c", "exit 42"]).status).toBe(42);
		const killed = Bun.spawnSync([BINARY, "wrap", "--", "bash", "-c", "kill -TERM $$"], { env: sessions.env, cwd: sessions.box.root });
		expect(killed.signalCode).toBe("SIGTERM");
	});

	test("with the descriptors that it was given and no others", () => {
		const look = "ls /proc/self/fd | tr '\\n' ' '";
		const call = (prefix: string) =>
			Bun.spawnSync(["bash", "-c", `${prefix} bash -c "${look}" 5</dev/null 7>/dev/null`], { env: sessions.env, cwd: sessions.box.root });
		expect(call(`'${BINARY}' wrap --`).stdout.toString()).toBe(call("").stdout.toString());
	});

	const FAILING: [name: string, command: string, status: number, why: string][] = [
		["what is not on PATH", "no-such-command", 127, "not_found: there is no no-such-command on PATH"],
		["a path that is not there", "./none", 127, "not_found: ./none does not exist"],
		["a file that is no program", "./plain", 126, "not_runnable: ./plain cannot be executed"],
		["a directory", "./dir", 126, "not_runnable: ./dir cannot be executed"],
		["a script whose interpreter is missing", "./lost", 127, "not_found: ./lost cannot be executed: it or its interpreter does not exist"],
	];
	for (const [name, command, status, why] of FAILING) {
		test(`${name} ends as in env(1), and leaves no session behind`, () => {
			const { box } = sessions;
			writeFileSync(join(box.root, "plain"), "x");
			mkdirSync(join(box.root, "dir"));
			writeFileSync(join(box.root, "lost"), "#!/no/such/interpreter\n");
			chmodSync(join(box.root, "lost"), 0o755);
			const ran = sessions.wrap([], [command]);
			expect(ran.status).toBe(status);
			expect(ran.stderr).toStartWith(`tmx: wrap: ${why}`);
			expect(sessions.names()).toEqual([]);
		});
	}

	test("a guarded tool as COMMAND is its shim", () => {
		const { status, stderr } = sessions.wrap([], ["rm", sessions.keep]);
		expect(status).toBe(2);
		expect(stderr).toContain("tmx: rm: policy_denied");
		expect(existsSync(sessions.keep)).toBe(true);
	});
});

describe("what is set", () => {
	test("the shims first on PATH, the directories, the session, and a ceiling that fits the machine", () => {
		const { environment, directory } = shown(["--root", sessions.box.root, "--root", sessions.box.outside], ["true"]);
		expect(environment.PATH).toBe(`${directory}/shims:${sessions.env.PATH}`);
		expect(environment.TMX_ROOTS).toBe(`${sessions.box.root}:${sessions.box.outside}`);
		expect(environment.TMX_SESSION).toBe(directory);
		expect(Number(environment.AGENT_TASKS_MAX)).toBeGreaterThanOrEqual(4096);
	});

	test("a ceiling of the person's stays, and --no-confine switches scopes off", () => {
		expect(shown([], ["true"], { env: { AGENT_TASKS_MAX: "77" } }).environment.AGENT_TASKS_MAX).toBeUndefined();
		const { environment } = shown(["--no-confine"], ["true"]);
		expect([environment.CONFINE_TOOL_SHELL, environment.AGENT_TASKS_MAX]).toEqual(["0", undefined]);
	});

	test("a dry run writes nothing, and says for people what it would do", () => {
		const { stdout, status } = sessions.wrap(["--dry-run"], ["bash", "-c", "echo a b"]);
		expect(status).toBe(0);
		expect(stdout).toContain(`changes  ${sessions.box.root} (the working directory)\n`);
		expect(stdout).toContain("bash -c 'echo a b'\n");
		expect(existsSync(sessions.place)).toBe(false);
	});
});

describe("wrong words", () => {
	const ROWS: [words: string[], why: string][] = [
		[["wrap"], 'the command stands after "--": tmx wrap -- codex'],
		[["wrap", "--"], 'the command stands after "--": tmx wrap -- codex'],
		[["wrap", "codex"], 'the words of COMMAND [ARG...] stand after "--"'],
		[["wrap", "--rooot", "x", "--", "true"], 'unknown option --rooot; did you mean "--root"?'],
		[["wrap", "--root", "--", "true"], "--root needs a value"],
		[["wrap", "--json", "--", "true"], "--json goes with --dry-run"],
		[["wrap", "--policy", "/nowhere", "--", "true"], '/nowhere holds no policy; "tmx build --out DIR" makes one'],
		[["allow"], "needs DIR; --list shows the sessions that run"],
	];
	for (const [words, why] of ROWS) {
		test(words.join(" "), () => {
			const { status, stderr } = runIn(words, sessions.env, sessions.box.root);
			expect(status).toBe(5);
			expect(stderr).toContain(why);
		});
	}
});

describe("where a session lies", () => {
	test("not where others could write; then among the state", () => {
		const { box } = sessions;
		const open = join(box.base, "open");
		mkdirSync(open);
		chmodSync(open, 0o777);
		const { directory } = shown([], ["true"], { env: { XDG_RUNTIME_DIR: open, XDG_STATE_HOME: join(box.home, "state") } });
		expect(directory).not.toStartWith(open);
	});

	test("not below a directory that it may change, where there is another place; and where there is none, no call may touch it", () => {
		const { box } = sessions;
		const run = join(box.root, "run");
		mkdirSync(run, { mode: 0o700 });
		expect(shown([], ["true"], { env: { XDG_RUNTIME_DIR: run } }).directory).not.toStartWith(run);
		const all = { HOME: box.base, XDG_RUNTIME_DIR: join(box.base, "run") };
		const calls = 'rm -r "$TMX_SESSION"; rm "$TMX_SESSION/bash.sh"; rm -rf ../run; find "$TMX_SESSION/.." -delete; ls "$TMX_SESSION"';
		const { stdout, stderr } = sessions.wrap(["--root", join(box.base, "run"), "--root", box.root], ["bash", "-c", calls], { env: all });
		expect(stderr.match(/policy_denied/g)).toHaveLength(4);
		expect(stdout).toContain("session.json");
	});
});

test.skipIf(NAMESPACE === undefined)(`on a full disk it says so, leaves nothing, and what it advises works${spaceless}`, () => {
	const { box, env, policy } = sessions;
	const line = `mount -t tmpfs -o size=40k,mode=700 none "$XDG_RUNTIME_DIR" || exit 99
		"$0" wrap --policy ${policy} -- true; echo "$?" "$(ls "$XDG_RUNTIME_DIR/tmx/sessions")"
		mkdir -m 700 ${box.base}/mine; XDG_RUNTIME_DIR=${box.base}/mine "$0" wrap --policy ${policy} -- echo ran`;
	const { stdout, stderr } = Bun.spawnSync([...(NAMESPACE ?? []), "/bin/sh", "-c", line, BINARY], { env, cwd: box.root, stdin: null });
	expect(stdout.toString()).toBe("4 \nran\n");
	expect(stderr.toString()).toContain(
		"no space is left on the disk; free some space there (a session takes 200 kB), or let XDG_RUNTIME_DIR",
	);
});

describe("a session goes when nobody uses it", () => {
	const start = (command: string[]) =>
		Bun.spawn([BINARY, "wrap", "--policy", sessions.policy, "--", ...command], {
			env: sessions.env,
			cwd: sessions.box.root,
			stdin: "pipe",
			stdout: "pipe",
			stderr: "ignore",
		});
	const saidHello = async (child: ReturnType<typeof start>) => {
		for await (const chunk of child.stdout as ReadableStream<Uint8Array>) if (chunk.length > 0) return;
	};

	test("and not before: neither while COMMAND runs nor while a child that it left behind does", async () => {
		const running = start(["bash", "-c", "echo; read line"]);
		const leaving = start(["bash", "-c", "setsid sleep 20 & echo $! >left; echo"]);
		await Promise.all([saidHello(running), saidHello(leaving), leaving.exited]);
		const left = Number(readFileSync(join(sessions.box.root, "left"), "utf8"));
		expect(sessions.names()).toHaveLength(2);
		aMinuteLater();
		sessions.wrap([], ["true"]);
		expect(sessions.names()).toHaveLength(3);
		process.kill(left, "SIGKILL");
		running.stdin.end();
		await running.exited;
		aMinuteLater();
		sessions.wrap([], ["true"]);
		expect(sessions.names()).toHaveLength(1);
	});

	test("twenty that start at once, each sweeping, have their shims until they end", async () => {
		sessions.wrap([], ["true"]);
		const children = Array.from({ length: 20 }, () => {
			aMinuteLater();
			return start(["bash", "-c", `rm ${sessions.keep} 2>/dev/null; echo $?; sleep 0.2; rm ${sessions.keep} 2>/dev/null; echo $?`]);
		});
		const said = await Promise.all(children.map((child) => new Response(child.stdout as ReadableStream).text()));
		expect(said).toEqual(Array.from({ length: 20 }, () => "2\n2\n"));
		expect(existsSync(sessions.keep)).toBe(true);
	});

	test("what a launch that was cut short left goes as well; what another one is writing stays", () => {
		sessions.wrap([], ["true"]);
		const stat = readFileSync(`/proc/${process.pid}/stat`, "utf8");
		const start = stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
		for (const name of [".new-1-abcdef-12345678901", `.new-${process.pid}-abcdef-${start}`]) mkdirSync(join(sessions.place, name));
		aMinuteLater();
		sessions.wrap([], ["true"]);
		expect(existsSync(join(sessions.place, ".new-1-abcdef-12345678901"))).toBe(false);
		expect(existsSync(join(sessions.place, `.new-${process.pid}-abcdef-${start}`))).toBe(true);
	});
});

describe("a session within a session", () => {
	const inner = (options: string) => `'${BINARY}' wrap ${options} --`;

	test("can be narrower: both hold", () => {
		const { box } = sessions;
		mkdirSync(join(box.root, "sub"));
		writeFileSync(join(box.root, "a"), "");
		const { stderr, stdout } = sessions.wrap(
			[],
			["bash", "-c", `${inner("--root sub")} bash -c 'touch sub/b; rm sub/b && echo removed; rm a'`],
		);
		expect(stdout).toBe("removed\n");
		expect(stderr).toContain("tmx: rm: policy_denied: a: it is outside");
		expect(existsSync(join(box.root, "a"))).toBe(true);
	});

	const WIDER: [name: string, line: string][] = [
		["by a root", `${inner("--root %O")} rm %K`],
		["from another directory", `cd %O && ${inner("")} rm %K`],
		["with an environment of its own", `env -i PATH=/usr/bin:/bin HOME=/nowhere ${inner("--root %O")} rm %K; exit $?`],
		["with another policy", `${inner("--policy %P")} rm %K`],
		["with a made-up session around it", `TMX_SESSION=/tmp env -u BASH_ENV ${inner("--root %O")} rm %K`],
		["by tmx allow", `'${BINARY}' allow %O; rm %K`],
		["by tmx allow on a terminal", `script -qec "'${BINARY}' allow %O" /dev/null </dev/null; rm %K`],
	];
	for (const [name, line] of WIDER) {
		test(`cannot be wider ${name}`, () => {
			const { box, keep, policy } = sessions;
			const filled = line.replaceAll("%O", box.outside).replaceAll("%K", keep).replaceAll("%P", policy);
			const { status } = sessions.wrap([], ["bash", "-c", filled]);
			expect(status).not.toBe(0);
			expect(existsSync(keep)).toBe(true);
		});
	}
});

describe("a policy of a session", () => {
	test("is refused by a binary that does not know its format, and older ones are read", () => {
		const { box } = sessions;
		const path = '"$TMX_SESSION/shims/policy/rm.json"';
		const { stdout, stderr } = sessions.wrap(
			[],
			["bash", "-c", `grep -o '"format":[0-9]*' ${path}; sed -i 's/"format":2/"format":3/' ${path}; rm x`],
		);
		expect(stdout).toBe('"format":2\n');
		expect(stderr).toContain("has format 3, and this tmx reads 1 to 2");
		expect(existsSync(box.root)).toBe(true);
	});

	test("has the session in each record of the audit", () => {
		sessions.wrap([], ["rm", "none"]);
		const [name] = sessions.names();
		const record = JSON.parse(readFileSync(sessions.box.audit, "utf8").trim()) as { session: string; decision: string };
		expect([record.session, record.decision]).toEqual([name as string, "accept"]);
	});
});

test("a binary that stands alone has its built-in policy, and a script is found as execvp does", () => {
	const { box, env } = sessions;
	script(join(box.root, "bin/go"), "rm /home/nobody-there/x");
	renameSync(join(box.root, "bin"), join(box.base, "bin"));
	const { status, stderr } = runIn(["wrap", "--", "go"], { ...env, PATH: `${box.base}/bin:${env.PATH}` }, box.root);
	expect(status).toBe(2);
	expect(stderr).toContain(`allowed: ${box.root} (session), /tmp (fixed)`);
});
