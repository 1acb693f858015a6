// What a floor would leave open, as a table by groups, or as one JSON object.

import type { Entry, Fate, Floor } from "../../floor/floor.ts";
import { GROUPS } from "../../floor/groups.ts";
import { quote, toText } from "../../policy/bytes.ts";
import { pad, type Screen, type Tint } from "../screen.ts";

/** How each fate reads, and its colour. */
const FATES: Readonly<Record<Fate, { words: string; tint: Tint }>> = {
	granted: { words: "open", tint: "good" },
	made: { words: "to be made", tint: "good" },
	missing: { words: "not there", tint: "quiet" },
	denied: { words: "denied", tint: "bad" },
	dropped: { words: "dropped", tint: "doubtful" },
};

const WIDTH = Math.max(...Object.values(FATES).map(({ words }) => words.length));

/** What may be done with it, where that is less than everything. */
const WHAT: Readonly<Record<Entry["what"], string>> = { tree: "", file: "written as it stands", keep: "written, not emptied" };

function line(entry: Entry, screen: Screen): string {
	const { words, tint } = FATES[entry.fate];
	const path = entry.text === entry.path ? quote(entry.path) : `${quote(entry.text)} = ${quote(entry.path)}`;
	const more = [WHAT[entry.what], entry.note].filter((part) => part !== "").join("; ");
	return `  ${screen.tint(tint, pad(words, WIDTH))}  ${path}${more === "" ? "" : screen.tint("quiet", `  (${more})`)}\n`;
}

/** The strength in a line. */
export function strengthWords({ strength: { kind, why } }: Pick<Floor, "strength">): string {
	return why === "" ? kind : `${kind}: ${why}`;
}

/** The table; what is not there and never made is counted and not listed, unless `all`. */
export function floorText(floor: Floor, screen: Screen, all: boolean): string {
	const parts = GROUPS.map(({ name, why }) => {
		const entries = floor.entries.filter(({ group }) => group === name);
		const shown = entries.filter(({ fate }) => all || fate !== "missing");
		const hidden = entries.length - shown.length;
		if (entries.length === 0) return "";
		const rest = hidden === 0 ? "" : screen.tint("quiet", `  and ${hidden} that ${hidden === 1 ? "is" : "are"} not there (--all)\n`);
		return `${screen.tint("strong", name)}: ${why}\n${shown.map((entry) => line(entry, screen)).join("")}${rest}`;
	});
	return `floor: ${strengthWords(floor)}\n\n${parts.filter((part) => part !== "").join("\n")}`;
}

/** The same as data. */
export function floorData({ strength, entries }: Floor): object {
	return {
		strength,
		entries: entries.map(({ group, text, path, what, fate, note }) => ({
			group,
			text: toText(text),
			path: toText(path),
			what,
			fate,
			note,
		})),
	};
}
