// Command lines that are so plain that they need no reading: words in the open, and tools that look, build or test. They are most
// of what an agent runs, and each of them spares it the reader of the shell's language.

import type { Bytes } from "../policy/bytes.ts";
import type { Policies } from "./policies.ts";

/**
 * Tools that nobody wraps by default, that are no word of the shell's language, and that run no command which is named by their words.
 * Whether they write is not asked: without a policy of theirs it would not be judged either.
 */
export const TOOLS: ReadonlySet<string> = new Set(
	(
		"cat ls head tail wc grep egrep fgrep rg echo pwd true false sleep cd date whoami id uname nproc which du df stat file diff cmp " +
		"basename dirname realpath readlink seq tr cut nl od md5sum sha256sum cksum ps pgrep jq tsc eslint pytest ruff mypy cargo go make " +
		"cmake ninja node python python3 deno java javac gradle mvn rustc"
	).split(" "),
);

/** A tool that is plain with some words only. Its words are put together with a NUL, without their quotes. */
interface Row {
	/** The reader that its policy must name: it is guarded, and these words are known to name nothing that it changes. */
	reader?: string;
	/** What the words must be. */
	is?: RegExp;
	/** What may not be among them. */
	never?: RegExp;
}

/** In an index, test(1) of bash runs a substitution even where it was quoted. */
const TESTED: Row = { never: /[$`]/ };

const ROWS: Readonly<Record<string, Row>> = {
	test: TESTED,
	"[": TESTED,
	npm: { never: /(^|\0)(exec|x)(\0|$)/ },
	pnpm: { never: /(^|\0)(exec|dlx)(\0|$)/ },
	yarn: { never: /(^|\0)(exec|dlx)(\0|$)/ },
	git: { reader: "git", is: /^(status|log|diff|show|ls-files|ls-tree|rev-parse|blame|grep|describe|cat-file)(\0(?!--ou)[^\0]*)*$/ },
	find: {
		reader: "find",
		is: /^(([^-\0][^\0]*|-([LHPoa]|not|i?name|i?path|i?regex|type|m(ax|in)depth|newer|size|[amc](time|min)|empty|prune|print0?|ls|quit))(\0|$))*$/,
	},
	sed: { reader: "sed", is: /^-n\0\d+(,(\d+|\$))?p(\0[^-\0][^\0]*)*$/ },
};

/** A redirection to nowhere or to another descriptor, an operator between commands, or a word in which nothing is expanded but names of files. */
const TOKEN =
	/[ \t]*(?:((?:[12&]?>>? ?\/dev\/null|2>&1|1?>&2)(?=[\s;|&]|$))|(&&|\|\||[;|&\n])|((?:[\w./:,@%+=~^*?[\]\x80-\xff-]|'[^'\0]*'|"[^"$`\\\0]*")+))/y;

/** A longer line is not worth a try. */
const LONGEST = 2000;

const QUOTED = /'[^']*'|"[^"]*"/g;
const GLOB = /[*?[]/;

/** Whether one command is. */
function isPlainCommand(words: readonly Bytes[], policies: Policies): boolean {
	const tool = words[0] as Bytes;
	const row = Object.hasOwn(ROWS, tool) ? ROWS[tool] : undefined;
	if (row === undefined && !TOOLS.has(tool)) return false;
	const policy = policies.tool(tool);
	if (row?.reader === undefined) {
		if (policy !== undefined) return false;
	} else {
		// A name that a pattern matches may look like an option.
		if (policy === undefined || "unusable" in policy || words.some((word) => GLOB.test(word.replace(QUOTED, "")))) return false;
		if (policy.gates.some(({ operands }) => operands !== row.reader)) return false;
	}
	if (row === undefined) return true;
	const text = words.slice(1).join("\0").replace(/['"]/g, "");
	return row.is?.test(text) !== false && row.never?.test(text) !== true;
}

/** Whether nothing in a command line need be judged. It says no to whatever it does not know, and then the line is read. */
export function isPlain(text: Bytes, policies: Policies): boolean {
	if (text.length > LONGEST) return false;
	const line = text.replace(/^[ \t\n]+|[ \t\n]+$/g, "");
	let words: Bytes[] = [];
	for (TOKEN.lastIndex = 0; TOKEN.lastIndex < line.length; ) {
		const [, redirection, operator, word] = TOKEN.exec(line) ?? [];
		if (word !== undefined) words.push(word);
		else if (operator !== undefined) {
			if (words.length === 0 ? operator !== "\n" : !isPlainCommand(words, policies)) return false;
			words = [];
		} else if (redirection === undefined) return false;
	}
	return words.length === 0 || isPlainCommand(words, policies);
}
