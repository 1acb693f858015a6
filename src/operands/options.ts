// Reading options as getopt_long(3) does: bundles, glued and separate option-arguments, unique prefixes, `--`, permutation.

import type { Bytes } from "../policy/bytes.ts";
import type { Call } from "../policy/call.ts";

/** Whether an option takes an argument: `optional` ones only glued (`--backup=x`), the next word stays an operand. */
export type Takes = "no" | "required" | "optional";

/** One option: its spellings, whether it takes an argument, and the reader's own word for it when it matters. */
export type OptionRow = readonly [spellings: string, takes: Takes, meaning?: string];

/** The option table of one tool: the rows of every version and implementation that is known. */
export interface Grammar {
	rows: readonly OptionRow[];
	/** Single letters that begin a word which is an operand in spite of its dash (chmod's modes). */
	dashOperand?: string;
}

/** One option as it was read. */
export interface Option {
	meaning: string;
	value: Bytes | undefined;
}

export interface Parsed {
	operands: Bytes[];
	options: Option[];
	/** Words that no row explains, in words for people. */
	unread: string[];
	/** What such words might name, as far as they can be taken apart. */
	suspects: Bytes[];
	/** Whether `--help` or `--version` stands there: the tool prints and ends. */
	informs: boolean;
}

const DASH = 45;

const INFORM: readonly OptionRow[] = [
	["--help", "no", "inform"],
	["--version", "no", "inform"],
];

/** The row of a short option; the last one that has the letter. */
function shortRow(rows: readonly OptionRow[], letter: string): OptionRow | undefined {
	let found: OptionRow | undefined;
	for (const row of rows) if (` ${row[0]} `.includes(` -${letter} `)) found = row;
	return found;
}

/**
 * The row that a long option means: its exact name, or what it is a prefix of. Several candidates count as one when they
 * mean the same; which of them are there differs by version, so an ambiguous word is read and not believed to be an error.
 */
function longRow(rows: readonly OptionRow[], name: string): OptionRow | undefined {
	if (name.includes(" ")) return undefined;
	const candidates: OptionRow[] = [];
	let exact: OptionRow | undefined;
	for (const row of rows) {
		const spellings = ` ${row[0]} `;
		if (spellings.includes(` --${name} `)) exact = row;
		if (spellings.includes(` --${name}`)) candidates.push(row);
	}
	if (exact) return exact;
	const [found] = candidates;
	for (const row of candidates) if (row[1] !== found?.[1] || row[2] !== found[2]) return undefined;
	return found;
}

/** Reads one argv; a class only because the walk shares a cursor. */
class Walk {
	readonly parsed: Parsed = { operands: [], options: [], unread: [], suspects: [], informs: false };
	#at = 1;

	constructor(
		readonly argv: Bytes[],
		readonly rows: readonly OptionRow[],
		readonly dashOperand: string,
		readonly posix: boolean,
	) {}

	run(): Parsed {
		const { argv, parsed } = this;
		// A long argv ends in words without a dash; they are operands whatever stands before them.
		let end = argv.length;
		while (end > 1 && (argv[end - 1] as Bytes).charCodeAt(0) !== DASH) end--;
		while (this.#at < end) {
			const word = argv[this.#at++] as Bytes;
			if (word === "--") break;
			if (word.charCodeAt(0) !== DASH || word === "-") {
				if (this.posix) {
					this.#at--;
					break;
				}
				parsed.operands.push(word);
			} else if (word.startsWith("--")) this.#long(word);
			else this.#bundle(word);
		}
		// So is everything after `--`, and after the first operand where getopt does not permute.
		const rest = argv.slice(this.#at);
		parsed.operands = parsed.operands.length === 0 ? rest : parsed.operands.concat(rest);
		return parsed;
	}

	#long(word: Bytes): void {
		const equals = word.indexOf("=");
		const name = word.slice(2, equals < 0 ? undefined : equals);
		const value = equals < 0 ? undefined : word.slice(equals + 1);
		const row = longRow(this.rows, name);
		if (row === undefined || (row[1] === "no" && value !== undefined)) this.#unread(word, value);
		else this.#take(row, value);
	}

	#bundle(word: Bytes): void {
		for (let k = 1; k < word.length; k++) {
			const letter = word[k] as string;
			if (this.dashOperand.includes(letter)) {
				this.parsed.options.push({ meaning: "dash-operand", value: word });
				return;
			}
			const row = shortRow(this.rows, letter);
			if (row === undefined) {
				this.#unread(word, word.slice(k + 1));
				return;
			}
			const rest = word.slice(k + 1);
			if (row[1] === "no") this.#take(row, undefined);
			else {
				this.#take(row, rest === "" ? undefined : rest);
				return;
			}
		}
	}

	#take(row: OptionRow, glued: Bytes | undefined): void {
		const meaning = row[2] ?? "";
		if (meaning === "inform") this.parsed.informs = true;
		const separate = row[1] === "required" && glued === undefined;
		const value = separate ? this.argv[this.#at++] : glued;
		if (meaning !== "") this.parsed.options.push({ meaning, value });
	}

	#unread(word: Bytes, value: Bytes | undefined): void {
		this.parsed.unread.push(word);
		this.parsed.suspects.push(word);
		if (value) this.parsed.suspects.push(value);
	}
}

/** Read a call's argv by a grammar. Never fails: what no row explains is listed as unread. */
export function parseOptions(call: Call, grammar: Grammar): Parsed {
	return new Walk(call.argv, [...INFORM, ...grammar.rows], grammar.dashOperand ?? "", call.posix).run();
}

/** The value of the last option of that meaning (the last one wins), undefined when there is none. */
export function lastValue(parsed: Parsed, meaning: string): Bytes | undefined {
	return parsed.options.findLast((option) => option.meaning === meaning)?.value;
}

/** Whether an option of that meaning stands there. */
export function has(parsed: Parsed, meaning: string): boolean {
	return parsed.options.some((option) => option.meaning === meaning);
}

/** Which of these meanings the last such option has. */
export function lastOf(parsed: Parsed, meanings: readonly string[]): string | undefined {
	return parsed.options.findLast((option) => meanings.includes(option.meaning))?.meaning;
}

/** All values of options of that meaning. */
export function values(parsed: Parsed, meaning: string): Bytes[] {
	return parsed.options
		.filter((option) => option.meaning === meaning)
		.flatMap((option) => (option.value === undefined ? [] : [option.value]));
}
