// tmx wrap --floor: the kernel's floor with the session's own roots; the guardfile's default, sessions within sessions, and sandboxes of agents.

import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { BINARY } from "../support/binary.ts";
import { PATIENCE, script } from "../support/box.ts";
import type { Env, Ran } from "../support/shell.ts";
import { GUARDFILE, makeStage, noFloor, type Stage, snapshot, users } from "./stage.ts";

setDefaultTimeout(PATIENCE);

const why = `(skipped where there is no floor${noFloor && `: ${noFloor}`})`;
let stage: Stage;
let before: string[];

/** Run `tmx wrap` with these words before and behind the dashes. */
function wrap(options: string[], command: string[], env: Env = {}, cwd = stage.root): Promise<Ran> {
	return stage.run([BINARY, "wrap", "--policy", stage.shims, ...options, "--", ...command], cwd, { O: stage.outside, ...env });
}

/** A line that tries to take away what is outside by a program that no shim sees, and then works inside. */
const LINE = "/bin/rm -rf $O/tree 2>/dev/null; echo x >made && mv made kept && echo done";

for (const user of users) {
	describe.skipIf(noFloor !== "")(`${user.name} ${why}`, () => {
		beforeEach(async () => {
			stage = await makeStage(user);
			before = snapshot(stage.outside);
		});
		afterEach(() => stage.remove());

		test("with --floor what no shim sees is refused, and work goes on", async () => {
			expect(await wrap(["--floor"], ["/bin/sh", "-c", LINE])).toEqual({ status: 0, stdout: "done\n", stderr: "" });
			expect(snapshot(stage.outside)).toEqual(before);
		});

		test("without it, it is not", async () => {
			await wrap([], ["/bin/sh", "-c", LINE]);
			expect(existsSync(join(stage.outside, "tree"))).toBe(false);
		});

		test("--floor=require holds too", async () => {
			expect(await wrap(["--floor=require"], ["/bin/sh", "-c", LINE])).toEqual({ status: 0, stdout: "done\n", stderr: "" });
			expect(snapshot(stage.outside)).toEqual(before);
		});

		test("the session's own directory, its policy and its shims cannot be changed from within", async () => {
			const line = `for f in $TMX_SESSION/session.json $TMX_SESSION/shims/policy/rm.json; do
				test -e $f || echo missing $f; { echo x >$f; rm -f $f; mv $f .; } 2>/dev/null && echo changed; done
				mkdir $TMX_SESSION/new 2>/dev/null && echo made; rm -rf $TMX_SESSION 2>/dev/null; /bin/rm -rf $TMX_SESSION 2>/dev/null; test -e $TMX_SESSION/shims/rm && echo there`;
			const ran = await wrap(["--floor=require"], ["/bin/sh", "-c", line], { XDG_RUNTIME_DIR: stage.root });
			expect(ran.stdout).toBe("there\n");
		});

		test("the shims still refuse first, with their reason", async () => {
			const ran = await wrap(["--floor"], ["/bin/sh", "-c", "rm $O/file"]);
			expect(ran.status).toBe(2);
			expect(ran.stderr).toStartWith(`tmx: rm: policy_denied: ${stage.outside}/file`);
			// tmx allow would not be enough, so the advice is another one.
			const advice = /holds it: tmx (wrap --floor --root .*) --root DIR\n/.exec(ran.stderr)?.[1] ?? "";
			expect(advice).toBe(`wrap --floor --root ${stage.root}`);
			// Followed, it keeps the checkout and opens the other one.
			const words = [
				...advice.split(" "),
				"--root",
				stage.outside,
				"--policy",
				stage.shims,
				"--",
				"/bin/sh",
				"-c",
				"rm $O/file && echo x >made",
			];
			const again = await stage.run([BINARY, ...words], stage.root, { O: stage.outside });
			expect(again).toEqual({ status: 0, stdout: "", stderr: "" });
			const audit = join(stage.home, ".local/state/tmx/audit.jsonl");
			expect(readFileSync(audit, "utf8")).toContain('"decision":"reject"');
		});

		test("the record can be written, and doctor says so", async () => {
			const ran = await wrap(["--floor"], ["/bin/sh", "-c", "rm $O/file 2>/dev/null; $T doctor"], { T: BINARY });
			expect(ran.stdout).toMatch(/\naudit\n {2}ok +\S+audit.jsonl +can be written\n/);
		});

		test("a session within a session: it works, narrows, and its policy is out of its reach too", async () => {
			await stage.run(["mkdir", join(stage.root, "part")]);
			const innermost = `echo a >part/a; { echo b >b; } 2>/dev/null; /bin/rm -rf $O/tree 2>/dev/null
				/bin/rm -rf $TMX_SESSION 2>/dev/null; test -e $TMX_SESSION/shims/rm && echo "$TMX_SESSION"`;
			const inner = `exec "$T" wrap --root part -- /bin/sh -c '${innermost}'`;
			const ran = await wrap(["--floor=require"], ["/bin/sh", "-c", `echo "$TMX_SESSION"; ${inner}`], { T: BINARY });
			const [outer = "", within = ""] = ran.stdout.split("\n");
			expect(ran.stderr).toBe("");
			expect(within).toStartWith(`${outer}/inner/`);
			expect([existsSync(join(stage.root, "part/a")), existsSync(join(stage.root, "b"))]).toEqual([true, false]);
			expect(snapshot(stage.outside)).toEqual(before);
		});
	});
}

