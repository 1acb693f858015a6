// The corpus: each command line with the events that it gives, one a line, in files that need no TypeScript to be read (README.md).

import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fromText, toText } from "../../src/policy/bytes.ts";
import { readCommandLine } from "../../src/shell/read.ts";
import { line } from "./notation.ts";
import { around } from "./tree.ts";

/** A command line and the lines that stand below it. */
interface Case {
	command: string;
	events: string[];
}

/** The cases of a file: `$ ` and `. ` start the lines of a command, two blanks an event. */
function cases(text: string): Case[] {
	const found: Case[] = [];
	for (const each of text.split("\n")) {
		const last = found.at(-1);
		if (each.startsWith("$ ")) found.push({ command: each.slice(2), events: [] });
		else if (each.startsWith(". ") && last) last.command += `\n${each.slice(2)}`;
		else if (each.startsWith("  ") && last) last.events.push(each.slice(2));
		else if (each !== "" && !/^(#|==)/.test(each)) throw new Error(`not a line of the corpus: ${each}`);
	}
	return found;
}

/** What a command line gives, in the notation of the corpus. */
function given(command: string): string[] {
	const { events, exhausted } = readCommandLine(fromText(command), around);
	const said = events.filter(({ kind }) => kind !== "test");
	return [...said.map((event) => toText(line(event, "/area/proj"))), ...(exhausted ? ["exhausted"] : [])];
}

/** The text of a file with what is given now below each command: `WRITE=1 bun test` rewrites the files, to be read before they are kept. */
function rewritten(text: string): string {
	const lines: string[] = [];
	let command: string | undefined;
	const flush = () => {
		if (command !== undefined) lines.push(...given(command).map((each) => `  ${each}`));
		command = undefined;
	};
	for (const each of text.split("\n")) {
		if (each.startsWith("  ")) continue;
		if (each.startsWith(". ")) command += `\n${each.slice(2)}`;
		else flush();
		if (each.startsWith("$ ")) command = each.slice(2);
		lines.push(each);
	}
	flush();
	return lines.join("\n");
}

for (const file of readdirSync(import.meta.dir).filter((name) => name.endsWith(".txt") && name !== "pieces.txt")) {
	const path = join(import.meta.dir, file);
	if (process.env.WRITE) writeFileSync(path, rewritten(readFileSync(path, "utf8")));
	describe(file, () => {
		for (const { command, events } of cases(readFileSync(path, "utf8"))) {
			test(command, () => expect(given(command)).toEqual(events));
		}
	});
}
