// Loops: unrolled while it is known what they do, and then once more with what they changed unknown.

import { Expander } from "./expand.ts";
import type { Machine } from "./machine.ts";
import type { CompoundList, For, Select, SyntaxNode, While } from "./parse.ts";
import type { Word } from "./reading.ts";
import { areAlike, roundsOf } from "./rows.ts";
import type { Outcome, State } from "./state.ts";
import { newFrame, runNode, truth } from "./statements.ts";
import { assign, isSettled, widened } from "./variables.ts";
import { unknown, whole } from "./words.ts";

/** How often a loop is unrolled whose end is known. */
const MOST_TURNS = 100;
/** Which part of the steps that are left its turns may take before that. */
const SHARE = 1 / 10;

/** The words that a loop goes over; `rest` is the hole that stands for the many behind the first. */
function turnsOf(m: Machine, state: State, words: readonly Word[], name: string): { words: readonly Word[]; rest?: Word } {
	const { most, first } = roundsOf(m);
	if (words.length <= most || !areAlike(m, state, words)) return { words };
	const rest = unknown(`$${name}`, { contained: true });
	return { words: [...words.slice(0, first), rest], rest };
}

type ArithmeticFor = SyntaxNode & { type: "ArithmeticFor" };

/** The body once: the state after it, and the ways out. */
function turn(m: Machine, body: CompoundList, state: State, left: State[]): State | undefined {
	const frame = newFrame("loop");
	const outcome = m.within({ frames: [...m.frames, frame] }, () => runNode(m, body, state));
	for (const ended of frame.ended) {
		const end = m.after(ended);
		if (end !== undefined) left.push(end);
	}
	return m.joinAll([m.after(outcome), ...frame.continued]);
}

/** for and select. */
export function loopFor(m: Machine, node: For | Select, state: State): Outcome {
	const x = new Expander(m, state);
	const all: readonly Word[] = node.wordlist?.flatMap((word) => x.fields(word)) ??
		state.positional ?? [unknown('"$@"', { unquoted: true })];
	const name = node.name.value;
	const { words, rest } = turnsOf(m, state, all, name);
	const left: State[] = [];
	const first = m.events.length;
	let current: State | undefined = state;
	for (const word of words) {
		if (current === undefined) break;
		m.step();
		const many = node.type === "Select" || word.pieces.some((piece) => typeof piece !== "string" && piece.unquoted);
		const run = (from: State): State | undefined =>
			m.within({ source: `for ${name}` }, () => {
				assign(m, from, name, whole(word));
				return turn(m, node.body, from, left);
			});
		if (!many && word !== rest) {
			current = run(current);
			continue;
		}
		// Any number of words: none, one, or more of them; a long list has some.
		const before: State = current.fork();
		const once = m.perhaps(many, () => run(before.fork()));
		const more =
			once && !isSettled(m, before, once, name)
				? m.perhaps(true, () => m.unrepeated(first, () => run(widened(m, before, once))))
				: undefined;
		current = m.joinAll([word === rest ? undefined : current, once, more]);
	}
	return { ok: m.joinAll([current, ...left]), bad: m.joinAll([current?.fork(), ...left]) };
}

/** The condition of a loop: where it goes on, and where it ends. */
function condition(m: Machine, node: While | ArithmeticFor, state: State): { go?: State | undefined; stop?: State | undefined } {
	if (node.type === "While") {
		const { ok, bad } = m.apart(m.testing(() => runNode(m, node.clause, state)));
		return node.kind === "until" ? { go: bad, stop: ok } : { go: ok, stop: bad };
	}
	if (node.test === undefined) return { go: state };
	const { ok, bad } = m.apart(truth(new Expander(m, state).arithmetic(node.test), state));
	return { go: ok, stop: bad };
}

/** while, until, and for with arithmetic. */
export function loopWhile(m: Machine, node: While | ArithmeticFor, state: State): Outcome {
	const left: State[] = [];
	if (node.type === "ArithmeticFor" && node.initialize) new Expander(m, state).arithmetic(node.initialize);
	const start = state.fork();
	const first = m.events.length;
	let current: State | undefined = state;
	let blind = false;
	const enough = m.steps + (m.limits.steps - m.steps) * SHARE;
	const once = (from: State): { after: State | undefined; stop: State | undefined } => {
		const { go, stop } = condition(m, node, from);
		if (stop !== undefined) left.push(stop);
		if (go === undefined) return { after: undefined, stop };
		const after = m.perhaps(stop !== undefined, () => turn(m, node.body, go, left));
		if (after !== undefined && node.type === "ArithmeticFor" && node.update) new Expander(m, after).arithmetic(node.update);
		return { after, stop };
	};
	for (let turns = 0; current !== undefined; turns++) {
		m.step();
		const taken = m.input?.taken;
		const from: State = current;
		const before = from.fork();
		const { after, stop }: ReturnType<typeof once> = blind ? m.unrepeated(first, () => once(from)) : once(from);
		current = after;
		if (current === undefined) break;
		// Each line of a known input is a turn; so is each number while the condition is known.
		if (m.input !== undefined && m.input.taken !== taken) continue;
		if (blind || isSettled(m, before, current)) {
			if (stop !== undefined) left.push(current);
			break;
		}
		if (stop === undefined && turns < MOST_TURNS && m.steps < enough) continue;
		blind = true;
		current = widened(m, start, current);
	}
	const end = m.joinAll(left);
	return { ok: end, bad: end };
}
