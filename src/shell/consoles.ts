// Programs with a language of their own that take lines for a shell and names of files in it: sqlite3, psql, mysql, gdb, dc, m4, expect, emacs.

import type { Bytes } from "../policy/bytes.ts";
import type { Asked, Handed, Hands } from "./handed.ts";
import { readOptions } from "./unwrap.ts";

/** A word of such a language without its quotes. */
const bare = (word: Bytes | undefined): Bytes => (word ?? "").replace(/^(["'])(.*)\1$/s, "$2");
const wordsOf = (line: Bytes): Bytes[] => line.match(/"[^"]*"|'[^']*'|\S+/g) ?? [];

/** Statements of SQL that change a database. */
const CHANGES =
	/(?:^|;)\s*(?:create|insert|update|delete|drop|alter|replace|vacuum|reindex|attach|with\b[\s\S]*\b(?:insert|update|delete)\b)\b/i;

/** The texts of options, what stands in files that they name, and what is read; each line by line. */
function texts({ words, text, input, content }: Asked, takes: string, lines: RegExp, files: RegExp): { rest: Bytes[]; lines: Bytes[] } {
	const { given, rest } = readOptions(words, takes, true);
	const own = given.flatMap(({ name, value }) => (value && lines.test(name) ? [text(value)] : []));
	const read = given.flatMap(({ name, value }) => (value && files.test(name) ? [content(value) ?? ""] : []));
	return { rest: rest.map(text), lines: [...own, ...read, input() ?? ""].flatMap((each) => each.split("\n")) };
}

/** Commands of sqlite3's shell by what their words name (sqlite.org/cli.html). */
function dotCommand(line: Bytes, found: Required<Handed>): void {
	const [, name = "", argument = ""] = /^\s*\.(\w+)\s*(.*)$/.exec(line) ?? [];
	const words = wordsOf(argument).map(bare);
	const last = words.at(-1) ?? "";
	if (/^(shell|system|sh|sy\w*)$/.test(name)) found.lines.push(argument);
	else if (/^(output|once|log|save|backup|clone|ou\w*)$/.test(name)) {
		const target = words.find((word) => !word.startsWith("-")) ?? "";
		if (target.startsWith("|")) found.lines.push(argument.replace(/^[^|]*\|/, "").replace(/["']$/, ""));
		else found.files.push(/^(backup|save)$/.test(name) ? last : target);
	} else if (name === "read" && last.startsWith("|")) found.lines.push(argument.replace(/^[^|]*\|/, "").replace(/["']$/, ""));
}

/** sqlite3(1): its database is written when a statement changes it. */
const sqlite: Hands = ({ words, text, input, content }) => {
	const single = words.map((word) => text(word));
	const takes = /^--?(cmd|separator|newline|nullvalue|init|lookaside|mmap|pagecache|vfs|maxsize|escape)$/;
	const operands = single.filter((word, k) => !word.startsWith("-") && !takes.test(single[k - 1] ?? ""));
	const named = (name: RegExp) => words.flatMap((word, k) => (name.test(single[k - 1] ?? "") ? [word] : []));
	const own = [...operands.slice(1), ...named(/^--?cmd$/).map(text), ...named(/^--?init$/).map((word) => content(word) ?? "")];
	if (operands.length < 2) own.push(input() ?? "");
	const found: Required<Handed> = { lines: [], files: [], unclear: "" };
	for (const line of own.flatMap((each) => each.split("\n"))) dotCommand(line, found);
	const isReadOnly = single.some((word) => /^--?readonly$/.test(word)) || /^file:.*mode=ro/.test(operands[0] ?? "");
	const database = (operands[0] ?? "").replace(/^file:(\/\/)?/, "").replace(/\?.*$/, "");
	if (!isReadOnly && database !== "" && database !== ":memory:" && own.some((each) => CHANGES.test(each))) found.files.push(database);
	return { lines: found.lines, files: found.files.filter((file) => !/^(|stdout|off|on|-)$/.test(file)) };
};

/** psql(1): commands behind a backslash. */
const psql: Hands = (asked) => {
	const takes = "-c --command -d --dbname -f --file -F -h --host -L -o -p --port -P -R -T -U --username -v --set";
	const found = { lines: [] as Bytes[], files: [] as Bytes[] };
	for (const line of texts(asked, takes, /^(-c|--command)$/, /^(-f|--file)$/).lines) {
		const [, name = "", argument = ""] = /\\(!|o|out|w|write|s|copy|g|gx)\s*(.*)$/.exec(line) ?? [];
		const target = bare(wordsOf(argument)[0]);
		if (name === "!") found.lines.push(argument);
		else if (/^(o|out|w|write|g|gx)$/.test(name)) {
			if (target.startsWith("|")) found.lines.push(argument.replace(/^["']?\|/, ""));
			else found.files.push(target);
		} else if (name === "s") found.files.push(target);
		else if (name === "copy") {
			const [, program, file] = /\bto\s+(?:program\s+'([^']*)'|'?([^\s']+))/i.exec(argument) ?? [];
			if (program !== undefined) found.lines.push(program);
			else if (file !== undefined && !/^(stdout|pstdout)$/i.test(file)) found.files.push(file);
		}
	}
	return { lines: found.lines, files: found.files.filter((file) => file !== "") };
};

/** mysql(1): `system` and `tee`, also behind a backslash. */
const mysql: Hands = (asked) => {
	const found = { lines: [] as Bytes[], files: [] as Bytes[] };
	for (const line of texts(asked, "-e --execute -D -h -P -u -S --tee", /^(-e|--execute)$/, /^$/).lines) {
		const [, shell, file] = /^\s*(?:(?:\\!|system\s)\s*(.*)|(?:\\T|tee\s)\s*(\S+))$/.exec(line) ?? [];
		if (shell !== undefined) found.lines.push(shell);
		if (file !== undefined) found.files.push(file);
	}
	return found;
};

/** Lines of a language of which a pattern finds those for a shell. @param takes its options that take a value */
const found =
	(takes: string, lines: RegExp, files: RegExp, pattern: RegExp): Hands =>
	(asked) => {
		const { rest, lines: all } = texts(asked, takes, lines, files);
		const named = asked.words.flatMap((word, k) => (files.source === "operand" && rest.includes(asked.text(word)) && k >= 0 ? [word] : []));
		const read = named.flatMap((word) => (asked.content(word) ?? "").split("\n"));
		const ran = [...all, ...read].flatMap((line) =>
			[...line.matchAll(pattern)].map((each) => each.slice(1).find((part) => part !== undefined) ?? ""),
		);
		return { lines: ran.map((line) => line.replace(/\\(["\\])/g, "$1")) };
	};

const TEXT = String.raw`"((?:[^"\\]|\\.)*)"`;

/** gdb(1), lldb(1), dc(1), m4(1), expect(1), emacs(1). */
export const consoles: Readonly<Record<string, Hands>> = {
	sqlite3: sqlite,
	sqlite: sqlite,
	psql,
	mysql,
	mariadb: mysql,
	dc: found("-e --expression -f --file", /^(-e|--expression)$/, /^(-f|--file)$/, /!(?![<>=!])\s*(.+)$/g),
	m4: found("-D -I -U -P", /^$/, /^operand$/, /\be?syscmd\(\s*[`[]*([^)'\]]*)/g),
	expect: found("-c -f", /^-c$/, /^-f$/, /\b(?:spawn|exec|system)\s+(?:--?\w+\s+)*([^;\]\n]+)/g),
	tclsh: found("-encoding", /^$/, /^operand$/, /\bexec\s+(?:--?\w+\s+)*([^;\]\n]+)/g),
	emacs: found(
		"--eval --execute -l --load -f --funcall",
		/^--(eval|execute)$/,
		/^(-l|--load)$/,
		new RegExp(String.raw`\((?:async-)?shell-command(?:-to-string)?\s+${TEXT}`, "g"),
	),
	gdb: ({ words, text, content }) => {
		const all = words.map(text);
		const commands = all.flatMap((each, k) => (/^--?(ex|iex|eval-command|init-eval-command)$/.test(all[k - 1] ?? "") ? [each] : []));
		const glued = all.flatMap((each) => /^--?(?:ex|iex|eval-command|init-eval-command)=(.*)$/s.exec(each)?.[1] ?? []);
		const files = words.filter((_, k) => /^(-x|--?command)$/.test(all[k - 1] ?? ""));
		const lines = [...commands, ...glued, ...files.flatMap((file) => (content(file) ?? "").split("\n"))];
		return { lines: lines.flatMap((line) => /^\s*(?:shell\b|!|make\b(?=.*;))\s*(.*)$/.exec(line)?.[1] ?? []) };
	},
};
