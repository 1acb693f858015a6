// The door to unbash, and the only import of it: text becomes a syntax tree, within bounds.

import { type ParsedScript, parse } from "unbash";
import type { Bytes } from "../policy/bytes.ts";

export type {
	ArithmeticExpression,
	ArrayValue,
	Assignment,
	Case,
	Command,
	CommandNode,
	CompoundList,
	For,
	Function as FunctionNode,
	If,
	ParameterExpansionPart,
	ParsedScript,
	Pipeline,
	PipelineNode,
	Redirection,
	Select,
	Statement,
	SyntaxNode,
	TestExpression,
	While,
	Word as SyntaxWord,
	WordPart,
} from "unbash";

/**
 * The tree of a script. unbash compares characters with ASCII alone, so that bytes go in as they are; bash too takes a
 * byte above 127 for a part of a word.
 */
export function parseScript(text: Bytes): ParsedScript {
	return parse(text);
}
