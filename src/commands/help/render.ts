// A page on the screen: headings without their marks, code set in, tables in columns, the rest as it is written.

import { cells, pad, type Screen } from "../screen.ts";

const GAP = "  ";

/** The cells of a table's line. */
function split(line: string): string[] {
	return line
		.slice(1, line.lastIndexOf("|"))
		.split("|")
		.map((cell) => cell.trim());
}

/** A table as columns, without the line of dashes below its titles. */
function table(lines: string[]): string[] {
	const rows = lines.filter((line) => !/^\|[-|: ]+\|$/.test(line)).map(split);
	const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => cells(row[column] ?? ""))));
	return rows.map((row) => GAP + row.map((cell, k) => (k === row.length - 1 ? cell : pad(cell, widths[k] ?? 0))).join(GAP));
}

/** Plain text of a page. */
export function render(markdown: string, screen: Screen): string {
	const out: string[] = [];
	let rows: string[] = [];
	let code = false;
	for (const line of [...markdown.trimEnd().split("\n"), ""]) {
		if (!code && line.startsWith("|")) {
			rows.push(line);
			continue;
		}
		out.push(...table(rows));
		rows = [];
		const heading = /^#+ (.*)$/.exec(line);
		if (line.startsWith("```")) code = !code;
		else if (code) out.push(`    ${line}`);
		else if (heading) out.push(screen.tint("strong", heading[1] ?? ""));
		else out.push(line.replaceAll("**", ""));
	}
	return `${out.join("\n").trimEnd()}\n`;
}
