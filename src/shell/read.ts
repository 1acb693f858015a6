// The door: the text of a command line becomes what it would do. It decides nothing, and it never throws.

import type { Bytes } from "../policy/bytes.ts";
import { Exhausted, isOverfull } from "./bounds.ts";
import { runFunction } from "./functions.ts";
import { Machine } from "./machine.ts";
import { normal } from "./places.ts";
import type { Reading, Surroundings, Word } from "./reading.ts";
import { type Body, type Outcome, State } from "./state.ts";
import { runScript, runTree, subshell } from "./statements.ts";
import type { Uncalled } from "./streams.ts";
import { known, textOf } from "./words.ts";

/** The functions that nobody called, each once: what they do when somebody does. */
function readUncalled(m: Machine): void {
	for (let turns = 0; m.uncalled.size > 0 && turns < 100; turns++) {
		const { name, body, state } = m.uncalled.values().next().value as Uncalled;
		m.uncalled.delete(body.node);
		m.perhaps(true, () => subshell(m, state, (inner) => runFunction(m, inner, name, body, undefined, `uncalled function ${name}`)));
	}
}

/**
 * Forgets the functions that nobody can call: they were not called, and where the line ends their names stand for something else; or what
 * the line calls by their names is a tool (`command f`, `env f`).
 */
function forgetReplaced(m: Machine, end: State | undefined): void {
	if (m.uncalled.size === 0) return;
	const kept = new Set<Body["node"]>();
	for (const name of end?.functions.keys() ?? []) for (const { node } of end?.functions.get(name) ?? []) kept.add(node);
	const lastUnclear = m.events.findLastIndex(({ kind }) => kind === "unclear");
	const isTool = (name: string, since: number) =>
		m.events.some((event, k) => k >= since && event.kind === "call" && textOf(event.words[0]) === name);
	for (const [node, { name, since, handedOut }] of [...m.uncalled])
		if (!handedOut && lastUnclear < since && (!kept.has(node) || isTool(name, since))) m.uncalled.delete(node);
}

/** The line itself: what it comes to, and what is left of its functions. */
function runLine(m: Machine, script: Word, state: State): Outcome {
	const outcome = runScript(m, script, state);
	const ended = m.frames.flatMap((frame) => frame.ended);
	forgetReplaced(m, m.joinAll([outcome, ...ended].map((each) => m.after(each))));
	return outcome;
}

/** Reads a command line as bash would run it (`bash -c TEXT`). */
export function readCommandLine(text: Bytes, around: Surroundings): Reading {
	const m = new Machine(around, text.length);
	m.runTree = (tree, state) => runTree(m, tree, state);
	m.runAside = (script, inner) => void subshell(m, inner, (fork) => runScript(m, known(script), fork));
	const state = new State();
	state.cwd = around.cwd === undefined ? [] : [normal(around.cwd)];
	state.positional = [];
	const last = () => text.slice(0, 200);
	try {
		if (text.length > m.limits.text) throw new Exhausted("a command line that is longer than a system call takes");
		if (isOverfull(text)) throw new Exhausted("too much to read");
		if (text.includes("\0")) m.unclear("a command line with a NUL", last());
		subshell(m, state, (inner) => runLine(m, known(text.replaceAll("\0", "")), inner));
		readUncalled(m);
		return { events: m.events, exhausted: false };
	} catch (error) {
		const why =
			error instanceof Exhausted ? error.message : `an error of the reader: ${error instanceof Error ? error.message : String(error)}`;
		m.events.push({ kind: "unclear", why, source: last() });
		return { events: m.events, exhausted: true };
	}
}
