// How a command's text looks: coloured and cut to the width where stdout is a terminal, neither where it is not.

import { colors } from "consola/utils";
import type { System } from "../sys/system.ts";
import { mayColour } from "./usage.ts";

/** The colours that carry a meaning, each said in words as well. */
export type Tint = "good" | "doubtful" | "bad" | "quiet" | "strong";

const TINTS = { good: colors.green, doubtful: colors.yellow, bad: colors.red, quiet: colors.dim, strong: colors.bold } as const;

/** What text is printed on. */
export interface Screen {
	/** Cells in a line; without end where nobody has to look at it. */
	columns: number;
	tint(tint: Tint, text: string): string;
}

/** The screen that stdout is. */
export function screenOf(system: System): Screen {
	const colour = mayColour(system, 1);
	return {
		columns: process.stdout.isTTY ? process.stdout.columns || 80 : Number.POSITIVE_INFINITY,
		tint: (tint, text) => (colour && text !== "" ? TINTS[tint](text) : text),
	};
}

/** Characters that take two cells of a terminal, near enough (Unicode Standard Annex 11). */
const WIDE = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u;
const MARK = /\p{M}/u;
const ASCII = /^[ -~]*$/;

/** How many cells a text takes. */
export function cells(text: string): number {
	if (ASCII.test(text)) return text.length;
	let count = 0;
	for (const character of text) count += MARK.test(character) ? 0 : WIDE.test(character) ? 2 : 1;
	return count;
}

/** As much of a text as fits, with an ellipsis where something is missing. */
export function fit(text: string, columns: number): string {
	if (cells(text) <= columns) return text;
	let kept = "";
	let left = columns - 1;
	for (const character of text) {
		left -= cells(character);
		if (left < 0) break;
		kept += character;
	}
	return columns > 0 ? `${kept}…` : "";
}

/** A text with spaces behind it, up to a width. */
export function pad(text: string, columns: number): string {
	return text + " ".repeat(Math.max(0, columns - cells(text)));
}

/** Rows of a label and what it says, the labels in one column. */
export function labelled(rows: readonly (readonly [label: string, text: string])[], screen: Screen, indent = "  "): string {
	const width = Math.max(...rows.map(([label]) => label.length));
	return rows.map(([label, text]) => `${indent}${screen.tint("quiet", label.padEnd(width))}  ${text}\n`).join("");
}
