// Each version of Landlock, by asking for less than the kernel has: what there is of a floor, and what is said.

import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { HISTORY, kernelAbi, strengthOf } from "../../src/sys/landlock.ts";
import { BINARY } from "../support/binary.ts";
import { PATIENCE } from "../support/box.ts";
import { works } from "../support/shell.ts";
import { makeStage, noFloor, type Stage, users } from "./stage.ts";

setDefaultTimeout(PATIENCE);

const kernel = kernelAbi();
const NOTE = "tmx: floor: note: ";

/** What each version comes to: what is said, whether a file outside stays, and whether it stays full. */
const TABLE: readonly [abi: number, said: string, stays: boolean, full: boolean][] = [
	[0, "there is no floor: there is no Landlock", false, false],
	[
		1,
		"there is no floor: Landlock of ABI 1 would refuse every rename from one directory to another; Linux 5.19 or newer is needed",
		false,
		false,
	],
	[2, "the floor is partial: no truncate: files outside can be emptied; Linux 6.2 or newer refuses that", true, false],
	...HISTORY.filter(({ abi }) => abi > 2).map(({ abi }) => [abi, "", true, true] as [number, string, boolean, boolean]),
];

let stage: Stage;
beforeEach(async () => {
	stage = await makeStage(users[0] as (typeof users)[number]);
});
afterEach(() => stage.remove());

describe.skipIf(noFloor !== "" || typeof kernel === "string")(
	`versions (skipped where there is no floor${noFloor && `: ${noFloor}`})`,
	() => {
		for (const [abi, said, stays, full] of TABLE) {
			const there = typeof kernel === "number" && abi <= kernel;
			test.skipIf(!there)(`ABI ${abi}${there ? "" : " (this kernel's is older)"}`, async () => {
				const line = `perl -e "truncate q(${stage.outside}/file), 0"; rm -f ${stage.outside}/tree/leaf; mkdir a b && echo x >a/f && mv a/f b/f`;
				const ran = await stage.under(["/bin/sh", "-c", `{ ${line}; } 2>/dev/null`], ["--abi", String(abi)]);
				expect(ran).toEqual({ status: 0, stdout: "", stderr: said === "" ? "" : `${NOTE}${said}\n` });
				expect(existsSync(join(stage.outside, "tree/leaf"))).toBe(stays);
				expect(readFileSync(join(stage.outside, "file"), "utf8")).toBe(full ? "kept\n" : "");
			});

			test.skipIf(!there)(`ABI ${abi} with --require`, async () => {
				const ran = await stage.under(["/bin/sh", "-c", "echo ran"], ["--abi", String(abi), "--require"]);
				const refusal = `tmx: floor: internal: ${said}; /bin/sh was not started\n`;
				expect(ran).toEqual(full ? { status: 0, stdout: "ran\n", stderr: "" } : { status: 4, stdout: "", stderr: refusal });
			});
		}
	},
);

test("a version newer than the table is used as the newest one in it", () => {
	expect(strengthOf(99)).toEqual({ kind: "full", why: "" });
});

/** What the kernel answers where there is no Landlock, and what a person reads. */
const ANSWERS: readonly [error: string, said: string][] = [
	["ENOSYS", "this kernel has no Landlock; Linux 5.19 or newer is needed"],
	["EOPNOTSUPP", 'Landlock is switched off on this machine; add "landlock" to lsm= of the kernel\'s command line'],
	["EPERM", "a filter of system calls forbids Landlock here (that of a container?)"],
	["EINVAL", "Landlock does not answer (error 22)"],
];

for (const [error, said] of ANSWERS) {
	const inject = ["strace", "-f", "-o", "/dev/null", "-e", `inject=landlock_create_ruleset:error=${error}`];
	const there = works([...inject, "true"]);
	test.skipIf(!there)(`a kernel that answers ${error}${there ? "" : " (there is no strace that can pretend it)"}`, async () => {
		const ran = await stage.run([...inject, BINARY, "floor", "--policy", stage.shims, "--root", stage.root, "--", "echo", "ran"]);
		expect(ran).toEqual({ status: 0, stdout: "ran\n", stderr: `${NOTE}there is no floor: ${said}\n` });
		const required = await stage.run([
			...inject,
			BINARY,
			"floor",
			"--policy",
			stage.shims,
			"--root",
			stage.root,
			"--require",
			"--",
			"echo",
			"ran",
		]);
		expect([required.status, required.stdout]).toEqual([4, ""]);
	});
}

/** The moment of truth: what goes wrong between the rules and the exec. */
for (const call of ["landlock_restrict_self", "prctl"]) {
	const inject = ["strace", "-f", "-o", "/dev/null", "-e", `inject=${call}:error=EPERM`];
	test.skipIf(!works([...inject, "true"]) || noFloor !== "")(`${call} fails: it is said, and with --require nothing starts`, async () => {
		const words = [...inject, BINARY, "floor", "--policy", stage.shims, "--root", stage.root];
		const said = `${NOTE}there is no floor of this session's own: it cannot be put in force (error 1)\n`;
		expect(await stage.run([...words, "--", "echo", "ran"])).toEqual({ status: 0, stdout: "ran\n", stderr: said });
		expect(await stage.run([...words, "--require", "--", "echo", "ran"])).toEqual({ status: 4, stdout: "", stderr: said });
	});
}
