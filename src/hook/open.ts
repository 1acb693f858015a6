// Lines of simple commands whose words are all known: judged as they stand, without reading the shell's language. It only ever says "nothing against it".

import { readersFor } from "../guardfile/readers.ts";
import type { Bytes } from "../policy/bytes.ts";
import type { ToolPolicy } from "../policy/policy.ts";
import { baseOf } from "../policy/resolve.ts";
import { from } from "../shell/places.ts";
import type { CallEvent, RedirectEvent, Word } from "../shell/reading.ts";
import { judgeCall } from "./calls.ts";
import type { Finding } from "./finding.ts";
import { isPlainCommand } from "./plain.ts";
import type { Simple } from "./scan.ts";
import { ESCAPE, PATTERN, QUOTE, type Scanned } from "./scan-word.ts";
import type { Session } from "./session.ts";
import { judgeRedirect } from "./targets.ts";

/** Guarded tools that are to a shell programs like any other: they run no command that their words name, and no built-in has their name. */
export const PROGRAMS: ReadonlySet<string> = new Set(
	(
		"rm rmdir unlink shred mkdir touch cp mv ln install tee truncate chmod chown chgrp dd sed sort uniq shuf split csplit tar unzip " +
		"gzip gunzip bzip2 bunzip2 xz unxz zstd unzstd mkfifo curl wget"
	).split(" "),
);

/** Words with which one of them runs a command, or reads what to do from a file. */
const RUNS: ReadonlyMap<string, RegExp> = new Map([
	["split", /^--f/],
	["sort", /^--c/],
	["wget", /^--use/],
	["curl", /^(-[a-zA-Z]*K|--conf)/],
	["tar", /^(-[a-zA-Z]*[IF]|[a-zA-Z]*[IF][a-zA-Z]*$|--(to-c|ch|use|info|new-v|rsh|rmt))/],
	["sed", /^(-[nrEsuz]*f|--fi)|(^|[;{}\n\d$/!,\s])e([\s;}]|$)|^(?!-)(.*\W)?[gpiImM\d]*e[gpiImM\d]*\s*([;}\n]|$)/s],
]);

/** Tools that run what a file says which the line itself may have written. */
const RUNNERS = /^(make|ninja|node|python3?|deno|ruby|php|tsx|ts-node|npm|pnpm|yarn|bun|rake|tox|nox)$/;

/** Commands of git that run nothing for somebody. */
export const GIT: ReadonlySet<string> = new Set(
	(
		"add commit checkout switch branch merge push pull fetch stash tag restore rm mv reset clean init clone worktree cherry-pick " +
		"revert status log diff show"
	).split(" "),
);

/** More is for who counts what reading costs. */
const MOST_COMMANDS = 40;
const MOST_PLACES = 4;
const MOST_NAMES = 400;

/** A word with other marks is more than its text. */
const isKnown = ({ marks }: Scanned) => (marks & ~(QUOTE | ESCAPE)) === 0;
const asWord = (text: Bytes): Word => ({ pieces: text === "" ? [] : [text] });

/** Whether a name is made of these parts in their order, with anything between them. */
function isLike(name: Bytes, parts: readonly Bytes[]): boolean {
	const [first, last] = [parts[0] as Bytes, parts[parts.length - 1] as Bytes];
	if (!name.startsWith(first) || !name.endsWith(last)) return false;
	let at = first.length;
	for (let k = 1; k < parts.length - 1; k++) {
		const part = parts[k] as Bytes;
		const found = name.indexOf(part, at);
		if (found < 0) return false;
		at = found + part.length;
	}
	return at + last.length <= name.length;
}

/** The names that the last component of a word stands for; undefined where that takes more than looking into one directory. */
function namesOf(text: Bytes, session: Session, cwd: Bytes): Bytes[] | undefined {
	const slash = text.lastIndexOf("/") + 1;
	const [directory, pattern] = [text.slice(0, slash), text.slice(slash)];
	if (/[*?[\]]/.test(directory) || /[?[\]]|^[.]/.test(pattern)) return undefined;
	const parts = pattern.split("*");
	const found: Bytes[] = [];
	for (const { name } of session.files.list(from(cwd, directory || ".")) ?? [])
		if (name.charCodeAt(0) !== 46 && isLike(name, parts)) found.push(directory + name);
	return found.length === 0 || found.length > MOST_NAMES ? undefined : found;
}

