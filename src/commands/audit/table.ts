// The audit as a table for people: a line a record, and below a refusal the operand that it was for.

import type { Entry } from "../../audit.ts";
import { fromText, quote } from "../../policy/bytes.ts";
import { baseOf } from "../../policy/resolve.ts";
import { fit, pad, type Screen, type Tint } from "../screen.ts";

/** Columns before the call: their titles and widths. */
const TIME = ["TIME", 19] as const;
const DECISION = ["DECISION", 8] as const;
const DOOR = ["DOOR", 7] as const;
const GAP = "  ";
const CALL_AT = TIME[1] + DECISION[1] + DOOR[1] + 3 * GAP.length;

const TINTS: Readonly<Record<string, Tint>> = { accept: "quiet", reject: "bad", stop: "bad" };

/** A word of a record for the screen: control characters and what is not UTF-8 escaped. */
const shown = (text: string) => quote(fromText(text));

/** Local time to the second, which is what a person compares with a clock. */
function timeOf(ts: string): string {
	const date = new Date(ts);
	if (Number.isNaN(date.getTime())) return shown(ts);
	const two = (value: number) => String(value).padStart(2, "0");
	const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
	return `${day} ${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}

function callOf({ tool, argv, omitted }: Entry): string {
	const [name = "", ...rest] = argv.map(fromText);
	const as = baseOf(name) === fromText(tool) ? "" : `${shown(tool)}: `;
	return as + [name, ...rest].map(quote).join(" ") + (omitted ? ` … and ${omitted} more` : "");
}

function refusalOf({ operands = [], reason = "" }: Entry): string {
	const [first] = operands;
	if (!first) return shown(reason);
	const is = first.resolved !== "" && first.resolved !== first.text ? ` is ${shown(first.resolved)}` : "";
	const more = operands.length > 1 ? `, and ${operands.length - 1} more` : "";
	return `${shown(first.text)}${is}: ${reason === "" ? "refused" : plain(reason)}${more}`;
}

/** A sentence of ours: quoted only when something in it could deceive. */
function plain(text: string): string {
	const quoted = shown(text);
	return quoted.startsWith("$'") ? quoted : text;
}

/** The line of titles. */
export function titles(screen: Screen): string {
	const line = [pad(...TIME), pad(...DECISION), pad(...DOOR), "CALL"].join(GAP);
	return `${screen.tint("strong", fit(line, screen.columns))}\n`;
}

/** One record. */
export function rowText(entry: Entry, screen: Screen): string {
	const { ts, decision, door } = entry;
	const tint = TINTS[decision] ?? "doubtful";
	const call = fit(callOf(entry), Math.max(20, screen.columns - CALL_AT));
	const decided = screen.tint(tint, pad(shown(decision), DECISION[1]));
	let text = `${[pad(timeOf(ts), TIME[1]), decided, pad(shown(door), DOOR[1]), call].join(GAP)}\n`;
	const below = decision === "reject" ? refusalOf(entry) : (entry.unknown ?? []).map(shown).join(" ");
	if (below === "") return text;
	const label = decision === "reject" ? "why " : "not known beforehand: ";
	text += `${screen.tint("quiet", " ".repeat(4) + fit(label + below, Math.max(20, screen.columns - 4)))}\n`;
	return text;
}

/** Characters that JSON leaves as they are and a terminal may obey: DEL, C1, and what turns the direction of text. */
const OBEYED = /[\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g;
const ASCII = /^[ -~]*$/;

/** A record as a line of JSON, the same in meaning as the one in the file. */
export function rowJson(entry: Entry, text: string): string {
	if (ASCII.test(text)) return `${text}\n`;
	const json = JSON.stringify(entry).replace(OBEYED, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
	return `${json}\n`;
}
