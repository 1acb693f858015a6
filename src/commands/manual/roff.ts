// The manual page tmx(1) in the man macros (groff_man(7)), made from the definitions of the commands.

import { VERSION } from "../../version.ts";
import type { CommandRow, OptionRow } from "../completions/rows.ts";
import { CLOSING, OPENING, type Section } from "./words.ts";

/** How the page begins; by it a file is known to be ours. */
export const MANUAL_HEAD = '.\\" The manual page of tmx; made by "tmx help --man".\n';

/** No line of the source is longer, where its words allow it. */
const WIDTH = 78;

/** A text in lines; roff fills them anew. */
function folded(words: string): string {
	const lines: string[] = [];
	for (const word of words.split(" ")) {
		const last = lines.at(-1);
		if (last !== undefined && last.length + 1 + word.length <= WIDTH) lines[lines.length - 1] = `${last} ${word}`;
		else lines.push(word);
	}
	return lines.join("\n");
}

/** Text for roff: what it would read as a request, an escape or a hyphen is none, so that commands can be copied from the page. */
function text(words: string): string {
	return folded(words)
		.replaceAll("\\", "\\e")
		.replaceAll("-", "\\-")
		.replaceAll("`", "")
		.replaceAll(/^(?=[.'])/gm, "\\&");
}

const bold = (words: string) => `\\fB${text(words)}\\fR`;
const italic = (words: string) => `\\fI${text(words)}\\fR`;

function optionItem({ name, letters, about, value, preset, many }: OptionRow): string {
	const said = value ? `=${italic(value.hint)}` : "";
	const argument = value?.needed === false ? `[${said}]` : said;
	const spellings = [...letters.map((letter) => bold(`-${letter}`)), `${bold(`--${name}`)}${argument}`];
	const more = [
		...(preset === undefined ? [] : [`default: ${preset}`]),
		...(many && !/several times/.test(about) ? ["may be repeated"] : []),
	];
	return `.TP\n${spellings.join(", ")}\n${text(`${about}${more.length > 0 ? ` (${more.join("; ")})` : ""}`)}\n`;
}

function synopsis({ name, options, operands, rest }: CommandRow): string {
	const words = [bold(`tmx ${name}`)];
	const needed = options.filter(({ required }) => required);
	words.push(...needed.map((option) => `${bold(`--${option.name}`)} ${italic(option.value?.hint ?? "")}`));
	if (options.length > needed.length + 1) words.push(`[${italic("OPTION")}...]`);
	if (operands) words.push(operands.least > 0 ? italic(operands.name) : `[${italic(operands.name)}]`);
	if (rest) words.push(`[${bold("--")} ${italic(rest.name)}]`);
	return words.join(" ");
}

function commandSection(row: CommandRow): string {
	const { name, about, options, operands, rest } = row;
	const items = [
		...(operands ? [`.TP\n${italic(operands.name)}\n${text(operands.about)}\n`] : []),
		...(rest ? [`.TP\n${bold("--")} ${italic(rest.name)}\n${text(rest.about)}\n`] : []),
		...options.filter((option) => option.name !== "help").map(optionItem),
	];
	return `.SS ${text(`tmx ${name}`)}\n${synopsis(row)}\n.PP\n${text(about)}\n${items.join("")}`;
}

/** A section of words: paragraphs, and pairs of a term and what is said of it. */
function section({ title, paragraphs = [], terms = [] }: Section): string {
	const said = paragraphs.map((words) => `.PP\n${text(words)}\n`).join("");
	const listed = terms.map(([term, about]) => `.TP\n${bold(term)}\n${text(about)}\n`).join("");
	return `.SH ${title}\n${said.replace(/^\.PP\n/, "")}${listed}`;
}

/** The whole page. */
export function manualPage(rows: readonly CommandRow[]): string {
	return [
		MANUAL_HEAD,
		`.TH TMX 1 "" "tmx ${text(VERSION)}" "User Commands"\n`,
		".SH NAME\n",
		"tmx \\- keeps coding agents from damaging the machine that they work on\n",
		".SH SYNOPSIS\n",
		rows.map((row) => `${synopsis(row)}\n`).join(".br\n"),
		...OPENING.map(section),
		".SH COMMANDS\n",
		...rows.map(commandSection),
		...CLOSING.map(section),
	].join("");
}