describe.skipIf(noFloor !== "")(`what is asked for ${why}`, () => {
	beforeEach(async () => {
		stage = await makeStage(users[0] as (typeof users)[number]);
		before = snapshot(stage.outside);
	});
	afterEach(() => stage.remove());

	/** Another policy beside the stage's. */
	async function policy(floor: string): Promise<string> {
		writeFileSync(join(stage.base, "other.kdl"), GUARDFILE(`    deny-group "temp"\n    ${floor}`), { mode: 0o644 });
		const out = join(stage.base, "other");
		expect((await stage.run([BINARY, "build", join(stage.base, "other.kdl"), "--out", out])).status).toBe(0);
		return out;
	}

	test("the guardfile's default counts where the command line says nothing", async () => {
		const on = await policy('default "on"');
		await stage.run([BINARY, "wrap", "--policy", on, "--", "/bin/rm", "-rf", join(stage.outside, "tree")]);
		expect(snapshot(stage.outside)).toEqual(before);
		await stage.run([BINARY, "wrap", "--policy", on, "--no-floor", "--", "/bin/rm", "-rf", join(stage.outside, "tree")]);
		expect(existsSync(join(stage.outside, "tree"))).toBe(false);
	});

	test("a default of require starts nothing where the floor is less than full, and leaves no session behind", async () => {
		const strict = await policy('default "require"');
		const ran = await stage.run([BINARY, "wrap", "--policy", strict, "--root", stage.base, "--", "echo", "ran"]);
		expect([ran.status, ran.stdout]).toEqual([4, ""]);
		expect(ran.stderr).toContain("tmx: wrap: internal: the floor is partial: ");
		expect(ran.stderr).toContain("/echo was not started\n");
		const place = join(stage.home, ".local/state/tmx/sessions");
		expect((existsSync(place) ? readdirSync(place) : []).filter((name) => !name.startsWith("."))).toEqual([]);
	});

	test.each([
		[["--floor=maybe"], "--floor takes on, require, instead and no maybe"],
		[["--floor=requir"], 'did you mean "require"?'],
		[["--floor", "--no-floor"], "--floor and --no-floor ask for different things"],
		[["--floor", "--floor"], "--floor is given twice"],
		[["--flor"], "unknown option --flor"],
	])("%p is refused", async (options, said) => {
		const ran = await wrap(options, ["true"]);
		expect([ran.status, ran.stdout]).toEqual([5, ""]);
		expect(ran.stderr).toContain(said);
	});

	test("a dry run says what there would be, and makes nothing", async () => {
		const ran = await wrap(["--floor", "--dry-run", "--json"], ["true"]);
		expect(JSON.parse(ran.stdout)).toMatchObject({ floor: "on" });
		expect((await wrap(["--floor=require", "--dry-run"], ["true"])).stdout).toContain("floor    require");
		expect(existsSync(join(stage.home, ".local"))).toBe(false);
	});

	test("a program that cannot be run leaves no session, and its status is env(1)'s", async () => {
		expect((await wrap(["--floor"], ["no-such-program"])).status).toBe(127);
		writeFileSync(join(stage.root, "lost"), "#!/nowhere\n", { mode: 0o755 });
		chmodSync(join(stage.root, "lost"), 0o755);
		expect((await wrap(["--floor"], ["./lost"])).status).toBe(127);
	});
});

