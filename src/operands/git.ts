// git: where a subcommand changes something: the directory of -C, a work tree or a repository that is named, a clone's destination.

import type { Bytes } from "../policy/bytes.ts";
import type { Call, Operand, Reader } from "../policy/call.ts";
import { baseOf, join, type Resolver } from "../policy/resolve.ts";
import { NOTHING } from "./suspects.ts";

/** Options in front of the subcommand that take the next word (git(1)); with `=` they take the rest of their own. */
const GLOBAL_TAKES = [
	"-C",
	"-c",
	"--git-dir",
	"--work-tree",
	"--namespace",
	"--super-prefix",
	"--config-env",
	"--exec-path",
	"--attr-source",
];

/** Subcommands that change no file, whatever their operands. */
const READS = new Set(
	(
		"status log show ls-files ls-tree ls-remote rev-parse rev-list blame annotate grep describe cat-file shortlog for-each-ref merge-base " +
		"name-rev var version help whatchanged count-objects check-ignore check-attr check-ref-format diff-tree diff-index diff-files " +
		"merge-tree cherry show-ref show-branch fsck verify-commit verify-tag range-diff column stripspace get-tar-commit-id instaweb verify-pack " +
		"patch-id request-pull check-mailmap"
	).split(" "),
);

const DRY = /^(-[a-zA-Z]*n[a-zA-Z]*|--dry-run)$/;

/** Subcommands that only read with one of these options. */
const READS_WITH: Readonly<Record<string, RegExp>> = {
	branch: /^(-l|--list|-a|-r|-v|-vv|--all|--remotes|--show-current|--contains|--merged|--no-merged|--points-at|--format.*|--sort.*)$/,
	tag: /^(-l|--list|--contains|--merged|--points-at|-n\d*|--format.*|--sort.*)$/,
	remote: /^(-v|--verbose|-n|--dry-run)$/,
	apply: /^(--stat|--numstat|--summary|--check)$/,
	clean: DRY,
	add: DRY,
	rm: DRY,
	mv: DRY,
	push: DRY,
	prune: DRY,
	worktree: DRY,
	commit: /^--dry-run$/,
};

/** Their actions that only read: the first word that is no option. */
const READING_ACTIONS: Readonly<Record<string, RegExp>> = {
	remote: /^(show|get-url)$/,
	stash: /^(list|show)$/,
	worktree: /^list$/,
	notes: /^(list|show)$/,
	reflog: /^(show|exists|list)$/,
	submodule: /^(status|summary)$/,
	bundle: /^(verify|list-heads)$/,
	bisect: /^(log|view|visualize|terms)$/,
	rerere: /^(status|diff|remaining)$/,
	"sparse-checkout": /^(list|check-rules)$/,
	lfs: /^(ls-files|status|env|locks|version)$/,
};

/** Without an operand these list what is there. */
const LISTS_ALONE = ["branch", "tag", "remote", "notes", "reflog", "submodule"];

/** Options with which a subcommand writes that reads otherwise. */
const READS_WITHOUT: Readonly<Record<string, RegExp>> = {
	"hash-object": /^-w$/,
	"interpret-trailers": /^--in-place$/,
};

/** The row of a subcommand; it may have the name of what every object has. */
const row = <T>(table: Readonly<Record<string, T>>, subcommand: string): T | undefined =>
	Object.hasOwn(table, subcommand) ? table[subcommand] : undefined;

/** Options of clone, init and worktree that take the next word (their man pages). */
const TAKES: Readonly<Record<string, readonly string[]>> = {
	clone:
		"-o --origin -b --branch -u --upload-pack --reference --reference-if-able --template -c --config --depth --shallow-since --shallow-exclude -j --jobs --server-option --separate-git-dir --filter --bundle-uri --revision --ref-format".split(
			" ",
		),
	init: "--template --separate-git-dir -b --initial-branch --object-format --ref-format".split(" "),
	worktree: "-b -B --reason --expire --orphan".split(" "),
	clean: "-e --exclude".split(" "),
	"format-patch": "-o --output-directory --start-number --subject-prefix -v --reroll-count --cover-from-description --suffix".split(" "),
	archive: "-o --output --format --prefix --add-file --remote --exec".split(" "),
	config: "-f --file --blob --type --default --comment --value --url".split(" "),
	bundle: "--version".split(" "),
	bugreport: "-o --output-directory -s --suffix".split(" "),
	diagnose: "-o --output-directory -s --suffix".split(" "),
	push: "-o --push-option --repo --receive-pack --exec".split(" "),
};

/** Subcommands that print a difference, and so take --output (git-diff(1)). */
const DIFFERENCES = "diff log show diff-tree diff-index diff-files whatchanged stash shortlog range-diff".split(" ");

/** Words by which `git config` changes a file, and words by which it only shows one (git-config(1), also as it was before 2.46). */
const SETS =
	/^(--add|--replace-all|--unset|--unset-all|--rename-section|--remove-section|-e|--edit|set|unset|rename-section|remove-section|edit)$/;
