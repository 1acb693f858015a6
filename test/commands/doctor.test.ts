// tmx doctor, as the compiled binary prints it: a healthy installation, and each thing that may be wrong with one.

import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { createHash } from "node:crypto";
import {
	chmodSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	realpathSync,
	rmSync,
	symlinkSync,
	unlinkSync,
	writeFileSync,
} from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { BINARY } from "../support/binary.ts";
import { type Box, makeBox, policyOf, script, shims } from "../support/box.ts";
import { type Env, NAMESPACE, type Ran, run } from "../support/shell.ts";

// The machine that runs the tests may be busy with other things.
setDefaultTimeout(60_000);

const TOOLS = ["mv", "rm"];
const VERSION = (await run([BINARY, "--version"], {}, "/")).stdout.trim().replace("tmx ", "");

let box: Box;
let directory: string;
let guardfile: string;
let env: Env;
let policy: string[];

function writeManifest(more: object = {}): void {
	const sha256 = createHash("sha256").update(readFileSync(guardfile)).digest("hex");
	const guardfiles = [{ path: guardfile, sha256, mtime: 1 }];
	const manifest = { format: 1, version: VERSION, binary: BINARY, tools: TOOLS, links: TOOLS, guardfiles, ...more };
	writeFileSync(join(directory, "policy/manifest.json"), JSON.stringify(manifest));
}

beforeEach(() => {
	box = makeBox();
	directory = shims(box, "", TOOLS);
	guardfile = join(box.base, "test.kdl");
	writeFileSync(guardfile, "// a guardfile\n", { mode: 0o644 });
	writeManifest();
	for (const path of [directory, join(directory, "policy")]) chmodSync(path, 0o755);
	chmodSync(box.root, 0o755);
	policy = [];
	env = { PATH: `${directory}:/usr/bin:/bin`, HOME: box.home, TMX_ROOTS: box.root };
});
afterEach(() => box.remove());

interface Finding {
	check: string;
	status: string;
	subject: string;
	found: string;
	advice?: string;
}

const doctor = (...words: string[]): Promise<Ran> => run([BINARY, "doctor", ...words], env, box.root);

async function findings(): Promise<{ status: number; all: Finding[] }> {
	const { status, stdout } = await doctor("--json", ...policy);
	const lines = Buffer.from(stdout, "latin1").toString().trimEnd().split("\n");
	return { status, all: lines.map((line) => JSON.parse(line)) };
}

const plain = (text: string) => {
	return text
		.replaceAll(`'${BINARY}'`, "$T")
		.replaceAll(directory, "$S")
		.replaceAll(box.root, "$R")
		.replaceAll(box.home, "$H")
		.replaceAll(box.base, "$B")
		.replaceAll(BINARY, "$T");
};

test("a healthy installation is shown in a table, and exits 0", async () => {
	const { status, stdout, stderr } = await doctor();
	expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
	// Whether tool shells can be confined depends on the machine and has tests of its own.
	const text = plain(stdout)
		.replace(/tool shells\n(?: .*\n)+/, "")
		.replace(/\d+ ok, \d+ warn, 0 fail\n$/, "")
		.replaceAll(/tmx-doctor-\w+/g, "none")
		.replace(/\d+ MB/, "many MB")
		.replaceAll(/(\S) {2,}/g, "$1  ");
	const real = (tool: string) => (existsSync(`/usr/bin/${tool}`) ? `/usr/bin/${tool}` : `/bin/${tool}`);
	expect(text).toBe(`tmx
  ok  version  ${VERSION}, $T
  ok  libc  is called directly
policy
  ok  in use  $S (on PATH)
  ok  tools  mv rm
guardfile
  ok  built  from 1 guardfile, by tmx ${VERSION}
  ok  $B/test.kdl  is what the policy was built from
shims
  ok  mv rm  is this tmx, $T
PATH
  ok  mv  $S/mv becomes ${real("mv")}
  ok  rm  $S/rm becomes ${real("rm")}
variables
  ok  TMX_ROOTS  $R
  ok  AOS_NATIVE_SESSION_PROJECTS  is not set
roots
  ok  $R  TMX_ROOTS
audit
  ok  $B/audit.jsonl  can be written
  ok  space  many MB are left on its file system
refusal
  ok  mv  refused, as it must be: mv /none-does-not-exist /none-does-not-exist-too
  ok  rm  refused, as it must be: rm -f /none-does-not-exist
  ok  rm  passes inside the session's directory, as it must

`);
});

