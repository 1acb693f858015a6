// What one reading holds in its hands: the events found so far, the bounds, and what surrounds the command that is read.

import type { Bytes } from "../policy/bytes.ts";
import { DEFAULT_LIMITS, Exhausted, stepsFor } from "./bounds.ts";
import { blur, Facts, type Given, textOfEvent } from "./facts.ts";
import type { ParsedScript } from "./parse.ts";
import type { AssignEvent, CallEvent, Course, Hole, Limits, Output, ShellEvent, Surroundings, Word } from "./reading.ts";
import { type Body, joinStates, type Outcome, type State, type Value } from "./state.ts";
import { type Frame, type Input, joinedOutput, type Opened, type Sink, type Uncalled } from "./streams.ts";
import { unknown, wordOf } from "./words.ts";
import { newWorld, type World } from "./world.ts";

/** Around the number of a hole: no byte is one of these characters. */
const MARK = /\uE000(\d+)\uE001/g;
const MOST_CHOICES = 16;

/** One reading. */
export class Machine {
	readonly events: ShellEvent[] = [];
	readonly world: World = newWorld();
	readonly limits: Limits;
	/** Runs the tree of a substitution in a shell of its own: set by the door, since expansions lie below commands. */
	runTree: (script: ParsedScript, state: State) => Outcome = (_, state) => ({ ok: state });
	/** Reads a text as a script on the side: set by the door, for the same reason. */
	runAside: (text: Bytes, state: State) => void = () => {};
	/** How the last substitution of the command ended: without a name of its own that is the command's status. */
	substituted: Outcome | undefined;
	/** The functions that were defined and not called yet, by the nodes of their bodies. */
	readonly uncalled = new Map<Body["node"], Uncalled>();
	/** The functions that are being read, and where they were called from. */
	active: Body[] = [];
	/** The descriptors from 3 on that are open, by their number. */
	descriptors: ReadonlyMap<string, Opened> = new Map();
	/** How many process substitutions there were. */
	processes = 0;

	sink: Sink | undefined;
	input: Input | undefined;
	via: string[] = [];
	offPath = false;
	env: CallEvent["env"] = [];
	branches = 0;
	/** Branches of which it is not said what decides about them, and what decides about the others. */
	doubts = 0;
	given: readonly Given[] = [];
	readonly noFacts = new Facts();
	/** Whether `set -e` is off because the status is looked at. */
	tested = 0;
	frames: Frame[] = [];
	/** The text of the command that is read, and the script that it is a part of. */
	source: Bytes = "";
	text: Bytes = "";

	#steps = 0;
	#depth = 0;
	readonly #holes: Hole[] = [];
	#choices: { path: number[]; counts: number[]; made: Map<string, number> } | undefined;
	#replayed: Map<string, ShellEvent> | undefined;

	/** @param length of the command line that is read */
	constructor(
		readonly around: Surroundings,
		length = 0,
	) {
		this.limits = { ...DEFAULT_LIMITS, steps: stepsFor(length), ...around.limits };
	}

	/** The steps until now. */
	get steps(): number {
		return this.#steps;
	}

