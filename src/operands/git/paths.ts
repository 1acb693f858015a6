// The paths that a call of git is given within the work tree, and the files there that go because git does not know them.

import type { Bytes } from "../../policy/bytes.ts";
import type { Operand } from "../../policy/call.ts";
import { baseOf, isBelow, join, namesDirectory, parentOf } from "../../policy/resolve.ts";
import { setting, userSettings } from "../../sys/git-settings.ts";
import { matchesPattern } from "../patterns.ts";
import { type Place, settingsFor, topOf } from "./repository.ts";
import { type Arguments, argumentsOf, type Words } from "./words.ts";

/** A pathspec that is more than a path (gitglossary(7)): from the top of the work tree, or a pattern, in which `*` stands for slashes too. */
function specified(text: Bytes, place: Place, fromIndex: boolean): Operand {
	const top = /^:(\/|\(top\))/.exec(text)?.[0];
	const pattern = text.slice(top?.length ?? 0);
	const start = top === undefined ? place.at : topOf(place);
	// A pattern for all files of a kind that only takes changes back means none of them.
	const isKind = fromIndex && /^(\*\*\/)?\*\.\w+$/.test(pattern);
	const isAsked = (name: Bytes) =>
		!isKind && (name === pattern || name.startsWith(`${pattern}/`) || matchesPattern(pattern, name) === true);
	const reaches = (path: Bytes) => {
		if (!isBelow(path, start) || place.look.kind(path, false) === undefined) return undefined;
		return { goes: false, named: isAsked(path.slice(start.length + 1)) };
	};
	return { text: ".", role: "written", leaf: "entry", at: start, ...(/^[:*]/.test(pattern) && pattern.length === 1 ? {} : { reaches }) };
}

/**
 * A path that is written, with all that lies below it; its last component is the link itself.
 * @param fromIndex whether what git knows already is put there again
 */