describe.skipIf(noFloor !== "")(`sandboxes of agents ${why}`, () => {
	beforeEach(async () => {
		stage = await makeStage(users[0] as (typeof users)[number]);
		for (const name of ["codex", "claude", "bwrap"])
			script(join(stage.base, "bin", name), 'echo "$0|$*"; /bin/rm -rf "$O/tree" 2>/dev/null; exit 0');
	});
	afterEach(() => stage.remove());

	/** What becomes of an agent: whether the floor held, what was said, and its words. */
	async function start(options: string[], command: string[]): Promise<{ floor: boolean; said: string; words: string }> {
		const ran = await wrap(["--no-hook", ...options], command, { PATH: `${stage.base}/bin:/usr/bin:/bin` });
		if (ran.status === 5) return { floor: false, said: ran.stderr, words: "" };
		expect(ran.status).toBe(0);
		const floor = existsSync(join(stage.outside, "tree"));
		await stage.run(["mkdir", "-p", join(stage.outside, "tree")]);
		return { floor, said: ran.stderr, words: ran.stdout };
	}

	const home = (path: string, text: string) => {
		mkdirSync(join(stage.home, path, ".."), { recursive: true });
		writeFileSync(join(stage.home, path), text);
	};

	test("codex has one unless it is told otherwise: then the floor is off, and one line says so", async () => {
		const { floor, said } = await start(["--floor"], ["codex", "exec", "x"]);
		expect(floor).toBe(false);
		expect(said).toBe(
			"tmx: wrap: note: codex's own sandbox is on, and it cannot start under a floor: the floor is off; --floor=instead switches it off and the floor on\n",
		);
	});

	test("--floor=instead switches it off", async () => {
		const { floor, words } = await start(["--floor=instead"], ["codex", "exec", "x"]);
		expect(floor).toBe(true);
		expect(words).toContain('-c sandbox_mode="danger-full-access"');
	});

	test("--floor=require starts nothing", async () => {
		const { said } = await start(["--floor=require"], ["codex", "exec", "x"]);
		expect(said).toStartWith("tmx: wrap: user_error: codex's own sandbox is on, and it cannot start under a floor: --floor=instead");
	});

	test.each([
		[["--sandbox", "danger-full-access", "exec"], true],
		[["-s", "danger-full-access"], true],
		[["--sandbox=danger-full-access"], true],
		[["exec", "--dangerously-bypass-approvals-and-sandbox"], true],
		[["-c", 'sandbox_mode="danger-full-access"'], true],
		[["-c", "sandbox_mode='workspace-write'"], false],
		[["--full-auto"], false],
		[["-s", "read-only"], false],
		[["exec", "--", "--sandbox", "danger-full-access"], false],
	])("codex %p", async (words, floor) => {
		expect((await start(["--floor"], ["codex", ...words])).floor).toBe(floor);
	});

	test.each([
		['sandbox_mode = "danger-full-access"\n[a]\nb = 1\n', true],
		['# sandbox_mode = "danger-full-access"\n', false],
		['[profiles.x]\nsandbox_mode = "danger-full-access"\n', false],
	])("codex with a configuration %p", async (text, floor) => {
		home(".codex/config.toml", text);
		expect((await start(["--floor"], ["codex"])).floor).toBe(floor);
	});

	test("claude has none unless settings say so; the nearest ones count", async () => {
		expect((await start(["--floor"], ["claude"])).floor).toBe(true);
		home(".claude/settings.json", '{"sandbox":{"enabled":true}}');
		expect(await start(["--floor"], ["claude"])).toMatchObject({ floor: false });
		expect((await start(["--floor"], ["claude", "--settings", '{"sandbox":{"enabled":false}}'])).floor).toBe(true);
		const instead = await start(["--floor=instead"], ["claude", "--settings", '{"model":"x","sandbox":{"enabled":true,"a":1}}']);
		expect(instead.floor).toBe(true);
		expect(instead.words).toContain('"model":"x"');
		expect(instead.words).toContain('"sandbox":{"enabled":false,"a":1}');
	});

	test("a program that is a sandbox itself", async () => {
		expect((await start(["--floor"], ["bwrap", "true"])).said).toContain(
			"bwrap is a sandbox itself, and it cannot start under a floor: the floor is off; use --no-floor",
		);
	});
});
