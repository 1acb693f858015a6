// The audit under many writers, while it is rotated, and where it cannot be written: no record is lost or torn, no verdict changes.

import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Box, makeBox, PATIENCE, policyOf, RAN, shims, stub, writePolicy } from "../support/box.ts";
import { auditLines, records } from "../support/records.ts";
import { type Env, NAMESPACE, run, shell, works } from "../support/shell.ts";

setDefaultTimeout(PATIENCE);

let box: Box;
let env: Env;

beforeEach(() => {
	box = makeBox();
	env = { PATH: shims(box, stub(box), ["rm"]), TMX_ROOTS: box.root, HOME: box.home, O: box.outside };
});
afterEach(() => box.remove());

const permissions = (path: string) => statSync(path).mode & 0o777;

test("64 writers of 1,000 records each, with rotation: every record once, each whole", async () => {
	const WRITERS = 64;
	const COUNT = 1000;
	// About nine megabytes in all, so that the file is rotated five times or so; eight rotated files are kept.
	const LIMIT = 1_700_000;
	const writer = join(import.meta.dir, "../support/audit-writer.ts");
	const argv = (id: number) => [process.execPath, writer, box.audit, String(id), String(COUNT), String(LIMIT)];
	const ids = Array.from({ length: WRITERS }, (_, id) => id);
	const ran = await Promise.all(ids.map((id) => run(argv(id), { PATH: "/usr/bin:/bin", HOME: box.home }, box.base)));
	expect(ran.filter(({ status, stderr }) => status !== 0 || stderr !== "")).toEqual([]);
	const rotated = readdirSync(box.base).filter((name) => name.startsWith("audit.jsonl."));
	expect(rotated.length).toBeGreaterThanOrEqual(3);
	const seen = new Map<string, number>();
	for (const line of auditLines(box.audit)) {
		const { writer, k, padding } = JSON.parse(line) as { writer: number; k: number; padding: string };
		expect(padding).toHaveLength(40 + ((k * 37) % 160));
		seen.set(`${writer} ${k}`, (seen.get(`${writer} ${k}`) ?? 0) + 1);
	}
	expect(seen.size).toBe(WRITERS * COUNT);
	expect([...seen.values()].every((times) => times === 1)).toBe(true);
});

test("many shims at once, while the file passes its limit: every call has its record", async () => {
	const CALLS = 96;
	const filler = `${JSON.stringify({ filler: "x".repeat(1000) })}\n`;
	writeFileSync(box.audit, filler.repeat(Math.floor((16 * 1024 * 1024 - 8192) / filler.length)), { mode: 0o600 });
	const calls = Array.from({ length: CALLS }, (_, k) => run([`${env.PATH}/rm`, k % 2 ? `a${k}` : `${box.outside}/${k}`], env, box.root));
	const ran = await Promise.all(calls);
	expect(ran.filter(({ status }) => status === 2)).toHaveLength(CALLS / 2);
	expect(ran.filter(({ stdout }) => stdout === RAN)).toHaveLength(CALLS / 2);
	expect(existsSync(`${box.audit}.1`)).toBe(true);
	expect(statSync(box.audit).size).toBeLessThan(100_000);
	const own = records(box.audit).filter(({ tool }) => tool === "rm");
	expect(new Set(own.map(({ argv }) => argv[1])).size).toBe(CALLS);
	expect(new Set(own.map(({ id }) => id)).size).toBe(CALLS);
	expect(own).toHaveLength(CALLS);
});

test("the file is for its owner alone, and so are the directories that are made for it", async () => {
	const audit = `${box.base}/state/tmx/audit.jsonl`;
	writePolicy(env.PATH as string, "rm", { ...policyOf(box, "rm", stub(box)), audit });
	expect((await shell("umask 0; rm a", env, box.root)).stdout).toBe(RAN);
	expect(permissions(audit)).toBe(0o600);
	expect(permissions(`${box.base}/state/tmx`)).toBe(0o700);
	expect(permissions(`${box.base}/state`)).toBe(0o700);
});

test("identifiers are UUIDs of version 7 and in order, and times are RFC 3339", async () => {
	for (let k = 0; k < 3; k++) await shell("rm a", env, box.root);
	const all = records(box.audit);
	for (const { id, ts, version } of all) {
		expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
		expect(ts).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
		expect(Math.abs(Date.parse(ts) - Date.now())).toBeLessThan(PATIENCE);
		expect(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)).toBe(Date.parse(ts));
		expect(version).toMatch(/^\d+\.\d+\.\d+/);
	}
	expect(all.map(({ id }) => id)).toEqual(all.map(({ id }) => id).sort());
});

describe("an audit that cannot be written changes no verdict and says nothing", () => {
	/** Both verdicts, with the environment's shims. */
	async function verdicts(): Promise<void> {
		expect(await shell("rm a", env, box.root)).toEqual({ status: 0, stdout: RAN, stderr: "" });
		const { status, stdout, stderr } = await shell("rm $O/f", env, box.root);
		expect([status, stdout]).toEqual([2, ""]);
		expect(stderr).toStartWith("tmx: rm: policy_denied: ");
	}

	/** Make the policy name another audit file. */
	function auditAt(audit: string): void {
		writePolicy(env.PATH as string, "rm", { ...policyOf(box, "rm", stub(box)), audit });
	}

	test("it is a directory, below a file, on a full device, or has no name", async () => {
		writeFileSync(`${box.base}/file`, "");
		for (const audit of [box.base, `${box.base}/file/audit.jsonl`, "/dev/full", "/proc/no/such", "", "relative.jsonl"]) {
			auditAt(audit);
			await verdicts();
		}
	});

	test("it is a pipe that nobody reads", async () => {
		expect(works(["mkfifo", box.audit])).toBe(true);
		await verdicts();
	});

	test("it is a link: what it leads to is not written", async () => {
		writeFileSync(`${box.base}/precious`, "kept");
		symlinkSync(`${box.base}/precious`, box.audit);
		await verdicts();
		expect(readFileSync(`${box.base}/precious`, "utf8")).toBe("kept");
	});

	test.skipIf(NAMESPACE === undefined)("its file system is read-only, or full (skipped where no mount namespace can be had)", async () => {
		mkdirSync(`${box.base}/state`);
		auditAt(`${box.base}/state/audit.jsonl`);
		const ways = {
			"read-only": "mount -t tmpfs -o ro none state",
			full: "mount -t tmpfs -o size=8k none state; head -c 100000 /dev/zero >state/filler 2>/dev/null",
			"almost full": "mount -t tmpfs -o size=8k none state; head -c 8000 /dev/zero >state/audit.jsonl; chmod 600 state/audit.jsonl",
		};
		for (const mount of Object.values(ways)) {
			const call = (word: string) => {
				const line = `cd ${box.base}; ${mount}; cd R; PATH=${env.PATH}; rm ${word}`;
				return run([...(NAMESPACE ?? []), "/bin/bash", "-c", line], { ...env, PATH: process.env.PATH }, box.base);
			};
			expect(await call("a")).toEqual({ status: 0, stdout: RAN, stderr: "" });
			expect(await call(`${box.outside}/f`)).toMatchObject({ status: 2, stdout: "" });
		}
	});
});
