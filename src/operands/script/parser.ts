// The text of a shell script taken apart into its commands (POSIX XCU 2.9 and 2.10, bash(1)).

import type { Bytes } from "../../policy/bytes.ts";
import { type Command, type List, type Redirection, substitutions, type Word } from "./syntax.ts";
import { ENDS, WordParser } from "./word-parser.ts";

const BLANK = /[ \t]/;
const ASSIGNMENT = /^([A-Za-z_]\w*)(\[[^\]]*\])?\+?=/;

/** Reads the commands of one script. */
class Parser extends WordParser {
	/** Here-documents whose lines follow the next end of a line. */
	#documents: { end: Bytes; found: Redirection }[] = [];

	/** Blanks, comments and continued lines; with `lines` also ends of lines. */
	#skip(lines: boolean): void {
		for (;;) {
			const next = this.peek();
			if (next === "#") while (this.at < this.text.length && this.peek() !== "\n") this.at++;
			else if (this.peek(2) === "\\\n") this.at += 2;
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

	protected parsed(text: Bytes): List | undefined {
		return parseScript(text);
	}

	protected quoted(text: Bytes): Word {
		return documentOf(text);
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
			} while (this.#isPipe() && (this.take("|&") || this.take("|")));
			const background = this.peek() === "&" && this.peek(2) !== "&&";
			found.push({ commands, alone: commands.length === 1 && !background });
			if (!this.#separator(ends)) return found;
		}
	}

	#isPipe(): boolean {
		return this.peek() === "|" && this.peek(2) !== "||";
	}

	#separator(ends: readonly Bytes[]): boolean {
		if (ends.some((end) => this.#isNext(end))) return true;
		if (this.take("&&") || this.take("||") || this.take("&")) return true;
		if (this.peek() === ";" || this.peek() === "\n") {
			if (this.peek() === ";") this.at++;
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
		const body = this.peek(2) === "((" ? this.#arithmeticCommand() : this.#isNext("[[") ? this.#test() : undefined;
		if (body !== undefined) return { is: "group", body, subshell: true, redirections };
		if (this.take("(")) return { is: "group", body: this.closed(")"), subshell: true, redirections };
		if (this.#reserved("{")) return { is: "group", body: this.closed("}"), subshell: false, redirections };
		if (this.#reserved("if")) return { is: "branches", lists: this.#ifLists(), loop: false, redirections };
		if (this.#reserved("while") || this.#reserved("until")) {
			const condition = this.closed("do");
			return { is: "branches", lists: [condition, this.closed("done")], loop: true, redirections };
		}
		if (this.#reserved("for") || this.#reserved("select")) return this.#for();
		if (this.#reserved("case")) return { is: "branches", lists: this.#cases(), loop: false, redirections };
		const named = /^(?:function[ \t]+([\w.-]+)[ \t]*(?:\([ \t]*\))?|([\w.-]+)[ \t]*\([ \t]*\))/.exec(this.text.slice(this.at));
		if (named === null) return undefined;
		this.at += named[0].length;
		this.#skip(true);
		return { is: "function", name: named[1] ?? named[2] ?? "", body: this.#command(), redirections };
	}

	/** `((...))` of bash; to other shells it is a group in a group, if it could be one. */
	#arithmeticCommand(): List | undefined {
		const start = this.at;
		const body = this.arithmetic();
		if (body === undefined || !/^\(\(\s*[a-zA-Z][\w.-]*\s+[\w./"'$~-]/.test(this.text.slice(start, this.at))) return body;
		this.at = start;
		return undefined;
	}

	/** `[[ ... ]]`: only what its words run. */
	#test(): List {
		this.at += 2;
		const body: List = [];
		for (this.#skip(true); !this.#isNext("]]") && this.at < this.text.length; this.#skip(true)) {
			if (/[&|()<>;]/.test(this.peek())) this.at++;
			else body.push(...substitutions(this.#oneWord()));
		}
		this.#expect("]]");
		return body;
	}

	/** A word, where one has to stand. */
	#oneWord(): Word {
		const before = this.at;
		const word = this.word();
		if (this.at === before) this.fail();
		return word;
	}

	protected closed(end: Bytes): List {
		if (!this.deeper()) return [];
		const body = this.list(end);
		this.#expect(end);
		this.higher();
		return body;
	}

	#ifLists(): List[] {
		const lists = [this.closed("then")];
		for (;;) {
			lists.push(this.list("elif", "else", "fi"));
			if (this.#reserved("elif")) lists.push(this.closed("then"));
			else if (!this.#reserved("else")) break;
		}
		this.#expect("fi");
		return lists;
	}

	#for(): Command {
		this.#skip(false);
		if (this.peek(2) === "((") this.arithmetic();
		const name = /^\w*/.exec(this.text.slice(this.at))?.[0] ?? "";
		this.at += name.length;
		this.#skip(true);
		let words: Word[] | undefined;
		if (this.#reserved("in")) {
			words = [];
			for (this.#skip(false); this.at < this.text.length && !/[;\n]/.test(this.peek()); this.#skip(false)) words.push(this.#oneWord());
		}
		this.#skip(true);
		if (this.take(";")) this.#skip(true);
		if (this.#reserved("{")) return { is: "for", name, words, body: this.closed("}"), redirections: [] };
		this.#expect("do");
		return { is: "for", name, words, body: this.closed("done"), redirections: [] };
	}

	#cases(): List[] {
		this.#skip(true);
		const lists = [substitutions(this.word())];
		this.#expect("in");
		for (this.#skip(true); !this.#isNext("esac") && this.at < this.text.length; this.#skip(true)) {
			this.take("(");
			for (let next = this.peek(); next !== ")" && next !== ""; next = this.peek()) {
				if (next === "|" || /\s/.test(next)) this.at++;
				else lists.push(substitutions(this.#oneWord()));
			}
			this.take(")");
			lists.push(this.list(";;&", ";;", ";&", "esac"));
			if (!this.take(";;&") && !this.take(";;")) this.take(";&");
		}
		this.#expect("esac");
		return lists;
	}

	#simple(): Command {
		const command: Command = { is: "simple", assignments: [], words: [], redirections: [] };
		for (;;) {
			this.#skip(false);
			if (this.#redirection(command.redirections)) continue;
			const next = this.peek();
			if (next === "" || (ENDS.test(next) && !/^[<>]\(/.test(this.peek(2)))) return command;
			if (command.words.length === 0 && this.#assignment(command.assignments)) continue;
			command.words.push(this.#oneWord());
		}
	}

	#assignment(found: { name: Bytes; values: Word[] }[]): boolean {
		const head = ASSIGNMENT.exec(this.text.slice(this.at, this.at + 200));
		if (head === null) return false;
		if (/[`$(]/.test(head[2] ?? "")) this.fail();
		this.at += head[0].length;
		const values: Word[] = [];
		if (this.take("(")) {
			for (this.#skip(true); this.peek() !== ")" && this.at < this.text.length; this.#skip(true)) values.push(this.#oneWord());
			if (!this.take(")")) this.fail();
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
}

/** The lines of a here-document, in which variables count. */
function documentOf(text: Bytes): Word {
	const parser = new Parser(`"${text.replace(/"/g, '\\"')}"`);
	const word = parser.word();
	return parser.failed ? [{ is: "text", text, quoted: true }] : word;
}

/** A script as its commands; undefined where it is none, or not one that this reader understands. */
export function parseScript(text: Bytes): List | undefined {
	const parser = new Parser(text);
	const list = parser.list();
	return parser.failed || parser.at < text.length ? undefined : list;
}
