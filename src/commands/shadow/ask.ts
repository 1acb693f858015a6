// Whether what nothing else has may be deleted: asked on a terminal, and refused with what to do where there is none.

import { readSync } from "node:fs";
import { isatty } from "node:tty";
import { type Bytes, fromText, quote } from "../../policy/bytes.ts";
import type { Findings } from "../../shadow/findings.ts";
import { type Refused, wrong } from "../../shadow/places.ts";
import type { System } from "../../sys/system.ts";
import { risksOf } from "./words.ts";

/** One line of what is typed. */
function typed(): string {
	let line = "";
	const buffer = Buffer.alloc(256);
	while (!line.includes("\n")) {
		const count = readSync(0, buffer);
		if (count === 0) break;
		line += buffer.toString("latin1", 0, count);
	}
	return line.trim();
}

/** What to do without a terminal. */
function advice(id: string, worktree: Bytes, findings: Findings): string {
	const { changed, unknown, ignored, beside, doing, inner, unreadable } = findings;
	if ([changed, unknown, beside, doing, inner].every((list) => list.length === 0) && unreadable === undefined && ignored.length > 0) {
		return `if it can be made again, "tmx shadow release --ignored ${id}" lets it go`;
	}
	const there = quote(worktree);
	const commit = changed.length + unknown.length > 0 ? `"git -C ${there} add -A && git -C ${there} commit" saves what git can have; ` : "";
	return `${commit}"tmx shadow release ${id}" on a terminal asks, and then deletes it`;
}

/** Ask about one shadow. */
export function ask(system: System, id: string, worktree: Bytes, findings: Findings): true | Refused {
	const risks = risksOf(findings);
	if (!isatty(0) || !isatty(2))
		return wrong(`${id} stays, as it holds what is saved nowhere: ${risks.join("; ")}; ${advice(id, worktree, findings)}`);
	const lines = [
		`${id} holds what is saved nowhere:`,
		...risks.map((risk) => `  ${risk}`),
		`type ${id} to delete it, or anything else to keep it: `,
	];
	system.write(2, fromText(lines.join("\n")));
	return typed() === id ? true : wrong(`${id} stays`);
}
