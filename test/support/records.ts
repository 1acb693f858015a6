// The audit of a box, read back.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Entry } from "../../src/audit.ts";

/** The lines of an audit file and of those that were rotated away from it. */
export function auditLines(path: string): string[] {
	const directory = dirname(path);
	if (!existsSync(directory)) return [];
	const files = readdirSync(directory).filter((name) => name === basename(path) || /^\.\d+$/.test(name.slice(basename(path).length)));
	const own = files.filter((name) => name.startsWith(basename(path)));
	return own.flatMap((name) => readFileSync(join(directory, name), "utf8").split("\n").slice(0, -1));
}

/** The records of an audit. */
export function records(path: string): Entry[] {
	return auditLines(path).map((line) => JSON.parse(line) as Entry);
}
