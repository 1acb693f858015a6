// What a call of git is handed beside its operands: settings for it alone and for later ones, and variables that name what it runs.

import type { Bytes } from "../policy/bytes.ts";
import type { Call } from "./call.ts";
import type { Machine } from "./machine.ts";
import type { CallEvent, Word } from "./reading.ts";
import type { State } from "./state.ts";
import { readOptions } from "./unwrap.ts";
import { held } from "./variables.ts";
import { beginning, joinWords, known, textOf, unknown, withoutFirst, wordOf } from "./words.ts";

/** Options of git itself that take the next word (git(1)). */
export const OWN_TAKES = "-C -c --git-dir --work-tree --namespace --super-prefix --config-env --exec-path --attr-source";

/** What git hands to a shell, and what it runs as it stands. */
export interface Runs {
	lines: Word[];
	commands: Word[][];
}

/** A setting, or a variable that stands for one. */
export interface Setting {
	name: Bytes;
	value: Word;
}

/** Variables and settings whose value is a line for a shell, which git hands a file or an address (git(1), git-config(1)). */
const HANDED = new RegExp(
	"^(GIT_EDITOR|GIT_SEQUENCE_EDITOR|GIT_PAGER|GIT_SSH_COMMAND|GIT_EXTERNAL_DIFF|EDITOR|VISUAL|" +
		"core\\.(editor|pager|sshCommand|fsmonitor|alternateRefsCommand)|sequence\\.editor|diff\\.external|pager\\.\\w+|" +
		"interactive\\.diffFilter|gpg\\.(.*\\.)?(program|defaultKeyCommand)|remote\\..*\\.(uploadpack|receivepack)|sendemail\\.\\w+cmd|" +
		"uploadpack\\.packObjectsHook|instaweb\\.httpd|" +
		"(diff|merge|filter|difftool|mergetool|trailer|man|browser|guitool|tar)\\..*\\.(command|textconv|driver|clean|smudge|process|cmd))$",
	"i",
);

/** Those whose value is the name of a program, blanks and all. */
const PROGRAM = /^(GIT_SSH|GIT_ASKPASS|SSH_ASKPASS|GIT_PROXY_COMMAND|core\.(askPass|gitProxy))$/i;

/** Whether a variable or a setting always names what is run. */
export const isHanded = (name: Bytes): boolean => HANDED.test(name) || PROGRAM.test(name);

/** Settings whose value is such a line behind an exclamation mark, and a command of git's without one. */
const MARKED = /^(credential\.(.*\.)?helper|submodule\..*\.update)$/i;

/** What git gives a program of its own accord. */
export const FILE = unknown("(what git hands over)", { contained: true });

/** Adds what a variable or a setting stands for. */
export function handed({ name, value }: Setting, { lines, commands }: Runs): void {
	if (value.pieces.length === 0) return;
	if (HANDED.test(name)) lines.push(joinWords([value, FILE], " "));
	else if (PROGRAM.test(name)) commands.push([value, FILE]);
	else if (MARKED.test(name)) {
		if (beginning(value).startsWith("!")) lines.push(joinWords([withoutFirst(value, 1), FILE], " "));
		else if (beginning(value).includes(" ") && /^cred/i.test(name))
			lines.push(joinWords([known("git"), wordOf(["credential-", ...value.pieces]), FILE], " "));
	}
}

/** A variable's value, where it is a word. */
export function valueWord(m: Machine, state: State, name: string): Word | undefined {
	const value = held(m, state, name);
	return value.kind === "word" ? value.word : undefined;
}

/** The variables that a call has of its own or of the line's exports, as far as they are about git. */
export function environmentOf({ m, state }: Call): CallEvent["env"] {
	const exported: CallEvent["env"] = [];
	for (const name of state.variables.keys()) {
		if (!/^(GIT_|SSH_ASKPASS$)/.test(name) || !state.variables.get(name)?.exported || m.env.some((own) => own.name === name)) continue;
		const value = valueWord(m, state, name);
		if (value !== undefined) exported.push({ name, value });
	}
	return [...exported, ...m.env];
}

/** A setting as one word: its name, and its value. */
export function asSetting(word: Word): Setting[] {
	const name = beginning(word).split("=", 1)[0] as string;
	return name.length < beginning(word).length ? [{ name, value: withoutFirst(word, name.length + 1) }] : [];
}

/** Settings that stand in numbered variables (git-config(1), ENVIRONMENT). */
const numbered = (env: CallEvent["env"]): Setting[] =>
	env.flatMap(({ name, value }) => {
		const number = /^GIT_CONFIG_KEY_(\d+)$/.exec(name)?.[1];
		const own = env.find((other) => other.name === `GIT_CONFIG_VALUE_${number}`);
		return number !== undefined && own !== undefined ? [{ name: textOf(value) ?? "", value: own.value }] : [];
	});

const QUOTED = "'((?:[^']|'\\\\'')*)'";

/** Settings as git hands them to its children: `'NAME=VALUE'`, or `'NAME'='VALUE'`. */
const inherited = (env: CallEvent["env"]): Setting[] =>
	env
		.filter(({ name }) => name === "GIT_CONFIG_PARAMETERS")
		.flatMap(({ value }) => [...(textOf(value) ?? "").matchAll(new RegExp(`${QUOTED}(?:=${QUOTED})?`, "g"))])
		.flatMap(([, name = "", value]) => asSetting(known((value === undefined ? name : `${name}=${value}`).replaceAll("'\\''", "'"))));

/** The settings that variables give a call, the stronger behind the weaker. @param named of --config-env */
function settingsInVariables(call: Call, named: readonly Word[]): Setting[] {
	const { m, state } = call;
	const env = environmentOf(call);
	const looked = named.flatMap(asSetting).flatMap(({ name, value }) => {
		const variable = textOf(value) ?? "";
		const found = m.env.findLast((own) => own.name === variable)?.value ?? valueWord(m, state, variable);
		return found === undefined ? [] : [{ name, value: found }];
	});
	return [...numbered(env), ...inherited(env), ...looked];
}

/** The words of a call with such settings as options of its own. */
export function withVariables(call: Call): Word[] {
	const { words } = call;
	const [tool, ...rest] = words;
	const named = readOptions(rest, OWN_TAKES, false, 1).given.flatMap(({ name, value }) =>
		name === "--config-env" && value ? [value] : [],
	);
	const found = settingsInVariables(call, named);
	if (tool === undefined || found.length === 0) return words;
	return [tool, ...found.flatMap(({ name, value }) => [known("-c"), joinWords([known(name), value], "=")]), ...rest];
}

const CONFIG_TAKES = "-f --file --blob --type -t --default --comment --value --url";

/** A setting that a call makes: its name as far as it is known, and as a word. */
export interface Configured extends Setting {
	word: Word;
}

/** The name and the value of `git config NAME VALUE`; what stands behind the name is no option. */
export function configured(operands: readonly Word[]): Configured | undefined {
	const { given, rest } = readOptions(operands, CONFIG_TAKES, false, 1);
	if (given.some(({ name }) => /^--(un|get|rename|remove)/.test(name))) return undefined;
	const [word, value] = /^(set|add)$/.test(textOf(rest[0]) ?? "") ? readOptions(rest.slice(1), CONFIG_TAKES, false, 1).rest : rest;
	return word === undefined || value === undefined ? undefined : { name: beginning(word), word, value };
}
