// Programs with a language of their own that take lines for a shell and names of files in it: sqlite3, psql, mysql, gdb, dc, m4, expect, emacs.

import type { Bytes } from "../policy/bytes.ts";
import type { Asked, Hands } from "./handed.ts";
import { readOptions } from "./unwrap.ts";

/** A word of such a language without its quotes. */
const bare = (word: Bytes | undefined): Bytes => (word ?? "").replace(/^(["'])(.*)\1$/s, "$2");
const wordsOf = (line: Bytes): Bytes[] => line.match(/"[^"]*"|'[^']*'|\S+/g) ?? [];

/** Statements of SQL that change a database. */
const CHANGES = /^\s*(?:create|insert|update|delete|drop|alter|replace|vacuum|reindex|with\b[\s\S]*\b(?:insert|update|delete)\b)\b/i;

/** Where a program takes its texts from. */
interface Sources {
	/** Its options that take a value; of these, the ones with a text, and with a file of texts. */
	takes: string;
	texts?: RegExp;
	files?: RegExp;
	/** Its operands are files of texts. */
	operands?: true;
}

/** The lines of all its texts, as far as they are known. */
function linesOf({ words, text, input, content }: Asked, { takes, texts, files, operands }: Sources): Bytes[] {
	const { given, rest } = readOptions(words, takes, true);
	const own = given.flatMap(({ name, value }) => (value && texts?.test(name) ? [text(value)] : []));
	const read = given.flatMap(({ name, value }) => (value && files?.test(name) ? [value] : []));
	const known = [...read, ...(operands ? rest : [])].map((file) => content(file) ?? "");
	return [...own, ...known, input() ?? ""].flatMap((each) => each.split("\n"));
}

/** What the statements and commands of one call of sqlite3 come to. */
class Sqlite {
	readonly found = { lines: [] as Bytes[], files: [] as Bytes[] };
	/** The files of the databases that are open, by their names in statements. */
	readonly #open = new Map<Bytes, Bytes>();

	constructor(
		database: Bytes,
		readonly isReadOnly: boolean,
	) {
		this.#open.set("main", database);
	}

	/** Commands of its shell (sqlite.org/cli.html); whether a line is one. */
	command(line: Bytes): boolean {
		const [, name, argument = ""] = /^\s*\.(\w+)\s*(.*)$/.exec(line) ?? [];
		if (name === undefined) return false;
		const words = wordsOf(argument).map(bare);
		const target = words.find((word) => !word.startsWith("-")) ?? "";
		const piped = () => this.found.lines.push(argument.replace(/^[^|]*\|/, "").replace(/["']$/, ""));
		if (/^(shell|system|sh|sy\w*)$/.test(name)) this.found.lines.push(argument);
		else if (/^(output|once|log|ou\w*|read)$/.test(name) && target.startsWith("|")) piped();
		else if (/^(output|once|log|ou\w*|clone)$/.test(name)) this.found.files.push(target);
		else if (/^(backup|save)$/.test(name)) this.found.files.push(words.at(-1) ?? "");
		else if (name === "open") this.#open.set("main", target);
		return true;
	}

	/** Statements: which file each changes is the one of the database that it names, or the main one. */
	statements(text: Bytes): void {
		for (const each of text.matchAll(/\bwritefile\s*\(\s*'([^']*)'/gi)) this.found.files.push(each[1] as Bytes);
		for (const statement of text.split(";")) {
			const [, attached, name] = /^\s*attach\s+(?:database\s+)?'([^']*)'\s+as\s+(\w+)/i.exec(statement) ?? [];
			if (attached !== undefined) this.#open.set(name as Bytes, attached);
			const into = /^\s*vacuum\s+(?:\w+\s+)?into\s+'([^']*)'/i.exec(statement)?.[1];
			if (into !== undefined) this.found.files.push(into);
			else if (!this.isReadOnly && CHANGES.test(statement)) {
				const named = /\b(\w+)\.\w/.exec(statement.replace(/'[^']*'/g, ""))?.[1] ?? "main";
				this.found.files.push((this.#open.get(named) ?? this.#open.get("main") ?? "").replace(/^file:(\/\/)?/, "").replace(/\?.*$/, ""));
			}
		}
	}
}

/** sqlite3(1): its database is written when a statement changes it. */
const sqlite: Hands = ({ words, text, input, content, word: wordFor }) => {
	const single = words.map((word) => text(word));
	const takes = /^--?(cmd|separator|newline|nullvalue|init|lookaside|mmap|pagecache|vfs|maxsize|escape)$/;
	const operands = single.filter((word, k) => !word.startsWith("-") && !takes.test(single[k - 1] ?? ""));
	const named = (name: RegExp) => words.flatMap((word, k) => (name.test(single[k - 1] ?? "") ? [word] : []));
	const own = [...named(/^--?init$/).map((word) => content(word) ?? ""), ...named(/^--?cmd$/).map(text), ...operands.slice(1)];
	if (operands.length < 2) own.push(input() ?? "");
	const isReadOnly = single.some((word) => /^--?readonly$/.test(word)) || /^file:.*mode=ro/.test(operands[0] ?? "");
	const session = new Sqlite(operands[0] ?? "", isReadOnly);
	const all = own.flatMap((each) => {
		const file = /^\s*\.read\s+([^|\s]+)\s*$/m.exec(each)?.[1];
		return file === undefined ? [each] : [content(wordFor(bare(file))) ?? "", each];
	});
	for (const each of all) {
		const statements = each.split("\n").filter((line) => !session.command(line));
		session.statements(statements.join("\n"));
	}
	return { lines: session.found.lines, files: session.found.files.filter((file) => !/^(|stdout|off|on|-|:memory:)$/.test(file)) };
};

/** psql(1): commands behind a backslash. */
const psql: Hands = (asked) => {
	const takes = "-c --command -d --dbname -f --file -F -h --host -L -o -p --port -P -R -T -U --username -v --set";
	const found = { lines: [] as Bytes[], files: [] as Bytes[] };
	for (const line of linesOf(asked, { takes, texts: /^(-c|--command)$/, files: /^(-f|--file)$/ })) {
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
	for (const line of linesOf(asked, { takes: "-e --execute -D -h -P -u -S --tee", texts: /^(-e|--execute)$/ })) {
		const [, shell, file] = /^\s*(?:(?:\\!|system\s)\s*(.*)|(?:\\T|tee\s)\s*(\S+))$/.exec(line) ?? [];
		if (shell !== undefined) found.lines.push(shell);
		if (file !== undefined) found.files.push(file);
	}
	return found;
};

/** What a pattern finds in the lines of a language: lines for a shell. */
const handing =
	(sources: Sources, pattern: RegExp): Hands =>
	(asked) => {
		const found = linesOf(asked, sources).flatMap((line) => [...line.matchAll(pattern)].map(([, ran = ""]) => ran));
		return { lines: found.map((line) => line.replace(/\\(["\\])/g, "$1")) };
	};

const TEXT = String.raw`"((?:[^"\\]|\\.)*)"`;

const EMACS: Sources = { takes: "--eval --execute -l --load -f --funcall", texts: /^--(eval|execute)$/, files: /^(-l|--load)$/ };

/** What a program of emacs hands to a shell. */
const shellCommands = handing(EMACS, new RegExp(String.raw`\((?:async-)?shell-command(?:-to-string)?\s+${TEXT}`, "g"));

/** gdb(1), lldb(1), dc(1), m4(1), expect(1), emacs(1). */
export const consoles: Readonly<Record<string, Hands>> = {
	sqlite3: sqlite,
	sqlite: sqlite,
	psql,
	mysql,
	mariadb: mysql,
	dc: handing({ takes: "-e --expression -f --file", texts: /^(-e|--expression)$/, files: /^(-f|--file)$/ }, /!(?![<>=!])\s*(.+)$/g),
	m4: handing({ takes: "-D -I -U -P", operands: true }, /\be?syscmd\(\s*[`[]*([^)'\]]*)/g),
	expect: handing({ takes: "-c -f", texts: /^-c$/, files: /^-f$/, operands: true }, /\b(?:spawn|exec|system)\s+(?:--?\w+\s+)*([^;\]\n]+)/g),
	tclsh: handing({ takes: "-encoding", operands: true }, /\bexec\s+(?:--?\w+\s+)*([^;\]\n]+)/g),
	emacs: (asked) => {
		const acts = /\((?:delete|write|rename|copy|make|append)-(?:file|directory|region)|\(call-process/;
		const changes = linesOf(asked, EMACS).some((line) => acts.test(line));
		const { lines } = shellCommands(asked) ?? { lines: [] };
		return { lines, ...(changes && { unclear: "a program of emacs that changes files" }) };
	},
	gdb: ({ words, text, content }) => {
		const all = words.map(text);
		const commands = all.flatMap((each, k) => (/^--?(ex|iex|eval-command|init-eval-command)$/.test(all[k - 1] ?? "") ? [each] : []));
		const glued = all.flatMap((each) => /^--?(?:ex|iex|eval-command|init-eval-command)=(.*)$/s.exec(each)?.[1] ?? []);
		const files = words.filter((_, k) => /^(-x|--?command)$/.test(all[k - 1] ?? ""));
		const lines = [...commands, ...glued, ...files.flatMap((file) => (content(file) ?? "").split("\n"))];
		const scripted = lines.some((line) => /^\s*(python|py|guile|source)\b/.test(line));
		const ran = lines.flatMap((line) => /^\s*(?:shell\b|!|(?:pipe\b|\|)[^|]*\|)\s*(.*)$/.exec(line)?.[1] ?? []);
		return { lines: ran, ...(scripted && { unclear: "a program that gdb runs" }) };
	},
};