const GETS = /^(--get|--get-all|--get-regexp|--get-urlmatch|--get-color|--get-colorbool|-l|--list|get|list|get-color|get-colorbool)$/;

/** The file of the configuration that is changed; undefined when it is the repository's own, [] when none is. */
function configured(rest: Bytes[], at: Bytes, env: (name: string) => Bytes): Operand[] | undefined {
	const { operands, value } = operandsOf("config", rest);
	const options = rest.filter((word) => word.startsWith("-"));
	const words = [...options, ...operands.slice(0, 1)];
	const sets = words.some((word) => SETS.test(word)) || operands.length > 1;
	if (!sets || words.some((word) => GETS.test(word))) return [];
	const file = value("-f", "--file");
	if (file !== undefined) return [written(file, at, false)];
	if (options.includes("--system")) return [written(env("GIT_CONFIG_SYSTEM") || "/etc/gitconfig", at, false)];
	if (!options.includes("--global")) return undefined;
	const own = env("GIT_CONFIG_GLOBAL") || (env("HOME") && `${env("HOME")}/.gitconfig`);
	return own ? [written(own, at, false)] : [];
}

/** A command line of git taken apart. */
interface Words {
	/** The directories of -C in their order. */
	directories: Bytes[];
	gitDirectory: Bytes | undefined;
	workTree: Bytes | undefined;
	subcommand: Bytes;
	rest: Bytes[];
}

function wordsOf(call: Call): Words | undefined {
	const { argv } = call;
	const named = (name: string) => call.env(name) || undefined;
	const found: Words = { directories: [], gitDirectory: named("GIT_DIR"), workTree: named("GIT_WORK_TREE"), subcommand: "", rest: [] };
	for (let at = 1; at < argv.length; at++) {
		const word = argv[at] as Bytes;
		if (!word.startsWith("-")) {
			found.subcommand = word;
			found.rest = argv.slice(at + 1);
			return found;
		}
		const equals = word.indexOf("=");
		const name = equals < 0 ? word : word.slice(0, equals);
		const takes = GLOBAL_TAKES.includes(name);
		const value = equals >= 0 ? word.slice(equals + 1) : takes ? argv[++at] : undefined;
		if (value === undefined) continue;
		if (name === "-C" && value !== "") found.directories.push(value);
		else if (name === "--git-dir") found.gitDirectory = value;
		else if (name === "--work-tree") found.workTree = value;
	}
	return undefined;
}

/** The operands of a subcommand, and the values of its options by name. */
function operandsOf(subcommand: string, rest: Bytes[]): { operands: Bytes[]; value(...names: string[]): Bytes | undefined } {
	const takes = row(TAKES, subcommand) ?? [];
	const operands: Bytes[] = [];
	const values = new Map<Bytes, Bytes>();
	let options = true;
	for (let at = 0; at < rest.length; at++) {
		const word = rest[at] as Bytes;
		const equals = word.startsWith("--") ? word.indexOf("=") : -1;
		if (!options || !word.startsWith("-") || word === "-") operands.push(word);
		else if (word === "--") options = false;
		else if (equals > 0) values.set(word.slice(0, equals), word.slice(equals + 1));
		else if (takes.includes(word)) values.set(word, rest[++at] ?? "");
		else if (takes.includes(word.slice(0, 2))) values.set(word.slice(0, 2), word.slice(2));
	}
	return { operands, value: (...names) => names.map((name) => values.get(name)).find((value) => value !== undefined) };
}

/** The directory that clone makes of a repository's name (git-clone(1), DIRECTORY). */
function clonedName(repository: Bytes): Bytes {
	const path = repository.replace(/\/+$/, "").replace(/\/\.git$/, "");
	const name = baseOf(path.replace(/^[^/]*:/, ":").replaceAll(":", "/"));
	return name.replace(/\.(git|bundle)$/, "");
}

const written = (text: Bytes, at: Bytes, node = true): Operand => ({ text, role: "written", leaf: "both", at, ...(node && { node }) });

