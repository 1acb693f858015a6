// The floor of a guardfile: whether a session has one, what may be written besides, and which groups may not.

import { DENIABLE, GROUPS } from "../floor/groups.ts";
import { type FloorSettings, MODES, type Mode } from "../floor/settings.ts";
import { fromText } from "../policy/bytes.ts";
import { oneOf } from "./check-gate.ts";
import type { KdlNode } from "./kdl.ts";
import { didYouMean } from "./nearest.ts";
import { lineOf, type Report, shown } from "./problem.ts";
import { type Allowed, blockOf, noArguments, noBlock, oneArgument } from "./shape.ts";
import * as words from "./words.ts";

const IN_FLOOR: ReadonlyMap<string, Allowed> = new Map([
	["default", { repeatable: false }],
	["write", { repeatable: true }],
	["deny-group", { repeatable: true }],
]);

function whyNoGroup(text: string): string | undefined {
	if (DENIABLE.includes(text)) return undefined;
	if (GROUPS.some(({ name }) => name === text))
		return `${shown(text)} cannot be denied: without it there is nothing to work in or to record to`;
	return `unknown group ${shown(text)}${didYouMean(text, DENIABLE)}`;
}

const MODE = oneOf(MODES);

/** What each word in the block takes, and what it must look like. */
const VALUES: Readonly<Record<string, { what: string; check(text: string): string | undefined }>> = {
	default: MODE,
	write: { what: "a path", check: words.place },
	"deny-group": { what: "the name of a group", check: whyNoGroup },
};

/** Check one `floor { ... }`. */
export function checkFloor(node: KdlNode, report: Report): FloorSettings {
	const floor: FloorSettings = { default: "off", write: [], denied: [], guardfile: report.source.path };
	noArguments(node, report);
	if ((node.children ?? []).length === 0) report.say(node, '"floor" says nothing: what it says stands in a block behind it');
	for (const child of blockOf(node, IN_FLOOR, report)) {
		noBlock(child, report);
		const { what, check } = VALUES[child.name] as { what: string; check(text: string): string | undefined };
		const given = oneArgument(child, what, report);
		const wrong = given && check(given.text);
		if (wrong) report.say(given.at, wrong);
		if (given === undefined || wrong) continue;
		const line = lineOf(report.source, child.start);
		if (child.name === "default") floor.default = given.text as Mode;
		else if (child.name === "write") floor.write.push({ path: fromText(given.text), line });
		else floor.denied.push({ group: given.text, line });
	}
	return floor;
}
