// What the monitor would stop, by the numbers alone.

import { expect, test } from "bun:test";
import type { Scope } from "../../src/confine/scopes.ts";
import { causesOf, History, type Moment, type Thresholds } from "../../src/confine/thresholds.ts";
import { bytesOf, millisecondsOf, quoteWord, shareOf, unitWord } from "../../src/confine/words.ts";

const GB = 1024 ** 3;

function scope(unit: string, facts: Partial<Scope> = {}): Scope {
	const none = { tasksMax: undefined, memoryMax: undefined, command: "", directory: "", age: 60, cpu: 0, memory: 0, tasks: 1 };
	return { unit, shell: 1, shellGone: false, pids: [1], ...none, ...facts };
}

const CALM: Moment = { at: 0, pressure: 0, diskFree: 100 * GB };
const stopped = (scopes: Scope[], set: Partial<Thresholds>, moment: Partial<Moment> = {}, history = new History()) =>
	causesOf(scopes, { over: 10_000, ...set }, { ...CALM, ...moment }, history).map((cause) => `${cause.scope.unit} ${cause.allow}`);

const BIG = scope("big", { memory: 5 * GB, tasks: 900, cpu: 1000 });
const SMALL = scope("small", { memory: GB, tasks: 10 });

test("nothing is stopped while nothing is set", () => {
	expect(stopped([BIG, SMALL], {}, { pressure: 1, diskFree: 0 })).toEqual([]);
});

test("a scope over its memory or tasks is stopped, its neighbours stay", () => {
	expect(stopped([BIG, SMALL], { memory: 4 * GB })).toEqual(["big --memory"]);
	expect(stopped([BIG, SMALL], { tasks: 500 })).toEqual(["big --tasks"]);
	expect(stopped([BIG, SMALL], { memory: 5 * GB, tasks: 900 })).toEqual([]);
});

test("memory pressure takes the largest one, and one only", () => {
	expect(stopped([SMALL, BIG], { pressure: 0.4 }, { pressure: 0.5 })).toEqual(["big --pressure"]);
	expect(stopped([SMALL, BIG], { pressure: 0.4 }, { pressure: 0.4 })).toEqual([]);
});

test("processor time counts over the whole window, not in a moment", () => {
	const history = new History();
	const at = (second: number, cpu: number) => {
		const scopes = [scope("hog", { cpu })];
		history.note(scopes, second * 1000, 10_000);
		return stopped(scopes, { cpu: 1.5 }, { at: second * 1000 }, history);
	};
	expect(at(0, 0)).toEqual([]);
	expect(at(5, 10)).toEqual([]);
	expect(at(10, 20)).toEqual(["hog --cpu"]);
	expect(at(15, 21)).toEqual([]);
});

test("a full disk takes the busiest one", () => {
	const history = new History();
	const early = [scope("idle", { cpu: 50 }), scope("writer", { cpu: 1 })];
	const late = [scope("idle", { cpu: 50 }), scope("writer", { cpu: 9 })];
	history.note(early, 0, 10_000);
	history.note(late, 10_000, 10_000);
	expect(stopped(late, { disk: GB }, { at: 10_000, diskFree: GB / 2 }, history)).toEqual(["writer --disk"]);
});

test("an empty scope is no candidate", () => {
	expect(stopped([scope("empty", { pids: [], memory: 9 * GB })], { memory: GB })).toEqual([]);
});

test("sizes, shares and times", () => {
	const rows: [unknown, unknown][] = [
		[bytesOf("4G", 0), 4 * GB],
		[bytesOf("50%", 1000), 500],
		[bytesOf("4 G", 0), undefined],
		[bytesOf("101%", 1000), undefined],
		[shareOf("40%"), 0.4],
		[shareOf("0.4"), undefined],
		[millisecondsOf("500ms"), 500],
		[millisecondsOf("1.5s"), 1500],
		[millisecondsOf("5"), undefined],
	];
	for (const [found, expected] of rows) expect(found).toBe(expected as number);
});

test("names in other languages", () => {
	expect(quoteWord("a'b $c")).toBe("'a'\\''b $c'");
	expect(unitWord('/x/50% "$HOME"\\')).toBe('"/x/50%% \\"$$HOME\\"\\\\"');
});