/** The words of a command as its tool gets them; undefined where one is not known. */
function wordsOf(words: readonly Scanned[], session: Session, cwd: Bytes): Word[] | undefined {
	const known: Word[] = [];
	const expands = words[0]?.text === "rm";
	for (const word of words) {
		if (isKnown(word)) known.push(asWord(word.text));
		else {
			const names = word.marks === PATTERN && expands ? namesOf(word.text, session, cwd) : undefined;
			if (names === undefined) return undefined;
			for (const name of names) known.push(asWord(name));
		}
	}
	return known;
}

/** Words of git's commands that may name a program: of the far end, of a setting, or of an address. */
const PROGRAM = /^(-(?!-).*[uc]|--up|--rec|--exe|--conf|ext::)/;

/** Whether a command of git is one of these, and names no program; `-u` and `-c` are such options of clone alone. */
function isGit(words: readonly Scanned[]): boolean {
	const [, verb] = words;
	if (verb === undefined || verb.marks !== 0 || !GIT.has(verb.text)) return false;
	if (verb.text !== "clone" && verb.text !== "fetch" && verb.text !== "pull" && verb.text !== "push") return true;
	for (let at = 2; at < words.length; at++) {
		const { text } = words[at] as Scanned;
		if (PROGRAM.test(text) && (verb.text === "clone" || text.charCodeAt(1) === 45 || text.charCodeAt(0) !== 45)) return false;
	}
	return true;
}

/** Whether a command is a call of a guarded tool that means what its words say. */
function isProgram(words: readonly Scanned[]): boolean {
	const [tool] = words;
	if (tool === undefined || tool.marks !== 0) return false;
	if (tool.text === "git") return isGit(words);
	const runs = RUNS.get(tool.text);
	if (runs !== undefined) for (const { text } of words) if (runs.test(text)) return false;
	return PROGRAMS.has(tool.text);
}

/** Names of files that no tool takes what it does from, unless it is told them. */
const RECORD = /[^/]\.(log|txt|out|err|md|csv|tsv|html|patch|diff|pid)$/;

/** What a command writes by its redirections, and the operands of tee. */
function written({ words, writes }: Simple): Scanned[] {
	const found: Scanned[] = [];
	for (const { target } of writes) found.push(target);
	if (words[0]?.text === "tee") for (let at = 1; at < words.length; at++) found.push(words[at] as Scanned);
	return found;
}

function writesAny(commands: readonly Simple[]): boolean {
	for (const { words, writes } of commands) if (writes.length > 0 || words[0]?.text === "tee") return true;
	return false;
}

/** Whether a line writes a file, and then runs what may stand in it. */
function runsOwn(commands: readonly Simple[]): boolean {
	if (!writesAny(commands)) return false;
	const records: Bytes[] = [];
	let wrote = false;
	for (const command of commands) {
		if (RUNNERS.test(command.words[0]?.text ?? "")) {
			if (wrote) return true;
			for (const { text } of command.words) for (const name of records) if (text.includes(name)) return true;
		}
		for (const { text, marks } of written(command))
			if (marks === 0 && RECORD.test(text)) records.push(baseOf(text));
			else if (!text.startsWith("-")) wrote = true;
	}
	return false;
}

/** The policies of the guarded tools that are to be judged; undefined where a command is of another kind than those that are read here. */
function policiesOf(commands: readonly Simple[], { policies }: Session): ToolPolicy[] | undefined {
	const found: ToolPolicy[] = [];
	for (const { words } of commands) {
		const tool = words[0]?.text ?? "";
		if (tool === "cd" || isPlainCommand(words, policies)) continue;
		if (!isProgram(words)) return undefined;
		const policy = policies.tool(tool);
		if (policy !== undefined && !("unusable" in policy)) found.push(policy);
	}
	return found;
}

/** Where a shell may stand, as the line goes on. */
interface Standing {
	places: Bytes[];
	/** Where it stands if a `cd` before did not work; the line goes on there behind anything but `&&`. */
	aside: Bytes[];
	/** Whether the next command runs only if another one worked, or did not. */
	conditional: boolean;
	/** Whether a word before named what git itself reads or runs: its settings, or a hook. */
	meetsGit: boolean;
	/** Whether something on the line runs beside the rest: nobody waits for its end. */
	hasBackground: boolean;
}

const union = (a: readonly Bytes[], b: readonly Bytes[]): Bytes[] => {
	const all = [...a];
	for (const place of b) if (!all.includes(place)) all.push(place);
	return all;
};

