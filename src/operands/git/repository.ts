// The repository that a call of git works on: where it lies, what its settings say, and which files it knows.

import type { Bytes } from "../../policy/bytes.ts";
import type { Operand } from "../../policy/call.ts";
import type { Resolver } from "../../policy/resolve.ts";
import {
	addressesOf,
	addSetting,
	pathOfAddress,
	pushedTo,
	type Repository,
	repositoryAt,
	type Settings,
	setting,
	settingsOf,
} from "../../sys/git-settings.ts";
import { argumentsOf, type Words } from "./words.ts";

/** Where a call is made. */
export interface Place {
	/** The real path of the directory that git stands in. */
	at: Bytes;
	look: Resolver;
	env(name: string): Bytes;
	readonly repository: Repository | undefined;
	/** The content of the index; undefined where it cannot be looked through. */
	readonly index: Bytes | undefined;
}

/** A place whose repository is looked for when somebody asks. */
export function placeAt(at: Bytes, look: Resolver, env: Place["env"], { gitDirectory }: Words): Place {
	let found: { repository: Repository | undefined } | undefined;
	let index: { text: Bytes | undefined } | undefined;
	return {
		at,
		look,
		env,
		get repository() {
			const directory = gitDirectory === undefined ? undefined : look.from(at).directory(gitDirectory);
			found ??= { repository: directory === undefined ? repositoryAt(look.files, at) : { top: at, directory, common: directory } };
			return found.repository;
		},
		get index() {
			index ??= { text: indexOf(this) };
			return index.text;
		},
	};
}

/** The top of the work tree, from which git itself works. */
export const topOf = ({ at, repository }: Place): Bytes => repository?.top ?? at;

/** The settings that hold for a call: the repository's, and those of `-c`. */
export function settingsFor({ settings }: Words, look: Resolver, repository: Repository | undefined): Settings {
	const found: Settings = repository === undefined ? new Map() : settingsOf(look.files, repository);
	for (const each of settings) {
		const equals = each.indexOf("=");
		addSetting(found, equals < 0 ? each : each.slice(0, equals), equals < 0 ? "true" : each.slice(equals + 1));
	}
	return found;
}

/** Subcommands that write into the work tree. */
const FILLS = new Set(
	"checkout switch restore reset clean stash merge pull rebase cherry-pick revert apply am rm mv read-tree bisect".split(" "),
);

/** The work tree that the repository's settings put elsewhere; what `-c` says of it git does not hear. */
export function workTreeElsewhere({ subcommand, workTree, gitDirectory }: Words, { look, repository }: Place): Operand[] {
	if (!FILLS.has(subcommand) || workTree !== undefined || gitDirectory !== undefined || repository === undefined) return [];
	const text = setting(settingsOf(look.files, repository), "core.worktree");
	return text === undefined ? [] : [{ text, role: "into", leaf: "target", at: repository.directory, note: "core.worktree" }];
}

/** The repositories on this machine that a push goes to. */
export function pushedInto(words: Words, place: Place): Operand[] {
	if (words.subcommand !== "push") return [];
	const { look, repository } = place;
	const { operands, value } = argumentsOf("push", words.rest);
	const named = operands[0] ?? value("--repo");
	if (named?.includes("\0")) return [];
	const settings = settingsFor(words, look, repository);
	const remote = named ?? pushedTo(look.files, repository, settings);
	const isName = settings.has(`remote.${remote}.url`) || settings.has(`remote.${remote}.pushurl`);
	const top = topOf(place);
	return addressesOf(remote, settings).flatMap((address): Operand[] => {
		const text = pathOfAddress(address);
		// A plain word that no setting knows and that names nothing is no path that git would find.
		if (text === undefined || (!isName && !text.includes("/") && !look.from(top).isDirectory(text))) return [];
		return [{ text, role: "into", leaf: "target", at: isName ? top : place.at, ...(isName && { note: `the remote ${remote}` }) }];
	});
}

/** No index that is looked through is larger. */
const LARGEST_INDEX = 64 * 1024 * 1024;

/** The names that the index holds below the top; undefined where they cannot be seen (gitformat-index(5)). */
function indexOf({ look, repository }: Place): Bytes | undefined {
	const text = repository && look.files.read(`${repository.directory}/index`, LARGEST_INDEX);
	// In version 4 a name stands there in part only.
	return text?.startsWith("DIRC\0\0\0") && text.charCodeAt(7) < 4 ? text : undefined;
}
