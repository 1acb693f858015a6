// What runs in the box: cases one after the other, an outcome a line on stdout; or one case with all that is known of it.

import * as fs from "node:fs";
import { quote, toText } from "../../src/policy/bytes.ts";
import { refusalText } from "../../src/policy/refusal.ts";
import { outcomeOf } from "./outcome.ts";
import { ANSWERS, callLine, type Ran, runCase } from "./run.ts";
import { decoded } from "./strace.ts";

/** What the worker is asked to do. */
export interface Order {
	seed: number;
	tools: string[];
	/** Case numbers: the first, the end, and the distance between two. */
	from: number;
	to: number;
	step: number;
	/** Each so many'th case is put to the compiled shim as well. */
	shimEach: number;
	/** Whether to tell everything. */
	show: boolean;
}

const section = (title: string, lines: readonly string[]) =>
	lines.length === 0 ? "" : `${title}\n${lines.map((line) => `  ${line}\n`).join("")}`;

/** One case as a person wants to read it. */
function shown(ran: Ran): string {
	const { found, verdict, findings } = ran;
	const steps = found.steps.map((step) => `${step.make} ${quote(step.path)}${"to" in step ? ` -> ${quote(step.to)}` : ""}`);
	const trace = decoded(ran.trace)
		.replace(/[^\n -~]/g, (byte) => `\\x${byte.charCodeAt(0).toString(16)}`)
		.split("\n");
	const relevant = trace.filter((line) => line !== "" && !line.includes("O_RDONLY"));
	const outcome = outcomeOf(ran);
	return [
		section("tree", steps),
		section("call", [`cd ${quote(found.cwd)}`, callLine(found)]),
		section("verdict", [verdict.decision, ...(verdict.decision === "deny" ? refusalText(found.tool, verdict).split("\n") : [])]),
		section("system calls", relevant.slice(0, 60)),
		section("printed", ran.said.split("\n")),
		section(
			"outside",
			findings.outside.map(({ weight, what }) => `${weight}: ${quote(what)}`),
		),
		section("different on disk", ran.changed.map(quote)),
		section("faults", findings.faults.map(quote)),
		section("outcome", [`${outcome.kind}: ${quote(outcome.group)}`, `status ${ran.status}, ${findings.changes} changes`]),
	].join("");
}

function work(order: Order): void {
	fs.writeFileSync(ANSWERS, "y\n".repeat(200));
	for (let index = order.from; index < order.to; index += order.step) {
		const ran = runCase(order.seed, index, order.tools, order.shimEach > 0 && index % order.shimEach === 0);
		if (order.show) console.log(toText(shown(ran)));
		else console.log(JSON.stringify({ ...outcomeOf(ran), line: `cd ${ran.found.cwd} && ${callLine(ran.found)}` }));
	}
}

work(JSON.parse(process.argv[2] ?? "") as Order);
