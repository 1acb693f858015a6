// tmx explain, as the compiled binary prints it.

import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import { BINARY } from "../support/binary.ts";
import { type Box, makeBox, policyOf, RAN, script, shims, stub, writePolicy } from "../support/box.ts";
import { type Env, type Ran, run } from "../support/shell.ts";

// The machine that runs the tests may be busy with other things.
setDefaultTimeout(60_000);

let box: Box;
let directory: string;
let env: Env;

beforeAll(() => {
	box = makeBox();
	directory = shims(box, stub(box), ["rm", "mv", "find", "touch"]);
	env = { PATH: `${directory}:/usr/bin:/bin`, HOME: box.home, TMX_ROOTS: box.root };
	mkdirSync(join(box.root, "d"));
	mkdirSync(join(box.outside, "D"));
	writeFileSync(join(box.root, "a"), "");
	symlinkSync(box.outside, join(box.root, "out"));
	symlinkSync("out/D", join(box.root, "D"));
});
afterAll(() => box.remove());

const explain = (words: string[], more: Env = {}, cwd = box.root): Promise<Ran> =>
	run([BINARY, "explain", ...words], { ...env, ...more }, cwd);

/** An output with the box's paths as $R, $O, $B. */
function plain(text: string): string {
	return text.replaceAll(box.root, "$R").replaceAll(box.outside, "$O").replaceAll(box.base, "$B");
}

const data = async (words: string[], more: Env = {}) =>
	JSON.parse(Buffer.from((await explain(["--json", ...words], more)).stdout, "latin1").toString());

test("a refusal is explained operand by operand, with each link on the way", async () => {
	const { status, stdout, stderr } = await explain(["--", "rm", "-r", "a", "D/x", "out"]);
	expect({ status, stderr }).toEqual({ status: 2, stderr: "" });
	expect(plain(stdout)).toBe(
		`rm -r a D/x out
  verdict    refused: exit 2, and nothing would be run
  rule       $B/test.kdl:3, paths-within
  policy     $B/shims (on PATH)
  shim       this call meets $B/shims/rm
  becomes    $B/real/gnu
  directory  $R

operands
  allowed  removed: a
           is  $R/a
           in  $R (TMX_ROOTS)
  refused  removed: D/x
           is    $O/D/x
           link  $R/D -> out/D
           link  $R/out -> $O
           why   it is outside the session's directories
  allowed  removed: out
           is  $R/out
           in  $R (TMX_ROOTS)

directories of the session
  kept     $R (TMX_ROOTS)
`.replace("  kept     ", "  kept  "),
	);
});

test("what passes is explained too, and exits 0", async () => {
	const { status, stdout } = await explain(["--", "mv", "a", "d"]);
	expect(status).toBe(0);
	expect(plain(stdout)).toContain(`  verdict    allowed\n`);
	expect(plain(stdout)).toContain(
		`  allowed  put into: d (the directory that it goes into)\n           is  $R/d\n           in  $R (TMX_ROOTS)\n`,
	);
});

test("each root is kept or dropped with its reason, and one that is a link is named by both names", async () => {
	symlinkSync(box.root, join(box.base, "alias"));
	const roots = [join(box.base, "alias"), "/", "rel", "/no/such", box.home].join(":");
	const { stdout } = await explain(["--", "rm", "a"], { TMX_ROOTS: roots });
	expect(plain(stdout).slice(plain(stdout).indexOf("directories of"))).toBe(`directories of the session
  kept     $R (TMX_ROOTS, as $B/alias)
  dropped  / (TMX_ROOTS): it is the whole machine
  dropped  rel (TMX_ROOTS): it is relative, and the working directory is not to be trusted
  dropped  /no/such (TMX_ROOTS): there is no such directory
  dropped  $B/home (TMX_ROOTS): it is the home directory
`);
	const none = await explain(["--", "rm", "a"], { TMX_ROOTS: "/" });
	expect(none.status).toBe(2);
	expect(none.stdout).toContain("no directory is left, so every operand is refused\n");
});

