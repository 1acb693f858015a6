// Which actions of a find expression a file may come to: the expression is evaluated with yes, no, and what only find can tell.

import type { Bytes } from "../../policy/bytes.ts";
import type { Truth } from "../patterns.ts";
import type { Predicate } from "./expression.ts";
import { type Met, truthOf } from "./tests.ts";

/** The expression as a tree; a number is the predicate of that index, -1 one that is missing. */
type Node = number | { operator: "not" | "and" | "or" | "list"; left: Node; right: Node };

/** How deep parentheses may stand in one another. */
const DEEPEST = 500;

/** Reads the predicates in the order of find's operators (find(1), OPERATORS). */
class Tree {
	#at = 0;
	#depth = 0;

	constructor(readonly predicates: readonly Predicate[]) {}

	/** How many predicates it has read. */
	get read(): number {
		return this.#at;
	}

	get #name(): Bytes {
		return this.predicates[this.#at]?.name ?? "";
	}

	#binary(operator: "and" | "or" | "list", words: readonly Bytes[], operand: () => Node): Node {
		let left = operand();
		while (words.includes(this.#name)) {
			this.#at++;
			left = { operator, left, right: operand() };
		}
		return left;
	}

	list(): Node {
		return this.#binary("list", [","], () => this.#or());
	}

	#or(): Node {
		return this.#binary("or", ["-o", "-or"], () => this.#and());
	}

	#and(): Node {
		let left = this.#not();
		while (this.#at < this.predicates.length && ![")", ",", "-o", "-or"].includes(this.#name)) {
			if (this.#name === "-a" || this.#name === "-and") this.#at++;
			left = { operator: "and", left, right: this.#not() };
		}
		return left;
	}

	#not(): Node {
		if (this.#at >= this.predicates.length) return -1;
		const name = this.#name;
		if (name === "!" || name === "-not") {
			this.#at++;
			return { operator: "not", left: this.#not(), right: -1 };
		}
		if ([")", ",", "-o", "-or", "-a", "-and"].includes(name)) return -1;
		if (name !== "(") return this.#at++;
		if (++this.#depth > DEEPEST) return -1;
		this.#at++;
		const inner = this.list();
		this.#depth--;
		if (this.#name === ")") this.#at++;
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
		const { operator, left, right } = node;
		const first = this.#evaluate(left, comes, met);
		if (operator === "not") return first === undefined ? undefined : !first;
		if (operator === "list") return this.#evaluate(right, comes, met);
		const ends = operator === "or";
		if (first === ends) return first;
		const second = this.#evaluate(right, first === undefined ? undefined : comes, met);
		return first === undefined && second !== ends ? undefined : second;
	}
}