test("a check leaves nothing behind but the audit and its two verdicts a tool", async () => {
	const temporary = realpathSync(mkdtempSync(join(tmpdir(), "tmx-left-")));
	env.TMPDIR = temporary;
	await doctor();
	expect(readdirSync(temporary)).toEqual([]);
	rmSync(temporary, { recursive: true });
	expect(readdirSync(box.base).sort()).toEqual(["O", "R", "audit.jsonl", "home", "shims", "test.kdl"]);
	const decisions = readFileSync(box.audit, "utf8").trimEnd().split("\n");
	expect(decisions.map((line) => [JSON.parse(line).tool, JSON.parse(line).decision])).toEqual([
		["mv", "reject"],
		["rm", "reject"],
		["rm", "accept"],
	]);
});

const policyFile = (tool: string) => join(directory, `policy/${tool}.json`);
const rewrite = (tool: string, more: object) => writeFileSync(policyFile(tool), JSON.stringify({ ...policyOf(box, tool, tool), ...more }));
const inShims = (name: string) => join(directory, name);
const relink = (name: string, to: string) => {
	unlinkSync(inShims(name));
	symlinkSync(to, inShims(name));
};

/** What is broken, what doctor must find, and with which exit status it ends. `$S` `$R` `$H` `$B` are the box's directories. */
const BROKEN: readonly [what: string, act: () => void, found: string, status: number][] = [
	[
		"a shim that leads nowhere",
		() => relink("mv", "/no/such/tmx"),
		"shims fail mv leads to /no/such/tmx, which does not exist: a shell passes it by",
		4,
	],
	["and so the tool behind it is run", () => relink("mv", "/no/such/tmx"), "PATH fail mv a shell runs REAL/mv, and no shim", 4],
	["a shim that is gone", () => unlinkSync(inShims("mv")), "shims fail mv was made by the build, and is gone", 4],
	["a shim of another tmx", () => relink("mv", script(join(box.base, "tmx"), "exit 0")), "shims warn mv is $B/tmx, and not this tmx", 4],
	[
		"a shim that refuses nothing",
		() => relink("rm", script(join(box.base, "tmx"), "exit 0")),
		"refusal fail rm NOT refused: rm -f /none-does-not-exist ended with 0",
		4,
	],
	[
		"a shim that breaks its tool",
		() => relink("rm", script(join(box.base, "x"), "exit 9")),
		"refusal fail rm fails inside the session's directory with 9: ''",
		4,
	],
	[
		"a shim that others can write",
		() => relink("mv", writable(script(join(box.base, "tmx"), "exit 0"))),
		"shims fail mv others can write $B/tmx",
		4,
	],
	["no shim directory on PATH", () => setPath("/usr/bin:/bin", true), "PATH fail rm a shell runs REAL/rm, and no shim", 4],
	[
		"the shim directory is not first",
		() => setPath(`/usr/bin:/bin:${directory}`),
		"PATH fail rm a shell runs REAL/rm, and the shim $S/rm only behind it",
		4,
	],
	["nothing behind the shims", () => setPath(directory), "PATH fail rm $S/rm there is nothing behind it", 4],
	[
		"a program that the policy names and nobody has",
		() => rewrite("rm", { exec: "/no/rm" }),
		"PATH fail rm $S/rm would become /no/rm, which does not exist",
		4,
	],
	[
		"another wrapper behind the shim",
		() => setPath(`${directory}:${join(script(join(box.base, "w/rm"), "exit 0"), "..")}:/usr/bin:/bin`),
		"PATH warn rm $S/rm becomes $B/w/rm; REAL/rm stands behind that",
		0,
	],
	[
		"an empty element of PATH",
		() => setPath(`${directory}::/usr/bin:/bin`),
		"PATH warn an empty element means another place in each directory, and find -execdir refuses to run",
		0,
	],
	[
		"a relative element of PATH",
		() => setPath(`${directory}:bin:/usr/bin:/bin`),
		"PATH warn bin means another place in each directory, and find -execdir refuses to run",
		0,
	],
	[
		"a directory of others before the shims",
		() => setPath(`${openDirectory("w")}:${directory}:/usr/bin:/bin`),
		"PATH warn $B/w others can write it, and it comes before the shims",
		0,
	],
	[
		"another shim directory first",
		() => setPath(`${shims(box, "", ["rm"], "two")}:${directory}:/usr/bin:/bin`, true),
		"PATH warn rm $B/two/rm becomes REAL/rm; this shim is of another directory",
		0,
	],
	[
		"a policy file that is no JSON",
		() => writeFileSync(policyFile("rm"), "{"),
		"policy fail rm the policy file $S/policy/rm.json is not valid JSON",
		4,
	],
	[
		"a policy file of a newer format",
		() => rewrite("rm", { format: 99 }),
		"policy fail rm the policy file $S/policy/rm.json has format 99, and this tmx reads 1 to 2",
		4,
	],
	[
		"a policy file that others can write",
		() => chmodSync(policyFile("rm"), 0o664),
		"policy fail rm the policy file $S/policy/rm.json can be written by group or others",
		4,
	],
	[
		"a policy directory that others can write",
		() => chmodSync(join(directory, "policy"), 0o777),
		"policy fail $S/policy can be written by group or others",
		4,
	],
	["a shim directory that others can write", () => chmodSync(directory, 0o775), "policy fail $S can be written by group or others", 4],
	[
		"a guardfile that has changed",
		() => writeFileSync(guardfile, "// another"),
		"guardfile warn $B/test.kdl has changed since the policy was built",
		0,
	],
	["a guardfile that is gone", () => unlinkSync(guardfile), "guardfile warn $B/test.kdl cannot be read any more (error 2)", 0],
	[
		"a guardfile that others can write",
		() => chmodSync(guardfile, 0o666),
		"guardfile warn $B/test.kdl can be written by group or others",
		0,
	],
	[
		"a policy of another tmx",
		() => writeManifest({ version: "0.0.1" }),
		`guardfile warn built from 1 guardfile, by tmx 0.0.1; this is ${VERSION}`,
		0,
	],
	[
		"a policy without a manifest",
		() => unlinkSync(join(directory, "policy/manifest.json")),
		"guardfile warn built there is no manifest",
		0,
	],
	["no variable is set", () => setRoots(undefined), "variables warn TMX_ROOTS is not set, and no other either: nothing is judged", 0],
	["a root that does not count", () => setRoots(`${box.root}:/`), "roots warn / TMX_ROOTS: does not count, it is the whole machine", 0],
	["no root that counts", () => setRoots("/:rel"), "roots fail all none of these directories counts", 4],
	["a root that is a home", () => setRoots(box.home), "roots warn $H TMX_ROOTS: does not count, it is the home directory", 4],
	["an audit that is a directory", () => mkdirSync(box.audit), "audit fail $B/audit.jsonl is no regular file, so nothing is recorded", 4],
	[
		"an audit that is a link",
		() => symlinkSync("/dev/null", box.audit),
		"audit fail $B/audit.jsonl is no regular file, so nothing is recorded",
		4,
	],
	[
		"an audit that has no place",
		() => audits(join(guardfile, "audit.jsonl")),
		"audit fail $B/test.kdl/audit.jsonl cannot be made in $B/test.kdl",
		4,
	],
	[
		"an audit on a disk that takes nothing",
		() => audits("/proc/self/audit.jsonl"),
		"audit fail /proc/self/audit.jsonl cannot be written: ENOENT",
		4,
	],
	[
		"an audit that others can read",
		() => writeFileSync(box.audit, "", { mode: 0o644 }),
		"audit warn mode 644: other users can read or write it",
		0,
	],
];

