// The words of a shell script taken apart: quotes, parameters and substitutions (POSIX XCU 2.2 to 2.6, bash(1)).

import type { Bytes } from "../../policy/bytes.ts";
import { type List, substitutions, type Word } from "./syntax.ts";

/** What ends a word when it is not quoted. */
export const ENDS = /[\s;&|<>()]/;

/** What `$'...'` says (bash(1), QUOTING), as far as it matters for a path. */
function unescaped(text: Bytes): Bytes {
	const letters: Record<string, string> = { n: "\n", t: "\t", r: "\r", e: "\x1b" };
	return text.replace(/\\(x[0-9a-fA-F]{1,2}|[0-7]{1,3}|.)/gs, (_, code: string) => {
		if (code.length > 1 && code.startsWith("x")) return String.fromCharCode(Number.parseInt(code.slice(1), 16));
		if (/^[0-7]/.test(code)) return String.fromCharCode(Number.parseInt(code, 8) & 255);
		return letters[code] ?? code;
	});
}

/** How deep groups and substitutions may stand in one another. */
const DEEPEST = 100;

/** Reads the words of one script. Where it is not what it should be, `failed` is set and the rest is passed over. */
export abstract class WordParser {
	at = 0;
	failed = false;
	#depth = 0;

	constructor(readonly text: Bytes) {}

	/** The commands up to a closing word, which is taken. */
	protected abstract closed(end: Bytes): List;
	/** The commands of another text. */
	protected abstract parsed(text: Bytes): List | undefined;
	/** Text in which variables and substitutions count, and nothing else. */
	protected abstract quoted(text: Bytes): Word;

	/** Passes over the rest. */
	fail(): void {
		this.failed = true;
		this.at = this.text.length;
	}

	protected peek(length = 1): Bytes {
		return this.text.slice(this.at, this.at + length);
	}

	protected take(word: Bytes): boolean {
		if (!this.text.startsWith(word, this.at)) return false;
		this.at += word.length;
		return true;
	}

	/** The text up to a closing character that is not escaped. */
	#until(close: Bytes): Bytes {
		const start = this.at;
		while (this.at < this.text.length && this.peek() !== close) this.at += this.peek() === "\\" ? 2 : 1;
		if (this.at >= this.text.length) this.fail();
		return this.text.slice(start, this.at++);
	}

	/** `((...))`: what is run in it; undefined where it is two opening parentheses and no arithmetic. */
	protected arithmetic(): List | undefined {
		let depth = 2;
		for (let k = this.at + 2; k < this.text.length; k++) {
			if (this.text[k] === "(") depth++;
			if (this.text[k] !== ")") continue;
			if (depth === 2 && this.text[k + 1] !== ")") return undefined;
			if (--depth > 1) continue;
			const inner = this.quoted(this.text.slice(this.at + 2, k));
			this.at = k + 2;
			return substitutions(inner);
		}
		return undefined;
	}

	/** One level deeper; false, and the rest is passed over, where nobody would nest so deep. */
	protected deeper(): boolean {
		if (++this.#depth > DEEPEST) this.fail();
		return !this.failed;
	}

	protected higher(): void {
		this.#depth--;
	}

	word(): Word {
		const parts: Word = [];
		for (let next = this.peek(); next !== "" && (!ENDS.test(next) || /^[<>]\(/.test(this.peek(2))); next = this.peek()) {
			if (/^[<>]\(/.test(this.peek(2))) {
				this.at += 2;
				parts.push({ is: "command", list: this.closed(")"), quoted: true }, { is: "unknown", quoted: true });
			} else this.#part(parts, false, "");
		}
		return parts;
	}

	/** One piece of a word, in double quotes or not; a `stop` ends the text. */
	#part(parts: Word, quoted: boolean, stop: Bytes): void {
		const next = this.peek();
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
			const inner = this.parsed(this.#until("`").replace(/\\([`\\$])/g, "$1"));
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
		while (this.at < this.text.length && !special.test(this.peek()) && !(stop !== "" && this.peek() === stop));
		parts.push({ is: "text", text: this.text.slice(start, this.at), quoted });
	}

	#doubleQuoted(parts: Word): void {
		this.at++;
		// Empty quotes are an empty word.
		parts.push({ is: "text", text: "", quoted: true });
		while (this.at < this.text.length && this.peek() !== '"') this.#part(parts, true, "");
		if (!this.take('"')) this.fail();
	}

	#dollar(parts: Word, quoted: boolean): void {
		this.at++;
		if (this.peek() === "'" && !quoted) {
			this.at++;
			parts.push({ is: "text", text: unescaped(this.#until("'")), quoted: true });
		} else if (this.peek() === '"' && !quoted) this.#doubleQuoted(parts);
		else if (this.#arithmetic(parts, quoted)) return;
		else if (this.take("(")) parts.push({ is: "command", list: this.closed(")"), quoted });
		else if (this.take("{")) this.#braced(parts, quoted);
		else {
			const name = /^(?:[A-Za-z_]\w*|[0-9@*#?$!-])/.exec(this.text.slice(this.at))?.[0];
			if (name === undefined) parts.push({ is: "text", text: "$", quoted });
			else {
				this.at += name.length;
				parts.push({ is: "parameter", name, operator: "", operand: [], quoted });
			}
		}
	}

	#arithmetic(parts: Word, quoted: boolean): boolean {
		const inner = this.peek(2) === "((" ? this.arithmetic() : undefined;
		if (inner === undefined) return false;
		parts.push({ is: "command", list: inner, quoted }, { is: "unknown", quoted });
		return true;
	}

	/** `${NAME}` and its forms (POSIX 2.6.2). */
	#braced(parts: Word, quoted: boolean): void {
		const head = /^([#!]?)([A-Za-z_]\w*(?:\[[^\]]*\])?|\d+|[@*#?$!-])(:?[-=?+]|##?|%%?|\/\/?|)/.exec(
			this.text.slice(this.at, this.at + 200),
		);
		if (head === null || /[`$(]/.test(head[2]?.slice(1) ?? "") || !this.deeper()) {
			this.fail();
			return;
		}
		this.at += head[0].length;
		const operand: Word = [];
		while (this.at < this.text.length && this.peek() !== "}") {
			if (this.peek() === '"') this.#doubleQuoted(operand);
			else if (ENDS.test(this.peek())) operand.push({ is: "text", text: this.text[this.at++] as Bytes, quoted });
			else this.#part(operand, false, "}");
		}
		if (!this.take("}")) this.fail();
		this.higher();
		const name = (head[2] as Bytes).replace(/\[.*$/, "");
		if (head[1] !== "" || (head[3] === "" && operand.length > 0)) {
			parts.push({ is: "command", list: substitutions(operand), quoted }, { is: "unknown", quoted });
		} else parts.push({ is: "parameter", name, operator: head[3] as Bytes, operand, quoted });
	}
}
