// Command lines that need no reading, which are most of what an agent runs: words in the open, and tools that look, build or test.

import type { Bytes } from "../policy/bytes.ts";
import type { Policies } from "./policies.ts";

/**
 * Tools that nobody wraps by default, that are no word of the shell's language, and that run no command which is named by their words.
 * Whether they write is not asked: without a policy of theirs it would not be judged either.
 */
export const TOOLS: ReadonlySet<string> = new Set(
	(
		"cat ls head tail wc grep egrep fgrep rg echo pwd true false sleep cd date whoami id uname nproc which du df stat file diff cmp " +
		"basename dirname realpath readlink seq tr cut nl od md5sum sha256sum cksum ps pgrep jq tsc eslint jest vitest biome prettier pytest " +
		"ruff mypy black cargo rustc go gofmt make ninja node python python3 pip pip3 deno java javac gradle mvn ruby php dotnet " +
		"docker kubectl terraform gh shellcheck"
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
	printf: { never: /(^|\0)-/ },
	exit: { is: /^\d*$/ },
	set: { is: /^[-+][a-z]+(\0pipefail)?$/ },
	npm: { never: /(^|\0)(exec|x)(\0|$)/ },
	pnpm: { never: /(^|\0)(exec|dlx)(\0|$)/ },
	yarn: { never: /(^|\0)(exec|dlx)(\0|$)/ },
	bun: { never: /(^|\0)(exec|x)(\0|$)/ },
	cmake: { never: /(^|\0)-E(\0|$)/ },
	git: {
		reader: "git",
		// `git grep -O` hands what it finds to a program.
		never: /^grep(\0[^\0]*)*\0(-[^-\0]*O|--op)/,
		is: /^(status|log|diff|show|ls-files|ls-tree|rev-parse|blame|grep|describe|cat-file)(\0(?!--ou)[^\0]*)*$/,
	},
	find: {
		reader: "find",
		is: /^(([^-\0][^\0]*|-([LHPoa]|not|i?name|i?path|i?regex|type|m(ax|in)depth|newer|size|[amc](time|min)|empty|prune|print0?|ls|quit))(\0|$))*$/,
	},
	sed: { reader: "sed", is: /^-n\0\d+(,(\d+|\$))?p(\0[^-\0][^\0]*)*$/ },
	curl: { reader: "curl", is: /^((-[sSfLkivIgG46]+|-[XHdmuAew]|-o\0\/dev\/null|[^-\0][^\0]*)(\0|$))*$/, never: /%output/ },
};

/** Expansions that are one text or several words, and do nothing: `$NAME`, `${NAME}`, `$?`. */
const VALUE = /\$(?:\w+|\{\w+\}|\?)/;

/**
 * What a line is made of: blanks, a comment, a redirection to nowhere or to another descriptor, an operator between commands, or a
 * word in which nothing is expanded but values and names of files. A line that goes on in the middle of a word is none of these.
 */
const TOKEN = new RegExp(
	String.raw`(?:[ \t]|(?<=^|[\s;|&])\\\n)*(?:(?<=^|[\s;|&])(#[^\n]*)|` +
		String.raw`((?:[12&]?>>? ?/dev/null|2>&1|1?>&2)(?=[\s;|&]|$))|(&&|\|\||[;|&\n])|` +
		String.raw`((?:[\w./:,@%+=~^*?[\]\x80-\xff-]|\\[^\n\0]|${VALUE.source}|'[^'\0]*'|"(?:[^"$${"`"}\\\0]|\\[^\0]|${VALUE.source})*")+)|$)`,
	"y",
);

/** A longer line is not worth a try. */
const LONGEST = 2000;

const QUOTED = /'[^']*'|"[^"]*"/g;
const GLOB = /[*?[]/;
const IN_SINGLE = /'[^']*'/g;

/** Whether the words of a row's tool are known to the last: without values and escapes, and where options matter without patterns. */
function areKnown(words: readonly Bytes[], { reader }: Row): boolean {
	return words.every(
		(word) => !/[$\\]/.test(word.replace(IN_SINGLE, "")) && (reader === undefined || !GLOB.test(word.replace(QUOTED, ""))),
	);
}

/** Whether a tool is guarded, if at all, by the reader that its row is about. */
function isGuardedAs(tool: Bytes, reader: string | undefined, policies: Policies): boolean {
	const policy = policies.tool(tool);
	if (policy === undefined || reader === undefined) return policy === undefined;
	return !("unusable" in policy) && policy.gates.every(({ operands }) => operands === reader);
}

/** Whether one command is. */
function isPlainCommand(words: readonly Bytes[], policies: Policies): boolean {
	const tool = words[0] as Bytes;
	if (tool === "timeout" && /^\d+[smh]?$/.test(words[1] ?? "") && words.length > 2 && policies.tool(tool) === undefined)
		return isPlainCommand(words.slice(2), policies);
	const row = Object.hasOwn(ROWS, tool) ? ROWS[tool] : undefined;
	if (row === undefined && !TOOLS.has(tool)) return false;
	if (!isGuardedAs(tool, row?.reader, policies)) return false;
	if (row === undefined) return true;
	const text = words.slice(1).join("\0").replace(/['"]/g, "");
	return areKnown(words, row) && row.is?.test(text) !== false && row.never?.test(text) !== true;
}

/** Whether nothing in a command line need be judged. It says no to whatever it does not know, and then the line is read. */
export function isPlain(text: Bytes, policies: Policies): boolean {
	if (text.length > LONGEST) return false;
	let words: Bytes[] = [];
	for (TOKEN.lastIndex = 0; TOKEN.lastIndex < text.length; ) {
		const found = TOKEN.exec(text);
		if (found === null) return false;
		const [, , , operator, word] = found;
		if (word !== undefined) words.push(word);
		else if (operator !== undefined) {
			if (words.length === 0 ? operator !== "\n" : !isPlainCommand(words, policies)) return false;
			words = [];
		}
	}
	return words.length === 0 || isPlainCommand(words, policies);
}
