// The differential fuzz: random calls, judged and also run for real in a box; whatever touched the outside must have been refused.

import * as fs from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { compile } from "../../build.ts";
import { boxed, whyNoBox } from "./box.ts";
import { PLAIN_TOOLS } from "./calls.ts";
import { DEFAULT_TOOLS } from "./case.ts";
import { GUARDED, policyOf } from "./judging.ts";
import type { Outcome } from "./outcome.ts";
import { report, type Told } from "./report.ts";
import type { Order } from "./worker.ts";

const USAGE = `usage: npm run fuzz -- [--count N] [--seed S] [--case K] [--tools rm,mv,find,...] [--jobs N] [--no-shim]
  --count N   so many calls (10000)
  --seed S    the run to repeat; without it a new one, which is printed
  --case K    only case K of the seed, with its tree, verdict and system calls
  --tools T   find, ${PLAIN_TOOLS.join(", ")}, or all (rm,mv,find)
  --jobs N    so many boxes at once (the number of processors)
  --no-shim   do not put each twentieth case to the compiled shim
`;

interface Wishes {
	count: number;
	seed: number;
	only: number | undefined;
	tools: string[];
	jobs: number;
	shim: boolean;
}

function fail(words: string): never {
	process.stderr.write(`fuzz: ${words}\n`);
	process.exit(5);
}

function wishes(words: string[]): Wishes {
	const value = (name: string) => {
		const at = words.indexOf(name);
		return at < 0 ? undefined : (words[at + 1] ?? fail(`${name} needs a value`));
	};
	const number = (name: string, otherwise: number) => {
		const given = value(name);
		return given === undefined ? otherwise : /^\d+$/.test(given) ? Number(given) : fail(`${name} needs a number, not ${given}`);
	};
	const known = ["--count", "--seed", "--case", "--tools", "--jobs", "--no-shim"];
	const unknown = words.find((word) => word.startsWith("-") && !known.includes(word));
	if (unknown) fail(`unknown option ${unknown}\n${USAGE}`);
	const named = value("--tools")?.split(",") ?? DEFAULT_TOOLS;
	const tools = named.includes("all") ? ["find", ...PLAIN_TOOLS] : [...named];
	const strange = tools.find((tool) => tool !== "find" && !PLAIN_TOOLS.includes(tool));
	if (strange) fail(`no calls of ${strange} are made here`);
	const only = words.includes("--case") ? number("--case", 0) : undefined;
	return {
		count: number("--count", 10_000),
		seed: number("--seed", Math.floor(Math.random() * 1_000_000)),
		only,
		tools,
		jobs: Math.max(1, number("--jobs", cpus().length)),
		shim: !words.includes("--no-shim"),
	};
}

const PROJECT = join(import.meta.dir, "../..");

/** A directory with the compiled shims and their policies; the real tool is `true`, so 0 means allowed. */
async function makeShims(directory: string, wanted: boolean): Promise<void> {
	fs.chmodSync(directory, 0o755);
	if (!wanted) return;
	process.stderr.write("fuzz: compiling the shim\n");
	await compile("src/main.ts", join(directory, "tmx"));
	fs.mkdirSync(join(directory, "policy"), { mode: 0o755 });
	for (const tool of GUARDED) {
		fs.symlinkSync("tmx", join(directory, tool));
		fs.writeFileSync(join(directory, "policy", `${tool}.json`), JSON.stringify(policyOf(tool, "/bin/true")), { mode: 0o644 });
	}
}

/** Run cases in a box; when the box ends early, go on behind the case that ended it. */
async function work(order: Order, shim: string, each: (told: Told) => void): Promise<void> {
	for (let from = order.from; from < order.to; ) {
		const command = [process.execPath, join(import.meta.dir, "worker.ts"), JSON.stringify({ ...order, from })];
		const box = Bun.spawn(boxed(PROJECT, shim, process.execPath, command), { stdout: "pipe", stderr: order.show ? "inherit" : "pipe" });
		let rest = "";
		for await (const chunk of box.stdout.pipeThrough(new TextDecoderStream())) {
			if (order.show) process.stdout.write(chunk);
			const lines = (rest + chunk).split("\n");
			rest = lines.pop() as string;
			if (order.show) continue;
			for (const line of lines) each(JSON.parse(line) as Told);
			from += order.step * lines.length;
		}
		if ((await box.exited) === 0) return;
		if (order.show) process.exit(1);
		const outcome: Outcome = {
			index: from,
			tool: "?",
			kind: "fault",
			group: `the box ended: ${await new Response(box.stderr).text()}`,
			shim: false,
		};
		each({ ...outcome, line: "" });
		from += order.step;
	}
}

async function main(): Promise<number> {
	const { count, seed, only, tools, jobs, shim } = wishes(process.argv.slice(2));
	const missing = whyNoBox();
	if (missing) fail(missing);
	const shims = fs.mkdtempSync(join(tmpdir(), "tmx-fuzz-"));
	try {
		const one = only !== undefined;
		await makeShims(shims, shim && !one);
		const order: Order = { seed, tools, from: 0, to: count, step: jobs, shimEach: shim ? 20 : 0, show: false };
		if (one) {
			await work({ ...order, from: only, to: only + 1, step: 1, shimEach: 0, show: true }, shims, () => {});
			return 0;
		}
		const told: Told[] = [];
		const started = Date.now();
		const progress = (one: Told) => {
			told.push(one);
			if (told.length % 250 === 0)
				process.stderr.write(`fuzz: ${told.length} of ${count}, ${told.filter(({ kind }) => kind === "hole").length} holes\n`);
		};
		await Promise.all(Array.from({ length: jobs }, (_, k) => work({ ...order, from: k }, shims, progress)));
		return report(told, seed, (Date.now() - started) / 1000);
	} finally {
		fs.rmSync(shims, { recursive: true, force: true });
	}
}

process.exit(await main());
