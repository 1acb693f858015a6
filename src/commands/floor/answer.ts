// What a process under a floor could do with paths that somebody asks about.

import type { Floor } from "../../floor/floor.ts";
import { placeToOpen, type Reach, reachOf } from "../../floor/reach.ts";
import { type Bytes, quote, toText } from "../../policy/bytes.ts";
import type { System } from "../../sys/system.ts";
import type { Screen } from "../screen.ts";

/** What may be done, in words. */
function able({ write, empty, rename }: Reach): string {
	const all = [write ? (empty ? "write" : "write, and not empty") : "", rename ? "make, remove and rename" : ""].filter(
		(part) => part !== "",
	);
	return all.length === 2 && empty ? "write, make, remove and rename" : all.join("; ");
}

/** What a person does to open a place: it must be there when a session starts. */
export function stepsTo(system: System, place: Bytes): string {
	const home = system.env("HOME") ?? "";
	const path = place.startsWith("~/") ? `${home}${place.slice(1)}` : place;
	const kind = system.kind(path, true);
	const made = kind === undefined ? `mkdir -p ${quote(place)}, and ` : "";
	const what = kind === "file" ? "opens it, to be written and not to be removed or renamed," : "opens it,";
	return `${made}floor { write ${JSON.stringify(toText(place))} } in the guardfile ${what} from the next session on`;
}

function answer(system: System, reach: Reach, screen: Screen): string {
	const { text, entry, target, by } = reach;
	const leads = target !== text && target !== entry ? ` (leads to ${quote(target)})` : entry === text ? "" : ` (is ${quote(entry)})`;
	if (by !== undefined)
		return `${screen.tint("good", "open")}     ${quote(text)}${leads}: ${able(reach)} (${by.group}: ${quote(by.path)})\n`;
	const place = placeToOpen(system, reach, system.env("HOME") ?? "");
	const next = place === undefined ? "" : `\n         next: ${stepsTo(system, place)}`;
	return `${screen.tint("bad", "refused")}  ${quote(text)}${leads}: in no place that may be written${next}\n`;
}

/** The answers, and whether every path is open in some way. */
export function answers(
	system: System,
	floor: Floor,
	paths: readonly Bytes[],
): { open: boolean; text(screen: Screen): string; data: object[] } {
	const cwd = system.real(".", true) ?? "";
	const all = paths.map((path) => reachOf(system, floor, path, cwd));
	return {
		open: all.every(({ by }) => by !== undefined),
		text: (screen) => all.map((reach) => answer(system, reach, screen)).join(""),
		data: all.map(({ text, entry, target, write, empty, rename, by }) => ({
			path: toText(text),
			entry: toText(entry),
			target: toText(target),
			write,
			empty,
			rename,
			...(by && { group: by.group, by: toText(by.path) }),
		})),
	};
}
