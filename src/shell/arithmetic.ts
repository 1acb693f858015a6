// Arithmetic on whole numbers, as far as all of them are known.

import type { ArithmeticExpression, WordPart } from "./parse.ts";
import type { Word } from "./reading.ts";
import { wordOf } from "./words.ts";

/** What arithmetic needs of the room: a variable's text, an assignment, and the text of a word's parts. */
export interface Numbers {
	read(name: string): string | undefined;
	write(name: string, value: number | undefined): void;
	/** A text that is reckoned, and not known to be a number: what of it runs. */
	meet(text: string): void;
	text(parts: readonly WordPart[]): string | undefined;
}

const BINARY: Readonly<Record<string, (a: number, b: number) => number | undefined>> = {
	"+": (a, b) => a + b,
	"-": (a, b) => a - b,
	"*": (a, b) => a * b,
	"/": (a, b) => (b === 0 ? undefined : Math.trunc(a / b)),
	"%": (a, b) => (b === 0 ? undefined : a % b),
	"**": (a, b) => (b < 0 ? undefined : a ** b),
	"<": (a, b) => Number(a < b),
	">": (a, b) => Number(a > b),
	"<=": (a, b) => Number(a <= b),
	">=": (a, b) => Number(a >= b),
	"==": (a, b) => Number(a === b),
	"!=": (a, b) => Number(a !== b),
	",": (_, b) => b,
};

const safe = (value: number | undefined) => (value !== undefined && Number.isSafeInteger(value) ? (value === 0 ? 0 : value) : undefined);

/** The value of a variable or a number; leading zeros, bases and names within values are not followed. */
function operand(text: string | undefined, numbers: Numbers): number | undefined {
	if (text === undefined) return undefined;
	const plain = text.trim();
	if (/^(0|[1-9]\d{0,15})$/.test(plain)) return safe(Number(plain));
	const name = /^\$?([A-Za-z_]\w*)$|^\$([1-9])$/.exec(plain);
	if (name === null) {
		numbers.meet(plain);
		return undefined;
	}
	const value = numbers.read(name[1] ?? (name[2] as string));
	if (value === "") return 0;
	return value !== undefined && /^-?(0|[1-9]\d{0,15})$/.test(value) ? safe(Number(value)) : undefined;
}

/** The value of an expression; its assignments happen. undefined when it is not known. */
export function evaluate(expression: ArithmeticExpression | undefined, numbers: Numbers): number | undefined {
	switch (expression?.type) {
		case "ArithmeticWord":
			return operand(expression.parts ? numbers.text(expression.parts) : expression.value, numbers);
		case "ArithmeticGroup":
			return evaluate(expression.expression, numbers);
		case "ArithmeticUnary":
			return unary(expression, numbers);
		case "ArithmeticBinary":
			return binary(expression, numbers);
		case "ArithmeticTernary": {
			const test = evaluate(expression.test, numbers);
			if (test !== undefined) return evaluate(test === 0 ? expression.alternate : expression.consequent, numbers);
			evaluate(expression.consequent, numbers);
			evaluate(expression.alternate, numbers);
			return undefined;
		}
		case "ArithmeticCommandExpansion": {
			const { pos, end, text, script } = expression;
			return operand(numbers.text([{ type: "CommandExpansion", pos, end, text, script }]), numbers);
		}
		default:
			return undefined;
	}
}

const nameOf = (expression: ArithmeticExpression) =>
	expression.type === "ArithmeticWord" && /^[A-Za-z_]\w*$/.test(expression.value.trim()) ? expression.value.trim() : undefined;

function unary(expression: ArithmeticExpression & { type: "ArithmeticUnary" }, numbers: Numbers): number | undefined {
	const value = evaluate(expression.operand, numbers);
	const name = nameOf(expression.operand);
	if (expression.operator === "++" || expression.operator === "--") {
		const after = value === undefined ? undefined : safe(value + (expression.operator === "++" ? 1 : -1));
		if (name !== undefined) numbers.write(name, after);
		return expression.prefix ? after : value;
	}
	if (value === undefined) return undefined;
	if (expression.operator === "-") return safe(-value);
	if (expression.operator === "!") return Number(value === 0);
	return expression.operator === "+" ? value : undefined;
}

function binary(expression: ArithmeticExpression & { type: "ArithmeticBinary" }, numbers: Numbers): number | undefined {
	const { operator } = expression;
	const assigns = /^([-+*/%]|<<|>>|[&^|])?=$/.exec(operator);
	if (assigns) {
		const right = evaluate(expression.right, numbers);
		const name = nameOf(expression.left);
		const left = assigns[1] === undefined && name !== undefined ? 0 : evaluate(expression.left, numbers);
		const combine = assigns[1] === undefined ? (_: number, b: number) => b : BINARY[assigns[1]];
		const value = left === undefined || right === undefined ? undefined : safe(combine?.(left, right));
		if (name !== undefined) numbers.write(name, value);
		return value;
	}
	const left = evaluate(expression.left, numbers);
	if (operator === "&&" || operator === "||") {
		if (left !== undefined && (left === 0) === (operator === "&&")) return operator === "&&" ? 0 : 1;
		const right = evaluate(expression.right, numbers);
		return left === undefined || right === undefined ? undefined : Number(right !== 0);
	}
	const right = evaluate(expression.right, numbers);
	const combine = Object.hasOwn(BINARY, operator) ? BINARY[operator] : undefined;
	return left === undefined || right === undefined ? undefined : safe(combine?.(left, right));
}

/** A result as a word: its digits, or a hole that is a number. */
export function numberWord(value: number | undefined, source: string): Word {
	return wordOf([value === undefined ? { source, contained: true } : String(value)]);
}