	/** Counts against the bound of steps. */
	step(count = 1): void {
		this.#steps += count;
		if (this.#steps > this.limits.steps) throw new Exhausted("too much to read");
	}

	/**
	 * A text that bash expands a second time: the subscript in a name (`NAME[$(...)]`, also where arithmetic meets it as a value), and a prompt.
	 * bash(1), ARITHMETIC EVALUATION, Arrays and PROMPTING.
	 */
	again(text: Bytes | undefined, state: State, isPrompt = false): void {
		if (text === undefined || !/\$\(|`/.test(text) || !(isPrompt || /^[A-Za-z_]\w*\[/.test(text))) return;
		// In a here-document quotes stand for themselves, and those within a substitution are its own.
		this.nested(() => this.perhaps(true, () => this.runAside(`: <<EXPANDED\n${text}\nEXPANDED`, state.fork())));
	}

	/** A value that tools hand to a shell later; in front of it may stand a mark of theirs. */
	handedOver(text: Bytes | undefined, state: State): void {
		const line = text?.replace(/^[|-]+/, "");
		if (line) this.nested(() => this.perhaps(true, () => this.runAside(line, state.fork())));
	}

	/** Something within something else. */
	nested<T>(run: () => T): T {
		if (++this.#depth > this.limits.depth) throw new Exhausted("nested too deeply");
		try {
			return run();
		} finally {
			this.#depth--;
		}
	}

	/** @returns the number of the event; one that was there before stands for this one as well. */
	emit(event: ShellEvent): number {
		this.step();
		const shown = { ...event, source: this.unmarked(event.source) };
		if (this.#replayed !== undefined) {
			const key = textOfEvent(shown);
			const first = this.#replayed.get(key);
			if (first !== undefined) {
				blur(first, shown);
				return "step" in first ? first.step : 0;
			}
			this.#replayed.set(key, shown);
		}
		const number = this.events.push(shown);
		if ("step" in shown) shown.step = number;
		return number;
	}

	/** Where and when what is said now would happen. */
	course(state: State): Course {
		const [conditional, undecided] = [this.branches > 0, this.doubts > 0];
		const course = { cwd: [...state.cwd], conditional, after: state.facts, given: this.given, undecided };
		const astray = state.cwd.length === 0 ? [] : state.astray.filter((directory) => !state.cwd.includes(directory));
		return astray.length === 0 ? course : { ...course, astray };
	}

	unclear(why: string, source: Bytes = this.source): void {
		this.emit({ kind: "unclear", why, source });
	}

	assigned(name: string, value: Word): void {
		const event: AssignEvent = { kind: "assign", name, value, source: this.source };
		this.emit(event);
	}

	/** Runs with some of the surroundings replaced. */
	within<T>(
		changes: Partial<
			Pick<
				Machine,
				"sink" | "input" | "via" | "offPath" | "env" | "source" | "text" | "frames" | "active" | "given" | "doubts" | "descriptors"
			>
		>,
		run: () => T,
	): T {
		const self = this as Record<string, unknown>;
		const saved: [string, unknown][] = [];
		for (const key in changes) {
			saved.push([key, self[key]]);
			self[key] = changes[key as keyof typeof changes];
		}
		try {
			return run();
		} finally {
			for (const [key, value] of saved) self[key] = value;
		}
	}

	/** Runs what may not happen. @param decided whether `given` says when it does */
	perhaps<T>(unsure: boolean, run: () => T, decided = false): T {
		if (!unsure) return run();
		this.branches++;
		if (!decided) this.doubts++;
		try {
			return run();
		} finally {
			this.branches--;
			if (!decided) this.doubts--;
		}
	}

	/** Runs a condition: a failure there does not end a script under `set -e`. */
	testing<T>(run: () => T): T {
		this.tested++;
		try {
			return run();
		} finally {
			this.tested--;
		}
	}

	print(output: Output): void {
		if (this.sink === undefined) return;
		for (const path of this.sink.files ?? []) this.world.files.set(path, joinedOutput(this.world.files.get(path), output));
		if (this.sink.files !== undefined) return;
		if (this.branches > this.sink.branches) this.sink.certain = false;
		this.sink.output = joinedOutput(this.sink.output, output);
	}

	/** What a part prints. */
	captured(run: () => void): { output: Output; certain: boolean } {
		const sink: Sink = { output: undefined, certain: true, branches: this.branches };
		this.within({ sink }, run);
		return { output: sink.output ?? { kind: "text", word: wordOf([]) }, certain: sink.certain };
	}

	/** A hole as a mark in the text of a script, so that the parser takes it for a part of a word. */
	marked(word: Word): Bytes {
		return word.pieces
			.map((piece) => {
				if (typeof piece === "string") return piece;
				this.#holes.push(piece);
				return `\uE000${this.#holes.length - 1}\uE001`;
			})
			.join("");
	}

	/** The text with the holes that its marks stand for. */
	unmarkedPieces(text: Bytes): (Bytes | Hole)[] {
		if (this.#holes.length === 0 || !text.includes("\uE000")) return [text];
		return text.split(MARK).map((part, k) => (k % 2 === 0 ? part : (this.#holes[Number(part)] ?? part)));
	}

	unmarked(text: Bytes): Bytes {
		const pieces = this.unmarkedPieces(text);
		return pieces.map((piece) => (typeof piece === "string" ? piece : piece.source)).join("");
	}

	/** What a variable is that nobody assigned here. */
	outer(name: string, isCleared: boolean): Value {
		const value = isCleared ? undefined : this.around.env(name);
		return { kind: "word", word: value === undefined ? unknown(`$${name}`, { unset: true }) : wordOf([value]) };
	}

	join(a: State | undefined, b: State | undefined): State | undefined {
		if (a === undefined || b === undefined || a === b) return a ?? b;
		this.step(1 + (a.variables.distance(b.variables) >> 3));
		return joinStates(a, b, (name) => this.outer(name, a.cleared));
	}

	/** An outcome whose two ends can go their own ways. */
	apart(outcome: Outcome): Outcome {
		const { ok, bad } = outcome;
		return ok !== undefined && ok === bad ? { ...outcome, bad: ok.fork() } : outcome;
	}

	joinOutcomes(outcomes: readonly Outcome[]): Outcome {
		return { ok: this.joinAll(outcomes.map(({ ok }) => ok)), bad: this.joinAll(outcomes.map(({ bad }) => bad)) };
	}

	/** The state after a command, however it ended. */
	after({ ok, bad }: Outcome): State | undefined {
		return this.join(ok, bad);
	}

	joinAll(states: readonly (State | undefined)[]): State | undefined {
		return states.reduce<State | undefined>((joined, state) => this.join(joined, state), undefined);
	}

	/** Which of `count` alternatives to take; the same answer for the same key within one command. */
	choose(key: string, count: number): number {
		const choices = this.#choices;
		if (choices === undefined || count < 2) return 0;
		const made = choices.made.get(key);
		if (made !== undefined) return made;
		const at = choices.counts.length;
		choices.counts.push(count);
		if (at === choices.path.length) choices.path.push(0);
		const choice = choices.path[at] as number;
		choices.made.set(key, choice);
		return choice;
	}

	/** Whether alternatives can be chosen from now. */
	get choosing(): boolean {
		return this.#choices !== undefined;
	}

	#since(first: number): [string, ShellEvent][] {
		return this.events.slice(first).map((event) => [textOfEvent(event), event]);
	}

	/** Runs something again: what it says for the second time since event `first` is not said. */
	unrepeated<T>(first: number, run: () => T): T {
		const replayed = this.#replayed;
		this.#replayed = new Map([...(replayed ?? []), ...this.#since(first)]);
		this.step(1 + ((this.events.length - first) >> 2));
		try {
			return run();
		} finally {
			this.#replayed = replayed;
		}
	}

	/** Runs a command once for each combination of the alternatives that it asks for. */
	eachChoice(state: State, run: (state: State) => Outcome): Outcome {
		// In a long script what has several values is not known from the middle of it on.
		if (this.#steps > this.limits.steps >> 1) return run(state);
		const [outer, replayed, first] = [this.#choices, this.#replayed, this.events.length];
		let result: Outcome = {};
		let path: number[] = [];
		try {
			for (let k = 0; k < MOST_CHOICES; k++) {
				const choices = { path, counts: [] as number[], made: new Map<string, number>() };
				this.#choices = choices;
				const outcome = run(state.fork());
				result = { ok: this.join(result.ok, outcome.ok), bad: this.join(result.bad, outcome.bad) };
				const next = following(choices.path, choices.counts);
				if (next === undefined) return result;
				path = next;
				this.#replayed ??= new Map(this.#since(first));
			}
			this.unclear("more combinations of values than are read");
			return result;
		} finally {
			this.#choices = outer;
			this.#replayed = replayed;
		}
	}
}

/** The combination after this one. */
function following(path: number[], counts: number[]): number[] | undefined {
	const next = path.slice(0, counts.length);
	for (let k = next.length - 1; k >= 0; k--) {
		if ((next[k] as number) + 1 < (counts[k] as number)) return [...next.slice(0, k), (next[k] as number) + 1];
	}
	return undefined;
}
