// What stands around a call of git and decides what it does: aliases, hooks and remotes that the line or the repository has, and traces.

import type { Bytes } from "../policy/bytes.ts";
import { baseOf, isBelow, parentOf } from "../policy/resolve.ts";
import { pathOfAddress, repositoryAt, setting, settingName, settingsOf, userSettings } from "../sys/git-settings.ts";
import type { Call } from "./call.ts";
import { environmentOf, type Setting, valueWord } from "./git-handed.ts";
import { absolutes } from "./places.ts";
import type { Word } from "./reading.ts";
import type { State } from "./state.ts";
import { runScript, subshell } from "./statements.ts";
import { readOptions } from "./unwrap.ts";
import { childOf } from "./variables.ts";
import { beginning, known, textOf } from "./words.ts";

/** A call of git taken apart. */
export interface GitCall {
	/** The directories of -C. */
	directories: Word[];
	/** The settings for this call alone. */
	settings: Setting[];
	verb: Bytes;
	operands: Word[];
	/** The words in front of the verb. */
	before: Word[];
}

/** The real directories that git stands in; none where one is not known. */
export function standingOf({ m, state }: Call, { directories }: GitCall): Bytes[] {
	let places = state.cwd.length === 0 ? [] : [...state.cwd];
	for (const directory of directories) {
		const text = textOf(directory);
		if (text === undefined) return [];
		places = text === "" ? places : places.flatMap((place) => absolutes({ cwd: [place] } as unknown as State, text));
	}
	return places.map((place) => m.around.files.real(place, true) || place);
}

/** The tops of the work trees that it is made in. */
export function topsOf(call: Call, git: GitCall): Bytes[] {
	const files = { read: () => undefined, ...call.m.around.files };
	return [...new Set(standingOf(call, git).map((place) => repositoryAt(files, place)?.top ?? place))];
}

/** Commands that no alias hides (git(1)); of the rarer ones the settings are asked. */
const COMMANDS = new Set(
	(
		"add am apply archive bisect blame branch cat-file checkout cherry-pick clean clone commit config describe diff fetch format-patch gc grep " +
		"help init log ls-files ls-remote ls-tree merge merge-base mv notes pull push rebase reflog remote reset restore rev-list rev-parse revert " +
		"rm shortlog show stash status submodule switch symbolic-ref tag update-index update-ref version worktree"
	).split(" "),
);

/** The values of a setting that counts for a call: of its own words, else those that the line gave, else that of the files. */
function valuesOf(call: Call, git: GitCall, name: Bytes): Word[] {
	const own = git.settings.findLast((one) => settingName(one.name) === name);
	if (own !== undefined) return [own.value];
	const ofLine = call.m.world.settings.get(name);
	if (ofLine !== undefined) return ofLine;
	const kept = keptSetting(call, git, name);
	return kept === undefined ? [] : [known(kept)];
}

/** What a word may stand for that is no command of git. */
export function aliasesOf(call: Call, git: GitCall): Word[] {
	const { verb } = git;
	if (verb === "" || verb.includes("/") || COMMANDS.has(verb)) return [];
	return valuesOf(call, git, `alias.${verb.toLowerCase()}`);
}

/** What the files of the repository and of the user say. */
function keptSetting(call: Call, git: GitCall, name: Bytes): Bytes | undefined {
	const { m } = call;
	const { read } = m.around.files;
	if (read === undefined) return undefined;
	const files = { ...m.around.files, read };
	for (const place of standingOf(call, git)) {
		const repository = repositoryAt(files, place);
		const own = repository && setting(settingsOf(files, repository), name);
		if (own !== undefined) return own;
	}
	const home = textOf(valueWord(m, call.state, "HOME")) ?? m.around.home;
	return setting(
		userSettings(files, (variable) => m.around.env(variable), home),
		name,
	);
}

/** Gives a child what git hands on to all that it starts: the variables of the call, and its settings in one more. */
function handOn({ m }: Call, { settings }: GitCall, child: State): void {
	const set = (name: string, value: Word) => child.variables.set(name, { values: [{ kind: "word", word: value }], exported: true });
	for (const { name, value } of m.env) set(name, value);
	const texts = settings.flatMap(({ name, value }) => {
		const text = textOf(value);
		return text === undefined ? [] : [`'${`${name}=${text}`.replaceAll("'", "'\\''")}'`];
	});
	if (texts.length > 0) set("GIT_CONFIG_PARAMETERS", known(texts.join(" ")));
}

