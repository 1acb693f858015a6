// The files and directories that a call of git names beside the repository that it works on.

import type { Bytes } from "../../policy/bytes.ts";
import type { Operand } from "../../policy/call.ts";
import { baseOf, join, parentOf } from "../../policy/resolve.ts";
import { settingName } from "../../sys/git-settings.ts";
import { type Place, settingsFor, topOf } from "./repository.ts";
import { type Arguments, argumentsOf, row, type Words } from "./words.ts";

/** Subcommands that print a difference or an archive, and so take --output (git-diff(1), setup_revisions). */
const PRINTS = new Set(
	(
		"diff log show diff-tree diff-index diff-files diff-pairs whatchanged stash shortlog range-diff blame annotate rev-list reflog difftool " +
		"fast-export format-patch bundle"
	).split(" "),
);

export const written = (text: Bytes, at: Bytes, node = true): Operand => ({
	text,
	role: "written",
	leaf: "both",
	at,
	...(node && { node }),
});

export const into = (text: Bytes, at: Bytes): Operand => ({ text, role: "into", leaf: "target", at });

/** What is put in front of names: a directory, or one with the beginning of a name. */
function prefixed(text: Bytes, at: Bytes): Operand {
	const slash = text.lastIndexOf("/");
	return into(slash < 0 ? "." : text.slice(0, slash + 1), at);
}

/** The file that a difference is printed to. */
export function printed(subcommand: string, rest: readonly Bytes[], at: Bytes): Operand[] {
	if (!PRINTS.has(subcommand)) return [];
	const end = rest.indexOf("--");
	return (end < 0 ? rest : rest.slice(0, end)).flatMap((word, k) => {
		const file = word.startsWith("--output=") ? word.slice("--output=".length) : word === "--output" ? rest[k + 1] : undefined;
		return file === undefined ? [] : [written(file, at, false)];
	});
}

/** Words by which `git config` changes a file, and words by which it only shows one (git-config(1), also as it was before 2.46). */
const SETS =
	/^(--add|--replace-all|--unset|--unset-all|--rename-section|--remove-section|-e|--edit|set|unset|rename-section|remove-section|edit)$/;
const GETS = /^(--get|--get-all|--get-regexp|--get-urlmatch|--get-color|--get-colorbool|-l|--list|get|list|get-color|get-colorbool)$/;

/** Words that are actions of it, behind which options may stand (git-config(1), COMMANDS). */
const ACTION = /^(list|get|set|unset|rename-section|remove-section|edit|get-color|get-colorbool)$/;

/** The work tree that a setting names: every later git writes there. It stands on the repository's own directory. */
function workTreeSet(operands: readonly Bytes[], { at, repository }: Place): Operand[] {
	const [name, value] = operands[0] === "set" ? operands.slice(1) : operands;
	if (value === undefined || settingName(name ?? "") !== "core.worktree") return [];
	return [into(value, repository?.directory ?? at)];
}

/** The words of `git config` with an end of its options where they end: in front of the name, unless that is an action. */
function settled(rest: readonly Bytes[]): Bytes[] {
	const [name] = argumentsOf("config", rest).operands;
	const at = name === undefined || ACTION.test(name) ? -1 : rest.indexOf(name);
	return at < 0 || rest.slice(0, at).includes("--") ? [...rest] : [...rest.slice(0, at), "--", ...rest.slice(at)];
}

/** The file of the configuration that is changed; undefined when it is the repository's own, [] when none is. */
function configured(rest: Bytes[], place: Place): Operand[] | undefined {
	const { at, env } = place;
	const { operands, options, value, has } = argumentsOf("config", settled(rest));
	const words = [...options, ...operands.slice(0, 1)];
	const sets = words.some((word) => SETS.test(word)) || operands.length > 1;
	if (!sets || words.some((word) => GETS.test(word))) return [];
	const file = value("-f", "--file") ?? (env("GIT_CONFIG") || undefined);
	if (file !== undefined) return [written(file, at, false)];
	if (has("--system", "--syste", "--syst")) return [written(env("GIT_CONFIG_SYSTEM") || "/etc/gitconfig", at, false)];
	if (!has("--global", "--globa", "--glob")) {
		const elsewhere = workTreeSet(operands, place);
		return elsewhere.length === 0 ? undefined : [...elsewhere, into(".", at)];
	}
	const own = env("GIT_CONFIG_GLOBAL") || (env("HOME") && `${env("HOME")}/.gitconfig`);
	return own ? [written(own, at, false)] : [];
}

