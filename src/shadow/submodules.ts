// Submodules of a shadow: taken from the person's own copies, without the network and without a word in their repository's settings.

import { kindAt } from "../guardfile/disk.ts";
import { type Bytes, quote, toText } from "../policy/bytes.ts";
import { join } from "../policy/resolve.ts";
import type { System } from "../sys/system.ts";
import { fieldsOf, type Git, gitOf, lineOf } from "./git.ts";

/** How deep submodules of submodules are followed. */
const DEEPEST = 8;

/** The file type of a submodule's entry in an index (gitformat-index(5)). */
const GITLINK = "160000";

/** The submodules in an index: path and commit. @param repository words that tell git which one */
export function gitlinksOf(git: Git, ...repository: Bytes[]): { path: Bytes; commit: string }[] {
	const entries = fieldsOf(git(...repository, "ls-files", "--stage", "-z"));
	return entries.flatMap((entry) => {
		const [mode, commit = ""] = entry.split(" ");
		return mode === GITLINK ? [{ path: entry.slice(entry.indexOf("\t") + 1), commit }] : [];
	});
}

/** The name that settings know a submodule by (gitmodules(5)). */
function nameOf(git: Git, checkout: Bytes, path: Bytes): Bytes | undefined {
	const pairs = fieldsOf(git("config", "--file", join(checkout, ".gitmodules"), "-z", "--get-regexp", "^submodule\\..*\\.path$"));
	const pair = pairs.find((one) => one.slice(one.indexOf("\n") + 1) === path);
	return pair?.slice("submodule.".length, pair.indexOf("\n") - ".path".length);
}

/** Settings for one call, which stand in no file (git-config(1), GIT_CONFIG_COUNT). */
function settings(pairs: readonly (readonly [key: Bytes, value: Bytes])[]): Record<string, string> {
	const numbered = pairs.flatMap(([key, value], k) => [
		[`GIT_CONFIG_KEY_${k}`, toText(key)],
		[`GIT_CONFIG_VALUE_${k}`, toText(value)],
	]);
	return { GIT_CONFIG_COUNT: String(pairs.length), ...Object.fromEntries(numbered) };
}

/** Fill one submodule from the copy that the person has. Answers why it stays empty, in words. */
function fill(system: System, git: Git, source: Bytes, target: Bytes, path: Bytes, commit: string): string | undefined {
	const copy = join(source, path);
	const directory = lineOf(git("-C", copy, "rev-parse", "--absolute-git-dir"));
	const name = nameOf(git, target, path);
	if (directory === undefined || name === undefined) return "it is not set up in this checkout either";
	if (git("-C", copy, "cat-file", "-e", `${commit}^{commit}`).status !== 0)
		return `this checkout does not have its commit ${commit.slice(0, 10)}`;
	const local = gitOf(
		system,
		settings([
			[`submodule.${name}.url`, directory],
			[`submodule.${name}.active`, "true"],
			[`submodule.${name}.update`, "checkout"],
			["protocol.file.allow", "always"],
		]),
	);
	const filled = local?.("-C", target, "submodule", "--quiet", "update", "--no-recommend-shallow", "--", path);
	if (filled?.status !== 0) return filled?.complaint ?? "there is no git";
	const inner = join(target, path);
	const url = lineOf(git("-C", copy, "config", "--get", "remote.origin.url"));
	if (url !== undefined) git("-C", inner, "remote", "set-url", "origin", url);
	return undefined;
}

/**
 * Fill the submodules of a new worktree as they are filled in a checkout, those of submodules too.
 * @returns what a person should know, in words
 */
export function fillSubmodules(system: System, git: Git, source: Bytes, target: Bytes, depth = 0): string[] {
	if (depth > DEEPEST || kindAt(join(target, ".gitmodules")) !== "file") return [];
	return gitlinksOf(git, "-C", target).flatMap(({ path, commit }) => {
		// One that the person does without, the session can do without.
		if (kindAt(join(join(source, path), ".git")) === undefined) return [];
		const why = fill(system, git, source, target, path, commit);
		if (why !== undefined) return [`the submodule ${quote(path)} is empty: ${why}; "git submodule update --init" there fetches it`];
		return fillSubmodules(system, git, join(source, path), join(target, path), depth + 1);
	});
}