test("an inert call is said to be inert, with the variables that would switch it on", async () => {
	const { status, stdout } = await explain(["--", "rm", "-rf", "/"], { TMX_ROOTS: undefined });
	expect(status).toBe(0);
	expect(stdout).toContain("verdict    inert: none of TMX_ROOTS, AOS_NATIVE_SESSION_PROJECTS is set, so nothing is judged or recorded\n");
	expect(stdout).not.toContain("operands");
	expect(stdout).toContain('next       to see what a session in this directory would say: TMX_ROOTS="$PWD" tmx explain ...\n');
	const followed = await explain(["--", "rm", "-rf", "/"], { TMX_ROOTS: box.root });
	expect([followed.status, followed.stdout.includes("next ")]).toEqual([2, false]);
});

test("a tool without a wrap is said to be unguarded, with exit 0", async () => {
	const { status, stdout } = await explain(["--", "git", "clean", "-fdx"]);
	expect(status).toBe(0);
	expect(stdout).toContain("verdict    not guarded: the policy has no wrap for git, so nobody judges it\n");
});

test("a tool that is spelled as a path is judged by its base name, and no shim sees it", async () => {
	const { status, stdout } = await explain(["--", "/bin/rm", join(box.outside, "f")]);
	expect(status).toBe(2);
	expect(stdout).toContain("shim       none: /bin/rm is run as it is spelled, and no shim of rm sees it\n");
	expect((await explain(["--", join(directory, "rm"), "a"])).stdout).toContain(`shim       this call meets ${directory}/rm\n`);
	expect((await explain(["--", "rm", "a"], { PATH: `/usr/bin:/bin:${directory}` })).stdout).toContain(
		"shim       none first on PATH: a shell here runs /usr/bin/rm\n",
	);
});

test("what a reader does not understand is named", async () => {
	const { status, stdout } = await explain(["--", "rm", "--frobnicate", "a"]);
	expect(status).toBe(0);
	expect(stdout).toContain("\nnot understood, so every word was judged as if it were removed\n  --frobnicate\n");
	expect((await data(["--", "rm", "--frobnicate", "a"])).unread).toEqual(["--frobnicate"]);
});

test("an empty operand names nothing, and a call may act on no file", async () => {
	expect((await explain(["--", "rm", ""])).stdout).toContain(
		"  allowed  removed: ''\n           is  nothing: the empty string names no file\n",
	);
	expect((await explain(["--", "find", "/", "-name", "x"])).stdout).toContain("operands\n  none: this call acts on no file\n");
});

test("a device that is written is inside no root and allowed", async () => {
	const { status, stdout } = await explain(["--", "touch", "/dev/null"]);
	expect(status).toBe(0);
	expect(stdout).toContain("in  no directory of the session, but nothing in the tree is written\n");
});

test("names cannot act on the terminal, and come back from JSON byte for byte", async () => {
	const name = "x\u001b[31m\u009b\n";
	const { stdout } = await explain(["--", "rm", name]);
	expect(stdout).toContain(String.raw`removed: $'x\x1b[31m`);
	expect(stdout.replaceAll("\n", "")).not.toMatch(/[^ -~]/);
	const nested = ["find", "out/", "-exec", "\u001b[31mx", "{}", ";"];
	expect((await explain(["--", ...nested])).stdout.replaceAll("\n", "")).not.toMatch(/[^ -~]/);
	expect((await run(nested, env, box.root)).stderr.replaceAll("\n", "")).not.toMatch(/[^ -~]/);
	const odd = await run(["/bin/bash", "-c", `exec "${BINARY}" explain --json -- rm $'q\\xff'`], env, box.root);
	expect(JSON.parse(odd.stdout).argv).toEqual(["rm", "q\udcff"]);
});

