// tmx build on the compiled binary: what it writes, what it leaves alone, and what it refuses.

import { afterEach, beforeEach, expect, test } from "bun:test";
import {
	chmodSync,
	linkSync,
	lstatSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	readlinkSync,
	rmSync,
	statSync,
	symlinkSync,
	utimesSync,
	writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { BINARY } from "../support/binary.ts";
import { NAMESPACE } from "../support/shell.ts";
import { guardfile, type Lot, makeLot, picture, run } from "./lot.ts";

let lot: Lot;
beforeEach(() => {
	lot = makeLot();
});
afterEach(() => lot.remove());

const json = (path: string) => JSON.parse(readFileSync(path, "utf8"));
const policy = (name: string) => json(join(lot.out, "policy", `${name}.json`));
const modeOf = (path: string) => (statSync(path).mode & 0o7777).toString(8);

/** Build guardfiles, which must succeed. */
function build(...files: string[]): string {
	const ran = lot.tmx("build", ...files, "--out", lot.out);
	expect(ran).toMatchObject({ status: 0, stderr: "" });
	return ran.stdout;
}

test("a guardfile becomes policy files and shims, whatever the umask", () => {
	lot.write("guard.kdl", guardfile("rm", "-cp"));
	const ran = run(["/bin/sh", "-c", 'umask 077; exec "$@"', "sh", BINARY, "build", "guard.kdl", "--out", "a/b/shims/"], lot.env, lot.base);
	expect(ran.stderr).toBe("");
	expect(ran.status).toBe(0);
	const out = join(lot.base, "a/b/shims");
	expect(readdirSync(out).sort()).toEqual(["policy", "rm"]);
	expect(readdirSync(join(out, "policy")).sort()).toEqual(["cp.json", "manifest.json", "rm.json"]);
	expect(readlinkSync(join(out, "rm"))).toBe(BINARY);
	expect([out, join(out, "policy"), join(out, "policy/rm.json"), join(out, "policy/manifest.json")].map(modeOf)).toEqual([
		"755",
		"755",
		"644",
		"644",
	]);
	const rm = json(join(out, "policy/rm.json"));
	expect(rm).toMatchObject({ format: 1, tool: "rm", exec: "rm", guardfile: join(lot.base, "guard.kdl"), uid: process.getuid?.() });
	expect(rm.gates).toEqual([{ gate: "paths-within", line: 5, settings: { "root-env": ["TMX_ROOTS"] }, operands: "positional" }]);
	expect(rm.audit).toBe(join(lot.home, ".local/state/tmx/audit.jsonl"));
	expect(ran.stdout).toBe(`wrote the policy of 2 tools: ${out}/policy\nadded shims: rm\nnext: put ${out} first on PATH\n`);
});

test("without a guardfile the built-in one is built, and its shims refuse and run", () => {
	expect(build()).toContain("wrote the policy of 46 tools");
	expect(policy("rm").guardfile).toBe("default.kdl");
	expect(policy("manifest").guardfiles).toEqual([]);
	const env = { ...lot.env, PATH: `${lot.out}:/usr/bin:/bin`, TMX_ROOTS: "/nowhere" };
	const refused = run(["/bin/sh", "-c", "rm /etc/tmx-no-such-file"], env, lot.base);
	expect(refused.status).toBe(2);
	expect(refused.stderr).toContain("tmx: rm: policy_denied: /etc/tmx-no-such-file");
	expect(refused.stderr).toContain("rule: default.kdl:21");
	const inert = run(["/bin/sh", "-c", "rm keep"], { ...env, TMX_ROOTS: "" }, lot.base);
	expect(inert.stderr).toStartWith("rm: ");
});

test("the guardfiles of the configuration directory are read in the order of their names; others there are not", () => {
	lot.write("home/.config/tmx/20.kdl", guardfile("mv"));
	lot.write("home/.config/tmx/10.kdl", guardfile("rm"));
	lot.write("home/.config/tmx/.hidden.kdl", "nonsense {");
	lot.write("home/.config/tmx/old.kdl~", "nonsense {");
	build();
	expect(policy("manifest").guardfiles.map(({ path }: { path: string }) => path)).toEqual(
		["10.kdl", "20.kdl"].map((name) => join(lot.home, ".config/tmx", name)),
	);
	lot.write("config/tmx/only.kdl", guardfile("find"));
	lot.env.XDG_CONFIG_HOME = join(lot.base, "config");
	build();
	expect(policy("manifest").tools).toEqual(["find"]);
	lot.env.XDG_CONFIG_HOME = "config";
	build();
	expect(policy("manifest").tools).toEqual(["mv", "rm"]);
});

test("a guardfile of the configuration directory that cannot be read is no reason for the built-in one", () => {
	mkdirSync(join(lot.home, ".config/tmx"), { recursive: true });
	symlinkSync("gone", join(lot.home, ".config/tmx/mine.kdl"));
	const ran = lot.tmx("build", "--out", lot.out);
	expect(ran.status).toBe(5);
	expect(ran.stderr).toContain(`${lot.home}/.config/tmx/mine.kdl: does not exist`);
});

test("the audit lies below XDG_STATE_HOME when that is absolute", () => {
	lot.env.XDG_STATE_HOME = "/var/state";
	build();
	expect(policy("rm").audit).toBe("/var/state/tmx/audit.jsonl");
	lot.env.XDG_STATE_HOME = "state";
	build();
	expect(policy("rm").audit).toBe(join(lot.home, ".local/state/tmx/audit.jsonl"));
});

test("the manifest tells the guardfiles with their hash and time", () => {
	const path = lot.write("guard.kdl", guardfile("rm"));
	utimesSync(path, 1_700_000_000, 1_700_000_000);
	build("./guard.kdl");
	const sha256 = new Bun.CryptoHasher("sha256").update(readFileSync(path)).digest("hex");
	expect(policy("manifest")).toEqual({
		format: 1,
		version: json(join(import.meta.dir, "../../package.json")).version,
		binary: BINARY,
		tools: ["rm"],
		links: ["rm"],
		guardfiles: [{ path, sha256, mtime: 1_700_000_000 }],
	});
});

test("a second build changes nothing, and mends what was changed", () => {
	lot.write("guard.kdl", guardfile("rm", "mv"));
	build("guard.kdl");
	const before = picture(lot.out);
	const inode = statSync(join(lot.out, "policy")).ino;
	expect(build("guard.kdl")).toStartWith(`nothing to do: ${lot.out} is as the guardfile has it\n`);
	expect(statSync(join(lot.out, "policy")).ino).toBe(inode);
	chmodSync(join(lot.out, "policy/rm.json"), 0o666);
	writeFileSync(join(lot.out, "policy/mv.json"), '{"format":1,"gates":[]}');
	rmSync(join(lot.out, "mv"));
	expect(build("guard.kdl")).toContain("wrote the policy of 2 tools");
	expect(picture(lot.out)).toEqual(before);
});

test("shims of tools that are no longer guarded go, and nothing else does", () => {
	lot.write("old.kdl", guardfile("rm", "mv", "find", "-cp"));
	lot.write("new.kdl", guardfile("rm", "-find"));
	build("old.kdl");
	const foreign = { "my-script": "#!/bin/sh\n", ".policy-notes": "mine", "rm.bak": "" };
	for (const [name, text] of Object.entries(foreign)) writeFileSync(join(lot.out, name), text);
	symlinkSync(BINARY, join(lot.out, "unlink"));
	mkdirSync(join(lot.out, "directory/policy"), { recursive: true });
	expect(build("new.kdl")).toContain("removed shims: find mv\n");
	expect(readdirSync(lot.out).sort()).toEqual([".policy-notes", "directory", "my-script", "policy", "rm", "rm.bak", "unlink"]);
	expect(readdirSync(join(lot.out, "policy")).sort()).toEqual(["find.json", "manifest.json", "rm.json"]);
});

test("a name that an earlier build made a shim of and that is something else now is left alone", () => {
	lot.write("old.kdl", guardfile("rm", "mv", "find"));
	lot.write("new.kdl", guardfile("rm"));
	build("old.kdl");
	rmSync(join(lot.out, "mv"));
	writeFileSync(join(lot.out, "mv"), "my own");
	rmSync(join(lot.out, "find"));
	symlinkSync("/usr/bin/find", join(lot.out, "find"));
	expect(build("new.kdl")).toContain("left alone, since they are no links to tmx any more: find mv\n");
	expect(readFileSync(join(lot.out, "mv"), "utf8")).toBe("my own");
	expect(readlinkSync(join(lot.out, "find"))).toBe("/usr/bin/find");
});

test("what is not tmx's own is not overwritten: all of it is named, and nothing is written", () => {
	lot.write("guard.kdl", guardfile("rm", "mv", "find", "rmdir"));
	mkdirSync(join(lot.out, "mv"), { recursive: true });
	writeFileSync(join(lot.out, "rm"), "my own");
	symlinkSync("/usr/bin/find", join(lot.out, "find"));
	mkdirSync(join(lot.out, "policy"));
	writeFileSync(join(lot.out, "policy/notes.txt"), "mine");
	writeFileSync(join(lot.out, "policy/rm.json"), "{}");
	const before = picture(lot.out);
	const ran = lot.tmx("build", "guard.kdl", "--out", lot.out);
	expect(ran.status).toBe(5);
	expect(ran.stdout).toBe("");
	expect(ran.stderr).toBe(
		[
			...["policy/notes.txt", "policy/rm.json", "find", "mv", "rm"].map(
				(name) => `tmx: build: user_error: ${lot.out}/${name} is not tmx's own, and stays as it is; move it away first\n`,
			),
			"tmx: build: user_error: nothing was written\n",
		].join(""),
	);
	expect(picture(lot.out)).toEqual(before);
});

test("a policy that is a link or a file is not tmx's own", () => {
	mkdirSync(join(lot.base, "elsewhere"));
	mkdirSync(lot.out);
	symlinkSync(join(lot.base, "elsewhere"), join(lot.out, "policy"));
	const ran = lot.tmx("build", "--out", lot.out);
	expect(ran.status).toBe(5);
	expect(ran.stderr).toContain(`${lot.out}/policy is not tmx's own`);
	expect(readdirSync(lot.out)).toEqual(["policy"]);
});

test("a link to this tmx that somebody made is taken over; a hard link stays and is nobody's to remove", () => {
	lot.write("guard.kdl", guardfile("rm", "mv"));
	lot.write("none.kdl", guardfile("-cp"));
	mkdirSync(lot.out);
	const tmx = join(lot.base, "tmx");
	symlinkSync(BINARY, tmx);
	symlinkSync("../tmx", join(lot.out, "rm"));
	let hard = true;
	try {
		linkSync(BINARY, join(lot.out, "mv"));
	} catch {
		// The binary lies on another file system, or belongs to somebody else.
		hard = false;
	}
	expect(build("guard.kdl")).toContain("pointed shims at this tmx: rm\n");
	expect(readlinkSync(join(lot.out, "rm"))).toBe(BINARY);
	build("none.kdl");
	expect(readdirSync(lot.out).sort()).toEqual(hard ? ["mv", "policy"] : ["policy"]);
});

test("shims of another tmx that an earlier build made are pointed at this one", () => {
	lot.write("guard.kdl", guardfile("rm"));
	build("guard.kdl");
	const manifest = join(lot.out, "policy/manifest.json");
	writeFileSync(manifest, JSON.stringify({ ...json(manifest), binary: "/opt/tmx-0.0.1/tmx" }));
	rmSync(join(lot.out, "rm"));
	symlinkSync("/opt/tmx-0.0.1/tmx", join(lot.out, "rm"));
	expect(build("guard.kdl")).toContain("pointed shims at this tmx: rm\n");
	expect(readlinkSync(join(lot.out, "rm"))).toBe(BINARY);
});

test("a shim under another name acts by the policy of its tool", () => {
	lot.write("guard.kdl", guardfile("rm").replace("replace", 'replace "del"'));
	build("guard.kdl");
	expect(readdirSync(lot.out).sort()).toEqual(["del", "policy"]);
	expect(policy("del")).toEqual(policy("rm"));
	mkdirSync(join(lot.base, "root"));
	const env = { ...lot.env, TMX_ROOTS: join(lot.base, "root") };
	const kept = lot.write("kept", "");
	const ran = run([join(lot.out, "del"), kept], env, lot.base);
	expect(ran.status).toBe(2);
	expect(ran.stderr).toContain(`tmx: del: policy_denied: ${kept}`);
	const [record] = readFileSync(join(lot.home, ".local/state/tmx/audit.jsonl"), "utf8").split("\n");
	expect(JSON.parse(record as string)).toMatchObject({ decision: "reject", tool: "rm", argv: [join(lot.out, "del"), kept] });
	const gone = lot.write("root/gone", "");
	expect(run([join(lot.out, "del"), gone], env, lot.base).status).toBe(0);
	expect(() => lstatSync(gone)).toThrow();
});

test("a wrap without a shim gets none, and a link that somebody makes under its name acts as one", () => {
	lot.write("guard.kdl", guardfile("-rm"));
	build("guard.kdl");
	symlinkSync(BINARY, join(lot.out, "rm"));
	const kept = lot.write("kept", "");
	mkdirSync(join(lot.base, "root"));
	const ran = run([join(lot.out, "rm"), kept], { ...lot.env, TMX_ROOTS: join(lot.base, "root") }, lot.base);
	expect(ran.status).toBe(2);
	build("guard.kdl");
	expect(readlinkSync(join(lot.out, "rm"))).toBe(BINARY);
});

test("a directory whose name is not UTF-8 holds shims that work", () => {
	lot.write("guard.kdl", guardfile("rm"));
	const script =
		'd=$(printf "s\\377 \\n\\"x"); mkdir root; touch kept root/gone; "$1" build guard.kdl --out "$d" || exit; "$d/rm" kept; echo $?; "$d/rm" root/gone; echo $?; ls -A "$d"';
	const ran = run(["/bin/sh", "-c", script, "sh", BINARY], { ...lot.env, TMX_ROOTS: join(lot.base, "root") }, lot.base);
	expect(ran.stdout).toEndWith("2\n0\npolicy\nrm\n");
	expect(ran.stdout).toContain(`added shims: rm\nnext: put $'${lot.base}/s\\xff \\n"x' first on PATH`);
});

test("a guardfile whose path is not UTF-8 is named by its bytes", () => {
	const script =
		'd=$(printf "g\\377"); mkdir "$d"; cp guard.kdl "$d"; chmod 644 "$d/guard.kdl"; exec "$1" build "$d/guard.kdl" --out shims';
	lot.write("guard.kdl", guardfile("rm"));
	expect(run(["/bin/sh", "-c", script, "sh", BINARY], lot.env, lot.base).status).toBe(0);
	const held = JSON.parse(readFileSync(join(lot.out, "policy/rm.json"), "latin1"));
	expect(held.guardfile).toBe(`${lot.base}/g\xff/guard.kdl`);
});

test("--check writes nothing and says what would change", () => {
	lot.write("old.kdl", guardfile("rm", "mv"));
	lot.write("new.kdl", guardfile("rm", "find"));
	const first = lot.tmx("build", "old.kdl", "--out", lot.out, "--check");
	expect(first).toEqual({
		status: 0,
		stdout: `would write the policy of 2 tools: ${lot.out}/policy\nwould add shims: mv rm\n`,
		stderr: "",
	});
	expect(readdirSync(lot.base).sort()).toEqual(["home", "new.kdl", "old.kdl"]);
	build("old.kdl");
	const before = picture(lot.out);
	const second = lot.tmx("build", "--check", "new.kdl", "--out", lot.out);
	expect(second.stdout).toBe(`would write the policy of 2 tools: ${lot.out}/policy\nwould add shims: find\nwould remove shims: mv\n`);
	expect(lot.tmx("build", "--check", "old.kdl", "--out", lot.out).stdout).toStartWith("nothing to do");
	expect(picture(lot.out)).toEqual(before);
});

test("a failed build leaves everything as it was", () => {
	lot.write("good.kdl", guardfile("rm", "mv"));
	lot.write("bad.kdl", guardfile("rm").replace("positional", "positionel"));
	expect(lot.tmx("build", "good.kdl", "bad.kdl", "--out", lot.out).status).toBe(5);
	expect(() => lstatSync(lot.out)).toThrow();
	build("good.kdl");
	const before = picture(lot.base);
	const ran = lot.tmx("build", "bad.kdl", "--out", lot.out);
	expect(ran).toEqual({
		status: 5,
		stdout: "",
		stderr: `tmx: build: user_error: bad.kdl:6:22: unknown operand reader "positionel"; did you mean "positional"?
                operands "positionel"
                         ^^^^^^^^^^^^
tmx: build: user_error: 1 problem in bad.kdl; nothing was written
`,
	});
	expect(picture(lot.base)).toEqual(before);
});

test.skipIf(process.getuid?.() === 0)("a directory that may not be written is left as it was (root may write anywhere)", () => {
	lot.write("old.kdl", guardfile("rm"));
	lot.write("new.kdl", guardfile("rm", "mv"));
	build("old.kdl");
	const before = picture(lot.out);
	chmodSync(lot.out, 0o555);
	const ran = lot.tmx("build", "new.kdl", "--out", lot.out);
	chmodSync(lot.out, 0o755);
	expect(ran).toEqual({ status: 5, stdout: "", stderr: `tmx: build: user_error: ${lot.out}: permission denied; nothing was written\n` });
	expect(picture(lot.out)).toEqual(before);
});

/** Runs a script in a mount namespace of its own: a small tmpfs on `disk`. */
function onSmallDisk(script: string) {
	const mount = `mount -t tmpfs -o size=256k none disk && ${script}`;
	return run([...(NAMESPACE ?? []), "/bin/sh", "-c", mount, "sh", BINARY], { ...lot.env, PATH: "/usr/sbin:/usr/bin:/sbin:/bin" }, lot.base);
}

test.skipIf(NAMESPACE === undefined)("a full disk leaves the old policy whole (needs a mount namespace)", () => {
	lot.write("old.kdl", guardfile("rm", "mv"));
	lot.write("new.kdl", guardfile("find", ...Array.from({ length: 40 }, (_, k) => `tool${k}`)));
	mkdirSync(join(lot.base, "disk"));
	const ran = onSmallDisk(
		`"$1" build old.kdl --out disk/shims >&2; cp -a disk/shims before; dd if=/dev/zero of=disk/fill bs=4k 2>/dev/null
		"$1" build new.kdl --out disk/shims; echo $?; diff -r --no-dereference before disk/shims && ls -A disk/shims`,
	);
	expect(ran.stderr).toContain(`tmx: build: internal: ${lot.base}/disk/shims: no space is left on the disk; nothing was written\n`);
	expect(ran.stdout).toBe("4\nmv\npolicy\nrm\n");
});

test.skipIf(NAMESPACE === undefined)("a read-only disk is named as such (needs a mount namespace)", () => {
	mkdirSync(join(lot.base, "disk"));
	const ran = onSmallDisk('"$1" build --out disk/shims >&2; mount -o remount,bind,ro disk; "$1" build --out disk/more; echo $?');
	expect(ran.stderr).toContain(`tmx: build: user_error: ${lot.base}/disk/more: the file system is read-only; nothing was written\n`);
	expect(ran.stdout).toBe("5\n");
});

test("a place that is no directory is refused", () => {
	const file = lot.write("file", "");
	expect(lot.tmx("build", "--out", file).stderr).toBe(`tmx: build: user_error: ${file} is not a directory\n`);
	expect(lot.tmx("build", "--out", `${file}/x`).stderr).toBe(
		`tmx: build: user_error: ${file}/x: a part of the path is not a directory; nothing was written\n`,
	);
	symlinkSync("gone", join(lot.base, "dangling"));
	expect(lot.tmx("build", "--out", "dangling").status).toBe(5);
	mkdirSync(join(lot.base, "real"));
	symlinkSync("real", join(lot.base, "link"));
	expect(lot.tmx("build", "--out", "link").status).toBe(0);
	expect(readdirSync(join(lot.base, "real"))).toContain("policy");
});

test("shims point at the path that tmx was called by, or past a version in it", () => {
	lot.write("guard.kdl", guardfile("rm"));
	for (const directory of ["opt/tmx-1.2.3", "bin", "other"]) mkdirSync(join(lot.base, directory), { recursive: true });
	const released = join(lot.base, "opt/tmx-1.2.3/tmx");
	symlinkSync(BINARY, released);
	symlinkSync(released, join(lot.base, "bin/tmx"));
	const target = (tmx: string, path = lot.env.PATH) => {
		rmSync(lot.out, { recursive: true, force: true });
		expect(run([tmx, "build", "guard.kdl", "--out", lot.out], { ...lot.env, PATH: path }, lot.base).status).toBe(0);
		return readlinkSync(join(lot.out, "rm"));
	};
	expect(target(join(lot.base, "bin/tmx"))).toBe(join(lot.base, "bin/tmx"));
	expect(target("./bin/tmx")).toBe(join(lot.base, "bin/tmx"));
	expect(target("other/../bin/tmx")).toBe(join(lot.base, "bin/tmx"));
	expect(target(released)).toBe(released);
	expect(target(released, `${lot.base}/bin:/usr/bin`)).toBe(join(lot.base, "bin/tmx"));
	expect(target("tmx", `${lot.base}/bin:/usr/bin`)).toBe(join(lot.base, "bin/tmx"));
	// Another tmx on PATH is not this one.
	mkdirSync(join(lot.base, "foreign"));
	writeFileSync(join(lot.base, "foreign/tmx"), "#!/bin/sh\n", { mode: 0o755 });
	expect(target(released, `${lot.base}/foreign:/usr/bin`)).toBe(released);
});
