// One command that is run, and what it acts on: where it stands, in which environment, and what cannot be known of it.

import type { Bytes } from "../../policy/bytes.ts";
import type { Call, Operand, Reader } from "../../policy/call.ts";
import type { Resolver } from "../../policy/resolve.ts";
import { UNKNOWN } from "../script/words.ts";

/** Where a command is run. */
export interface Site {
	/** The call that runs it, with its environment. */
	call: Call;
	/** Stands in the directory that it is run in. */
	look: Resolver;
	readerOf(tool: string): Reader | undefined;
	/** What is handed over for each file that is met, as one word. */
	handed?: Bytes;
	/** How many commands stand around this one. */
	depth: number;
}

/** A command with what it acts on. */
export interface Act {
	argv: readonly Bytes[];
	look: Resolver;
	operands: Operand[];
}

/** A site in another directory, with variables set; an undefined value is one that is taken away. */
export function within(site: Site, look: Resolver, variables: ReadonlyMap<string, Bytes | undefined> = new Map()): Site {
	if (variables.size === 0) return { ...site, look, depth: site.depth + 1 };
	const { call } = site;
	const env = (name: string) => (variables.has(name) ? (variables.get(name) ?? "") : call.env(name));
	let { posix } = call;
	// Elsewhere getopt never permutes, whatever the variable says.
	if (variables.has("POSIXLY_CORRECT") && call.implementation !== "bsd") posix = variables.get("POSIXLY_CORRECT") !== undefined;
	return { ...site, look, call: { ...call, env, posix }, depth: site.depth + 1 };
}

/** What stands for a name that only the script knows, in a directory that is known. */
const SOME_NAME = "{?}";

/** An operand as far as it is known; undefined when nothing is. */
function known(operand: Operand, cwd: Bytes): Operand | undefined {
	const at = operand.at ?? (cwd === "" ? undefined : cwd);
	const { text } = operand;
	if (at?.includes(UNKNOWN) && !text.startsWith("/")) return undefined;
	const placed = at === undefined ? operand : { ...operand, at };
	const first = text.indexOf(UNKNOWN);
	if (first < 0) return placed;
	const directory = text.slice(0, text.lastIndexOf("/", first) + 1);
	return directory === "" || directory === "/" ? undefined : { ...placed, text: directory + SOME_NAME };
}

/** A command with its operands, each standing where the command does. */
export function actOf(argv: readonly Bytes[], operands: readonly Operand[], { look }: Site): Act {
	const found = operands.map((operand) => known(operand, look.cwd)).filter((operand) => operand !== undefined);
	return { argv, look, operands: found };
}
