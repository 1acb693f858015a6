// What git runs for somebody: its editors and pagers, the commands of rebase --exec, bisect run, submodule foreach, filter-branch and aliases.

import type { Bytes } from "../policy/bytes.ts";
import { settingName } from "../sys/git-settings.ts";
import type { Call } from "./call.ts";
import {
	asSetting,
	type Configured,
	configured,
	environmentOf,
	FILE,
	handed,
	isHanded,
	OWN_TAKES,
	type Runs,
	type Setting,
	withVariables,
} from "./git-handed.ts";
import {
	aliasesOf,
	type GitCall,
	pushElsewhere,
	readsWritten,
	rememberRemote,
	runAtTop,
	runHooks,
	topsOf,
	traces,
	withSettingsOfLine,
} from "./git-surroundings.ts";
import { invokeFile, plainCall } from "./invoke.ts";
import { absolutes } from "./places.ts";
import type { Word } from "./reading.ts";
import { either, type Outcome } from "./state.ts";
import { runScript, subshell } from "./statements.ts";
import { withPatch } from "./taken-patches.ts";
import { readOptions, splitString } from "./unwrap.ts";
import { childOf } from "./variables.ts";
import { beginning, joinWords, known, textOf, withoutFirst } from "./words.ts";

/** Options whose value is a line for a shell, by subcommand. */
const LINES: Readonly<Record<string, string>> = {
	rebase: "-x --exec",
	"filter-branch": "--tree-filter --index-filter --env-filter --msg-filter --commit-filter --tag-name-filter --parent-filter --setup",
	difftool: "-x --extcmd",
	"send-email": "--to-cmd --cc-cmd --header-cmd --sendmail-cmd",
	instaweb: "-d --httpd",
};

/** The same for the program at the other end, which is run by a shell of this machine where the repository is on it. */
const FAR_LINES: Readonly<Record<string, string>> = {
	clone: "-u --upload-pack",
	fetch: "--upload-pack",
	pull: "--upload-pack",
	"fetch-pack": "--upload-pack --exec",
	"ls-remote": "--upload-pack --exec",
	push: "--receive-pack --exec",
	"send-pack": "--receive-pack --exec",
	archive: "--exec",
};

/** `git grep -OCOMMAND` hands the files that it finds to a shell's command (git-grep(1)). */
function openers(operands: readonly Word[]): Word[] {
	return operands.flatMap((word) => {
		const option = /^(-[a-df-zA-NP-Z]*O|--op[a-z-]*=)(?=.)/.exec(beginning(word))?.[0];
		return option === undefined ? [] : [joinWords([withoutFirst(word, option.length), FILE], " ")];
	});
}

/** The far ends of a transport: a line of an option, where no address is on another machine, and the command of an address `ext::COMMAND`. */
function transported(name: Bytes, operands: readonly Word[], runs: Runs): void {
	const takes = Object.hasOwn(FAR_LINES, name) ? FAR_LINES[name] : undefined;
	if (takes === undefined) return;
	const { given, rest } = readOptions(operands, takes, true);
	const isFar = rest.some((word) => /^(?!file:)[^/]*:/.test(beginning(word)));
	for (const option of isFar ? [] : given)
		if (takes.split(" ").includes(option.name) && option.value !== undefined) runs.lines.push(joinWords([option.value, FILE], " "));
	for (const word of rest) {
		const text = textOf(word);
		// A blank that does not divide is written `% ` (git-remote-ext(1)).
		if (text?.startsWith("ext::"))
			runs.commands.push(
				text
					.slice(5)
					.split(/(?<!%) +/)
					.map((each) => known(each.replace(/%(.)/g, "$1"))),
			);
	}
}

/** A call taken apart. */
function partsOf(words: readonly Word[]): GitCall {
	const { given, rest } = readOptions(words.slice(1), OWN_TAKES, false, 1);
	const valued = (name: string) => given.flatMap((option) => (option.name === name && option.value ? [option.value] : []));
	const [verb, ...operands] = rest;
	const before = words.slice(0, words.length - rest.length);
	return { directories: valued("-C"), settings: valued("-c").flatMap(asSetting), verb: textOf(verb) ?? "", operands, before };
}

function runsOf(call: Call, parts: GitCall, set: Setting | undefined): Runs {
	const { settings, verb: name, operands } = parts;
	const cloned = name === "clone" ? readOptions(operands, "-c --config", true).given.flatMap(({ value }) => (value ? [value] : [])) : [];
	const runs: Runs = { lines: [], commands: [] };
	for (const each of [...environmentOf(call), ...settings, ...cloned.flatMap(asSetting), ...(set ? [set] : [])]) handed(each, runs);
	const takes = Object.hasOwn(LINES, name) ? LINES[name] : undefined;
	if (takes !== undefined) {
		for (const option of readOptions(operands, takes, true).given)
			if (takes.split(" ").includes(option.name) && option.value !== undefined) runs.lines.push(option.value);
	}
	transported(name, operands, runs);
	if (name === "grep") runs.lines.push(...openers(operands));
	const action = textOf(operands[0]);
	if (name === "bisect" && action === "run" && operands.length > 1) runs.commands.push(operands.slice(1));
	if (name === "submodule") {
		const inner = readOptions(operands, undefined, false, 1).rest;
		const line = textOf(inner[0]) === "foreach" ? readOptions(inner.slice(1), undefined, false, 1).rest : [];
		// One word is a line for a shell, and so are several (git-submodule(1), foreach).
		if (line.length > 0) runs.lines.push(joinWords(line, " "));
	}
	return runs;
}

