// What runs in the box: each line is judged as the hook judges it, then run by bash without any shim, and the outside is compared.

import * as fs from "node:fs";
import { findingsOf } from "../../src/hook/answer.ts";
import { isRefused } from "../../src/hook/finding.ts";
import { commandsOf, isPlain } from "../../src/hook/plain.ts";
import { Policies } from "../../src/hook/policies.ts";
import { worldOfText } from "../../src/hook/world.ts";
import { fromText } from "../../src/policy/bytes.ts";
import { system } from "../../src/sys/index.ts";
import { Random } from "../fuzz/random.ts";
import { H, Liner, O, R } from "./lines.ts";

/** What the worker is asked to do. */
export interface Order {
	seed: number;
	from: number;
	to: number;
	step: number;
}

/** What became of a line. */
export interface Told {
	index: number;
	line: string;
	refused: boolean;
	/** What the reader named as not known. */
	unknown: string[];
	/** What was different outside after the real run. */
	changed: string[];
	endless: boolean;
	why: string;
}

/** Seconds that a line may run. */
const PATIENCE = 4;

/** The tree anew. */
function reset(): void {
	for (const top of [R, O, H]) {
		fs.rmSync(top, { recursive: true, force: true });
		fs.mkdirSync(top, { recursive: true });
	}
	for (const directory of [`${R}/sub`, `${R}/d`, `${R}/build`, `${O}/D`]) fs.mkdirSync(directory);
	for (const file of [`${R}/a`, `${R}/b`, `${R}/sub/x`, `${R}/d/y`, `${O}/f`, `${O}/g`, `${O}/D/x`, `${O}/D/y`, `${H}/h`]) {
		fs.writeFileSync(file, "x\n");
	}
	fs.symlinkSync(`${O}/D`, `${R}/ld`);
	fs.symlinkSync(`${O}/f`, `${R}/lf`);
	fs.symlinkSync("d", `${R}/lin`);
	Bun.spawnSync(["tar", "-cf", `${R}/t.tar`, "-C", R, "a", "sub"]);
}

/** Below a longer path nothing is looked at. */
const DEEPEST = 200;

/** Every name outside with what it is and holds. */
function outside(): Map<string, string> {
	const found = new Map<string, string>();
	const visit = (path: string) => {
		const stats = fs.lstatSync(path);
		const what = stats.isSymbolicLink() ? `-> ${fs.readlinkSync(path)}` : stats.isFile() ? fs.readFileSync(path, "latin1") : "";
		found.set(path, `${stats.mode} ${stats.isFile() || stats.isSymbolicLink() ? stats.mtimeMs : ""} ${what}`);
		// A copy of a directory into itself goes down as far as paths go.
		if (stats.isDirectory() && path.length < DEEPEST) for (const name of fs.readdirSync(path)) visit(`${path}/${name}`);
	};
	for (const top of [O, H]) if (fs.existsSync(top)) visit(top);
	// The directories themselves are there, and in a place that only outsiders may change.
	for (const name of fs.readdirSync("/fz")) found.set(`/fz/${name}`, found.get(`/fz/${name}`) ?? "there");
	return found;
}

function differences(before: Map<string, string>, after: Map<string, string>): string[] {
	const names = new Set([...before.keys(), ...after.keys()]);
	return [...names]
		.filter((name) => before.get(name) !== after.get(name))
		.map((name) => `${name}: ${before.get(name) ?? "absent"} | ${after.get(name) ?? "gone"}`);
}

async function tell(seed: number, index: number): Promise<Told> {
	const line = new Liner(new Random(seed, index)).line();
	reset();
	const choice = { directory: "", how: "built-in" as const };
	const policies = new Policies(system, choice);
	const world = worldOfText(system, policies);
	const text = fromText(line);
	const commands = commandsOf(text);
	const nothing = { findings: [], unclear: [] };
	const ground = { system, choice, world, policies, commands, notes: [] };
	const isSilent = commands !== undefined && isPlain(commands, policies);
	const { findings, unclear } = isSilent ? nothing : await findingsOf({ kind: "command", text, cwd: R }, ground);
	const refused = findings.find(isRefused);
	const before = outside();
	const env = { PATH: "/usr/bin:/bin", HOME: H, TMX_ROOTS: R, TMPDIR: "/tmp" };
	const ran = Bun.spawnSync(["bash", "-c", line], {
		cwd: R,
		env,
		stdin: null,
		stdout: "ignore",
		stderr: "ignore",
		timeout: PATIENCE * 1000,
		killSignal: "SIGKILL",
	});
	const changed = differences(before, outside());
	const unknown = [...findings.flatMap((finding) => finding.unknown), ...unclear];
	const verdict = refused?.verdict;
	const why = verdict?.decision === "deny" ? `${refused?.argv.join(" ")}: ${verdict.refused[0]?.why ?? ""}` : "";
	return { index, line, refused: refused !== undefined, unknown, changed, endless: ran.exitedDueToTimeout === true, why };
}

const order = JSON.parse(process.argv[2] ?? "") as Order;
for (let index = order.from; index < order.to; index += order.step) console.log(JSON.stringify(await tell(order.seed, index)));
