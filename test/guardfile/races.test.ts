// Builds that meet each other, calls that meet a build, and builds that are killed: the old policy or the new one, never a mixture.

import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { writeFile } from "../../src/guardfile/disk.ts";
import { replaceEach } from "../../src/guardfile/install.ts";
import { BINARY } from "../support/binary.ts";
import { works } from "../support/shell.ts";
import { guardfile, type Lot, makeLot, picture } from "./lot.ts";

/** Two policies that share some tools; enough files that writing them takes a while. */
const TOOLS = {
	one: ["rm", "shared", ...Array.from({ length: 20 }, (_, k) => `one${k}`)],
	two: ["rm", "shared", ...Array.from({ length: 20 }, (_, k) => `two${k}`)],
};
type Which = keyof typeof TOOLS;

let lot: Lot;
beforeEach(() => {
	lot = makeLot();
	for (const which of ["one", "two"] as const) lot.write(`${which}.kdl`, guardfile(...TOOLS[which]));
});
afterEach(() => lot.remove());

const start = (which: Which) => {
	return Bun.spawn([BINARY, "build", `${which}.kdl`, "--out", lot.out], { env: lot.env, cwd: lot.base, stdout: "ignore", stderr: "pipe" });
};

/** Which of the two policies lies there; fails on a mixture. */
function policyThere(): Which {
	const policy = join(lot.out, "policy");
	const { tools } = JSON.parse(readFileSync(join(policy, "manifest.json"), "utf8"));
	const which = tools.includes("one0") ? "one" : "two";
	expect([...TOOLS[which]]).toEqual(expect.arrayContaining(tools));
	expect(readdirSync(policy).sort()).toEqual([...tools.map((tool: string) => `${tool}.json`), "manifest.json"].sort());
	const guardfiles = tools.map((tool: string) => JSON.parse(readFileSync(join(policy, `${tool}.json`), "utf8")).guardfile);
	expect(new Set(guardfiles)).toEqual(new Set([join(lot.base, `${which}.kdl`)]));
	return which;
}

const shims = () => readdirSync(lot.out).filter((name) => name !== "policy" && !name.startsWith("."));

/** What a build leaves when nothing disturbs it. */
function undisturbed(which: Which): string[] {
	const aside = makeLot();
	const ran = Bun.spawnSync([BINARY, "build", join(lot.base, `${which}.kdl`), "--out", aside.out], { env: lot.env });
	const there = ran.exitCode === 0 ? picture(aside.out) : [];
	aside.remove();
	expect(ran.exitCode).toBe(0);
	return there;
}

test("builds at the same time do not mix, and no call in between fails", async () => {
	expect(await start("one").exited).toBe(0);
	const builds = (["two", "one", "two", "one", "two", "one"] as const).map(start);
	let running = true;
	const all = Promise.all(builds.map((build) => build.exited)).finally(() => {
		running = false;
	});
	let calls = 0;
	while (running) {
		const call = Bun.spawn([join(lot.out, "rm"), "--version"], { env: lot.env, stdout: "ignore", stderr: "pipe" });
		expect({ status: await call.exited, said: await new Response(call.stderr).text() }).toEqual({ status: 0, said: "" });
		calls++;
	}
	expect(await all).toEqual([0, 0, 0, 0, 0, 0]);
	expect(calls).toBeGreaterThan(1);
	expect(picture(lot.out)).toEqual(undisturbed(policyThere()));
}, 60_000);

/** The calls by which a build changes a directory, under the names that they have on one architecture or another (strace(1), `?`). */
const CALLS = ["?mkdir,?mkdirat", "?symlink,?symlinkat", "?rename,?renameat", "renameat2", "?unlink,?unlinkat", "?rmdir"];
const killing = (call: string, time: number) => [
	"strace",
	"-f",
	"-o",
	"/dev/null",
	"-e",
	`trace=${call}`,
	"-e",
	`inject=${call}:signal=KILL:when=${time}`,
];
const canKill = works([...killing("?rmdir", 1), "true"]) && !works([...killing("?mkdir,?mkdirat", 1), "mkdir", "-p", "/tmp"]);

/** Kill a build of the other policy at the `time`th `call`; whether it got that far. */
function killedAt(call: string, time: number): boolean {
	const argv = [...killing(call, time), BINARY, "build", "two.kdl", "--out", lot.out];
	const build = Bun.spawnSync(argv, { env: lot.env, cwd: lot.base, stdout: "ignore", stderr: "ignore" });
	return build.signalCode === "SIGKILL";
}

test.skipIf(!canKill)(
	"a build killed at any of its steps leaves one policy, and no shim without one (needs strace)",
	async () => {
		for (const which of ["one", "two"] as const) lot.write(`${which}.kdl`, guardfile(...TOOLS[which].slice(0, 3)));
		expect(await start("one").exited).toBe(0);
		const clean = undisturbed("one");
		const left: Record<Which, number> = { one: 0, two: 0 };
		for (const call of CALLS) {
			for (let time = 1; killedAt(call, time); time++) {
				const there = policyThere();
				left[there]++;
				for (const shim of shims()) expect(TOOLS[there]).toContain(shim);
				expect(await start("one").exited).toBe(0);
				expect(picture(lot.out)).toEqual(clean);
			}
			expect(policyThere()).toBe("two");
			expect(await start("one").exited).toBe(0);
		}
		// Most steps prepare, and some tidy up.
		expect(left.one).toBeGreaterThan(4);
		expect(left.two).toBeGreaterThan(4);
	},
	120_000,
);

test("where directories cannot be swapped, files are replaced one by one and the outdated ones go", () => {
	const [fresh, policy] = [join(lot.base, "fresh"), join(lot.base, "policy")];
	for (const directory of [fresh, policy]) mkdirSync(directory);
	for (const name of ["manifest.json", "mv.json", "rm.json"]) writeFile(join(policy, name), `old ${name}`);
	for (const name of ["find.json", "manifest.json", "rm.json"]) writeFile(join(fresh, name), `new ${name}`);
	replaceEach(fresh, policy);
	expect(readdirSync(fresh)).toEqual([]);
	expect(picture(policy).slice(1)).toEqual([
		"./find.json 644 new find.json",
		"./manifest.json 644 new manifest.json",
		"./rm.json 644 new rm.json",
	]);
});
