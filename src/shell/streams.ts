// What surrounds a command that is read: where its output goes and its input comes from, and what it is in: loops, functions, shells.

import type { Bytes } from "../policy/bytes.ts";
import type { Output, Word } from "./reading.ts";
import type { Body, Outcome, State, Variable } from "./state.ts";
import { wordOf } from "./words.ts";

/** Where output is gathered. */
export interface Sink {
	output: Output | undefined;
	/** Whether each part surely is printed; the nesting of branches at the start. */
	certain: boolean;
	branches: number;
	/** The files that it goes to, where `exec` sent it there. */
	files?: readonly Bytes[];
}

/** What a descriptor leads to: files that are written through it, output that is gathered, or what is read from it. */
export type Opened = { files: readonly Bytes[] } | { sink: Sink } | { input: Input };

/** An input that is taken line by line. */
export interface Input {
	output: Output;
	/** The file that it is. */
	file?: Word;
	/** What `read` left of it. */
	lines: Word[] | undefined;
	/** What its lines end in. */
	cut?: string;
	/** How many lines were taken. */
	taken: number;
	/** Whether what is left is taken for many of the same kind, by how it is cut. */
	alike?: Map<string, boolean>;
}

/** Where `break`, `return` and `exit` put the states that they leave with. */
export interface Frame {
	kind: "loop" | "function" | "shell";
	ended: Outcome[];
	continued: State[];
	/** What variables were before `local` in this function hid them. */
	hidden: Map<string, Variable | undefined>;
}

/** A function that was not called yet. */
export interface Uncalled {
	name: string;
	body: Body;
	/** The state that it was defined in, and how many events there were. */
	state: State;
	since: number;
	/** Somebody may call it unseen: a shell that inherits it, a trap. */
	handedOut: boolean;
}

/** What was printed before, and what is printed now. */
export const joinedOutput = (first: Output | undefined, second: Output): Output => {
	if (first === undefined) return second;
	if (first.kind === "text" && second.kind === "text") {
		return { kind: "text", word: wordOf([...first.word.pieces, ...second.word.pieces]) };
	}
	if (first.kind === "names" && second.kind === "names" && first.separator === second.separator) {
		return { ...first, names: [...first.names, ...second.names] };
	}
	return { kind: "unknown" };
};