/** A line of an alias or a hook, run from the top of the work tree. */
export function runAtTop(call: Call, git: GitCall, line: Word, zero: Word, parameters: Word[], via: string): void {
	const { m, state } = call;
	const child = childOf(m, state);
	child.cwd = topsOf(call, git);
	child.zero = zero;
	child.positional = parameters;
	handOn(call, git, child);
	m.within({ via: [...m.via, via], env: [], active: [] }, () => subshell(m, child, (inner) => runScript(m, line, inner)));
}

const COMMITS = "pre-commit prepare-commit-msg commit-msg post-commit";

/** The hooks that each command runs (githooks(5)). */
const HOOKS: Readonly<Record<string, string>> = {
	commit: `${COMMITS} post-rewrite`,
	merge: `${COMMITS} pre-merge-commit post-merge`,
	pull: `${COMMITS} pre-merge-commit post-merge pre-rebase post-rewrite post-checkout`,
	rebase: `${COMMITS} pre-rebase post-rewrite post-checkout`,
	"cherry-pick": COMMITS,
	revert: COMMITS,
	am: "applypatch-msg pre-applypatch post-applypatch",
	push: "pre-push",
	checkout: "post-checkout",
	switch: "post-checkout",
	clone: "post-checkout",
	worktree: "post-checkout",
	gc: "pre-auto-gc",
	fetch: "pre-auto-gc",
	"send-email": "sendemail-validate",
	"receive-pack": "pre-receive update post-receive post-update push-to-checkout proc-receive",
};

/** Where scripts are hooks: of git itself, of a directory that is set for them, and of husky. */
const HOOK_PLACE = /(hooks?|\.husky(\/_)?)\/[^/]+$/;

/** Hooks of every command that changes the index or a reference. */
const ALWAYS = ["post-index-change", "reference-transaction", "fsmonitor-watchman"];

/** With it a commit or a push asks no hook whether it may be made. */
const UNASKED = /^(-[a-zA-Z]*n[a-zA-Z]*|--no-verify)$/;
const ASKING = /^(pre-commit|commit-msg|pre-merge-commit|pre-push)$/;

/** Where a setting puts the hooks: from the top of the work tree on; undefined where that is not known. */
function hookPlaces(call: Call, git: GitCall): { places: Bytes[]; alone: boolean } | undefined {
	const { files, home } = call.m.around;
	const texts = valuesOf(call, git, "core.hookspath").map((value) => textOf(value)?.replace(/^~(?=\/)/, home));
	if (texts.includes(undefined)) return undefined;
	const places = topsOf(call, git).flatMap((top) =>
		texts.flatMap((text) => absolutes({ cwd: [top] } as unknown as State, text)).map((place) => files.real(place, true) || place),
	);
	return { places, alone: git.settings.some(({ name }) => settingName(name) === "core.hookspath") };
}

/** The scripts that the line has put where hooks of this command are. */
export function runHooks(call: Call, git: GitCall): void {
	const { m } = call;
	if (m.world.files.size === 0) return;
	const { verb, operands } = git;
	const own =
		verb === "hook" ? operands.slice(1).map((word) => textOf(word) ?? "") : (Object.hasOwn(HOOKS, verb) && HOOKS[verb]?.split(" ")) || [];
	const unasked = verb !== "push" && operands.some((word) => UNASKED.test(textOf(word) ?? ""));
	const names = [...own.filter((name) => !(unasked && ASKING.test(name))), ...(own.length > 0 ? ALWAYS : [])];
	const written = [...m.world.files].filter(([path]) => names.includes(baseOf(path)));
	if (written.length === 0) return;
	const set = hookPlaces(call, git);
	for (const [path, output] of written) {
		const isSet = set?.places.includes(m.around.files.real(parentOf(path), true) || parentOf(path));
		if (isSet === false && (set?.alone || !HOOK_PLACE.test(path))) continue;
		if (output.kind === "text" && isSet !== undefined)
			m.perhaps(true, () => runAtTop(call, git, output.word, known(path), [], `git hook ${baseOf(path)}`));
		else m.unclear("a hook of git that is not known", path);
	}
}

/** Files of settings that git reads and the line wrote: what they make of a later call is not followed. */
export function readsWritten(call: Call): void {
	const { m } = call;
	for (const path of m.world.files.keys())
		if (/\/(\.git(\/modules\/.*)?\/config(\.worktree)?|\.gitconfig|git\/config)$/.test(path))
			m.unclear("settings of git that the line writes", path);
}