/** What a subcommand names beside the repository that it works on; undefined for one that works on its repository alone. */
function named({ subcommand, rest, gitDirectory }: Words, at: Bytes, env: (name: string) => Bytes): Operand[] | undefined {
	const { operands, value } = operandsOf(subcommand, rest);
	const [first, second, third] = operands;
	const separate = value("--separate-git-dir");
	const apart = separate === undefined ? [] : [written(separate, at)];
	switch (subcommand) {
		case "clone":
			return first === undefined ? [] : [...apart, written(second ?? clonedName(first), at)];
		case "init":
			if (gitDirectory !== undefined) apart.push(written(gitDirectory, at));
			return [...apart, first === undefined ? { text: ".", role: "into", leaf: "target", at } : written(first, at)];
		case "worktree":
			if (first === "remove" && second !== undefined) return [{ text: second, role: "removed", leaf: "target", at }];
			if (first === "move" && second !== undefined) return [{ text: second, role: "moved", leaf: "target", at }, written(third ?? "", at)];
			if (first === "add" && second !== undefined) return [written(second, at)];
			return undefined;
		case "format-patch": {
			const directory = value("-o", "--output-directory");
			const file = value("--output");
			if (file !== undefined) return [written(file, at, false)];
			return rest.includes("--stdout") ? [] : [{ text: directory ?? ".", role: "into", leaf: "target", at }];
		}
		case "archive": {
			const file = value("-o", "--output");
			return file === undefined ? [] : [written(file, at, false)];
		}
		case "bugreport":
		case "diagnose":
			return [{ text: value("-o", "--output-directory") ?? ".", role: "into", leaf: "target", at }];
		case "fast-export": {
			const marks = value("--export-marks");
			return marks === undefined ? [] : [written(marks, at, false)];
		}
		case "config":
			return configured(rest, at, env);
		case "bundle":
			return first === "create" && second !== undefined && second !== "-" ? [written(second, at, false)] : undefined;
		case "checkout-index": {
			const prefix = value("--prefix");
			return prefix === undefined ? undefined : [{ text: prefix, role: "into", leaf: "target", at }];
		}
		case "diff":
			return differences(rest, at);
		default:
			return undefined;
	}
}

/** The file that a difference is printed to. */
function differences(rest: Bytes[], at: Bytes): Operand[] {
	const end = rest.indexOf("--");
	return (end < 0 ? rest : rest.slice(0, end)).flatMap((word, k) => {
		const file = word.startsWith("--output=") ? word.slice("--output=".length) : word === "--output" ? rest[k + 1] : undefined;
		return file === undefined ? [] : [written(file, at, false)];
	});
}

function onlyReads(subcommand: string, rest: Bytes[]): boolean {
	if (READS.has(subcommand)) return true;
	const words = rest.slice(0, rest.indexOf("--") < 0 ? undefined : rest.indexOf("--"));
	const operands = words.filter((word) => !word.startsWith("-"));
	// One name is asked for, and two set it.
	if (subcommand === "symbolic-ref") return operands.length === 1 && !words.some((word) => /^(-d|--delete)$/.test(word));
	const without = row(READS_WITHOUT, subcommand);
	if (without !== undefined) return !words.some((word) => without.test(word));
	if (row(READING_ACTIONS, subcommand)?.test(operands[0] ?? "")) return true;
	const pattern = row(READS_WITH, subcommand);
	return (pattern !== undefined && words.some((word) => pattern.test(word))) || (LISTS_ALONE.includes(subcommand) && words.length === 0);
}

/** Where the repository's files change: the directory that git stands in, its work tree and its own directory where they are named. */
function repository({ gitDirectory, workTree }: Words, at: Bytes): Operand[] {
	const inside = (text: Bytes): Operand => ({ text, role: "into", leaf: "target", at });
	if (gitDirectory === undefined) return [inside(workTree ?? ".")];
	return [inside(gitDirectory), inside(workTree ?? ".")];
}

/** A repository on this machine that push is given by its path, and an index that stands elsewhere. */
function elsewhere({ subcommand, rest }: Words, at: Bytes, env: (name: string) => Bytes): Operand[] {
	const index = env("GIT_INDEX_FILE");
	const found = index === "" ? [] : [written(index, at, false)];
	const path =
		subcommand === "push" ? /^(?:file:\/\/)?(\/.*|\.\.?(?:\/.*)?)$/s.exec(operandsOf("push", rest).operands[0] ?? "")?.[1] : undefined;
	return path === undefined ? found : [...found, { text: path, role: "into", leaf: "target", at }];
}

/** Paths that checkout, restore, clean, rm and mv are given; a name without a slash may be a branch and is below the directory in any case. */
const pathsIn = (subcommand: string, rest: Bytes[]) => {
	if (!["checkout", "restore", "clean", "rm", "mv"].includes(subcommand)) return [];
	return operandsOf(subcommand, rest).operands.filter((word) => /^(\/|\.\.(\/|$))/.test(word));
};

function standing(words: Words, look: Resolver): Bytes {
	let text = "";
	for (const directory of words.directories) text = text === "" || directory.startsWith("/") ? directory : join(text, directory);
	return look.directory(text === "" ? "." : text);
}

export const git: Reader = {
	name: "git",
	read(call, look) {
		const words = wordsOf(call);
		if (words === undefined) return NOTHING;
		const { subcommand, rest } = words;
		if (rest.includes("--help") || rest.includes("-h")) return NOTHING;
		const at = standing(words, look);
		if (onlyReads(subcommand, rest)) {
			return DIFFERENCES.includes(subcommand) ? { operands: differences(rest, at), unread: [] } : NOTHING;
		}
		const operands = named(words, at, call.env) ?? [
			...repository(words, at),
			...elsewhere(words, at, call.env),
			...pathsIn(subcommand, rest).map((text): Operand => ({ text, role: "written", leaf: "entry", at })),
		];
		return { operands, unread: [] };
	},
};
