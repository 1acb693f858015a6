// The corpus of command lines as data.

import type { Env } from "../support/shell.ts";

export interface Case {
	expected: "deny" | "allow" | "either";
	name: string;
	why: string;
	env: Env;
	command: string;
}

export interface Section {
	title: string;
	cases: Case[];
}

const HEAD = /^(deny|allow|either) +(?:([\w-]+): )?(.*)$/;

/** The sections of the corpus (README.md has its form). */
export function corpus(text: string): Section[] {
	const sections: Section[] = [];
	const lines = text.split("\n");
	for (const [k, line] of lines.entries()) {
		const section = sections.at(-1);
		const last = section?.cases.at(-1);
		const head = HEAD.exec(line);
		const env = /^ {2}env (\w+)=(.*)$/.exec(line);
		if (line.startsWith("== ")) sections.push({ title: line.slice(3), cases: [] });
		else if (head)
			section?.cases.push({ expected: head[1] as Case["expected"], name: head[2] ?? "", why: head[3] ?? "", env: {}, command: "" });
		else if (line.startsWith("    ") && last) last.command += `${last.command === "" ? "" : "\n"}${line.slice(4).replaceAll("<CR>", "\r")}`;
		else if (env && last) last.env[env[1] as string] = env[2];
		else if (line === "" && last && lines[k + 1]?.startsWith("    ")) last.command += "\n";
		else if (line !== "" && !line.startsWith("#")) throw new Error(`lines.txt:${k + 1}: ${line}`);
	}
	return sections;
}
