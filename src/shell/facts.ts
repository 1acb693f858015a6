// How earlier commands of a line ended, as far as that is known where a later one runs: behind `&&`, under `set -e`, in a branch.

import type { Machine } from "./machine.ts";
import type { ShellEvent } from "./reading.ts";
import type { Outcome, State } from "./state.ts";

/** That a command worked, or did not, on top of what was known before; the same facts are the same object. One that was not run did not work. */
export class Facts {
	readonly #next = new Map<number, Facts>();

	constructor(
		readonly step = 0,
		readonly worked = true,
		readonly before: Facts | undefined = undefined,
		readonly length = 1,
	) {}

	/** One more. */
	with(step: number, worked: boolean): Facts {
		const key = worked ? step : -step;
		const known = this.#next.get(key);
		if (known !== undefined) return known;
		const next = new Facts(step, worked, this, this.length + 1);
		this.#next.set(key, next);
		return next;
	}
}

/** The facts at a point, without those at an earlier one. */
export interface Given {
	top: Facts | undefined;
	base: Facts | undefined;
}

/** What holds on either of two ways. */
export function commonFacts(a: Facts | undefined, b: Facts | undefined): Facts | undefined {
	let [one, other] = [a, b];
	while (one !== other) {
		if ((one?.length ?? 0) >= (other?.length ?? 0)) one = one?.before;
		else other = other?.before;
	}
	return one;
}

/** What is known of an event that stands for two: less of it. */
export function blur(event: ShellEvent, again: ShellEvent): void {
	if (event.kind === "assign" || event.kind === "unclear" || event.kind !== again.kind) return;
	event.after = commonFacts(event.after, again.after);
	const isSame = ({ top, base }: Given, k: number) => again.given[k]?.top === top && again.given[k]?.base === base;
	event.undecided ||= again.undecided || event.given.length !== again.given.length || !event.given.every(isSame);
}

/** What an event says, apart from what is known where it comes. */
export const textOfEvent = (event: ShellEvent): string => JSON.stringify({ ...event, step: 0, after: 0, given: 0, undecided: 0 });

/** Both ends of a command of which the number may be asked for. */
export function toldApart(m: Machine, state: State, step: number): Outcome {
	const [ok, bad] = [state.fork(), state.fork()];
	const before = state.facts ?? m.noFacts;
	ok.facts = before.with(step, true);
	bad.facts = before.with(step, false);
	return { ok, bad, exact: "both" };
}

/** A state with what another one knows of how commands ended. */
function knowing(state: State, other: State): State {
	if (state.facts === other.facts) return state;
	const copy = state.fork();
	copy.facts = other.facts;
	return copy;
}

/** The ends of what ran in a shell of its own, for the shell around it. */
export function endsFor(state: State, { ok, bad, exact }: Outcome): Outcome {
	return { ok: ok && knowing(state, ok), bad: bad && knowing(state, bad), exact };
}

/** Whether an end is come to exactly if the facts hold that are known there and were not at the start. */
export const isExact = ({ exact }: Outcome, end: "ok" | "bad"): boolean => exact === "both" || exact === end;

const OPPOSITE = { ok: "bad", bad: "ok", both: "both" } as const;

/** The ends of `! command`. */
export const inverted = ({ ok, bad, exact }: Outcome): Outcome => ({ ok: bad, bad: ok, exact: exact && OPPOSITE[exact] });

/** Runs what comes behind an end of another command. @param exact whether the facts since `base` decide about it, and nothing else */
export function behind<T>(m: Machine, unsure: boolean, from: State, base: Facts | undefined, exact: boolean, run: () => T): T {
	if (!unsure || !exact) return m.perhaps(unsure, run);
	return m.within({ given: [...m.given, { top: from.facts, base }] }, () => m.perhaps(true, run, true));
}
