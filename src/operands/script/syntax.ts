// What a shell script is made of (POSIX XCU 2, with what bash adds): commands, their words, and the pieces of each word.

import type { Bytes } from "../../policy/bytes.ts";

/** A piece of a word. What is quoted is neither split nor matched against names. */
export type Part = { quoted: boolean } & (
	| { is: "text"; text: Bytes }
	| { is: "parameter"; name: Bytes; operator: Bytes; operand: Word }
	| { is: "command"; list: List }
	| { is: "unknown" }
);

export type Word = Part[];

export interface Redirection {
	operator: Bytes;
	target: Word;
}

export type Command = { redirections: Redirection[] } & (
	| { is: "simple"; assignments: { name: Bytes; values: Word[] }[]; words: Word[] }
	| { is: "group"; body: List; subshell: boolean }
	/** if, while, until, case: lists that may be run, in this order. */
	| { is: "branches"; lists: List[]; loop: boolean }
	| { is: "for"; name: Bytes; words: Word[] | undefined; body: List }
	| { is: "function"; name: Bytes; body: Command }
);

/** Pipelines in their order; `alone` when the shell itself runs them. */
export type List = { commands: Command[]; alone: boolean }[];

/** The commands that the expansion of a word runs. */
export function substitutions(word: Word): List {
	return word.flatMap((part) => {
		if (part.is === "command") return part.list.map(({ commands }) => ({ commands, alone: false }));
		return part.is === "parameter" ? substitutions(part.operand) : [];
	});
}
