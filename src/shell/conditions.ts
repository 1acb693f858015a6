// [ ], test and [[ ]]: decided where that is certain, and what either answer says about a variable.

import { isBelow } from "../policy/resolve.ts";
import { isStill } from "./directories.ts";
import { Expander } from "./expand.ts";
import { inverted, toldApart } from "./facts.ts";
import type { Machine } from "./machine.ts";
import type { SyntaxWord, TestExpression } from "./parse.ts";
import { matchesUnder } from "./patterns.ts";
import { absolutes } from "./places.ts";
import type { ShellEvent, Word } from "./reading.ts";
import { reckonedWord } from "./reckoned.ts";
import { either, type Outcome, type State } from "./state.ts";
import { setVariable } from "./variables.ts";
import { textOf, unknown } from "./words.ts";

/** A decided condition, or both ends. */
export const decided = (state: State, answer: boolean | undefined): Outcome =>
	answer === undefined ? either(state) : answer ? { ok: state } : { bad: state };

const NUMERIC: Readonly<Record<string, (a: number, b: number) => boolean>> = {
	"-eq": (a, b) => a === b,
	"-ne": (a, b) => a !== b,
	"-lt": (a, b) => a < b,
	"-le": (a, b) => a <= b,
	"-gt": (a, b) => a > b,
	"-ge": (a, b) => a >= b,
};

/** Whether a word is empty; undefined also for a variable that nobody set, since somebody else may. */
function isEmpty(word: Word): boolean | undefined {
	if (word.pieces.some((piece) => typeof piece === "string")) return false;
	return word.pieces.length === 0 ? true : undefined;
}

/** `-n "$X"` of a variable that nobody set: where the answer is yes, it is not empty. */
function refined(m: Machine, state: State, word: Word, empty: boolean): Outcome {
	const hole = word.pieces.length === 1 ? word.pieces[0] : undefined;
	if (typeof hole === "string" || hole?.unset !== true) return either(state);
	const name = /^\$\{?([A-Za-z_]\w*)/.exec(hole.source)?.[1];
	if (name === undefined) return either(state);
	const filled = state.fork();
	setVariable(m, filled, name, { kind: "word", word: unknown(`$${name}`) });
	return empty ? { ok: state, bad: filled } : { ok: filled, bad: state };
}

/** Whether what a path outside of the working directory names is there as asked; a command before may have made it, and one within may have done anything. */
function onDisk(m: Machine, state: State, operator: string, word: Word): boolean | undefined {
	const [path, more] = absolutes(state, textOf(word));
	const { cwd, files } = m.around;
	if (path === undefined || more !== undefined || cwd === undefined || path === cwd || isBelow(path, cwd) || isBelow(cwd, path))
		return undefined;
	const kind = files.kind(path, operator !== "-L" && operator !== "-h");
	const isTouched = (event: ShellEvent) => event.kind === "call" && textOf(event.words[0]) === "touch";
	if (kind === undefined) return m.world.made || m.world.files.has(path) || m.events.some(isTouched) ? undefined : false;
	const asked = operator === "-e" || (operator === "-d" && kind === "directory") || (operator === "-f" && kind === "file");
	return asked && isStill(m, path) ? true : undefined;
}

/** Questions about a file that a guess at the files of then can answer. */
const FILE_TESTS: ReadonlySet<string> = new Set(["-L", "-h", "-e", "-a", "-f", "-d"]);

function unary(m: Machine, state: State, operator: string, word: Word): Outcome {
	if (operator === "-v") m.again(textOf(word), state);
	const there = /^-[edfhLsrwx]$/.test(operator) ? onDisk(m, state, operator, word) : undefined;
	if (there !== undefined) return decided(state, there);
	if (operator === "-n" || operator === "-z") {
		const empty = isEmpty(word);
		return empty === undefined ? refined(m, state, word, operator === "-z") : decided(state, empty === (operator === "-z"));
	}
	if (!FILE_TESTS.has(operator)) return either(state);
	const step = m.emit({ kind: "test", operator, operand: word, source: m.source, step: 0, ...m.course(state) });
	return toldApart(m, state, step);
}

function compared(operator: string, left: Word, right: Word): boolean | undefined {
	const [a, b] = [textOf(left), textOf(right)];
	if (a === undefined || b === undefined) return undefined;
	if (operator === "=" || operator === "==") return a === b;
	if (operator === "!=") return a !== b;
	const compare = Object.hasOwn(NUMERIC, operator) ? NUMERIC[operator] : undefined;
	return compare !== undefined && /^-?\d{1,15}$/.test(a) && /^-?\d{1,15}$/.test(b) ? compare(Number(a), Number(b)) : undefined;
}

/** `[ ... ]` and `test ...`, by the number of its words (POSIX test). */
export function testCommand(m: Machine, state: State, words: readonly Word[]): Outcome {
	const [first, second, third] = words;
	// An unquoted variable without a value changes the number of words.
	if (words.some(({ pieces }) => pieces.some((piece) => typeof piece !== "string" && piece.unquoted))) return either(state);
	if (textOf(first) === "!" && words.length > 1 && words.length < 5) {
		return inverted(testCommand(m, state, words.slice(1)));
	}
	if (first === undefined) return { bad: state };
	if (second === undefined) return unary(m, state, "-n", first);
	if (third === undefined) return unary(m, state, textOf(first) ?? "", second);
	if (words.length > 3) return either(state);
	return decided(state, compared(textOf(second) ?? "", first, third));
}

/** [[ ... ]]: its words are not split, and its right side is a pattern. */
export function evaluateCondition(x: Expander, expression: TestExpression): Outcome {
	const { machine: m, state } = x;
	m.step();
	switch (expression.type) {
		case "TestUnary":
			return unary(m, state, expression.operator, x.single(expression.operand));
		case "TestBinary":
			return binary(x, expression.operator, expression.left, expression.right);
		case "TestGroup":
			return m.nested(() => evaluateCondition(x, expression.expression));
		case "TestNot": {
			const outcome = m.nested(() => evaluateCondition(x, expression.operand));
			return expression.negations.length % 2 === 1 ? inverted(outcome) : outcome;
		}
		case "TestLogical":
			return logical(x, expression.operands, expression.operator);
	}
}

function binary(x: Expander, operator: string, left: SyntaxWord, right: SyntaxWord): Outcome {
	const one = x.single(left);
	if (operator === "=~") {
		x.single(right);
		return either(x.state);
	}
	if (operator === "==" || operator === "=" || operator === "!=") {
		const [text, pattern] = [textOf(one), x.pattern(right)];
		const answer = text === undefined || pattern === undefined ? undefined : matchesUnder(x.state.options, pattern, text);
		return decided(x.state, answer === undefined ? undefined : answer === (operator !== "!="));
	}
	const other = x.single(right);
	if (Object.hasOwn(NUMERIC, operator)) for (const word of [one, other]) reckonedWord(x.machine, x.state, word);
	return decided(x.state, compared(operator, one, other));
}

function logical(x: Expander, operands: readonly TestExpression[], operator: string): Outcome {
	const { machine: m } = x;
	let outcome: Outcome = operator === "&&" ? { ok: x.state } : { bad: x.state };
	for (const operand of operands) {
		const { ok, bad } = m.apart(outcome);
		const [current, aside] = operator === "&&" ? [ok, bad] : [bad, ok];
		if (current === undefined) break;
		const inner = new Expander(m, current);
		const result = m.nested(() => evaluateCondition(inner, operand));
		outcome = m.joinOutcomes([result, operator === "&&" ? { bad: aside } : { ok: aside }]);
	}
	return outcome;
}