/** No alias stands for another one more often. */
const MOST_ALIASES = 8;

/** A call by an alias: of a line for a shell, or of a command of git's with words of its own. */
function runAlias(call: Call, parts: GitCall, alias: Word, depth: number): Outcome {
	const { m, state } = call;
	if (beginning(alias).startsWith("!")) {
		const line = joinWords([withoutFirst(alias, 1), ...parts.operands], " ");
		m.perhaps(true, () => runAtTop(call, parts, line, known("git"), [], "git alias"));
		return either(state);
	}
	const text = textOf(alias);
	if (text === undefined) {
		m.unclear("an alias of git that is not known", parts.verb);
		return either(state);
	}
	const expanded = [...parts.before, ...splitString(text).map(known), ...parts.operands];
	return m.nested(() => git({ ...call, words: expanded }, depth + 1));
}

/** A setting that stays for later calls: an alias is read where one calls it, by a name that is known. */
function remembers(call: Call, parts: GitCall, { name, word, value }: Configured): void {
	const { m } = call;
	const text = textOf(word);
	if (text !== undefined) {
		const key = settingName(text);
		m.world.settings.set(key, [...(m.world.settings.get(key) ?? []), value]);
	} else if (/^(alias\.|$)/i.test(name) && beginning(value).startsWith("!"))
		m.perhaps(true, () => runAtTop(call, parts, withoutFirst(value, 1), known("git"), [], "git alias"));
}

/** What git runs beside itself: at the top of the work tree, or in a directory that is not known, such as a submodule. */
function runBeside(call: Call, parts: GitCall, { lines, commands }: Runs): void {
	const { m, state } = call;
	const child = childOf(m, state);
	child.cwd = parts.verb === "rebase" || parts.verb === "bisect" ? topsOf(call, parts) : [];
	// A git in one of them asks for it again, and so on.
	for (const { name } of environmentOf(call))
		if (isHanded(name)) child.variables.set(name, { values: [{ kind: "unset" }], exported: false });
	m.within({ via: [...m.via, "git"], env: [], active: [] }, () =>
		m.perhaps(true, () => {
			for (const line of lines) subshell(m, child, (inner) => runScript(m, line, inner));
			for (const command of commands) invokeFile({ m, state: child.fork(), words: command });
		}),
	);
}

/** git: the call itself under the name that it has without aliases, and what it runs. */
export function git(given: Call, depth = 0): Outcome {
	const call = depth === 0 ? { ...given, words: withVariables(given) } : given;
	const { m, state } = call;
	const parts = partsOf(call.words);
	if (
		parts.verb === "" &&
		parts.before.length < call.words.length &&
		[...m.world.settings.keys()].some((name) => name.startsWith("alias."))
	)
		m.unclear("a command of git that may be an alias of the line");
	const aliases = depth < MOST_ALIASES ? aliasesOf(call, parts) : [];
	if (aliases.length === 1) return runAlias(call, parts, aliases[0] as Word, depth);
	if (aliases.length > 1) {
		for (const alias of aliases) m.perhaps(true, () => runAlias({ ...call, state: state.fork() }, parts, alias, depth));
		return either(state);
	}
	traces(call);
	rememberRemote(call, parts);
	const pushed = pushElsewhere(call, parts);
	if (pushed !== undefined) plainCall({ ...call, words: pushed });
	if (parts.verb === "apply" && isOpenPatch(call, parts)) m.unclear("a patch that may change any file");
	const patches = parts.verb === "apply" || parts.verb === "am" ? parts.operands : [];
	const outcome = withPatch(call, patches, () => plainCall({ ...call, words: withSettingsOfLine(call, parts) }));
	if (m.world.files.size > 0) readsWritten(call);
	runHooks(call, parts);
	const set = parts.verb === "config" ? configured(parts.operands) : undefined;
	if (set !== undefined) remembers(call, parts, set);
	const runs = runsOf(call, parts, set);
	if (runs.lines.length + runs.commands.length > 0) runBeside(call, parts, runs);
	return outcome;
}

/** Whether a patch that may name any place is not known: neither a file that is there, nor a text. */
const isOpenPatch = ({ m, state }: Call, { operands }: GitCall): boolean => {
	if (!operands.some((word) => textOf(word) === "--unsafe-paths")) return false;
	const files = operands.filter((word) => !beginning(word).startsWith("-"));
	const isThere = (word: Word) => absolutes(state, textOf(word)).some((path) => m.around.files.kind(path, true) === "file");
	return files.length === 0 ? m.input?.output.kind !== "text" : !files.every(isThere);
};
