// The text of a shell script taken apart (POSIX XCU 2, with what bash adds): commands, their words, and what each word is made of.

import type { Bytes } from "../policy/bytes.ts";

/** A piece of a word. What is quoted is neither split nor matched against names. */
export type Part = { quoted: boolean } & (
	| { is: "text"; text: Bytes }
	| { is: "parameter"; name: Bytes; operator: Bytes; operand: Word }
	| { is: "command"; list: List }
	| { is: "unknown" }
);

export type Word = Part[];

export interface Redirection {
	operator: Bytes;
	target: Word;
}

export type Command = { redirections: Redirection[] } & (
	| { is: "simple"; assignments: { name: Bytes; values: Word[] }[]; words: Word[] }
	| { is: "group"; body: List; subshell: boolean }
	/** if, while, until, case: lists that may be run, in this order. */
	| { is: "branches"; lists: List[]; loop: boolean }
	| { is: "for"; name: Bytes; words: Word[] | undefined; body: List }
	| { is: "function"; name: Bytes; body: Command }
);

/** Pipelines in their order; `alone` when the shell itself runs them. */
export type List = { commands: Command[]; alone: boolean }[];

const BLANK = /[ \t]/;
/** What ends a word when it is not quoted. */
const ENDS = /[\s;&|<>()]/;
const ASSIGNMENT = /^([A-Za-z_]\w*)(\[[^\]]*\])?\+?=/;

/** What `$'...'` says (bash(1), QUOTING), as far as it matters for a path. */
function unescaped(text: Bytes): Bytes {
	const letters: Record<string, string> = { n: "\n", t: "\t", r: "\r", e: "\x1b" };
	return text.replace(/\\(x[0-9a-fA-F]{1,2}|[0-7]{1,3}|.)/gs, (_, code: string) => {
		if (code.length > 1 && code.startsWith("x")) return String.fromCharCode(Number.parseInt(code.slice(1), 16));
		if (/^[0-7]/.test(code)) return String.fromCharCode(Number.parseInt(code, 8) & 255);
		return letters[code] ?? code;
	});
}

/** Reads one script. Where it is not what it should be, `failed` is set and the rest is passed over. */
class Parser {
	at = 0;
	failed = false;
	/** Here-documents whose lines follow the next end of a line. */
	#documents: { end: Bytes; found: Redirection }[] = [];

	constructor(readonly text: Bytes) {}

	/** Passes over the rest. */
	fail(): void {
		this.failed = true;
		this.at = this.text.length;
	}