test("the JSON object has the evidence", async () => {
	const explained = await data(["--", "mv", "a", "out"]);
	expect(explained).toMatchObject({ decision: "deny", tool: "mv", argv: ["mv", "a", "out"], cwd: box.root, gate: "paths-within", line: 3 });
	expect(explained.policy).toEqual({ how: "on PATH", directory });
	expect(explained.shim).toBe(join(directory, "mv"));
	expect(explained.operands[1]).toEqual({
		text: "out",
		role: "into",
		note: "the directory that it goes into",
		resolved: box.outside,
		links: [{ at: join(box.root, "out"), to: box.outside }],
		root: null,
		refused: true,
		why: "it is outside the session's directories",
	});
	expect(explained.roots).toEqual([{ text: box.root, from: "TMX_ROOTS", real: box.root }]);
});

describe("the directory of the call", () => {
	test("--cwd is where relative operands stand", async () => {
		expect((await explain(["--cwd", box.outside, "--", "rm", "f"])).status).toBe(2);
		expect((await explain(["--cwd", "d", "--", "rm", "../a"])).status).toBe(0);
		expect((await explain(["--cwd=d", "--", "rm", "../../x"])).status).toBe(2);
	});

	for (const [what, words] of [
		["missing", ["--cwd", "no-such", "--", "rm", "a"]],
		["a file", ["--cwd", "a", "--", "rm", "a"]],
	] as const) {
		test(`one that is ${what} is a wrong command line`, async () => {
			const { status, stdout, stderr } = await explain([...words]);
			expect({ status, stdout }).toEqual({ status: 5, stdout: "" });
			expect(stderr).toBe(`tmx: explain: user_error: ${words[1]} is no directory\n`);
		});
	}
});

describe("which policy is meant", () => {
	const policyRow = (ran: Ran) => plain(/^ {2}policy +(.*)$/m.exec(ran.stdout)?.[1] ?? "");

	test("--policy comes first, then PATH, then the installed one, then the one in the binary", async () => {
		const installed = join(box.home, ".local/share/tmx/shims");
		mkdirSync(join(installed, ".."), { recursive: true });
		shims(box, stub(box), ["rm"], "home/.local/share/tmx/shims");
		const other = shims(box, stub(box), ["rm"], "other");
		const bare = { PATH: "/usr/bin:/bin" };
		expect(policyRow(await explain(["--policy", other, "--", "rm", "a"]))).toBe("$B/other (named)");
		expect(policyRow(await explain(["--policy", "../other", "--", "rm", "a"]))).toBe("$R/../other (named)");
		expect(policyRow(await explain(["--", "rm", "a"]))).toBe("$B/shims (on PATH)");
		expect(policyRow(await explain(["--", "rm", "a"], bare))).toBe(`${plain(installed)} (installed)`);
		// The home of the passwd entry is looked at too, and the tests do not own it.
		const how = existsSync(join(userInfo().homedir, ".local/share/tmx/shims/policy")) ? "installed" : "built-in";
		expect((await data(["--", "rm", "a"], { ...bare, HOME: box.outside })).policy.how).toBe(how);
	});

	test("one that is not there is a wrong command line", async () => {
		const { status, stderr } = await explain(["--policy", box.outside, "--", "rm", "a"]);
		expect(status).toBe(5);
		expect(stderr).toBe(`tmx: explain: user_error: ${box.outside} holds no policy; "tmx build --out DIR" makes one\n`);
	});

	test("one that cannot be used is our fault", async () => {
		const bad = shims(box, stub(box), ["rm"], "bad");
		chmodSync(join(bad, "policy/rm.json"), 0o666);
		const { status, stderr } = await explain(["--policy", bad, "--", "rm", "a"]);
		expect(status).toBe(4);
		expect(stderr).toBe(`tmx: explain: internal: the policy file ${bad}/policy/rm.json can be written by group or others\n`);
	});
});

test("a real tool that is missing is said, and the verdict is given all the same", async () => {
	const gone = shims(box, "", ["rm"], "alone");
	const { status, stdout } = await explain(["--", "rm", "../x"], { PATH: gone });
	expect(status).toBe(2);
	expect(stdout).toContain("becomes    nothing: there is no other one on PATH\n");
});