/** @param named whether the shim directory is named to doctor, since PATH does not lead to it */
function setPath(path: string, named = false): void {
	env.PATH = path;
	if (named) policy = ["--policy", directory];
}

function setRoots(roots: string | undefined): void {
	env.TMX_ROOTS = roots;
}

function audits(path: string): void {
	for (const tool of TOOLS) rewrite(tool, { audit: path });
}

function writable(path: string): string {
	chmodSync(path, 0o777);
	return path;
}

function openDirectory(name: string): string {
	mkdirSync(join(box.base, name));
	return writable(join(box.base, name));
}

/** A finding in one line, the same in every box and on every machine. */
function sentence({ check, status, subject, found }: Finding): string {
	const text = plain(`${check} ${status} ${subject} ${found}`).replaceAll(/tmx-doctor-\w+/g, "none");
	return text.replaceAll(/\/(usr\/)?bin\/(rm|mv)\b/g, "REAL/$2");
}

describe("doctor finds", () => {
	for (const [what, act, found, status] of BROKEN) {
		test(what, async () => {
			act();
			const result = await findings();
			expect(result.all.map(sentence)).toContain(found);
			expect(result.status).toBe(status);
			const wrong = result.all.filter((finding) => finding.status !== "ok");
			expect(wrong.filter(({ advice }) => !advice)).toEqual([]);
		});
	}
});

