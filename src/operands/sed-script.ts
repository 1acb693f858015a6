// Which files a sed script writes: `w FILE`, `W FILE`, and the flag `w` of `s` (POSIX sed, GNU sed).

import type { Bytes } from "../policy/bytes.ts";

/** A cursor over one script. */
class Script {
	#at = 0;
	readonly files: Bytes[] = [];

	constructor(readonly text: Bytes) {}

	get #done(): boolean {
		return this.#at >= this.text.length;
	}

	#skip(characters: string): void {
		while (!this.#done && characters.includes(this.text[this.#at] as string)) this.#at++;
	}

	#restOfLine(): Bytes {
		const end = this.text.indexOf("\n", this.#at);
		const rest = this.text.slice(this.#at, end < 0 ? undefined : end);
		this.#at = end < 0 ? this.text.length : end + 1;
		return rest;
	}

	/** Over a part that ends in the delimiter; a backslash takes the next character with it, and so does a bracket in a pattern. */
	#over(delimiter: string, pattern: boolean): void {
		for (let bracket = false; !this.#done; this.#at++) {
			const character = this.text[this.#at] as string;
			if (character === "\\" && !bracket) this.#at++;
			else if (pattern && character === "[" && !bracket) {
				bracket = true;
				// `[]` and `[^]` begin with the bracket itself.
				if (this.text[this.#at + 1] === "^") this.#at++;
				if (this.text[this.#at + 1] === "]") this.#at++;
			} else if (bracket && character === "]") bracket = false;
			else if (!bracket && character === delimiter) break;
		}
		this.#at++;
	}

	/** One address; false where none stands. */
	#address(): boolean {
		const character = this.text[this.#at] as string;
		if (/[\d$+~]/.test(character)) {
			this.#at++;
			this.#skip("0123456789~");
		} else if (character === "/") {
			this.#at++;
			this.#over("/", true);
			this.#skip("IM");
		} else if (character === "\\") {
			this.#at += 2;
			this.#over(this.text[this.#at - 1] ?? "", true);
			this.#skip("IM");
		} else return false;
		return true;
	}

	#substitution(): void {
		const delimiter = this.text[this.#at++] ?? "";
		this.#over(delimiter, true);
		this.#over(delimiter, false);
		this.#skip("gpiIeEmM0123456789");
		if (this.text[this.#at] !== "w") return;
		this.#at++;
		this.files.push(this.#restOfLine().trimStart());
	}

	run(): Bytes[] {
		while (!this.#done) {
			this.#skip(" \t\n;{}!");
			while (!this.#done && this.#address()) this.#skip(" \t,!");
			this.#skip(" \t!");
			this.#command(this.text[this.#at++] ?? "");
		}
		return this.files;
	}

	#command(name: string): void {
		if (name === "s") this.#substitution();
		else if (name === "y") {
			const delimiter = this.text[this.#at++] ?? "";
			this.#over(delimiter, false);
			this.#over(delimiter, false);
		} else if (name === "w" || name === "W") this.files.push(this.#restOfLine().trimStart());
		else if ("rRaic:#".includes(name)) {
			// Text goes on behind a line that ends in a backslash.
			while (this.#restOfLine().endsWith("\\") && !this.#done);
		} else if ("btTlLqQ".includes(name)) while (!this.#done && !";\n}".includes(this.text[this.#at] as string)) this.#at++;
	}
}

/** The names of the files that a script writes, as they stand in it. */
export const writtenBy = (script: Bytes): Bytes[] => new Script(script).run();