/** Variables that hold where git puts a trace (git(1), git-trace2): an absolute path, or a number that is none. */
const TRACE = /^GIT_TRACE(2|2_EVENT|2_PERF|_[A-Z_]+)?$/;

/** Traces that the line asks for, as what they are: files that are opened for writing. */
export function traces(call: Call): void {
	const { m, state } = call;
	const found = environmentOf(call).filter(({ name }) => TRACE.test(name));
	for (const { value } of found)
		if (beginning(value).startsWith("/"))
			m.emit({
				kind: "redirect",
				operator: ">>",
				target: value,
				writes: true,
				source: m.source,
				...m.course(state),
			});
}

/** Options of clone that take the next word (git-clone(1)). */
const CLONE_TAKES =
	"-o --origin -b --branch -u --upload-pack --reference --reference-if-able --template -c --config --depth --shallow-since --shallow-exclude " +
	"-j --jobs --server-option --separate-git-dir --filter --bundle-uri --revision --ref-format";

/** Where a clone lies, and where what it is a clone of does; "" for one that is not on this machine. */
function rememberClone({ m, state }: Call, { operands }: GitCall): void {
	const [address, directory] = readOptions(operands, CLONE_TAKES, true).rest.map((word) => textOf(word));
	if (address === undefined) return;
	const [source = ""] = absolutes(state, pathOfAddress(address));
	const name = directory ?? baseOf(address.replace(/\/+$/, "").replace(/\/\.git$/, "")).replace(/^.*:|\.(git|bundle)$/g, "");
	for (const place of absolutes(state, name)) m.world.clones.set(place, source);
}

/** The address that a line gives a remote with `remote add` and `remote set-url`, as the setting that it becomes. */
export function rememberRemote(call: Call, git: GitCall): void {
	const { verb, operands } = git;
	if (verb === "clone") rememberClone(call, git);
	if (verb !== "remote") return;
	const { given, rest } = readOptions(operands, "-t --track -m --master", true);
	const [action, name, address] = rest;
	const text = textOf(name);
	if (!/^(add|set-url)$/.test(textOf(action) ?? "") || text === undefined || address === undefined) return;
	call.m.world.settings.set(`remote.${text}.${given.some((option) => option.name === "--push") ? "pushurl" : "url"}`, [address]);
}

/** Where the clone that a call stands in comes from, where that is on this machine: of clones in one another the inner one. */
function clonedFrom(call: Call, git: GitCall): Bytes | undefined {
	const { clones } = call.m.world;
	for (const place of standingOf(call, git)) {
		const around = [...clones.keys()].filter((directory) => place === directory || isBelow(place, directory));
		const source = clones.get(around.reduce((inner, each) => (each.length > inner.length ? each : inner), ""));
		if (source) return source;
	}
	return undefined;
}

/** Options of push that take the next word (git-push(1)). */
const PUSH_TAKES = "-o --push-option --repo --receive-pack --exec";

/** A push to what a clone of the line comes from, with its address in the place of its name; undefined for any other call. */
export function pushElsewhere(call: Call, git: GitCall): Word[] | undefined {
	const { m, words } = call;
	if (git.verb !== "push" || m.world.clones.size === 0) return undefined;
	const { given, rest } = readOptions(git.operands, PUSH_TAKES, true);
	const name = rest[0];
	const remote = textOf(name ?? given.findLast((option) => option.name === "--repo")?.value) ?? "origin";
	const address = remote === "origin" && !m.world.settings.has("remote.origin.url") ? clonedFrom(call, git) : undefined;
	if (address === undefined) return undefined;
	return name === undefined ? [...words, known(address)] : words.map((word) => (word === name ? known(address) : word));
}

/** Commands that write where settings say, and those settings. */
const TOLD: Readonly<Record<string, RegExp>> = { push: /^(remote|url|branch)\./, "format-patch": /^format\.outputdirectory$/ };

/** The words of a call with the settings that the line made before, where they say what it writes. */
export function withSettingsOfLine({ m, words }: Call, { verb, before }: GitCall): Word[] {
	const told = m.world.settings.size > 0 && Object.hasOwn(TOLD, verb) ? TOLD[verb] : undefined;
	if (told === undefined) return words;
	const [tool = known("git"), ...own] = before;
	const found = [...m.world.settings].flatMap(([name, values]) => {
		const text = told.test(name) ? textOf(values.at(-1)) : undefined;
		return text === undefined ? [] : [known("-c"), known(`${name}=${text}`)];
	});
	return [tool, ...found, ...own, ...words.slice(before.length)];
}
