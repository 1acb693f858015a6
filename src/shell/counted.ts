// What a line counts on: that the commands work which are asked nothing, so that it gets to where a `cd` behind them goes.

import type { CommandNode, CompoundList, PipelineNode, Statement } from "./parse.ts";
import { asks } from "./readers.ts";
import { type Outcome, type State, stranded } from "./state.ts";
import { known } from "./words.ts";

type Node = PipelineNode | Statement["command"] | CompoundList;

/** `! command`: what it comes to ends no shell (bash(1), set -e). */
export const isInverted = (node: Node): boolean => node.type === "Pipeline" && node.prefixes.some(({ type }) => type === "Negation");

/** Whether a line counts on it that a command works: it is none that is asked something. */
export function isCountedOn(node: PipelineNode | CommandNode): boolean {
	if (node.type === "Pipeline") return !isInverted(node) && isCountedOn(node.commands.at(-1) as CommandNode);
	if (node.type !== "Command") return false;
	const words = [node.name, ...node.suffix].flatMap((part) => (part !== undefined && "text" in part ? [known(part.text)] : []));
	return !asks(words);
}

/** The shell in which a command before a `cd` failed on which the line counts: it did not get to where the others went. */
export function leftBehind(aside: State | undefined, from: State, { ok }: Outcome): State | undefined {
	const hasMoved = ok !== undefined && ok.cwd.length > 0 && ok.cwd !== from.cwd;
	const stayed = aside !== undefined && aside.cwd.length === from.cwd.length && aside.cwd.every((each, k) => each === from.cwd[k]);
	return hasMoved && stayed ? stranded(aside) : aside;
}