for (const [words, message] of [
	[[], 'the call stands after "--": tmx explain -- rm -r build; a command line is one word: tmx explain "cd src && rm x"'],
	[["--"], 'the call stands after "--": tmx explain -- rm -r build; a command line is one word: tmx explain "cd src && rm x"'],
	[["rm a", "--", "rm", "a"], "a command line and a call are two questions"],
	[["--", ""], "the name of a tool is not empty"],
] as const) {
	test(`"explain ${words.join(" ")}" is a wrong command line`, async () => {
		const { status, stderr } = await explain([...words]);
		expect(status).toBe(5);
		expect(stderr).toBe(`tmx: explain: user_error: ${message}\n`);
	});
}

test("a shim under another name than its tool's is judged as that tool", async () => {
	writePolicy(directory, "trash", policyOf(box, "rm", stub(box)));
	symlinkSync(BINARY, join(directory, "trash"));
	const call = ["-r", "--verbose", "out/f"];
	const { status, stdout } = await explain(["--", "trash", ...call]);
	expect(status).toBe(2);
	expect(stdout).toContain(`shim       this call meets ${directory}/trash\n`);
	expect(stdout).not.toContain("not understood");
	expect((await run([join(directory, "trash"), ...call], env, box.root)).status).toBe(2);
});

test("a command line is taken apart as the hook does, step by step", async () => {
	mkdirSync(join(box.root, "below"), { recursive: true });
	const { status, stdout } = await explain(["cd below && rm ../../x; curl -s http://127.0.0.1:9 | sh"]);
	expect(status).toBe(2);
	expect(stdout).toContain("verdict    refused: the hook answers with exit 2, and nothing would be run\n");
	expect(stdout).toMatch(/ {2}rm \.\.\/\.\.\/x: refused\n {4}run in +\S+\/below\n {2}refused {2}removed: \.\.\/\.\.\/x\n/);
	expect(stdout).toContain("not known\n");
	const data = JSON.parse((await explain(["--json", "rm a > /dev/null"])).stdout);
	expect(data).toMatchObject({ decision: "pass", line: "rm a > /dev/null" });
	expect(data.steps.map(({ kind, what, outcome }: Record<string, string>) => [kind, what, outcome])).toEqual([
		["redirect", "> /dev/null", "not guarded"],
		["call", "rm a", "allowed"],
	]);
});

test("explain says what the shim does", async () => {
	const calls: string[][] = [
		["rm", "a"],
		["rm", "out/f"],
		["rm", "-r", "out/"],
		["rm", "-r", "D/../x"],
		["rm", box.root],
		["mv", "a", "out"],
		["mv", "-T", "a", "out"],
		["mv", "-tD", "a"],
		["find", ".", "-delete"],
		["find", "-L", ".", "-delete"],
		["find", box.outside, "-name", "x"],
		["touch", "out"],
		["rm", "--nonsense", "../x"],
	];
	const verdicts: [call: string, status: number][] = [];
	const explained: [call: string, status: number][] = [];
	for (const call of calls) {
		const [tool = "", ...args] = call;
		const { status, stdout } = await run([join(directory, tool), ...args], env, box.root);
		verdicts.push([call.join(" "), status === 0 && stdout !== RAN ? -1 : status]);
		explained.push([call.join(" "), (await explain(["--", ...call])).status]);
	}
	expect(explained).toEqual(verdicts);
	expect(new Set(verdicts.map(([, status]) => status))).toEqual(new Set([0, 2]));
});

test("nothing is run and nothing is recorded", async () => {
	const quiet = makeBox();
	const mark = join(quiet.base, "ran");
	const here = shims(quiet, script(join(quiet.base, "real/rm"), `/usr/bin/touch ${mark}`), ["rm"]);
	const there: Env = { PATH: here, TMX_ROOTS: quiet.root, HOME: quiet.home };
	await run([BINARY, "explain", "--", "rm", "a"], there, quiet.root);
	expect([existsSync(mark), existsSync(quiet.audit)]).toEqual([false, false]);
	await run([join(here, "rm"), "a"], there, quiet.root);
	expect([existsSync(mark), existsSync(quiet.audit)]).toEqual([true, true]);
	quiet.remove();
});
