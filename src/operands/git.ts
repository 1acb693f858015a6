// git: where a subcommand changes something: the directory of -C, a work tree or a repository that is named, and what its words name.

import type { Bytes } from "../policy/bytes.ts";
import type { Operand, Reader } from "../policy/call.ts";
import { join, type Resolver } from "../policy/resolve.ts";
import { apart, into, namedBy, printed } from "./git/files.ts";
import { onlyLooks } from "./git/looks.ts";
import { pathsOf } from "./git/paths.ts";
import { placeAt, pushedInto, workTreeElsewhere } from "./git/repository.ts";
import { type Words, wordsOf } from "./git/words.ts";
import { NOTHING } from "./suspects.ts";

/** Where the repository's files change: the directory that git stands in, its work tree and its own directory where they are named. */
function repository({ gitDirectory, workTree }: Words, at: Bytes): Operand[] {
	if (gitDirectory === undefined) return [into(workTree ?? ".", at)];
	return [into(gitDirectory, at), into(workTree ?? ".", at)];
}

function standing(words: Words, look: Resolver): Bytes {
	let text = "";
	for (const directory of words.directories) text = text === "" || directory.startsWith("/") ? directory : join(text, directory);
	return look.directory(text === "" ? "." : text);
}

export const git: Reader = {
	name: "git",
	read(call, look) {
		const words = wordsOf(call);
		if (words === undefined) return NOTHING;
		const { subcommand, rest } = words;
		if (rest.includes("--help") || rest.includes("-h")) return NOTHING;
		const at = standing(words, look);
		if (onlyLooks(subcommand, rest)) return { operands: printed(subcommand, rest, at), unread: [] };
		const place = placeAt(at, look, call.env, words);
		const { operands, alone } = namedBy(words, place);
		if (alone) return { operands, unread: [] };
		operands.push(...repository(words, at), ...apart(at, call.env), ...workTreeElsewhere(words, place));
		operands.push(...pushedInto(words, place), ...pathsOf(words, place));
		return { operands, unread: [] };
	},
};
