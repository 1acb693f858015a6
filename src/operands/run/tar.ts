// tar: what an archive is made of is read, the archive is written, and what comes out of one lands in the directory that -C names.

import type { Bytes } from "../../policy/bytes.ts";
import type { Operand } from "../../policy/call.ts";
import { join } from "../../policy/resolve.ts";
import type { Effects } from "./editors.ts";

/** Short options that take a value (GNU tar, bsdtar). */
const TAKES = "fCbIFgKLNTVXHs";
const LONG_TAKES =
	/^--(file|directory|use-compress-program|files-from|exclude-from|listed-incremental|transform|strip-components|exclude|owner|group|mode|mtime|sort|format)$/;
/** Options that run a command, or put entries elsewhere than their names say. */
const OPAQUE = /^--(use-c|to-c|check|info-s|new-v|index|rsh|rmt|transform|xform|one-top|abs)|^-[a-zA-Z]*[IFP]/;

class Reading {
	mode = "";
	archive: Bytes | undefined;
	directory = ".";
	removes = false;
	readonly files: Bytes[] = [];
	#at = 1;

	constructor(readonly words: readonly Bytes[]) {}

	/** False where it is not understood. */
	run(): boolean {
		const first = this.words[1] ?? "";
		// The old form: letters without a dash, and their values in the next words.
		if (!first.startsWith("-")) {
			this.#at = 2;
			for (const letter of first) this.#short(letter, TAKES.includes(letter) ? this.words[this.#at++] : undefined);
			if (OPAQUE.test(`-${first}`)) return false;
		}
		while (this.#at < this.words.length) {
			const word = this.words[this.#at++] as Bytes;
			if (OPAQUE.test(word)) return false;
			if (word.startsWith("--")) this.#long(word);
			else if (/^-./.test(word)) this.#bundle(word);
			else this.files.push(this.#placed(word));
		}
		return this.mode !== "";
	}

	#placed(text: Bytes): Bytes {
		return text.startsWith("/") || this.directory === "." ? text : join(this.directory, text);
	}

	#bundle(word: Bytes): void {
		for (let k = 1; k < word.length; k++) {
			const letter = word[k] as string;
			if (TAKES.includes(letter)) {
				this.#short(letter, k + 1 < word.length ? word.slice(k + 1) : this.words[this.#at++]);
				return;
			}
			this.#short(letter, undefined);
		}
	}

	#long(word: Bytes): void {
		const [, name = "", glued] = /^(--[^=]*)(?:=(.*))?$/s.exec(word) ?? [];
		const value = glued ?? (LONG_TAKES.test(name) ? this.words[this.#at++] : undefined);
		const modes: Record<string, string> = {
			"--create": "c",
			"--extract": "x",
			"--get": "x",
			"--append": "r",
			"--update": "u",
			"--list": "t",
		};
		if (name === "--file") this.archive = value;
		else if (name === "--directory") this.#short("C", value);
		else if (name === "--remove-files") this.removes = true;
		else this.mode = modes[name] ?? this.mode;
	}

	#short(letter: string, value: Bytes | undefined): void {
		if (/[cxrutA]/.test(letter)) this.mode = letter;
		else if (letter === "f") this.archive = value;
		else if (letter === "C" && value !== undefined) this.directory = this.#placed(value);
	}
}

/** What tar acts on; undefined where it is not understood. */
export function tar(words: readonly Bytes[]): Effects | undefined {
	const reading = new Reading(words);
	if (!reading.run()) return undefined;
	const { mode, archive, directory, removes, files } = reading;
	const operands: Operand[] = [];
	if (mode === "t") return { operands, lines: [] };
	if (mode === "x") operands.push({ text: directory, role: "into", leaf: "target" });
	else if (archive !== undefined && archive !== "-") operands.push({ text: archive, role: "written", leaf: "both" });
	if (removes && mode !== "x") for (const text of files) operands.push({ text, role: "removed", leaf: "entry" });
	return { operands, lines: [] };
}
