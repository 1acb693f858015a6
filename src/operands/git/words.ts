// A command line of git taken apart: its own options, the subcommand, and the options and operands of that.

import type { Bytes } from "../../policy/bytes.ts";
import type { Call } from "../../policy/call.ts";

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

/** The row of a subcommand; it may have the name of what every object has. */
export const row = <T>(table: Readonly<Record<string, T>>, subcommand: string): T | undefined =>
	Object.hasOwn(table, subcommand) ? table[subcommand] : undefined;

/** Options of subcommands that take the next word (their man pages). */
const TAKES: Readonly<Record<string, string>> = {
	clone:
		"-o --origin -b --branch -u --upload-pack --reference --reference-if-able --template -c --config --depth --shallow-since --shallow-exclude -j --jobs --server-option --separate-git-dir --filter --bundle-uri --revision --ref-format",
	init: "--template --separate-git-dir -b --initial-branch --object-format --ref-format",
	worktree: "-b -B --reason --expire",
	branch: "--format --sort",
	tag: "--format --sort",
	clean: "-e --exclude",
	checkout: "-b -B --orphan --conflict --pathspec-from-file",
	restore: "-s --source --conflict --pathspec-from-file",
	rm: "--pathspec-from-file",
	stash: "-m --message --pathspec-from-file --output",
	"format-patch": "-o --output-directory --start-number --subject-prefix -v --reroll-count --cover-from-description --suffix --output",
	archive: "-o --output --format --prefix --add-file --remote --exec",
	config: "-f --file --blob -t --type --default --comment --value --url",
	bundle: "--version",
	bugreport: "-o --output-directory -s --suffix",
	diagnose: "-o --output-directory -s --suffix",
	push: "-o --push-option --repo --receive-pack --exec",
	"checkout-index": "--prefix --stage",
	"credential-store": "--file",
	"fast-export": "--export-marks --import-marks --import-marks-if-exists --signed-tags --tag-of-filtered-object --refspec",
	"index-pack": "-o",
	"read-tree": "--index-output --prefix --exclude-per-directory",
	"pack-objects": "--window --depth --threads --filter --keep-pack --max-pack-size --missing --window-memory",
	"commit-graph": "--object-dir",
	"multi-pack-index": "--object-dir",
	mailinfo: "--encoding --quoted-cr",
	"merge-file": "-L --marker-size",
	"interpret-trailers": "--trailer --where --if-exists --if-missing",
	apply: "--exclude --include -p -C --build-fake-ancestor --whitespace --directory",
	"update-index": "--cacheinfo --index-version --chmod",
};

/** A command line of git taken apart. */
export interface Words {
	/** The directories of -C in their order. */
	directories: Bytes[];
	gitDirectory: Bytes | undefined;
	workTree: Bytes | undefined;
	/** Settings for this call alone: NAME=VALUE of each -c. */
	settings: Bytes[];
	subcommand: Bytes;
	rest: Bytes[];
}

export function wordsOf(call: Call): Words | undefined {
	const { argv } = call;
	const named = (name: string) => call.env(name) || undefined;
	const found: Words = {
		directories: [],
		gitDirectory: named("GIT_DIR"),
		workTree: named("GIT_WORK_TREE"),
		settings: [],
		subcommand: "",
		rest: [],
	};
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
		else if (name === "-c") found.settings.push(value);
		else if (name === "--git-dir") found.gitDirectory = value;
		else if (name === "--work-tree") found.workTree = value;
	}
	return undefined;
}

/** The options and operands of a subcommand. */
export interface Arguments {
	operands: Bytes[];
	/** The words that are options, without the values that stand in words of their own. */
	options: Bytes[];
	/** The value of the option that has one of these names. */
	value(...names: string[]): Bytes | undefined;
	/** Whether an option without a value was given, by one of these names; letters may stand in one word. */
	has(...names: string[]): boolean;
}

/** No shorter beginning is taken for a long option (parse-options takes any that only one of them has). */
const SHORTEST = 5;

/** The long option that a word is, or is the beginning of. */
function longOf(name: Bytes, takes: readonly string[]): string {
	if (takes.includes(name) || name.length < SHORTEST) return name;
	const meant = takes.filter((each) => each.startsWith(name));
	return meant.length === 1 ? (meant[0] as string) : name;
}

export function argumentsOf(subcommand: string, rest: readonly Bytes[]): Arguments {
	const takes = (row(TAKES, subcommand) ?? "").split(" ");
	const operands: Bytes[] = [];
	const options: Bytes[] = [];
	const values = new Map<Bytes, Bytes>();
	const flags = new Set<Bytes>();
	for (let at = 0; at < rest.length; at++) {
		const word = rest[at] as Bytes;
		if (word === "--") {
			operands.push(...rest.slice(at + 1));
			break;
		}
		if (!word.startsWith("-") || word === "-") {
			operands.push(word);
			continue;
		}
		options.push(word);
		if (word.startsWith("--")) {
			const equals = word.indexOf("=");
			const name = longOf(equals < 0 ? word : word.slice(0, equals), takes);
			if (equals > 0) values.set(name, word.slice(equals + 1));
			else if (takes.includes(name)) values.set(name, rest[++at] ?? "");
			else flags.add(name);
		} else {
			for (let letter = 1; letter < word.length; letter++) {
				const name = `-${word[letter]}`;
				if (!takes.includes(name)) flags.add(name);
				else {
					values.set(name, word.slice(letter + 1) || (rest[++at] ?? ""));
					break;
				}
			}
		}
	}
	return {
		operands,
		options,
		value: (...names) => names.map((name) => values.get(name)).find((value) => value !== undefined),
		has: (...names) => names.some((name) => flags.has(name)),
	};
}
