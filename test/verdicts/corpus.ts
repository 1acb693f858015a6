// Reads the corpus: sections with a set-up, and cases that are shell lines (README.md).

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export type Expected = "allow" | "deny" | "allow?" | "deny?" | "either";

export interface Case {
	id: string;
	expected: Expected;
	/** The shell line. */
	line: string;
	why: string;
}

/** Cases that share a tree. */
export interface Section {
	title: string;
	setup: string[];
	/** The set-up lines that need a mount namespace. */
	mounts: string[];
	/** Whose implementation the real tool is. */
	real: string;
	cases: Case[];
}

const CASE = /^(allow\??|deny\??|either)\s+(.*\S)\s+# ([\w-]+): (.*)$/;

function addLine(section: Section, line: string, at: string): void {
	const found = CASE.exec(line);
	if (found) {
		const [, expected, shellLine, id, why] = found as unknown as [string, Expected, string, string, string];
		section.cases.push({ id, expected, line: shellLine, why });
	} else if (line.startsWith("$ mount ")) section.mounts.push(line.slice(2));
	else if (line.startsWith("$ ")) section.setup.push(line.slice(2));
	else if (line.startsWith("real ")) section.real = line.slice(5);
	else throw new Error(`${at}: neither a case, a set-up line nor a title: ${line}`);
}

/** The sections of one file. */
export function parse(text: string, name: string): Section[] {
	const sections: Section[] = [];
	text.split("\n").forEach((line, k) => {
		const at = `${name}:${k + 1}`;
		if (line === "" || line.startsWith("#")) return;
		if (line.startsWith("== ")) sections.push({ title: line.slice(3), setup: [], mounts: [], real: "gnu", cases: [] });
		else {
			const section = sections.at(-1);
			if (section === undefined) throw new Error(`${at}: a line before the first title`);
			addLine(section, line, at);
		}
	});
	return sections;
}

/** Every file of the corpus with its sections. */
export function corpus(): { file: string; sections: Section[] }[] {
	const files = readdirSync(import.meta.dir).filter((file) => file.endsWith(".txt"));
	return files.sort().map((file) => ({ file, sections: parse(readFileSync(join(import.meta.dir, file), "utf8"), file) }));
}
