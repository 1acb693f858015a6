// Claude Code's shell snapshots: one line at the tail of each brings the fragment into every tool shell.

import { appendFileSync, lstatSync, readdirSync, readFileSync, renameSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { quoteWord } from "./words.ts";

/** What Claude Code calls them. */
const NAME = /^snapshot-(?:bash|zsh|sh)-\d+-[0-9A-Za-z]+\.sh$/;
/** Ends every line of ours; the second one where the file had no newline at its end, and shall have none again. */
const MARK = "# tmx: tool-confine";
const MARK_JOINED = "# tmx: tool-confine, where no newline was";
const OURS = new RegExp(`\\n.* ${MARK_JOINED}(?:\\n|$)|^.* ${MARK}(?:\\n|$)`, "gm");

/** What became of one snapshot. */
export interface Touched {
	path: string;
	did: "added" | "there" | "removed" | { failed: string };
}

/** The default for the number of tasks: what a large build on this machine needs. */
export function tasksMax(processors: number): number {
	return Math.max(4096, 64 * processors);
}

/** The line: sources the fragment where it can be read, and is silent where it cannot. */
export function sourceLine(fragment: string, tasks: number): string {
	const file = quoteWord(fragment);
	return `{ export AGENT_TASKS_MAX="\${AGENT_TASKS_MAX:-${tasks}}"; [ -r ${file} ] && \\. ${file}; } 2>/dev/null || : ${MARK}\n`;
}

function snapshotsIn(directory: string): string[] {
	try {
		// A link could lead anywhere, so only files are taken.
		const names = readdirSync(directory).filter((name) => NAME.test(name));
		return names.map((name) => join(directory, name)).filter((path) => lstatSync(path).isFile());
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
		throw error;
	}
}

function touch(path: string, act: (content: string) => Touched["did"]): Touched {
	try {
		return { path, did: act(readFileSync(path, "latin1")) };
	} catch (error) {
		return { path, did: { failed: (error as NodeJS.ErrnoException).code ?? String(error) } };
	}
}

/** Replace a file in one step, unless it changed meanwhile. */
function replace(path: string, before: string, content: string): void {
	const staged = `${path}.tmx-${process.pid}`;
	try {
		writeFileSync(staged, content, { encoding: "latin1", flag: "wx", mode: lstatSync(path).mode & 0o777 });
		if (readFileSync(path, "latin1") !== before) throw new Error("it changed meanwhile");
		renameSync(staged, path);
	} catch (error) {
		try {
			unlinkSync(staged);
		} catch {
			// It was not made.
		}
		throw error;
	}
}

/** Take our lines out of a text, whatever they sourced. */
const without = (content: string) => content.replace(OURS, "");

/**
 * Have the line at the tail of each snapshot, once. It is appended with one write: whoever made the snapshot may still have it
 * open, and would go on writing into a file that we had replaced.
 */
export function addLines(directory: string, line: string): Touched[] {
	const bytes = Buffer.from(line).toString("latin1");
	const joined = bytes.replace(MARK, MARK_JOINED);
	return snapshotsIn(directory).map((path) =>
		touch(path, (content) => {
			const stands = content.endsWith(bytes) || content.endsWith(joined);
			if (stands && content.match(OURS)?.length === 1) return "there";
			const kept = without(content);
			if (kept !== content) replace(path, content, kept);
			appendFileSync(path, kept === "" || kept.endsWith("\n") ? bytes : `\n${joined}`, "latin1");
			return "added";
		}),
	);
}

/** Take the line away again. */
export function removeLines(directory: string): Touched[] {
	const touched = snapshotsIn(directory).map((path) =>
		touch(path, (content) => {
			const kept = without(content);
			if (kept === content) return "there";
			replace(path, content, kept);
			return "removed";
		}),
	);
	return touched.filter(({ did }) => did !== "there");
}
