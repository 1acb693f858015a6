// ed, and vi with its kin, without a person: the files that their commands write, and the lines that these hand to a shell.

import type { Bytes } from "../policy/bytes.ts";
import type { Asked, Handed, Hands } from "./handed.ts";
import { readOptions } from "./unwrap.ts";
import { textOf } from "./words.ts";

/** An address before a command: numbers, marks, patterns. */
const ADDRESS = /^(?:[\s:,;%.$*+-]|\d|'[a-zA-Z<>]|\/(?:[^/\\]|\\.)*\/|\?(?:[^?\\]|\\.)*\?)*/;

/** What is done with each line that matches. */
const GLOBAL = /^[gv]!?\/(?:[^/\\]|\\.)*\//;

/** ed(1): a line in a text that is put in, up to a point. */
const ADDS = /^[aic]$/;

function ed({ words, text, input }: Asked): Handed | undefined {
	const { rest } = readOptions(words, "-p --prompt", true);
	let file = rest[0] === undefined ? "" : text(rest[0]);
	const found = { lines: [] as Bytes[], files: [] as Bytes[] };
	// Instead of a file, `!line` is run and read.
	if (file.startsWith("!")) found.lines.push(file.slice(1));
	let adding = false;
	for (const line of input()?.split("\n") ?? []) {
		if (adding) {
			adding = line !== ".";
			continue;
		}
		const command = line.slice(ADDRESS.exec(line)?.[0].length ?? 0).replace(GLOBAL, "");
		adding = ADDS.test(command);
		const [, name, argument = ""] = /^(!|wq|[wWrefE](?![a-z]))\s*(.*)$/.exec(command) ?? [];
		if (name === undefined) continue;
		if (name === "!") found.lines.push(argument);
		else if (argument.startsWith("!")) found.lines.push(argument.slice(1));
		else if (/^w/i.test(name)) found.files.push(argument === "" ? file : argument);
		else if (argument !== "" && name !== "r") file = argument;
	}
	return { lines: found.lines, files: found.files.filter((text) => text !== "") };
}

/** Words that stand before a command of Vim and change nothing of what it does to files. */
const MODIFIER = /^(?:sil(?:ent)?!?|noa(?:utocmd)?|keep\w+|lockm(?:arks)?|sandbox|verb(?:ose)?|\d*(?:arg|buf|win|tab)do|uns(?:ilent)?)\s+/;
/** Commands that write the file, with another name or without one. */
const WRITES =
	/^(w|wr|wri|writ|write|wq|x|xit|exi|exit|up|update|sav|saveas|wa|wall|wqa|wqall|xa|xall|wn|mks|mksession|mkv|mkview)!?(?=\s|$|>)\s*/;
const STRING = /^\s*(?:"((?:[^"\\]|\\.)*)"|'((?:[^']|'')*)')/;
/** Functions of Vim's language, with what their first text is. */
const CALLED = /\b(system|systemlist|job_start|term_start|delete|rename|writefile|mkdir|os\.execute|os\.remove|io\.popen)\s*\(\s*/g;

/** What stands in quotes at the beginning of a text. */
const quoted = (text: Bytes): Bytes | undefined => {
	const [whole, double, single] = STRING.exec(text) ?? [];
	return whole === undefined ? undefined : (double?.replace(/\\(.)/g, "$1") ?? single?.replaceAll("''", "'"));
};

/** Functions that a command calls: lines for a shell; of files that go only that nobody follows it. */
function called(command: Bytes, found: Required<Handed>): void {
	for (const each of command.matchAll(CALLED)) {
		const text = quoted(command.slice(each.index + each[0].length));
		const name = each[1] as string;
		if (/^(system|job|term|os\.ex|io)/.test(name)) {
			if (text !== undefined) found.lines.push(text);
		} else if (text !== undefined && /^(delete|rename|os\.rem)/.test(name))
			found.lines.push(`rm -rf -- '${text.replaceAll("'", "'\\''")}'`);
		else found.unclear = "a function of an editor that changes files";
	}
}

/** What the commands of Vim come to, one after the other. */
class Session {
	readonly found: Required<Handed> = { lines: [], files: [], unclear: "" };
	#directory = "";

	/** @param files those that are open */
	constructor(public files: Bytes[]) {}

	#at(name: Bytes): Bytes {
		return this.#directory === "" || name.startsWith("/") ? name : `${this.#directory}/${name}`;
	}

	/** A command that takes its own rest of the line; whether it is one. */
	#whole(text: Bytes): boolean {
		const shell = /^(?:r(?:ead)?\s*|w(?:rite)?\s+)?!(.*)$/s.exec(text)?.[1] ?? /^ter(?:minal)?\s+(?:\+\+\w+\s+)*(.*)$/.exec(text)?.[1];
		if (shell !== undefined) {
			this.found.lines.push(shell);
			return true;
		}
		const executed = /^exe(?:cute)?\s+/.exec(text)?.[0];
		const inner = executed === undefined ? undefined : quoted(text.slice(executed.length));
		if (inner !== undefined) this.line(inner);
		return inner !== undefined;
	}

	#written(write: Bytes, rest: Bytes): void {
		const name = rest.replace(/^(\+\+\w+\S*\s+|>>\s*)*/, "").trim();
		if (/^mk/.test(write)) this.found.files.push(this.#at(name === "" ? "Session.vim" : name));
		else this.found.files.push(...(name === "" ? this.files : [this.#at(name)]));
	}

	/** One line of commands; a bar ends each but those that take the whole line, and in a pattern it stands behind a backslash. */
	line(line: Bytes): void {
		let text = line.trim();
		for (let before = ""; before !== text; ) {
			before = text;
			const behind = text.slice(ADDRESS.exec(text)?.[0].length ?? 0);
			text = behind.replace(MODIFIER, "").replace(GLOBAL, "");
		}
		if (this.#whole(text)) return;
		called(text, this.found);
		const end = /(?<!\\)\|/.exec(text)?.index ?? text.length;
		const command = text.slice(0, end);
		const write = WRITES.exec(command)?.[0];
		const redirection = /^redi(?:r)?!?\s*>>?\s*(.*)$/.exec(command)?.[1];
		const directory = /^(?:l|t)?(?:cd|chd\w*)!?\s+(.*)$/.exec(command)?.[1];
		const opened = /^(?:e|ed|edi|edit|sp|split|vs|vsplit|new|vnew|tabe\w*|tabnew|n|next|fin|find|fi|file)!?\s+(.*)$/.exec(command)?.[1];
		if (redirection !== undefined) this.found.files.push(this.#at(redirection.trim()));
		if (directory !== undefined) {
			this.files = this.files.map((file) => this.#at(file));
			this.#directory = this.#at(directory.trim());
		}
		if (opened !== undefined) this.files = [this.#at(opened.trim())];
		if (write !== undefined) this.#written(write, command.slice(write.length));
		if (end < text.length) this.line(text.slice(end + 1));
	}
}

/** vi(1), ex(1), vim(1), nvim(1). */
const vim =
	(isEx: boolean): Hands =>
	({ words, text, input, content }) => {
		// With -e or -E, and for ex, -s takes no script.
		const silent = isEx || words.some((word) => /^-s?[eE]s?$/.test(textOf(word) ?? ""));
		const { given, rest } = readOptions(words, `-c --cmd -S -t -T -u -U -i -w -W -l ${silent ? "" : "-s"}`, true);
		const operands = rest.map(text);
		const files = operands.filter((each) => !each.startsWith("+"));
		const commands = operands.filter((each) => each.startsWith("+")).map((each) => each.slice(1));
		for (const { name, value } of given) {
			if (value !== undefined && (name === "-c" || name === "--cmd")) commands.push(text(value));
			else if (name === "-S") commands.push(...(content(value)?.split("\n") ?? []));
		}
		if (silent) commands.push(...(input()?.split("\n") ?? []));
		const session = new Session(files);
		for (const command of commands) session.line(command);
		const { found } = session;
		const named = found.files.filter((each) => each !== "" && !/^[%#]/.test(each));
		return { lines: found.lines, files: named, ...(found.unclear && { unclear: found.unclear }) };
	};

export const editors: Readonly<Record<string, Hands>> = {
	ed,
	red: ed,
	vi: vim(false),
	vim: vim(false),
	nvim: vim(false),
	view: vim(false),
	ex: vim(true),
};
