// Guardfiles in, rules out: every name bound to something that exists, or else all that is wrong with them.

import type { FloorSettings } from "../floor/settings.ts";
import type { Bytes } from "../policy/bytes.ts";
import type { GateRule } from "../policy/policy.ts";
import { checkFloor } from "./check-floor.ts";
import { type RootSets, rootSettings, type Setting } from "./check-gate.ts";
import { checkWrap, gatesIn, type Wrap } from "./check-wrap.ts";
import { type KdlNode, parseKdl } from "./kdl.ts";
import { didYouMean } from "./nearest.ts";
import { Once } from "./once.ts";
import { type Problem, Report, type Source, shown } from "./problem.ts";
import { noArguments, oneArgument, plain } from "./shape.ts";

/** What all guardfiles together say. */
export interface Guard {
	wraps: Wrap[];
	/** The gates of what has no argv. */
	files: { gates: GateRule[]; path: Bytes } | undefined;
	/** What is said of the floor. */
	floor?: FloorSettings;
}

/** A guardfile's nodes and what is wrong with them so far. */
interface Reading {
	nodes: KdlNode[];
	report: Report;
}

/** A wrap with the place that it stands at. */
interface Placed {
	wrap: Wrap;
	node: KdlNode;
	report: Report;
}

const TOP: readonly string[] = ["wrap", "files", "roots", "floor"];

/** Collect the sets of roots of all guardfiles: a gate may stand before its set, and in another file. */
function collectRoots(readings: readonly Reading[], complete: boolean): RootSets {
	const sets = new Map<string, Setting[]>();
	const once = new Once();
	for (const { nodes, report } of readings) {
		for (const node of nodes.filter((node) => node.name === "roots")) {
			const given = oneArgument(node, "a name", report);
			const settings = rootSettings(node, report);
			if (given === undefined) continue;
			if (given.text === "") report.say(given.at, "the name of a set of roots is empty");
			else if (once.claim(given.text, given.at, `roots ${shown(given.text)} are given`, report)) sets.set(given.text, settings);
		}
	}
	return { sets, complete };
}

/** A shim under another tool's name would act by that tool's policy. */
function checkLinks(wraps: readonly Placed[]): void {
	const tools = new Set(wraps.map(({ wrap }) => wrap.tool));
	for (const { wrap, node, report } of wraps) {
		if (wrap.link === undefined || wrap.link === wrap.tool || !tools.has(wrap.link)) continue;
		const replace = node.children?.find((child) => child.name === "replace");
		report.say(replace?.args[0] ?? node, `${shown(wrap.link)} is wrapped itself, so it cannot be the shim of another tool`);
	}
}

function checkNodes(readings: readonly Reading[], sets: RootSets): Guard {
	const once = new Once();
	const wraps: Placed[] = [];
	let files: Guard["files"];
	let floor: FloorSettings | undefined;
	for (const { nodes, report } of readings) {
		for (const node of nodes) {
			plain(node, report);
			if (node.name === "wrap") {
				const wrap = checkWrap(node, once, sets, report);
				if (wrap) wraps.push({ wrap, node, report });
			} else if (node.name === "files") {
				once.claim("files", node, '"files" is given', report);
				noArguments(node, report);
				files = { gates: gatesIn(node, false, sets, report), path: report.source.path };
			} else if (node.name === "floor") {
				once.claim("floor", node, '"floor" is given', report);
				floor = checkFloor(node, report);
			} else if (node.name !== "roots") {
				report.say(node, `unknown word ${shown(node.name)}${didYouMean(node.name, TOP)}`);
			}
		}
	}
	checkLinks(wraps);
	return { wraps: wraps.map(({ wrap }) => wrap), files, ...(floor && { floor }) };
}

const byPlace = (a: Problem, b: Problem) => (a.at?.start ?? 0) - (b.at?.start ?? 0);

/**
 * Check guardfiles as one policy. Problems come in the order of the files, and in each by place.
 * @param complete whether these are all of them; else a set of roots may stand in one that could not be read
 */
export function check(sources: readonly Source[], complete = true): { guard: Guard } | { problems: Problem[] } {
	const parsed = sources.map((source) => ({ source, result: parseKdl(source) }));
	const readings = parsed.map(({ source, result }) => ({ nodes: "nodes" in result ? result.nodes : [], report: new Report(source) }));
	const whole = complete && parsed.every(({ result }) => "nodes" in result);
	const guard = checkNodes(readings, collectRoots(readings, whole));
	const problems = parsed.flatMap(({ result }, k) => {
		return "problems" in result ? result.problems.sort(byPlace) : (readings[k] as Reading).report.problems.sort(byPlace);
	});
	const first = sources[0];
	if (problems.length === 0 && first && guard.wraps.length === 0 && guard.files === undefined) {
		const words = 'guards nothing: there is no "wrap" and no "files" in it; "tmx help default.kdl" prints some to begin with';
		problems.push({ source: { name: first.name }, words });
	}
	return problems.length > 0 ? { problems } : { guard };
}
