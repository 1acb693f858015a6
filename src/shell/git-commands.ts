// What git runs for somebody: its editors and pagers, the commands of rebase --exec, bisect run, submodule foreach, filter-branch and aliases.

import type { Bytes } from "../policy/bytes.ts";
import type { Call } from "./call.ts";
import {
	aliasOf,
	type GitCall,
	pushElsewhere,
	readsWritten,
	rememberRemote,
	runAtTop,
	runHooks,
	topsOf,
	traces,
} from "./git-surroundings.ts";
import { invokeFile, plainCall } from "./invoke.ts";
import { absolutes } from "./places.ts";
import type { CallEvent, Word } from "./reading.ts";
import { either, type Outcome } from "./state.ts";
import { runScript, subshell } from "./statements.ts";
import { withPatch } from "./taken-patches.ts";
import { readOptions, splitString } from "./unwrap.ts";
import { childOf } from "./variables.ts";
import { beginning, joinWords, known, textOf, unknown, withoutFirst, wordOf } from "./words.ts";

/** Options of git itself that take the next word (git(1)). */
const TAKES = "-C -c --git-dir --work-tree --namespace --super-prefix --config-env --exec-path --attr-source";

/** Options whose value is a line for a shell, by subcommand. */
const LINES: Readonly<Record<string, string>> = {
	rebase: "-x --exec",
	"filter-branch": "--tree-filter --index-filter --env-filter --msg-filter --commit-filter --tag-name-filter --parent-filter --setup",
	difftool: "-x --extcmd",
	"send-email": "--to-cmd --cc-cmd --header-cmd --sendmail-cmd",
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

/** What git hands to a shell, and what it runs as it stands. */
interface Runs {
	lines: Word[];
	commands: Word[][];
}

/** Variables and settings whose value is a line for a shell, which git hands a file or an address (git(1), git-config(1)). */
const HANDED = new RegExp(
	"^(GIT_EDITOR|GIT_SEQUENCE_EDITOR|GIT_PAGER|GIT_SSH_COMMAND|GIT_EXTERNAL_DIFF|EDITOR|VISUAL|" +
		"core\\.(editor|pager|sshCommand|fsmonitor|askPass|gitProxy|alternateRefsCommand)|sequence\\.editor|diff\\.external|pager\\.\\w+|" +
		"interactive\\.diffFilter|gpg\\.(.*\\.)?(program|defaultKeyCommand)|remote\\..*\\.(uploadpack|receivepack)|sendemail\\.\\w+cmd|" +
		"(diff|merge|filter|difftool|mergetool|trailer|man|browser|guitool|tar)\\..*\\.(command|textconv|driver|clean|smudge|process|cmd))$",
	"i",
);

/** Settings whose value is such a line behind an exclamation mark, and a command of git's without one. */
const MARKED = /^(credential\.(.*\.)?helper|submodule\..*\.update)$/i;

const FILE = unknown("(what git hands over)", { contained: true });

/** `git grep -OCOMMAND` hands the files that it finds to a shell's command (git-grep(1)). */
function openers(operands: readonly Word[]): Word[] {
	return operands.flatMap((word) => {
		const option = /^(-[a-df-zA-NP-Z]*O|--op[a-z-]*=)(?=.)/.exec(beginning(word))?.[0];
		return option === undefined ? [] : [joinWords([withoutFirst(word, option.length), FILE], " ")];
	});
}

/** The lines that a variable or a setting of this name stands for. */
function linesOf(name: Bytes, value: Word): Word[] {
	if (value.pieces.length === 0) return [];
	if (HANDED.test(name)) return [joinWords([value, FILE], " ")];
	if (!MARKED.test(name)) return [];
	if (beginning(value).startsWith("!")) return [joinWords([withoutFirst(value, 1), FILE], " ")];
	return beginning(value).includes(" ") && /^cred/i.test(name)
		? [joinWords([known("git"), wordOf(["credential-", ...value.pieces]), FILE], " ")]
		: [];
}

/** A setting as one word: its name, and its value. */
function asSetting(word: Word): { name: Bytes; value: Word }[] {
	const name = beginning(word).split("=", 1)[0] as string;
	return name.length < beginning(word).length ? [{ name, value: withoutFirst(word, name.length + 1) }] : [];
}

/** Settings that stand in numbered variables (git-config(1), ENVIRONMENT). */
const numbered = (env: CallEvent["env"]) =>
	env.flatMap(({ name, value }) => {
		const number = /^GIT_CONFIG_KEY_(\d+)$/.exec(name)?.[1];
		const own = env.find((other) => other.name === `GIT_CONFIG_VALUE_${number}`);
		return number !== undefined && own !== undefined ? [{ name: textOf(value) ?? "", value: own.value }] : [];
	});

/** The lines of such variables for this call alone, and of `-c NAME=LINE`. */
function handed(env: CallEvent["env"], settings: readonly Word[]): Word[] {
	return [...env, ...numbered(env), ...settings.flatMap(asSetting)].flatMap(({ name, value }) => linesOf(name, value));
}

/** The name and the value of `git config NAME VALUE`. */
function configured({ verb, operands }: GitCall): { name: Bytes; value: Word } | undefined {
	if (verb !== "config") return undefined;
	const { rest } = readOptions(operands, "-f --file --blob --type -t --default --comment --value --url", true);
	const [name, value, more] = /^(set|add)$/.test(textOf(rest[0]) ?? "") ? rest.slice(1) : rest;
	return value === undefined || more !== undefined ? undefined : { name: beginning(name), value };
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

/** A call taken apart, with the settings that it is given and the words of its own options. */
interface Parts extends GitCall {
	settings: Word[];
	before: Word[];
}

function partsOf(words: readonly Word[]): Parts {
	const { given, rest } = readOptions(words.slice(1), TAKES, false, 1);
	const valued = (name: string) => given.flatMap((option) => (option.name === name && option.value ? [option.value] : []));
	const [verb, ...operands] = rest;
	const before = words.slice(0, words.length - rest.length);
	return { directories: valued("-C"), settings: valued("-c"), verb: textOf(verb) ?? "", operands, before };
}

function runsOf(parts: Parts, env: CallEvent["env"]): Runs {
	const { settings, verb: name, operands } = parts;
	const cloned = name === "clone" ? readOptions(operands, "-c --config", true).given.flatMap(({ value }) => (value ? [value] : [])) : [];
	const runs: Runs = { lines: handed(env, [...settings, ...cloned]), commands: [] };
	const takes = Object.hasOwn(LINES, name) ? LINES[name] : undefined;
	if (takes !== undefined) {
		for (const option of readOptions(operands, takes, true).given)
			if (takes.split(" ").includes(option.name) && option.value !== undefined) runs.lines.push(option.value);
	}
	transported(name, operands, runs);
	if (name === "grep") runs.lines.push(...openers(operands));
	const set = configured(parts);
	if (set !== undefined) runs.lines.push(...linesOf(set.name, set.value));
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

/** What an alias stands for: of `-c alias.NAME=...`, else of the settings. */
function aliased(call: Call, parts: Parts): Word | undefined {
	const name = `alias.${parts.verb.toLowerCase()}`;
	const given = parts.settings.flatMap(asSetting).findLast((one) => one.name.toLowerCase() === name);
	if (given !== undefined) return given.value;
	const text = aliasOf(call, parts);
	return text === undefined ? undefined : known(text);
}

/** No alias stands for another one more often. */
const MOST_ALIASES = 8;

/** What git runs beside itself: at the top of the work tree, or in a directory that is not known, such as a submodule. */
function runBeside(call: Call, parts: Parts, { lines, commands }: Runs): void {
	const { m, state } = call;
	const child = childOf(m, state);
	child.cwd = parts.verb === "rebase" || parts.verb === "bisect" ? topsOf(call, parts) : [];
	m.within({ via: [...m.via, "git"], env: [], active: [] }, () =>
		m.perhaps(true, () => {
			for (const line of lines) subshell(m, child, (inner) => runScript(m, line, inner));
			for (const command of commands) invokeFile({ m, state: child.fork(), words: command });
		}),
	);
}

/** git: the call itself under the name that it has without aliases, and what it runs. */
export function git(call: Call, depth = 0): Outcome {
	const { m, state, words } = call;
	const parts = partsOf(words);
	const alias = depth < MOST_ALIASES && parts.verb !== "" ? aliased(call, parts) : undefined;
	const text = textOf(alias);
	if (alias !== undefined && beginning(alias).startsWith("!")) {
		const line = joinWords([withoutFirst(alias, 1), ...parts.operands], " ");
		m.perhaps(true, () => runAtTop(call, parts, line, known("git"), [], "git alias"));
		return either(state);
	}
	if (text !== undefined) {
		const expanded = [...parts.before, ...splitString(text).map(known), ...parts.operands];
		return m.nested(() => git({ ...call, words: expanded }, depth + 1));
	}
	traces(call);
	rememberRemote(call, parts);
	const pushed = pushElsewhere(call, parts);
	if (pushed !== undefined) plainCall({ ...call, words: pushed });
	if (parts.verb === "apply" && isOpenPatch(call, parts)) m.unclear("a patch that may change any file");
	const patches = parts.verb === "apply" || parts.verb === "am" ? parts.operands : [];
	const outcome = withPatch(call, patches, () => plainCall(call));
	if (m.world.files.size > 0) readsWritten(call);
	runHooks(call, parts);
	// What a later git runs under another name.
	const set = configured(parts);
	if (set !== undefined && /^alias\./i.test(set.name) && beginning(set.value).startsWith("!"))
		m.perhaps(true, () => runAtTop(call, parts, withoutFirst(set.value, 1), known("git"), [], "git alias"));
	const runs = runsOf(parts, m.env);
	if (runs.lines.length + runs.commands.length > 0) runBeside(call, parts, runs);
	return outcome;
}

/** Whether a patch that may name any place is not known: neither a file that is there, nor a text. */
const isOpenPatch = ({ m, state }: Call, { operands }: Parts): boolean => {
	if (!operands.some((word) => textOf(word) === "--unsafe-paths")) return false;
	const files = operands.filter((word) => !beginning(word).startsWith("-"));
	const isThere = (word: Word) => absolutes(state, textOf(word)).some((path) => m.around.files.kind(path, true) === "file");
	return files.length === 0 ? m.input?.output.kind !== "text" : !files.every(isThere);
};