/** A `cd` to a directory that is there, by a name that only leads down or from the top; whether it is one. */
function goes({ words, writes, before, behind }: Simple, standing: Standing, session: Session): boolean {
	const [, word] = words;
	if (word === undefined || words.length !== 2 || writes.length > 0 || !isKnown(word)) return false;
	const { text } = word;
	// In a pipeline or in the background the shell itself stays; behind `||` what follows may run where it was not tried.
	if (before === "|" || before === "&" || before === "||" || behind === "|" || behind === "&" || session.hasJudged) return false;
	if (text === "" || text.startsWith("-") || /(^|\/)\.\.(\/|$)/.test(text)) return false;
	if (session.system.env("CDPATH") !== undefined && !text.startsWith("/")) return false;
	const there: Bytes[] = [];
	for (const place of standing.places) {
		const path = from(place, text);
		if (session.files.kind(path, true) !== "directory") return false;
		if (!there.includes(path)) there.push(path);
	}
	standing.aside = union(standing.aside, standing.places);
	standing.places = there;
	return true;
}

/** Whether a finding says that there is nothing against it, with nothing left open. */
const isFine = ({ verdict, unknown }: Finding) => verdict.decision === "allow" && verdict.unread.length === 0 && unknown.length === 0;

function hasPattern(words: readonly Scanned[]): boolean {
	for (const { marks } of words) if (marks & PATTERN) return true;
	return false;
}

/** Where git keeps its settings and hooks, and where projects do. */
const GITS_OWN = /\.git(\/|$|config)|hook|husky|git\/config|\/(pre|post|prepare|commit|applypatch)-\w/;

/** Whether a command names such a place. */
function namesGitsOwn({ words, writes }: Simple): boolean {
	for (const { text } of words) if (GITS_OWN.test(text)) return true;
	for (const { target } of writes) if (GITS_OWN.test(target.text)) return true;
	return false;
}

/** What one command does, judged; undefined unless all of it is known and fine. */
function judged(
	text: Bytes,
	command: Simple,
	{ places, conditional, hasBackground }: Standing,
	session: Session,
	unsure: boolean,
): Finding[] | undefined {
	const findings: Finding[] = [];
	const take = (finding: Finding | undefined) => {
		if (finding !== undefined) findings.push(finding);
		return finding === undefined || isFine(finding);
	};
	const undecided = conditional || hasBackground;
	const common = { cwd: places, conditional, step: 0, after: undefined, given: [], undecided };
	for (const { operator, target, source } of command.writes) {
		if (!isKnown(target)) return undefined;
		const event: RedirectEvent = { kind: "redirect", operator, target: asWord(target.text), writes: true, source, ...common };
		if (!take(judgeRedirect(event, session))) return undefined;
	}
	if (isPlainCommand(command.words, session.policies)) return findings;
	if (!isProgram(command.words) || (places.length > 1 && hasPattern(command.words))) return undefined;
	const words = wordsOf(command.words, session, places[0] as Bytes);
	if (words === undefined) return undefined;
	const source = text.slice(command.start, command.end).trim();
	const event: CallEvent = { kind: "call", words, via: [], onPath: true, env: [], source, ...common };
	return take(judgeCall(event, session, unsure)) ? findings : undefined;
}

/**
 * Judge the simple commands of a line.
 * @param text the line that they were found in
 * @param unsure the directory may be another one than the session's
 * @returns what was judged, all of it fine; undefined where the line has to be read after all, with a new session
 */
export async function judgeOpen(
	text: Bytes,
	commands: readonly Simple[],
	session: Session,
	unsure: boolean,
): Promise<Finding[] | undefined> {
	if (session.cwd === undefined || commands.length > MOST_COMMANDS || runsOwn(commands)) return undefined;
	const policies = policiesOf(commands, session);
	if (policies === undefined) return undefined;
	session.readers = await readersFor(policies);
	const standing: Standing = {
		...{ places: [from("/", session.cwd)], aside: [], conditional: false, meetsGit: false },
		hasBackground: false,
	};
	for (const { behind } of commands) standing.hasBackground ||= behind === "&";
	const findings: Finding[] = [];
	for (const command of commands) {
		const { before } = command;
		if (before !== "|") standing.conditional = before === "&&" || before === "||";
		if (before !== "&&") standing.places = union(standing.places, standing.aside);
		if (standing.places.length > MOST_PLACES) return undefined;
		const tool = command.words[0]?.text;
		if (tool === "git" && standing.meetsGit) return undefined;
		// Where a clone is pushed to is in no file yet.
		standing.meetsGit ||= tool === "git" ? command.words[1]?.text === "clone" : namesGitsOwn(command);
		if (tool === "cd") {
			if (!goes(command, standing, session)) return undefined;
			continue;
		}
		const found = judged(text, command, standing, session, unsure);
		if (found === undefined) return undefined;
		findings.push(...found);
	}
	return findings;
}
