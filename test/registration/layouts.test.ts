// Settings files of random layout: putting our hook in twice is putting it in once, and taking it out gives the bytes back.

import { expect, test } from "bun:test";
import { type Registration, registrations } from "../../src/registration/agents.ts";
import { put, take } from "../../src/registration/settings.ts";

const COUNT = 1500;
const TMX = "/some where/tmx";

/** Numbers that are the same in each run (mulberry32). */
function numbers(seed: number): (below: number) => number {
	let state = seed;
	return (below) => {
		state = (state + 0x6d2b79f5) | 0;
		let t = Math.imul(state ^ (state >>> 15), 1 | state);
		t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
		return ((t ^ (t >>> 14)) >>> 0) % below;
	};
}

/** Writes JSON with blanks, line breaks, comments and trailing commas anywhere. */
class Writer {
	readonly #eol: string;
	readonly #comments: boolean;

	constructor(readonly next: (below: number) => number) {
		this.#eol = this.pick(["\n", "\n", "\r\n"]);
		this.#comments = next(3) > 0;
	}

	pick<T>(from: readonly T[]): T {
		return from[this.next(from.length)] as T;
	}

	gap(): string {
		const eol = this.#eol;
		const kind = this.next(10);
		if (kind < 4) return "";
		if (kind < 6) return " ";
		if (kind < 8 || !this.#comments) return eol + this.pick(["", "  ", "\t", "    "]);
		return this.pick(["/* c */", ` // x${eol}`, `/* a${eol} b */`, ` // "hooks": {${eol}  `, " /* , */ "]);
	}

	/** Items between two brackets, with more among them. */
	#between(open: string, close: string, items: string[], more: string[]): string {
		for (const item of more) items.splice(this.next(items.length + 1), 0, item);
		const trailing = this.#comments && this.next(4) === 0;
		const parts = items.map((item, k) => this.gap() + item + this.gap() + (k < items.length - 1 || trailing ? "," : ""));
		return open + parts.join("") + this.gap() + close;
	}

	property = (name: string, value: string) => `${JSON.stringify(name) + this.gap()}:${this.gap()}${value}`;

	object(depth: number, more: string[] = []): string {
		const names = Array.from({ length: this.next(3) }, (_, k) => this.pick(["a", "model", "x y", "é"]) + k);
		return this.#between(
			"{",
			"}",
			names.map((name) => this.property(name, this.value(depth + 1))),
			more,
		);
	}

	list(depth: number, more: string[] = []): string {
		return this.#between(
			"[",
			"]",
			Array.from({ length: this.next(3) }, () => this.value(depth + 1)),
			more,
		);
	}

	value(depth: number): string {
		const kind = this.next(depth > 3 ? 4 : 6);
		if (kind < 4) return this.pick(["1", '"s"', "null", '"// no"', '"\\"}"', "-1.5e3", '"/old/tmx hook claude"']);
		return kind === 4 ? this.object(depth) : this.list(depth);
	}

	/** A settings file, with a list of hooks or without. @param hook an entry in it */
	settings({ list }: Registration, hook: string): { text: string; hasList: boolean } {
		const [outer = "", inner = ""] = list?.path ?? [];
		const level = this.next(5);
		const group = () => this.object(2, [this.property("hooks", this.list(3, [hook])), ...(this.next(2) ? ['"matcher": "Bash"'] : [])]);
		const member = list?.matcher === undefined ? hook : group();
		const members = level < 3 ? [] : this.next(4) === 0 ? [member, member] : [member];
		const hooks =
			level === 0 ? [] : [this.property(outer, this.object(1, level === 1 ? [] : [this.property(inner, this.list(2, members))]))];
		return { text: this.pick(["", " "]) + this.object(0, hooks) + this.pick(["", this.#eol]), hasList: level >= 3 };
	}
}

const rows = [...registrations.values()].filter(({ list }) => list !== undefined);

test("nothing of a person's file is lost", () => {
	const next = numbers(20_250);
	for (let k = 0; k < COUNT; k++) {
		const writer = new Writer(next);
		const row = writer.pick(rows);
		const isOurs = next(2) === 0;
		const hook = JSON.stringify({ [row.list?.command ?? ""]: isOurs ? `/old/tmx hook ${row.agent}` : "a" });
		const { text, hasList } = writer.settings(row, hook);
		const before = take(row, text, undefined);
		const there = put(row, text, TMX);
		if (!("text" in there)) throw new Error(`${there.wrong}\n${text}`);
		expect(put(row, there.text, TMX), text).toEqual(there);
		const gone = take(row, there.text, text);
		const goneAlone = take(row, there.text, undefined);
		// Where our hook was there already, it goes as if it had never been brought up to date.
		if (isOurs && hasList) expect("wrong" in gone || "wrong" in goneAlone, text).toBe(false);
		else expect([gone, before], text).toEqual([{ text }, { text }]);
		// Without the copy of what was there before, only containers that had nothing in them are lost.
		if (!isOurs && hasList) expect(goneAlone, text).toEqual({ text });
	}
});
