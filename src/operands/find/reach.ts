// Which actions of a find expression a file may come to: the expression is evaluated with yes, no, and what only find can tell.

import type { Bytes } from "../../policy/bytes.ts";
import type { Truth } from "../patterns.ts";
import type { Predicate } from "./expression.ts";
import { type Met, truthOf } from "./tests.ts";

/** The expression as a tree; a number is the predicate of that index, -1 one that is missing. */
type Node = number | { operator: "not" | "and" | "or" | "list"; parts: Node[] };

/** How deep parentheses may stand in one another. */
const DEEPEST = 500;

/** Reads the predicates in the order of find's operators (find(1), OPERATORS). */
class Tree {
	#at = 0;
	#depth = 0;
	/** Where it stopped because of too many parentheses. */
	#stopped: number | undefined;

	constructor(readonly predicates: readonly Predicate[]) {}

	/** How many predicates it has read. */
	get read(): number {
		return this.#stopped ?? this.#at;
	}

	get #name(): Bytes {
		return this.predicates[this.#at]?.name ?? "";
	}

	#joined(operator: "or" | "list", words: readonly Bytes[], operand: () => Node): Node {
		const first = operand();
		const parts = [first];
		while (words.includes(this.#name)) {
			this.#at++;
			parts.push(operand());
		}
		return parts.length === 1 ? first : { operator, parts };
	}

	list(): Node {
		return this.#joined("list", [","], () => this.#joined("or", ["-o", "-or"], () => this.#and()));
	}

	#and(): Node {
		const first = this.#not();
		const parts = [first];
		while (this.#at < this.predicates.length && ![")", ",", "-o", "-or"].includes(this.#name)) {
			if (this.#name === "-a" || this.#name === "-and") this.#at++;
			parts.push(this.#not());
		}
		return parts.length === 1 ? first : { operator: "and", parts };
	}

	#not(): Node {
		let negations = 0;
		for (; this.#name === "!" || this.#name === "-not"; this.#at++) negations++;
		const operand = this.#operand();
		return negations % 2 === 0 ? operand : { operator: "not", parts: [operand] };
	}

	#operand(): Node {
		if (this.#at >= this.predicates.length || [")", ",", "-o", "-or", "-a", "-and"].includes(this.#name)) return -1;
		if (this.#name !== "(") return this.#at++;
		if (++this.#depth > DEEPEST) {
			this.#stopped = this.#at;
			this.#at = this.predicates.length;
			return -1;
		}
		this.#at++;
		const inner = this.list();
		this.#depth--;
		const next: Bytes = this.predicates[this.#at]?.name ?? "";
		if (next === ")") this.#at++;
		return inner;
	}
}

/** An expression that can be asked which of its predicates a file may come to. */
export class Reach {
	readonly #root: Node;
	readonly #syntaxes: Bytes[] = [];
	readonly #reached: Truth[];
	readonly #read: number;

	constructor(readonly predicates: readonly Predicate[]) {
		const tree = new Tree(predicates);
		this.#root = tree.list();
		this.#read = tree.read;
		let syntax = "";
		for (const { name, args } of predicates) {
			if (name === "-regextype") syntax = args[0] ?? "";
			this.#syntaxes.push(syntax);
		}
		this.#reached = predicates.map(() => false);
	}

	/** For each predicate whether a file comes to it. The answer is good until the next question. */
	of(met: Met): readonly Truth[] {
		this.#reached.fill(false);
		// find stops at a parenthesis too many; of what is behind it nothing is said.
		this.#reached.fill(undefined, this.#read);
		this.#evaluate(this.#root, true, met);
		return this.#reached;
	}

	/** @param comes whether the file surely comes here */
	#evaluate(node: Node, comes: true | undefined, met: Met): Truth {
		if (typeof node === "number") {
			if (node < 0) return undefined;
			this.#reached[node] = comes;
			return truthOf(this.predicates[node] as Predicate, met, this.#syntaxes[node] ?? "");
		}
		const { operator, parts } = node;
		if (operator === "not") {
			const truth = this.#evaluate(parts[0] as Node, comes, met);
			return truth === undefined ? undefined : !truth;
		}
		let truth: Truth = operator !== "or";
		for (const part of parts) {
			const found: Truth = this.#evaluate(part, operator !== "list" && truth === undefined ? undefined : comes, met);
			if (operator === "list") truth = found;
			else if (found === (operator === "or")) return found;
			else if (found === undefined) truth = undefined;
		}
		return truth;
	}
}