function changed(text: Bytes, place: Place, fromIndex = false): Operand {
	if (/^:|[*?[]/.test(text)) return specified(text, place, fromIndex);
	const { at, look } = place;
	const deep = look.from(at).kind(text, false) === "directory";
	return { text, role: "written", leaf: "entry", at, ...(deep && { deep: {} }) };
}

const taken = (text: Bytes, role: "removed" | "moved", at: Bytes): Operand => ({ text, role, leaf: "entry", at });

/** Whether a word names one thing and no directory that everything lies in; to git a pattern or `:` at its beginning is more than a path. */
const isName = (text: Bytes) => !namesDirectory(text) && !/^:|[*?[]/.test(text);

/** `git mv`: what goes, and where it comes to. */
function movedBy(operands: readonly Bytes[], place: Place): Operand[] {
	const { at, look } = place;
	const target = operands.at(-1);
	const sources = operands.slice(0, -1);
	if (target === undefined) return [];
	const within = look.from(at).isDirectory(target);
	const places = within ? sources.map((source) => join(target, baseOf(source))) : [target];
	return [...sources.filter(isName).map((source) => taken(source, "moved", at)), ...places.map((text) => changed(text, place))];
}

/** The paths of `git stash`, which stand behind `push` or `--`. */
function stashed({ rest }: Words, { operands }: Arguments): Bytes[] {
	if (operands[0] === "push") return operands.slice(1);
	const end = rest.indexOf("--");
	return end < 0 ? [] : rest.slice(end + 1);
}

/** The paths that a call is given and changes; a name that is a branch lies below the directory in any case. */
export function pathsOf(words: Words, place: Place): Operand[] {
	const { subcommand, rest } = words;
	const given = argumentsOf(subcommand, rest);
	const { operands, has } = given;
	switch (subcommand) {
		case "mv":
			return movedBy(operands, place);
		case "rm":
			if (has("--cached")) return [];
			return operands.map((text) => (isName(text) ? taken(text, "removed", place.at) : changed(text, place)));
		case "restore":
			if (has("-S", "--staged") && !has("-W", "--worktree")) return [];
			return operands.map((text) => changed(text, place, !rest.some((word) => /^(-[a-zA-Z]*s|--source)/.test(word))));
		case "checkout":
		case "checkout-index":
			return operands.map((text) =>
				changed(
					text,
					place,
					rest.slice(0, rest.indexOf("--")).every((word) => word.startsWith("-")),
				),
			);
		case "stash":
			return [...stashed(words, given).map((text) => changed(text, place, true)), ...cleared(words, given, place)];
		case "sparse-checkout":
			return sparse(operands, has("--no-cone"), place);
		case "clean":
			return cleared(words, given, place);
		default:
			return [];
	}
}

/** Which of the files that git does not know a call takes away. */
interface Clearing {
	/** All of them, those that it ignores alone, or all but those. */
	ignored: "too" | "alone" | "not";
	/** Whether directories in which it knows nothing go as well. */
	directories: boolean;
	/** What stays. */
	except: readonly Bytes[];
}

function clearingOf({ subcommand, rest }: Words, { has }: Arguments): Clearing | undefined {
	if (subcommand === "stash") {
		const all = has("-a", "--all");
		return all || has("-u", "--include-untracked") ? { ignored: all ? "too" : "not", directories: true, except: [] } : undefined;
	}
	const except = rest.flatMap((word, k) => {
		const glued = /^(?:-[a-zA-Z]*e(?=.)|--exclude=)(.*)/s.exec(word)?.[1];
		return glued !== undefined ? [glued] : /^(-[a-zA-Z]*e|--exclude)$/.test(word) ? [rest[k + 1] ?? ""] : [];
	});
	return { ignored: has("-x") ? "too" : has("-X") ? "alone" : "not", directories: has("-d"), except };
}

/** Whether a pattern of gitignore(5) may be about a path, as far as its last component says. */
function mayMatch(pattern: Bytes, path: Bytes): boolean {
	const last = baseOf(pattern.trim());
	return path.split("/").some((name) => matchesPattern(last, name) !== false);
}

/** The patterns by which files at the top of a work tree or in a directory of it are ignored (gitignore(5)). */
function ignoringPatterns({ look, env, repository }: Place, words: Words, path: Bytes): Bytes[] {
	if (repository === undefined) return [];
	const user = userSettings(look.files, env, env("HOME"));
	const own = setting(settingsFor(words, look, repository), "core.excludesfile") ?? setting(user, "core.excludesfile");
	const home = env("HOME");
	const files = [
		join(repository.top, ".gitignore"),
		join(parentOf(path), ".gitignore"),
		join(repository.common, "info/exclude"),
		own?.replace(/^~(?=\/)/, home) ?? join(env("XDG_CONFIG_HOME") || join(home, ".config"), "git/ignore"),
	];
	const lines = files.flatMap((file) => (look.files.read(file, 65_536) ?? "").split("\n"));
	return lines.filter((line) => line.trim() !== "" && !/^[#!]/.test(line));
}

/** Whether a file or a directory surely goes, of which it is known that it lies below what is cleared. */
function goes(path: Bytes, clearing: Clearing, words: Words, place: Place): boolean {
	const { look, repository } = place;
	const kind = look.kind(path, false);
	if (kind === undefined || repository === undefined || !isBelow(path, repository.top)) return false;
	const { index } = place;
	const name = path.slice(repository.top.length + 1);
	const isKnown = (text: Bytes, end: string) => index === undefined || index.includes(text + end);
	if (isKnown(name, kind === "directory" ? "/" : "\0") || clearing.except.some((pattern) => mayMatch(pattern, name))) return false;
	if (!clearing.directories && name.includes("/") && !isKnown(parentOf(`/${name}`).slice(1), "/")) return false;
	if (clearing.ignored === "too") return true;
	const patterns = ignoringPatterns(place, words, path);
	if (clearing.ignored === "not") return !patterns.some((pattern) => mayMatch(pattern, name));
	// The file, or a directory that it lies in.
	const places = name.split("/").flatMap((part, k, parts) => [part, parts.slice(0, k + 1).join("/")]);
	return patterns.some((pattern) => places.includes(pattern.trim().replace(/^\/|\/$/g, "")));
}

/** How settings of agents name hooks, and plugins that stand for them (JSON, TOML). */
const HOOKS = /"hooks?"\s*:|"plugins?"\s*:|^\s*\[+\s*hooks|^\s*hooks[\s.]*=/m;

/** Whether a file of settings says something about hooks; a directory does by its name. */
function speaksOfHooks(path: Bytes, { look }: Place): boolean {
	if (look.kind(path, false) === "directory") return /\/(hooks|plugins?)$/.test(path);
	const text = look.read(path, 1 << 20);
	return text === undefined || HOOKS.test(text);
}

/** What `git sparse-checkout set` takes away: what git knows in other directories than those that are named (its cone mode). */
function sparse([action, ...directories]: readonly Bytes[], byPatterns: boolean, place: Place): Operand[] {
	if (action !== "set" || byPatterns) return [];
	const top = topOf(place);
	const reaches = (path: Bytes) => {
		const name = isBelow(path, top) ? path.slice(top.length + 1) : "";
		const isKnown = name.includes("/") && place.index?.includes(`${name}\0`) === true;
		const stays = directories.some((directory) => /^[./]+$/.test(directory) || name.startsWith(`${directory.replace(/\/+$/, "")}/`));
		return isKnown && !stays ? { goes: true, named: speaksOfHooks(path, place) } : undefined;
	};
	return [{ text: ".", role: "written", leaf: "entry", at: top, reaches }];
}

/** What `git clean` and `git stash -u` take away below the paths that they are given. */
function cleared(words: Words, given: Arguments, place: Place): Operand[] {
	const clearing = clearingOf(words, given);
	if (clearing === undefined) return [];
	const { at, look } = place;
	const paths = words.subcommand === "clean" ? given.operands : stashed(words, given);
	return (paths.length > 0 ? paths : ["."]).map((text): Operand => {
		const start = look.from(at).directory(text);
		const reaches = (path: Bytes) => {
			if (!(path === start || isBelow(path, start)) || !goes(path, clearing, words, place)) return undefined;
			// Who clears a project clears away what somebody allowed once, too; the hooks are another matter.
			return { goes: true, named: start === path || (start === parentOf(path) && !look.isDirectory(path)) || speaksOfHooks(path, place) };
		};
		return { text, role: "written", leaf: "entry", at, reaches };
	});
}
