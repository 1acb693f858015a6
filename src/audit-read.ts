// The audit read back: its files in the order in which they were written, records told from torn ones, and a growing file followed.

import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import type { Entry } from "./audit.ts";
import { type Bytes, toText } from "./policy/bytes.ts";

/** How every record starts (audit.ts writes `id` first). No JSON string can hold it: its quotes would be escaped. */
const START = '{"id":"';
/** A longer line holds no record: argv and operands are cut well before. */
const LONGEST = 16 * 1024 * 1024;
/** Renamed files are looked for up to this number; audit.ts keeps eight. */
const NUMBERS = 8;
const CHUNK = 256 * 1024;

/** A record, and the JSON text that it was read from. */
export interface Row {
	entry: Entry;
	text: string;
}

const isText = (value: unknown) => typeof value === "string";
const areTexts = (value: unknown) => Array.isArray(value) && value.every(isText);
const isOperand = (value: Partial<NonNullable<Entry["operands"]>[number]> | null) => isText(value?.text) && isText(value?.resolved);

/** Whether a value has what readers of a record rely on; a newer tmx may have written more. */
function isEntry(value: unknown): value is Entry {
	const { id, ts, decision, door, tool, argv, operands = [], unknown = [], reason = "" } = (value ?? {}) as Partial<Entry>;
	if (![id, ts, decision, door, tool, reason].every(isText) || !areTexts(argv) || !areTexts(unknown)) return false;
	return Array.isArray(operands) && operands.every(isOperand);
}

function parse(text: string): Row | undefined {
	try {
		const entry: unknown = JSON.parse(text);
		return isEntry(entry) ? { entry, text } : undefined;
	} catch {
		return undefined;
	}
}

/**
 * The records of one line. A write that a full disk cut short, or a file system without atomic appends, leaves a piece of
 * a record before the next one; what is whole is taken, what is torn is counted.
 */
export function recordsOf(line: Bytes): { rows: Row[]; torn: number } {
	if (line.trim() === "") return { rows: [], torn: 0 };
	const text = toText(line);
	const whole = parse(text);
	if (whole) return { rows: [whole], torn: 0 };
	const parts = text.split(START);
	const rows: Row[] = [];
	let torn = parts[0]?.trim() === "" ? 0 : 1;
	for (const part of parts.slice(1)) {
		const row = parse(START + part);
		if (row) rows.push(row);
		else torn++;
	}
	return { rows, torn };
}

/** What stands for a line that is too long to be a record. */
const TOO_LONG: Bytes = "?";

const chunk = Buffer.alloc(CHUNK);

/** One open file of the audit. It stays the same file when it is renamed. */
export class Log {
	readonly id: string;
	/** How far it was read. */
	offset = 0;
	/** Pieces of a line whose end has not come yet. */
	#pieces: Bytes[] = [];
	#length = 0;

	constructor(readonly descriptor: number) {
		const { dev, ino } = fstatSync(descriptor);
		this.id = `${dev}:${ino}`;
	}

	/** Size in bytes, and when it was last written, in milliseconds since the epoch. */
	facts(): { size: number; written: number } {
		const { size, mtimeMs } = fstatSync(this.descriptor);
		return { size, written: mtimeMs };
	}

	/** The lines that came since the last call; with `all` also one that has no newline yet. */
	*lines(all: boolean): Generator<Bytes> {
		// Somebody emptied the file: what follows starts anew.
		if (this.facts().size < this.offset) {
			this.offset = 0;
			this.#held();
		}
		for (let count = this.#read(); count > 0; count = this.#read()) {
			const [first = "", ...more] = chunk.toString("latin1", 0, count).split("\n");
			this.#hold(first);
			for (const start of more) {
				yield this.#held();
				this.#hold(start);
			}
		}
		if (all && this.#length > 0) yield this.#held();
	}

	#hold(piece: Bytes): void {
		this.#length += piece.length;
		if (this.#length <= LONGEST) this.#pieces.push(piece);
		else this.#pieces = [];
	}

	#held(): Bytes {
		const line = this.#length > LONGEST ? TOO_LONG : this.#pieces.join("");
		this.#pieces = [];
		this.#length = 0;
		return line;
	}

	#read(): number {
		const count = readSync(this.descriptor, chunk, 0, CHUNK, this.offset);
		this.offset += count;
		return count;
	}

	close(): void {
		closeSync(this.descriptor);
	}
}

/** Open a file of the audit; undefined when there is none. Other failures are thrown. */
function open(path: Bytes): Log | undefined {
	try {
		return new Log(openSync(Buffer.from(path, "latin1"), constants.O_RDONLY | constants.O_NONBLOCK));
	} catch (error) {
		if ((error as { code?: string }).code === "ENOENT") return undefined;
		throw error;
	}
}

/**
 * The files of an audit, the oldest first. They are opened from the newest on, so that a rotation between two opens shows
 * a file twice and hides none.
 * @param known files that are open already; the search ends at the first of them
 */
export function openLogs(path: Bytes, known: readonly Log[] = []): Log[] {
	const found: Log[] = [];
	for (let number = 0; number <= NUMBERS; number++) {
		const log = open(number === 0 ? path : `${path}.${number}`);
		if (log === undefined) {
			if (number === 0 || known.length === 0) continue;
			break;
		}
		const seen = found.some(({ id }) => id === log.id);
		const reached = known.some(({ id }) => id === log.id);
		if (seen || reached) log.close();
		else found.unshift(log);
		if (reached) break;
	}
	return found;
}
