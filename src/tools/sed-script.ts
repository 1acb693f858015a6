// The program of sed taken apart, for the files that it writes and the commands that it runs (POSIX sed, and GNU's e, W, and M).

/** What a program of sed does besides editing. */
export interface SedEffects {
	written: string[];
	/** Command lines of `e`; an empty one stands for what is in the file that it edits. */
	lines: string[];
}

/** These names are open files, not paths (GNU sed, Output Files). */
const STREAMS = ["/dev/stdout", "/dev/stderr"];

class Reading {
	at = 0;
	readonly found: SedEffects = { written: [], lines: [] };

	constructor(readonly text: string) {}

	#skip(pattern: RegExp): string {
		const from = this.at;
		while (this.at < this.text.length && pattern.test(this.text[this.at] as string)) this.at++;
		return this.text.slice(from, this.at);
	}

	#line(): string {
		return this.#skip(/[^\n]/);
	}

	/** A regular expression or a replacement up to its delimiter; false when there is no end. */
	#delimited(delimiter: string, brackets: boolean): boolean {
		for (; this.at < this.text.length; this.at++) {
			const next = this.text[this.at];
			if (next === "\\") this.at++;
			else if (next === delimiter) {
				this.at++;
				return true;
			} else if (next === "[" && brackets) {
				const end = this.text.indexOf("]", this.at + (/^\[\^?\]/.exec(this.text.slice(this.at, this.at + 3))?.[0].length ?? 1));
				const line = this.text.indexOf("\n", this.at);
				if (end > 0 && (line < 0 || end < line)) this.at = end;
			}
		}
		return false;
	}

	#address(): boolean {
		const next = this.text[this.at] ?? "";
		if (/[0-9$+~]/.test(next)) this.#skip(/[0-9$+~]/);
		else if (next === "/" || next === "\\") {
			const delimiter = next === "/" ? next : (this.text[++this.at] ?? "");
			this.at++;
			if (!this.#delimited(delimiter, true)) return false;
			this.#skip(/[IM]/);
		}
		this.#skip(/[ \t]/);
		return true;
	}

	#substitute(): boolean {
		const delimiter = this.text[this.at++] ?? "";
		if (!this.#delimited(delimiter, true) || !this.#delimited(delimiter, false)) return false;
		const flags = this.#skip(/[gpiImMe0-9]/);
		if (flags.includes("e")) this.found.lines.push("");
		if (this.text[this.at] === "w") {
			this.at++;
			this.#file();
		}
		return true;
	}

	#file(): void {
		const name = this.#line().trim();
		if (!STREAMS.includes(name)) this.found.written.push(name);
	}

	/** One command with its addresses; false when it is none. */
	command(): boolean {
		this.#skip(/[\s;{}]/);
		if (this.at >= this.text.length) return true;
		if (!this.#address()) return false;
		if (this.text[this.at] === ",") {
			this.at++;
			this.#skip(/[ \t]/);
			if (!this.#address()) return false;
		}
		this.#skip(/[!\s]/);
		const name = this.text[this.at++] ?? "";
		if (name === "s") return this.#substitute();
		if (name === "y") {
			const delimiter = this.text[this.at++] ?? "";
			return this.#delimited(delimiter, false) && this.#delimited(delimiter, false);
		}
		if (name === "w" || name === "W") this.#file();
		else if (name === "e") this.found.lines.push(this.#line().trim());
		else if (/[aic]/.test(name)) while (this.#line().endsWith("\\") && this.at < this.text.length) this.at++;
		else if (/[rR#]/.test(name)) this.#line();
		else if (/[btT:]/.test(name)) this.#skip(/[^\n;}]/);
		else if (/[qQlL]/.test(name)) this.#skip(/[0-9 \t]/);
		else return /[=dDgGhHnNpPxzFv{}]/.test(name);
		return true;
	}
}

/** What a program of sed writes and runs; undefined where it is not understood. */
export function sedEffects(text: string): SedEffects | undefined {
	const reading = new Reading(text);
	while (reading.at < text.length) if (!reading.command()) return undefined;
	return reading.found;
}
