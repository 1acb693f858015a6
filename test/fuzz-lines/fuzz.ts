// The differential fuzz of the hook: random command lines, judged by their text and then run for real in a box without any shim.

import { cpus } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { boxed, whyNoBox } from "../fuzz/box.ts";
import { H, R } from "./lines.ts";
import type { Order, Told } from "./worker.ts";

const { values } = parseArgs({
	options: {
		count: { type: "string", default: "5000" },
		seed: { type: "string", default: String(Math.floor(Math.random() * 1_000_000)) },
		case: { type: "string" },
		jobs: { type: "string", default: String(cpus().length) },
	},
});

const missing = whyNoBox();
if (missing !== undefined) {
	console.error(`fuzz: ${missing}`);
	process.exit(69);
}

const project = join(import.meta.dir, "../..");
const seed = Number(values.seed);
const jobs = values.case === undefined ? Number(values.jobs) : 1;
const [first, end] = values.case === undefined ? [0, Number(values.count)] : [Number(values.case), Number(values.case) + 1];

async function job(number: number): Promise<Told[]> {
	const order: Order = { seed, from: first + number, to: end, step: jobs };
	const inner = [
		"env",
		"-i",
		"PATH=/usr/bin:/bin",
		`HOME=${H}`,
		`TMX_ROOTS=${R}`,
		"TMPDIR=/tmp",
		process.execPath,
		join(import.meta.dir, "worker.ts"),
		JSON.stringify(order),
	];
	const child = Bun.spawn(boxed(project, project, process.execPath, inner), { stdout: "pipe", stderr: "inherit" });
	const told: Told[] = [];
	let rest = "";
	const decoder = new TextDecoder();
	for await (const chunk of child.stdout) {
		const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
		rest = lines.pop() ?? "";
		for (const line of lines) told.push(JSON.parse(line) as Told);
		if (process.stderr.isTTY && number === 0) process.stderr.write(`\r${told.length * jobs} of ${end - first}`);
	}
	if ((await child.exited) !== 0) throw new Error(`a box ended with ${child.exitCode}`);
	return told;
}

const started = Date.now();
const all = (await Promise.all(Array.from({ length: jobs }, (_, number) => job(number)))).flat().sort((a, b) => a.index - b.index);
if (values.case !== undefined) console.log(JSON.stringify(all[0], null, 2));

const holes = all.filter(({ refused, unknown, changed }) => !refused && unknown.length === 0 && changed.length > 0);
const open = all.filter(({ refused, unknown, changed }) => !refused && unknown.length > 0 && changed.length > 0);
const over = all.filter(({ refused, changed, endless }) => refused && changed.length === 0 && !endless);
const rows: [string, Told[]][] = [
	["refused, and the outside was touched", all.filter(({ refused, changed }) => refused && changed.length > 0)],
	["refused, and nothing outside was touched this time", over],
	["passed, and nothing outside was touched", all.filter(({ refused, changed }) => !refused && changed.length === 0)],
	["passed with an unknown that was named, and the outside was touched", open],
	["HOLES: passed without a word, and the outside was touched", holes],
];
for (const [what, told] of rows) console.log(`${String(told.length).padStart(6)}  ${what}`);
for (const { index, line, changed } of holes.slice(0, 30)) console.log(`\nhole ${index}: ${line}\n   ${changed.slice(0, 3).join("\n   ")}`);
if (process.env.SHOW_OVER) for (const { index, line, why } of over.slice(0, 60)) console.log(`\nover ${index}: ${line}\n   ${why}`);
console.log(`\nseed ${seed}: ${all.length} lines in ${Math.round((Date.now() - started) / 1000)} s`);
process.exit(holes.length > 0 ? 1 : 0);
