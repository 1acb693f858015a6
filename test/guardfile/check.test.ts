// tmx check on the compiled binary: several files as one policy, and files that cannot be read or trusted.

import { afterEach, beforeEach, expect, test } from "bun:test";
import { chmodSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { nearest } from "../../src/guardfile/nearest.ts";
import { BINARY } from "../support/binary.ts";
import { guardfile, type Lot, makeLot, picture, run } from "./lot.ts";

let lot: Lot;
beforeEach(() => {
	lot = makeLot();
});
afterEach(() => lot.remove());

const said = (...lines: string[]) =>
	lines
		.map((line) => (line.startsWith(" ") ? line : `tmx: check: user_error: ${line}`))
		.join("\n")
		.concat("\n");

test("good guardfiles are counted, and nothing is written", () => {
	lot.write("a.kdl", guardfile("rm", "-cp"));
	lot.write("b.kdl", 'roots "r" { root-env R; }\nfiles { gate paths-within { roots "r"; }; }\n');
	const before = picture(lot.base);
	expect(lot.tmx("check", "a.kdl")).toEqual({ status: 0, stdout: "good: 1 guardfile, 2 tools (1 shim), no files\n", stderr: "" });
	expect(lot.tmx("check", "a.kdl", "b.kdl").stdout).toBe("good: 2 guardfiles, 2 tools (1 shim), and files\n");
	expect(picture(lot.base)).toEqual(before);
});

test("the problems of all files come at once, in the order of the files", () => {
	lot.write("b.kdl", guardfile("rm", "mv").replace("exec", "exce"));
	lot.write("a.kdl", guardfile("rm").replace("paths-within", "paths-witin"));
	lot.write("broken.kdl", 'wrap "rm {\n}\n');
	expect(lot.tmx("check", "b.kdl", "missing.kdl", "a.kdl", "broken.kdl")).toEqual({
		status: 5,
		stdout: "",
		stderr: said(
			'b.kdl:1:1: a wrap needs "exec": the program that it stands for',
			'    wrap "rm" {',
			"    ^^^^",
			'b.kdl:2:5: unknown word "exce" in "wrap"; did you mean "exec"?',
			'        exce "rm"',
			"        ^^^^",
			"missing.kdl: does not exist",
			'a.kdl:1:6: "rm" is wrapped twice; the first is at b.kdl:1',
			'    wrap "rm" {',
			"         ^^^^",
			'a.kdl:5:14: unknown gate "paths-witin"; did you mean "paths-within"?',
			"            gate paths-witin {",
			"                 ^^^^^^^^^^^",
			"broken.kdl:1:6: a string begins here and is not closed",
			'    wrap "rm {',
			"         ^",
			"6 problems in 4 files",
		),
	});
});

test("with a file that cannot be read, what it may define is not called unknown", () => {
	lot.write("a.kdl", guardfile("rm").replace('root-env "TMX_ROOTS"', 'roots "session"'));
	expect(lot.tmx("check", "a.kdl", "roots.kdl").stderr).toBe(said("roots.kdl: does not exist", "1 problem in roots.kdl"));
	lot.write("roots.kdl", 'roots "session" {\n');
	expect(lot.tmx("check", "a.kdl", "roots.kdl").stderr).toStartWith("tmx: check: user_error: roots.kdl:1:17: a block is not closed");
	lot.write("roots.kdl", 'roots "sesion" { root-env R; }\n');
	expect(lot.tmx("check", "a.kdl", "roots.kdl").stderr).toContain('a.kdl:7:19: there are no roots "session"; did you mean "sesion"?');
});

test("what is no file, too large or not UTF-8 is said so", () => {
	mkdirSync(join(lot.base, "directory.kdl"));
	symlinkSync("loop.kdl", join(lot.base, "loop.kdl"));
	const file = lot.write("file", "");
	lot.write("large.kdl", `// ${"x".repeat(1024 * 1024)}\n`);
	lot.write("latin1.kdl", Buffer.from('// caf\xe9\nwrap "r\xffm" {\n}\n', "latin1"));
	const ran = lot.tmx("check", "directory.kdl", "/dev/null", "loop.kdl", `${file}/x`, "large.kdl", "latin1.kdl", "");
	expect(ran.status).toBe(5);
	expect(Buffer.from(ran.stderr, "latin1").toString()).toBe(
		said(
			"directory.kdl: is a directory",
			"/dev/null: is not a regular file",
			"loop.kdl: cannot be read: its links lead in a circle",
			`${file}/x: does not exist: a part of the path is not a directory`,
			"large.kdl: is larger than 1 MiB, and no guardfile is",
			"latin1.kdl:1:7: the byte 0xe9 is not UTF-8",
			"    // caf\ufffd",
			"          ^",
			"'': does not exist",
			"7 problems in 7 files",
		),
	);
});

test.skipIf(process.getuid?.() === 0)("a file that may not be read is said so (root may read everything)", () => {
	chmodSync(lot.write("secret.kdl", guardfile("rm")), 0o200);
	expect(lot.tmx("check", "secret.kdl").stderr).toBe(said("secret.kdl: cannot be read: permission denied", "1 problem in secret.kdl"));
});

test("a guardfile that others can write is refused", () => {
	const path = lot.write("guard.kdl", guardfile("rm"));
	for (const mode of [0o664, 0o646, 0o666]) {
		chmodSync(path, mode);
		expect(lot.tmx("check", "guard.kdl").stderr).toBe(
			said(
				'guard.kdl: can be written by group or others, so it may not be yours; "chmod go-w" and "chown" mend that',
				"1 problem in guard.kdl",
			),
		);
		expect(lot.tmx("build", "guard.kdl", "--out", lot.out).status).toBe(5);
	}
});

test("a guardfile of a megabyte without a single line break is shown around the problem", () => {
	lot.write("long.kdl", `/*${"x".repeat(900_000)}*/ wrp rm\n`);
	const [, line, caret] = lot.tmx("check", "long.kdl").stderr.split("\n");
	expect(line).toBe(`    ...${"x".repeat(57)}*/ wrp rm`);
	expect(caret).toBe(`${" ".repeat(67)}^^^`);
});

test("the nearest known word is offered when it is near, and none when none is", () => {
	const known = ["exec", "replace", "can", "root-env", "root-parent-env"];
	const pairs = [
		["exce", "exec"],
		["EXEC", "exec"],
		["replase", "replace"],
		["rep", "replace"],
		["cna", "can"],
		["root_env", "root-env"],
		["root-paren-env", "root-parent-env"],
		["deny", undefined],
		["x", undefined],
		["", undefined],
		["e".repeat(1_000_000), undefined],
	] as const;
	for (const [word, offered] of pairs) expect([word.slice(0, 20), nearest(word, known)]).toEqual([word.slice(0, 20), offered]);
});

test("the command says what it is called by", () => {
	expect(run([BINARY, "check"], lot.env, lot.base)).toEqual({
		status: 5,
		stdout: "",
		stderr: 'tmx: check: user_error: needs FILE...; see "tmx check --help"\n',
	});
});