	#peek(length = 1): Bytes {
		return this.text.slice(this.at, this.at + length);
	}

	#take(word: Bytes): boolean {
		if (!this.text.startsWith(word, this.at)) return false;
		this.at += word.length;
		return true;
	}

	/** Blanks, comments and continued lines; with `lines` also ends of lines. */
	#skip(lines: boolean): void {
		for (;;) {
			const next = this.#peek();
			if (next === "#") while (this.at < this.text.length && this.#peek() !== "\n") this.at++;
			else if (this.#peek(2) === "\\\n") this.at += 2;
			else if (next === "\n" && lines) this.#newline();
			else if (next !== "" && BLANK.test(next)) this.at++;
			else return;
		}
	}

	#newline(): void {
		this.at++;
		for (const { end, found } of this.#documents.splice(0)) {
			const start = this.at;
			let stopped = this.text.length;
			while (this.at < this.text.length) {
				const stop = this.text.indexOf("\n", this.at);
				const line = this.text.slice(this.at, stop < 0 ? undefined : stop);
				stopped = this.at;
				this.at = stop < 0 ? this.text.length : stop + 1;
				if (line.replace(/^\t+/, "") === end) break;
			}
			found.target = documentOf(this.text.slice(start, stopped));
		}
	}

	/** The text up to a closing character that is not escaped. */
	#until(close: Bytes): Bytes {
		const start = this.at;
		while (this.at < this.text.length && this.#peek() !== close) this.at += this.#peek() === "\\" ? 2 : 1;
		if (this.at >= this.text.length) this.fail();
		return this.text.slice(start, this.at++);
	}

	/** A list of commands, up to one of these words at the place of a command or to the end. */
	list(...ends: Bytes[]): List {
		const found: List = [];
		for (;;) {
			this.#skip(true);
			if (this.at >= this.text.length || ends.some((end) => this.#isNext(end))) return found;
			const commands: Command[] = [];
			do {
				this.#skip(true);
				while (this.#reserved("!") || this.#reserved("time")) this.#skip(true);
				const before = this.at;
				commands.push(this.#command());
				if (this.at === before) this.fail();
				this.#skip(false);
			} while (this.#isPipe() && (this.#take("|&") || this.#take("|")));
			const background = this.#peek() === "&" && this.#peek(2) !== "&&";
			found.push({ commands, alone: commands.length === 1 && !background });
			if (!this.#separator(ends)) return found;
		}
	}

	#isPipe(): boolean {
		return this.#peek() === "|" && this.#peek(2) !== "||";
	}

	#separator(ends: readonly Bytes[]): boolean {
		if (ends.some((end) => this.#isNext(end))) return true;
		if (this.#take("&&") || this.#take("||") || this.#take("&")) return true;
		if (this.#peek() === ";" || this.#peek() === "\n") {
			if (this.#peek() === ";") this.at++;
			return true;
		}
		if (this.at < this.text.length) this.fail();
		return false;
	}

	/** Whether a reserved word or an operator is next. */
	#isNext(word: Bytes): boolean {
		if (!this.text.startsWith(word, this.at)) return false;
		const after = this.text[this.at + word.length] ?? " ";
		return !/^\w|^[{}]/.test(word) || ENDS.test(after);
	}

	#reserved(word: Bytes): boolean {
		if (!this.#isNext(word)) return false;
		this.at += word.length;
		return true;
	}

	#expect(word: Bytes): void {
		this.#skip(true);
		if (!this.#reserved(word)) this.fail();
	}

	#command(): Command {
		const command = this.#compound() ?? this.#simple();
		if (command.is !== "simple") while (this.#redirection(command.redirections));
		return command;
	}

	#compound(): Command | undefined {
		const redirections: Redirection[] = [];
		if (this.#peek(2) === "((") return this.#passed("))");
		if (this.#isNext("[[")) return this.#passed("]]");
		if (this.#take("(")) return { is: "group", body: this.#closed(")"), subshell: true, redirections };
		if (this.#reserved("{")) return { is: "group", body: this.#closed("}"), subshell: false, redirections };
		if (this.#reserved("if")) return { is: "branches", lists: this.#ifLists(), loop: false, redirections };
		if (this.#reserved("while") || this.#reserved("until")) {
			const condition = this.#closed("do");
			return { is: "branches", lists: [condition, this.#closed("done")], loop: true, redirections };
		}
		if (this.#reserved("for") || this.#reserved("select")) return this.#for();
		if (this.#reserved("case")) return { is: "branches", lists: this.#cases(), loop: false, redirections };
		const named = /^(?:function[ \t]+([\w.-]+)[ \t]*(?:\([ \t]*\))?|([\w.-]+)[ \t]*\([ \t]*\))/.exec(this.text.slice(this.at));
		if (named === null) return undefined;
		this.at += named[0].length;
		this.#skip(true);
		return { is: "function", name: named[1] ?? named[2] ?? "", body: this.#command(), redirections };
	}

	#closed(end: Bytes): List {
		const body = this.list(end);
		this.#expect(end);
		return body;
	}

	/** Arithmetic, or a test: nothing is run there. */
	#passed(close: Bytes): Command | undefined {
		const end = this.text.indexOf(close, this.at);
		if (end < 0) return undefined;
		this.at = end + close.length;
		return { is: "group", body: [], subshell: true, redirections: [] };
	}

	#ifLists(): List[] {
		const lists = [this.#closed("then")];
		for (;;) {
			lists.push(this.list("elif", "else", "fi"));
			if (this.#reserved("elif")) lists.push(this.#closed("then"));
			else if (!this.#reserved("else")) break;
		}
		this.#expect("fi");
		return lists;
	}

	#for(): Command {
		this.#skip(false);
		if (this.#peek(2) === "((") this.#passed("))");
		const name = /^\w*/.exec(this.text.slice(this.at))?.[0] ?? "";
		this.at += name.length;
		this.#skip(true);
		let words: Word[] | undefined;
		if (this.#reserved("in")) {
			words = [];
			for (this.#skip(false); this.at < this.text.length && !/[;\n]/.test(this.#peek()); this.#skip(false)) words.push(this.word());
		}
		this.#skip(true);
		if (this.#take(";")) this.#skip(true);
		if (this.#reserved("{")) return { is: "for", name, words, body: this.#closed("}"), redirections: [] };
		this.#expect("do");
		return { is: "for", name, words, body: this.#closed("done"), redirections: [] };
	}

	#cases(): List[] {
		this.#skip(true);
		const lists = [substitutions(this.word())];
		this.#expect("in");
		for (this.#skip(true); !this.#isNext("esac") && this.at < this.text.length; this.#skip(true)) {
			this.#take("(");
			for (let next = this.#peek(); next !== ")" && next !== ""; next = this.#peek()) {
				if (next === "|" || /\s/.test(next)) this.at++;
				else if (this.word().length === 0) this.fail();
			}
			this.#take(")");
			lists.push(this.list(";;&", ";;", ";&", "esac"));
			if (!this.#take(";;&") && !this.#take(";;")) this.#take(";&");
		}
		this.#expect("esac");
		return lists;
	}

	#simple(): Command {
		const command: Command = { is: "simple", assignments: [], words: [], redirections: [] };
		for (;;) {
			this.#skip(false);
			if (this.#redirection(command.redirections)) continue;
			const next = this.#peek();
			if (next === "" || (ENDS.test(next) && !/^[<>]\(/.test(this.#peek(2)))) return command;
			if (command.words.length === 0 && this.#assignment(command.assignments)) continue;
			const before = this.at;
			command.words.push(this.word());
			if (this.at === before) this.fail();
		}
	}

	#assignment(found: { name: Bytes; values: Word[] }[]): boolean {
		const head = ASSIGNMENT.exec(this.text.slice(this.at, this.at + 200));
		if (head === null) return false;
		this.at += head[0].length;
		const values: Word[] = [];
		if (this.#take("(")) {
			for (this.#skip(true); this.#peek() !== ")" && this.at < this.text.length; this.#skip(true)) values.push(this.word());
			if (!this.#take(")")) this.fail();
		} else values.push(this.word());
		found.push({ name: head[1] as Bytes, values });
		return true;
	}

	#redirection(found: Redirection[]): boolean {
		this.#skip(false);
		const head = /^(?:\d*|\{\w+\})(<<-|<<<|<<|<>|<&|>>|>\||>&|&>>|&>|<(?!\()|>(?!\())/.exec(this.text.slice(this.at, this.at + 40));
		if (head === null || (head[1]?.startsWith("&") && head[0] !== head[1])) return false;
		this.at += head[0].length;
		this.#skip(false);
		const operator = head[1] as Bytes;
		const start = this.at;
		const target = this.word();
		found.push({ operator, target });
		if (operator === "<<" || operator === "<<-") {
			this.#documents.push({ end: this.text.slice(start, this.at).replace(/['"\\]/g, ""), found: found.at(-1) as Redirection });
		}
		return true;
	}

	word(): Word {
		const parts: Word = [];
		for (let next = this.#peek(); next !== "" && (!ENDS.test(next) || /^[<>]\(/.test(this.#peek(2))); next = this.#peek()) {
			if (/^[<>]\(/.test(this.#peek(2))) {
				this.at += 2;
				parts.push({ is: "command", list: this.#closed(")"), quoted: true }, { is: "unknown", quoted: true });
			} else this.#part(parts, false, "");
		}
		return parts;
	}

	/** One piece of a word, in double quotes or not; a `stop` ends the text. */
	#part(parts: Word, quoted: boolean, stop: Bytes): void {
		const next = this.#peek();
		if (next === "'" && !quoted) {
			this.at++;
			const end = this.text.indexOf("'", this.at);
			if (end < 0) this.fail();
			else {
				parts.push({ is: "text", text: this.text.slice(this.at, end), quoted: true });
				this.at = end + 1;
			}
		} else if (next === '"' && !quoted) this.#doubleQuoted(parts);
		else if (next === "`") {
			this.at++;
			const inner = parseScript(this.#until("`").replace(/\\([`\\$])/g, "$1"));
			if (inner === undefined) this.fail();
			else parts.push({ is: "command", list: inner, quoted });
		} else if (next === "$") this.#dollar(parts, quoted);
		else if (next === "\\") {
			const after = this.text[this.at + 1] ?? "";
			this.at += 2;
			const kept = quoted && !/[$`"\\\n]/.test(after) ? `\\${after}` : after;
			if (after !== "\n") parts.push({ is: "text", text: kept, quoted: true });
		} else this.#plain(parts, quoted, stop);
	}

	#plain(parts: Word, quoted: boolean, stop: Bytes): void {
		const start = this.at;
		const special = quoted ? /["\\$`]/ : /[\s;&|<>()'"\\$`]/;
		do this.at++;
		while (this.at < this.text.length && !special.test(this.#peek()) && !(stop !== "" && this.#peek() === stop));
		parts.push({ is: "text", text: this.text.slice(start, this.at), quoted });
	}

	#doubleQuoted(parts: Word): void {
		this.at++;
		// Empty quotes are an empty word.
		parts.push({ is: "text", text: "", quoted: true });
		while (this.at < this.text.length && this.#peek() !== '"') this.#part(parts, true, "");
		if (!this.#take('"')) this.fail();
	}

	#dollar(parts: Word, quoted: boolean): void {
		this.at++;
		if (this.#peek() === "'" && !quoted) {
			this.at++;
			parts.push({ is: "text", text: unescaped(this.#until("'")), quoted: true });
		} else if (this.#peek() === '"' && !quoted) this.#doubleQuoted(parts);
		else if (this.#peek(2) === "((" && this.#passed("))") !== undefined) parts.push({ is: "unknown", quoted });
		else if (this.#take("(")) parts.push({ is: "command", list: this.#closed(")"), quoted });
		else if (this.#take("{")) this.#braced(parts, quoted);
		else {
			const name = /^(?:[A-Za-z_]\w*|[0-9@*#?$!-])/.exec(this.text.slice(this.at))?.[0];
			if (name === undefined) parts.push({ is: "text", text: "$", quoted });
			else {
				this.at += name.length;
				parts.push({ is: "parameter", name, operator: "", operand: [], quoted });
			}
		}
	}

	/** `${NAME}` and its forms (POSIX 2.6.2). */
	#braced(parts: Word, quoted: boolean): void {
		const head = /^([#!]?)([A-Za-z_]\w*(?:\[[^\]]*\])?|\d+|[@*#?$!-])(:?[-=?+]|##?|%%?|\/\/?|)/.exec(
			this.text.slice(this.at, this.at + 200),
		);
		if (head === null) {
			this.fail();
			return;
		}
		this.at += head[0].length;
		const operand: Word = [];
		while (this.at < this.text.length && this.#peek() !== "}") {
			if (this.#peek() === '"') this.#doubleQuoted(operand);
			else if (ENDS.test(this.#peek())) operand.push({ is: "text", text: this.text[this.at++] as Bytes, quoted });
			else this.#part(operand, false, "}");
		}
		if (!this.#take("}")) this.fail();
		const name = (head[2] as Bytes).replace(/\[.*$/, "");
		if (head[1] !== "" || (head[3] === "" && operand.length > 0)) {
			parts.push(
				...substitutions(operand).flatMap(({ commands }): Word => [{ is: "command", list: [{ commands, alone: false }], quoted }]),
			);
			parts.push({ is: "unknown", quoted });
		} else parts.push({ is: "parameter", name, operator: head[3] as Bytes, operand, quoted });
	}
}

/** The lines of a here-document, in which variables count. */
function documentOf(text: Bytes): Word {
	const parser = new Parser(`"${text.replace(/"/g, '\\"')}"`);
	const word = parser.word();
	return parser.failed ? [{ is: "text", text, quoted: true }] : word;
}

/** The commands that the expansion of a word runs. */
export function substitutions(word: Word): List {
	return word.flatMap((part) => {
		if (part.is === "command") return part.list.map(({ commands }) => ({ commands, alone: false }));
		return part.is === "parameter" ? substitutions(part.operand) : [];
	});
}

/** A script as its commands; undefined where it is none, or not one that this reader understands. */
export function parseScript(text: Bytes): List | undefined {
	const parser = new Parser(text);
	const list = parser.list();
	return parser.failed || parser.at < text.length ? undefined : list;
}
