// The cases of settings.txt.

import { readFileSync } from "node:fs";
import { join } from "node:path";

/** One settings file and what becomes of it. */
export interface Case {
	agent: string;
	title: string;
	before: string;
	after: string;
	/** Undefined where the file is gone. */
	uninstalled: string | undefined;
}

const MARKS: readonly [name: string, text: string][] = [
	["<CR>", "\r"],
	["<BOM>", "\ufeff"],
];

function read(text: string): string {
	const plain = MARKS.reduce((now, [name, mark]) => now.replaceAll(name, mark), text);
	return plain.replace(/<END>\n$/, "");
}

/** All cases. */
export function cases(): Case[] {
	const parts = readFileSync(join(import.meta.dir, "settings.txt"), "utf8")
		.split(/^== /m)
		.slice(1);
	return parts.map((part) => {
		const end = part.indexOf("\n");
		const [, agent = "", title = ""] = /^(\w+): (.*)$/.exec(part.slice(0, end)) ?? [];
		const sections = part.slice(end + 1).split(/^-- (before|after|uninstalled)\n/m);
		const section = (name: string) => {
			const at = sections.indexOf(name);
			return at < 0 ? undefined : read(sections[at + 1] ?? "");
		};
		const before = section("before") ?? "";
		const uninstalled = section("uninstalled") ?? before;
		return { agent, title, before, after: section("after") ?? "", uninstalled: uninstalled === "<GONE>\n" ? undefined : uninstalled };
	});
}
