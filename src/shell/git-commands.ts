// What git runs for somebody: its editors and pagers, the commands of rebase --exec, bisect run, submodule foreach, filter-branch and aliases.

import type { Call } from "./call.ts";
import { invokeFile, plainCall } from "./invoke.ts";
import type { CallEvent, Word } from "./reading.ts";
import type { Outcome } from "./state.ts";
import { runScript, subshell } from "./statements.ts";
import { readOptions } from "./unwrap.ts";
import { childOf } from "./variables.ts";
import { beginning, joinWords, textOf, unknown, withoutFirst } from "./words.ts";

/** Options of git itself that take the next word (git(1)). */
const TAKES = "-C -c --git-dir --work-tree --namespace --super-prefix --config-env --exec-path --attr-source";

/** Options whose value is a line for a shell, by subcommand. */
const LINES: Readonly<Record<string, string>> = {
	rebase: "-x --exec",
	"filter-branch": "--tree-filter --index-filter --env-filter --msg-filter --commit-filter --tag-name-filter --parent-filter --setup",
	difftool: "-x --extcmd",
};

/** What git hands to a shell, and what it runs as it stands. */
interface Runs {
	lines: Word[];
	commands: Word[][];
}

/** Variables and settings whose value is a line for a shell, which git hands a file or an address (git(1), git-config(1)). */
const HANDED =
	/^(GIT_EDITOR|GIT_SEQUENCE_EDITOR|GIT_PAGER|GIT_SSH_COMMAND|GIT_EXTERNAL_DIFF|EDITOR|VISUAL|core\.(editor|pager|sshCommand|fsmonitor|askPass|gitProxy)|sequence\.editor|diff\.external|pager\.\w+|interactive\.diffFilter|gpg\.program|(diff|merge|filter|difftool|mergetool)\..*\.(command|textconv|driver|clean|smudge|process|cmd))$/;

const FILE = unknown("(what git hands over)", { contained: true });

/** `git grep -OCOMMAND` hands the files that it finds to a shell's command (git-grep(1)). */
function openers(operands: readonly Word[]): Word[] {
	return operands.flatMap((word) => {
		const option = /^(-[a-df-zA-NP-Z]*O|--op[a-z-]*=)(?=.)/.exec(beginning(word))?.[0];
		return option === undefined ? [] : [joinWords([withoutFirst(word, option.length), FILE], " ")];
	});
}

/** The lines of such variables for this call alone, and of `-c NAME=LINE`. */
function handed(env: CallEvent["env"], settings: readonly Word[]): Word[] {
	const named = settings.flatMap((setting) => {
		const name = beginning(setting).split("=", 1)[0] as string;
		return name.length < beginning(setting).length ? [{ name, value: withoutFirst(setting, name.length + 1) }] : [];
	});
	return [...env, ...named].flatMap(({ name, value }) => (HANDED.test(name) ? [joinWords([value, FILE], " ")] : []));
}

/** `git config NAME LINE`: what a later git hands to a shell, or runs under another name. */
function configured(operands: readonly Word[]): Word[] {
	const { rest } = readOptions(operands, "-f --file --blob --type -t --default --comment --value --url", true);
	const [name, value, more] = /^(set|add)$/.test(textOf(rest[0]) ?? "") ? rest.slice(1) : rest;
	if (value === undefined || more !== undefined) return [];
	if (/^alias\./i.test(beginning(name)) && beginning(value).startsWith("!")) return [withoutFirst(value, 1)];
	return HANDED.test(beginning(name)) ? [joinWords([value, FILE], " ")] : [];
}

function runsOf(words: readonly Word[], env: CallEvent["env"]): Runs {
	const { given, rest } = readOptions(words.slice(1), TAKES, false, 1);
	const [verb, ...operands] = rest;
	const name = textOf(verb) ?? "";
	const settings = given.flatMap((option) => (option.name === "-c" && option.value ? [option.value] : []));
	const runs: Runs = { lines: handed(env, settings), commands: [] };
	// `-c alias.x='!line'`, and then x.
	const alias = given.find((option) => option.name === "-c" && option.value && beginning(option.value).startsWith(`alias.${name}=!`));
	if (alias?.value !== undefined && name !== "") {
		runs.lines.push(joinWords([withoutFirst(alias.value, `alias.${name}=!`.length), ...operands], " "));
	}
	const takes = Object.hasOwn(LINES, name) ? LINES[name] : undefined;
	if (takes !== undefined) {
		for (const option of readOptions(operands, takes, true).given)
			if (takes.split(" ").includes(option.name) && option.value !== undefined) runs.lines.push(option.value);
	}
	if (name === "grep") runs.lines.push(...openers(operands));
	if (name === "config") runs.lines.push(...configured(operands));
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

/** git: the call itself, and what it runs in a directory that is not known (the top of a work tree, or a submodule). */
export function git(call: Call): Outcome {
	const { m, state, words } = call;
	const outcome = plainCall(call);
	const { lines, commands } = runsOf(words, m.env);
	if (lines.length + commands.length === 0) return outcome;
	const child = childOf(m, state);
	child.cwd = [];
	m.within({ via: [...m.via, "git"], env: [], active: [] }, () =>
		m.perhaps(true, () => {
			for (const line of lines) subshell(m, child, (inner) => runScript(m, line, inner));
			for (const command of commands) invokeFile({ m, state: child.fork(), words: command });
		}),
	);
	return outcome;
}
