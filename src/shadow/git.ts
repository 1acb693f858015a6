// Git as a shadow needs it: the real one, on paths that are bytes, running none of a repository's hooks and asking nobody anything.

import { spawnSync } from "node:child_process";
import { quoteWord } from "../confine/words.ts";
import { type Bytes, toText } from "../policy/bytes.ts";
import { realTool } from "../sys/find-tool.ts";
import type { System } from "../sys/system.ts";

/** What a call of git came to. */
export interface Answer {
	status: number;
	stdout: Bytes;
	/** The first line of its complaint, without the word in front. */
	complaint: string;
}

/** Runs git with some words. */
export type Git = (...words: Bytes[]) => Answer;

/**
 * What is set for every call. A repository may name programs to run at a checkout or at a look for changes, and whoever works in
 * a shadow could have named them; what looks must not run them.
 */
const QUIET = ["core.hooksPath=/dev/null", "core.fsmonitor=false", "core.quotePath=false", "gc.auto=0", "log.showSignature=false"];

/** The answer of `git status` may name every file of a large tree. */
const LARGEST = 1 << 28;

/** The environment without what would lead git elsewhere: it is told by its words alone which repository is meant. */
function environment(more: Readonly<Record<string, string>>): Record<string, string | undefined> {
	const kept = Object.entries(process.env).filter(([name]) => !name.startsWith("GIT_"));
	return { ...Object.fromEntries(kept), LC_ALL: "C", GIT_OPTIONAL_LOCKS: "0", GIT_TERMINAL_PROMPT: "0", ...more };
}

const isText = (word: Bytes) => !/[\ud800-\udfff]/u.test(toText(word));

/** A word for sh whose bytes are no text: printf makes it of octal numbers; the dot keeps newlines at its end. */
const octal = (word: Bytes) => [...word].map((byte) => `\\0${byte.charCodeAt(0).toString(8).padStart(3, "0")}`).join("");

/** A program and its words as a runtime can start them, which knows no words but text. */
function startable(program: Bytes, words: readonly Bytes[]): [program: string, words: string[]] {
	if ([program, ...words].every(isText)) return [toText(program), words.map(toText)];
	const made = [program, ...words].map((word) => {
		return isText(word) ? `set -- "$@" ${quoteWord(toText(word))}` : `w=$(printf '%b.' '${octal(word)}'); set -- "$@" "\${w%.}"`;
	});
	return ["/bin/sh", ["-c", `set --; ${made.join("; ")}; exec "$@"`]];
}

/** The first line of what git said. */
const firstOf = (stderr: Bytes) => (stderr.split("\n").find((line) => line !== "") ?? "").replace(/^(fatal|error): /, "");

/**
 * Git for this person; undefined when there is none on PATH besides shims.
 * @param more variables to set, for every call
 */
export function gitOf(system: System, more: Readonly<Record<string, string>> = {}): Git | undefined {
	const found = realTool(system, "git");
	if ("missing" in found) return undefined;
	return (...words) => {
		const [program, argv] = startable(found.path, [...QUIET.flatMap((setting) => ["-c", setting]), ...words]);
		const run = spawnSync(program, argv, {
			// Every path is absolute, and the directory that we stand in may be the one that goes.
			cwd: "/",
			env: environment(more),
			encoding: "latin1",
			maxBuffer: LARGEST,
			stdio: ["ignore", "pipe", "pipe"],
		});
		const complaint = run.error ? run.error.message : firstOf(run.stderr ?? "");
		return { status: run.status ?? 128, stdout: run.stdout ?? "", complaint };
	};
}

/** For looking alone: nothing is fetched, whatever a repository says of where its objects are. */
export const LOOKING = { GIT_ALLOW_PROTOCOL: "none", GIT_NO_LAZY_FETCH: "1" } as const;

/** The one line of an answer; undefined when git failed or said nothing. A name may hold newlines, so only the last one is git's. */
export function lineOf({ status, stdout }: Answer): Bytes | undefined {
	const line = stdout.replace(/\n$/, "");
	return status === 0 && line !== "" ? line : undefined;
}

/** The fields of an answer in which each ends in a NUL. */
export const fieldsOf = ({ stdout }: Answer): Bytes[] => stdout.split("\0").filter((field) => field !== "");

/** How long one waits for another tmx at the same repository, and how often it looks. */
const PATIENCE = 10_000;
const PAUSE = 20;

/**
 * Change a repository's list of worktrees while no other tmx does: git takes one that another git is just making for a broken
 * one, and fails. After some time it is tried all the same, since each git is safe by itself.
 */
export function inTurn<T>(system: System, repository: Bytes, act: () => T): T {
	let outcome: { value: T } | undefined;
	const once = () => {
		outcome = { value: act() };
	};
	for (const end = Date.now() + PATIENCE; system.exact && Date.now() < end && !system.locked(repository, once); ) {
		Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE);
	}
	return outcome === undefined ? act() : outcome.value;
}