test("an advice stands once below the findings that it is for", async () => {
	setRoots(undefined);
	const { status, stdout } = await doctor();
	expect(status).toBe(0);
	expect(stdout).toContain(
		"is not set, and no other either: nothing is judged\n        -> set one of them to the directories that the session may change, separated by colons; until then every call passes unjudged\naudit\n",
	);
});

// The home of the passwd entry is looked at too, and the tests do not own it.
const guarded = existsSync(join(userInfo().homedir, ".local/share/tmx/shims/policy"));

test.skipIf(guarded)("without any shim directory doctor fails, and says how to make one", async () => {
	rmSync(directory, { recursive: true });
	const { status, all } = await findings();
	expect(status).toBe(4);
	expect(all.find(({ check }) => check === "PATH")).toEqual({
		check: "PATH",
		status: "fail",
		subject: "shims",
		found: "no shim directory is on PATH or installed",
		advice: 'make a shim directory with "tmx build --out DIR", and put it first on PATH',
	});
});

// In a namespace of an ordinary user that user is root, and the audit another one.
describe.skipIf(NAMESPACE === undefined || process.getuid?.() !== 0)(
	"an audit on a file system of its own (skipped unless root may mount)",
	() => {
		const disk = () => join(box.base, "disk");

		for (const [what, spoil, found] of [
			["a full disk", (at: string) => `head -c 4096 /dev/zero > ${at}/fill`, "$B/disk/audit.jsonl cannot be written: ENOSPC"],
			["a read-only one", (at: string) => `mount -o remount,bind,ro ${at}`, "$B/disk/audit.jsonl cannot be written: EROFS"],
			[
				"a read-only one with an audit on it",
				(at: string) => `touch ${at}/audit.jsonl; mount -o remount,bind,ro ${at}`,
				"$B/disk/audit.jsonl cannot be opened for appending (error 30)",
			],
		] as const) {
			test(`${what} is found`, async () => {
				mkdirSync(disk());
				audits(join(disk(), "audit.jsonl"));
				const lines = [
					"set -e",
					`mount -t tmpfs -o size=4k none ${disk()}`,
					spoil(disk()),
					`exec '${BINARY}' doctor --json --policy ${directory}`,
				];
				const { status, stdout } = await run(
					[...(NAMESPACE ?? []), "/bin/bash", "-c", lines.join("\n")],
					{ ...env, PATH: "/usr/sbin:/usr/bin:/sbin:/bin" },
					box.root,
				);
				const all = stdout.trimEnd().split("\n");
				expect(all.map((line) => sentence(JSON.parse(line)))).toContain(`audit fail ${found}`);
				expect(status).toBe(4);
			});
		}
	},
);

test("a directory without a policy is a wrong command line", async () => {
	const { status, stdout, stderr } = await doctor("--policy", box.outside);
	expect({ status, stdout }).toEqual({ status: 5, stdout: "" });
	expect(stderr).toBe(`tmx: doctor: user_error: ${box.outside} holds no policy; "tmx build --out DIR" makes one\n`);
});