/** The directory that clone makes of a repository's name (git-clone(1), DIRECTORY). */
function clonedName(repository: Bytes): Bytes {
	const path = repository.replace(/\/+$/, "").replace(/\/\.git$/, "");
	const name = baseOf(path.replace(/^[^/]*:/, ":").replaceAll(":", "/"));
	return name.replace(/\.(git|bundle)$/, "");
}

/** A work tree that goes: by the end of the path that it is known under, where that is of one alone, else by its path, which may be `.`. */
function workTree(text: Bytes, { at, look, repository }: Place): Bytes {
	const here = look.from(at);
	const kept = `${repository?.common}/worktrees`;
	const known = (repository && look.files.list(kept)) ?? [];
	const paths = known.map(({ name }) => {
		const path = parentOf(look.files.read(`${kept}/${name}/gitdir`, 4096)?.trim() ?? "");
		return path.startsWith("/") ? path : join(`${kept}/${name}`, path);
	});
	const [path, other] = text.includes("\0") ? [] : paths.filter((each) => each.endsWith(`/${text}`));
	if (path !== undefined && other === undefined) return path;
	return here.isDirectory(text) && /(^|\/)\.\.?\/*$/.test(text) ? here.directory(text) : text;
}

/** What a call names, where it is made. */
interface Naming {
	words: Words;
	given: Arguments;
	place: Place;
}

const gone = (text: Bytes, at: Bytes, role: "removed" | "moved"): Operand => ({ text, role, leaf: "target", at });

/** Where format-patch puts its files. */
function patches({ words, given: { value }, place }: Naming): Operand[] {
	const { at, look } = place;
	if (value("--output") !== undefined || words.rest.includes("--stdout")) return [];
	const set = settingsFor(words, look, place.repository).get("format.outputdirectory")?.at(-1);
	return [into(value("-o", "--output-directory") ?? set ?? ".", at)];
}

/** For each subcommand what it names, where that is all that it changes; undefined where it changes its repository, too. */
const NAMED: Readonly<Record<string, (naming: Naming) => Operand[] | undefined>> = {
	clone({ given: { operands, value }, place: { at } }) {
		const separate = value("--separate-git-dir");
		const apart = separate === undefined ? [] : [written(separate, at)];
		const [first, second] = operands;
		return first === undefined ? [] : [...apart, written(second ?? clonedName(first), at)];
	},
	init({ words: { gitDirectory }, given: { operands, value }, place: { at } }) {
		const apart = [value("--separate-git-dir"), gitDirectory].flatMap((text) => (text === undefined ? [] : [written(text, at)]));
		return [...apart, operands[0] === undefined ? into(".", at) : written(operands[0], at)];
	},
	worktree({ given: { operands }, place }) {
		const [action, first, second] = operands;
		if (first === undefined) return undefined;
		if (action === "remove") return [gone(workTree(first, place), place.at, "removed")];
		if (action === "move") return [gone(workTree(first, place), place.at, "moved"), written(second ?? "", place.at)];
		if (action === "add") return [written(first, place.at)];
		return action === "repair" ? operands.slice(1).map((text) => into(text, place.at)) : undefined;
	},
	"format-patch": patches,
	archive: ({ given: { value }, place: { at } }) =>
		[value("-o", "--output")].flatMap((file) => (file === undefined ? [] : [written(file, at, false)])),
	bugreport: ({ given: { value }, place: { at } }) => [into(value("-o", "--output-directory") ?? ".", at)],
	diagnose: ({ given: { value }, place: { at } }) => [into(value("-o", "--output-directory") ?? ".", at)],
	"fast-export": ({ given: { value }, place: { at } }) => {
		const marks = value("--export-marks");
		return marks === undefined ? [] : [written(marks, at, false)];
	},
	config: ({ words: { rest }, place }) => configured(rest, place),
	bundle({ given: { operands }, place: { at } }) {
		const [action, file] = operands;
		if (action !== "create" || file === undefined) return undefined;
		return file === "-" ? [] : [written(file, at, false)];
	},
	"checkout-index"({ given: { value }, place }) {
		const prefix = value("--prefix");
		return prefix === undefined ? undefined : [prefixed(prefix, topOf(place))];
	},
	svn({ given: { operands }, place: { at } }) {
		const [action, , directory] = operands;
		return /^(clone|init)$/.test(action ?? "") && directory !== undefined ? [written(directory, at)] : undefined;
	},
	"pack-objects": ({ given: { operands }, place: { at } }) => operands.slice(0, 1).map((base) => prefixed(base, at)),
	mailinfo: ({ given: { operands }, place: { at } }) => operands.slice(0, 2).map((file) => written(file, at, false)),
	mailsplit: ({ words: { rest }, place: { at } }) => rest.flatMap((word) => (/^-o./s.test(word) ? [into(word.slice(2), at)] : [])),
	"merge-file": ({ given: { operands }, place: { at } }) => operands.slice(0, 1).map((file) => written(file, at, false)),
	"interpret-trailers": ({ given: { operands }, place: { at } }) => operands.map((file) => written(file, at, false)),
	"credential-store": ({ given: { value }, place: { at, env } }) => [
		written(value("--file") ?? (env("HOME") ? `${env("HOME")}/.git-credentials` : ""), at, false),
	],
	"read-tree"({ given: { value }, place: { at } }) {
		const index = value("--index-output");
		return index === undefined ? undefined : [written(index, at, false)];
	},
};

/** Options that name what is written beside a repository that changes as well. */
const BESIDE: Readonly<Record<string, readonly [option: string, as: (text: Bytes, at: Bytes) => Operand][]>> = {
	"fast-import": [
		["--export-marks", written],
		["--export-pack-edges", written],
	],
	"index-pack": [["-o", written]],
	"commit-graph": [["--object-dir", into]],
	"multi-pack-index": [["--object-dir", into]],
	apply: [["--build-fake-ancestor", written]],
};

/** Subcommands that are given the directory of a repository that they write to. */
const RECEIVES = ["receive-pack", "send-pack"];

/** What a subcommand names; `alone` where it leaves its repository as it is. */
export function namedBy(words: Words, place: Place): { operands: Operand[]; alone: boolean } {
	const { subcommand, rest } = words;
	const given = argumentsOf(subcommand, rest);
	const { at } = place;
	const operands = printed(subcommand, rest, at);
	const alone = row(NAMED, subcommand)?.({ words, given, place });
	if (alone !== undefined) return { operands: [...operands, ...alone], alone: true };
	for (const [option, as] of row(BESIDE, subcommand) ?? []) {
		const text = given.value(option);
		if (text !== undefined) operands.push(as(text, at));
	}
	if (RECEIVES.includes(subcommand)) for (const text of given.operands.slice(0, 1)) operands.push(into(text, at));
	return { operands, alone: false };
}

/** The variables that put a part of the repository elsewhere (git(1), ENVIRONMENT VARIABLES). */
export function apart(at: Bytes, env: (name: string) => Bytes): Operand[] {
	const index = env("GIT_INDEX_FILE");
	const found = index === "" ? [] : [written(index, at, false)];
	for (const name of ["GIT_OBJECT_DIRECTORY", "GIT_COMMON_DIR"]) if (env(name) !== "") found.push(into(env(name), at));
	return found;
}
