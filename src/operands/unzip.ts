// unzip: extracts into the directory of -d, else into the working directory.

import type { Bytes } from "../policy/bytes.ts";
import type { Operand, Reader } from "../policy/call.ts";
import { baseOf, isBelow, join } from "../policy/resolve.ts";
import { matchesPattern } from "./patterns.ts";
import { NOTHING } from "./suspects.ts";

/** Letters with which it lists, tests or prints, and writes nothing (unzip(1)). */
const READS = /[clptvzZ]/;

interface Words {
	letters: string;
	into: Bytes | undefined;
	archive: Bytes | undefined;
	/** The members that are asked for. */
	members: Bytes[];
}

/** unzip(1): bundles of letters; -d and -P take the rest of the word or the next one, -x all words to come. */
function wordsOf(argv: Bytes[]): Words {
	const found: Words = { letters: "", into: undefined, archive: undefined, members: [] };
	let excluding = false;
	for (let at = 1; at < argv.length; at++) {
		const word = argv[at] as Bytes;
		if (!word.startsWith("-") || word === "-") {
			if (excluding) continue;
			if (found.archive === undefined) found.archive = word;
			else found.members.push(word);
			continue;
		}
		for (let k = 1; k < word.length; k++) {
			const letter = word[k] as string;
			excluding = letter === "x";
			if (letter === "d" || letter === "P" || letter === "I" || letter === "O") {
				const value = word.slice(k + 1) || (argv[++at] ?? "");
				if (letter === "d") found.into = value;
				break;
			}
			found.letters += letter;
		}
	}
	return found;
}

export const unzip: Reader = {
	name: "unzip",
	read(call, look) {
		const { letters, into = ".", archive, members } = wordsOf(call.argv);
		if (archive === undefined || READS.test(letters)) return NOTHING;
		// With -j a member comes to the directory by its last name.
		const names = members.filter((text) => !text.startsWith("/") && !/[*?[]|(^|\/)\.\.?(\/|$)/.test(text));
		const written = names.map((text): Operand => {
			return { text: join(into, letters.includes("j") ? baseOf(text) : text), role: "written", leaf: "both", deep: {} };
		});
		const patterns = members.filter((text) => /[*?[]/.test(text));
		const start = look.directory(into);
		const isAsked = (name: Bytes) => patterns.some((pattern) => pattern !== "*" && matchesPattern(pattern, name) === true);
		const reaches = (path: Bytes) => (isBelow(path, start) ? { goes: false, named: isAsked(path.slice(start.length + 1)) } : undefined);
		return { operands: [{ text: into, role: "into", leaf: "target", reaches }, ...written], unread: [] };
	},
};
