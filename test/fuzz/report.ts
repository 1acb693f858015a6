// The summary of a run: a table of tools and outcomes, then every hole, fault and class of refusals with a case to look at.

import { fromText, quote } from "../../src/policy/bytes.ts";
import type { Kind, Outcome } from "./outcome.ts";

/** An outcome with the call, so that a reader need not run it again to see it. */
export interface Told extends Outcome {
	line: string;
}

const KINDS: readonly Kind[] = ["allowed", "refused", "hole", "over", "stops", "idle", "endless", "fault"];

const EXPLAINED: Partial<Record<Kind, string>> = {
	hole: "allowed, and something outside was touched or tried",
	fault: "the oracle or the shim disagrees with itself",
	over: "refused, and nothing outside was touched",
	stops: "refused, and the tool itself stops and changes nothing",
	idle: "refused, aimed outside, and nothing was there to do this time",
	endless: "the tool did not end, and until then nothing outside was touched",
};

function table(told: readonly Told[]): string {
	const tools = [...new Set(told.map(({ tool }) => tool))].sort();
	const row = (name: string, of: readonly Told[]) => {
		const counts = KINDS.map((kind) => String(of.filter((one) => one.kind === kind).length).padStart(8));
		return `${name.padEnd(10)}${String(of.length).padStart(7)}${counts.join("")}\n`;
	};
	const head = `${"tool".padEnd(10)}${"calls".padStart(7)}${KINDS.map((kind) => kind.padStart(8)).join("")}\n`;
	const rows = tools.map((tool) =>
		row(
			tool,
			told.filter((one) => one.tool === tool),
		),
	);
	return head + rows.join("") + row("all", told);
}

/** The classes of one kind, the commonest first, each with its shortest case. */
function classes(told: readonly Told[], kind: Kind, most: number): string {
	const groups = new Map<string, Told[]>();
	for (const one of told) {
		if (one.kind !== kind) continue;
		const key = kind === "hole" || kind === "fault" ? String(one.index) : `${one.tool}: ${one.group}`;
		groups.set(key, [...(groups.get(key) ?? []), one]);
	}
	if (groups.size === 0) return "";
	const sorted = [...groups.values()].sort((a, b) => b.length - a.length).slice(0, most);
	const lines = sorted.map((group) => {
		const shortest = group.reduce((best, one) => (one.line.length < best.line.length ? one : best));
		return `${String(group.length).padStart(6)}  ${quote(fromText(shortest.group))}\n        case ${shortest.index}: ${quote(fromText(shortest.line))}\n`;
	});
	return `\n${kind}: ${EXPLAINED[kind]}\n${lines.join("")}${groups.size > most ? `        and ${groups.size - most} more\n` : ""}`;
}

/** Print the summary; the exit status of the run. */
export function report(told: readonly Told[], seed: number, seconds: number): number {
	const count = (kind: Kind) => told.filter((one) => one.kind === kind).length;
	const share = ((100 * count("over")) / Math.max(1, told.length)).toFixed(2);
	const shims = told.filter(({ shim }) => shim).length;
	const text = [
		table(told),
		...(["stops", "idle", "endless"] as const).map((kind) => classes(told, kind, 8)),
		classes(told, "over", 40),
		...(["fault", "hole"] as const).map((kind) => classes(told, kind, 50)),
		`\nseed ${seed}: ${told.length} calls in ${Math.round(seconds)} s, ${shims} of them also judged by the compiled shim\n`,
		`${count("hole")} holes, ${count("fault")} faults, ${count("over")} over-refusals (${share} %, without "stops" and "idle")\n`,
	];
	process.stdout.write(text.join(""));
	return count("hole") + count("fault") > 0 ? 1 : 0;
}
