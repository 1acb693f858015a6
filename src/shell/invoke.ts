// From the words of a command to what would run: a function, a built-in, what a wrapper runs, a script, or a tool.

import { baseOf } from "../policy/resolve.ts";
import { BUILTINS } from "./builtins.ts";
import type { Call } from "./call.ts";
import { tookAway } from "./directories.ts";
import type { Machine } from "./machine.ts";
import { printedBy } from "./outputs.ts";
import { absolutes } from "./places.ts";
import { onlyReads } from "./readers.ts";
import type { CallEvent, Output, Word } from "./reading.ts";
import { wholeInput, wrote } from "./redirections.ts";
import { runShell, SHELLS } from "./shells.ts";
import { restore } from "./simple.ts";
import { type Body, either, type Outcome, type State } from "./state.ts";
import { newFrame, runNode, runScript, subshell } from "./statements.ts";
import { unwrap } from "./unwrap.ts";
import { childOf } from "./variables.ts";
import { beginning, shown, textOf } from "./words.ts";

/** How often a function may be in itself. */
const MOST_SELF_CALLS = 2;

/** A command as the shell runs it. */
export function invoke(call: Call): Outcome {
	const { m, state } = call;
	m.step(call.words.length);
	const words = withoutNothing(call.words);
	if (words.length === 0) return either(state);
	const name = textOf(words[0]);
	if (name === undefined) return computed({ ...call, words });
	const bodies = name.includes("/") ? undefined : state.functions.get(name);
	if (bodies !== undefined && bodies.length > 0) return m.joinOutcomes(bodies.map((body) => callFunction({ ...call, words }, name, body)));
	return m.nested(() => invokeTool({ ...call, words }));
}

/** A variable without a value outside of quotes is no word. */
function withoutNothing(words: Word[]): Word[] {
	const first = words.findIndex(
		({ pieces }) => pieces.length === 0 || !pieces.every((piece) => typeof piece !== "string" && piece.unset && piece.unquoted),
	);
	return first < 0 ? [] : words.slice(first);
}

/** A command whose name is not known. */
function computed({ m, state, words }: Call): Outcome {
	m.unclear("a command whose name is not known", shown(words[0] as Word));
	m.world.made = true;
	m.print({ kind: "unknown" });
	return either(state);
}

/** A command that no function hides. */
export function invokeTool(call: Call): Outcome {
	const { m, state, words } = call;
	const name = textOf(words[0]);
	if (name === undefined) return computed(call);
	const builtin = Object.hasOwn(BUILTINS, name) ? BUILTINS[name] : undefined;
	return builtin !== undefined ? builtin(call) : runFile(call, state, m, name);
}

/** A command that is a program, as a wrapper runs it. */
export function invokeFile(call: Call): Outcome {
	const name = textOf(call.words[0]);
	return name === undefined ? computed(call) : call.m.nested(() => runFile(call, call.state, call.m, name));
}

function runFile(call: Call, state: State, m: Machine, name: string): Outcome {
	m.step();
	const away = m.offPath || name.includes("/");
	return m.within({ offPath: away }, () => {
		const tool = baseOf(name);
		if (SHELLS.has(tool)) return runShell(call, tool);
		const inner = unwrap(call, tool);
		if (inner !== undefined) return inner;
		const script = name.includes("/") ? knownScript(m, state, name) : undefined;
		if (script?.kind === "text") return runChild(call, script.word, name);
		return plainCall(call);
	});
}

function knownScript(m: Machine, state: State, name: string): Output | undefined {
	return absolutes(state, name)
		.map((path) => m.world.files.get(path))
		.find((output) => output !== undefined);
}

/** A script in a shell of its own, with the rest of the words as its parameters. */
function runChild({ m, state, words }: Call, script: Word, name: string): Outcome {
	const child = childOf(m, state);
	child.zero = words[0] as Word;
	child.positional = words.slice(1);
	const outcome = m.within({ via: [...m.via, name], env: [] }, () => subshell(m, child, (inner) => runScript(m, script, inner)));
	return { ok: outcome.ok && state, bad: outcome.bad && state };
}

/** Whether the caller's PATH still decides where a name is found. */
function isOnPath(m: Machine, state: State, words: readonly Word[]): boolean {
	if (m.offPath || beginning(words[0]).includes("/")) return false;
	const values = state.variables.get("PATH")?.values;
	const outer = m.around.env("PATH");
	return (values ?? []).every((value) => {
		if (value.kind !== "word") return false;
		const text = textOf(value.word);
		// Directories may be added to it, as long as it is still there.
		return text === undefined
			? value.word.pieces.some((piece) => typeof piece !== "string")
			: outer !== undefined && `:${text}:`.includes(`:${outer}:`);
	});
}

/** A tool that is run: the event, what it prints, and what it may have changed. */
export function plainCall({ m, state, words }: Call): Outcome {
	const input = m.input === undefined ? {} : { input: wholeInput(m) };
	const event: CallEvent = {
		kind: "call",
		words,
		cwd: [...state.cwd],
		via: [...m.via],
		onPath: isOnPath(m, state, words),
		env: m.env,
		...input,
		source: m.source,
		conditional: m.branches > 0,
	};
	m.emit(event);
	const output = printedBy({ m, state, words });
	if (!onlyReads(words)) m.world.made = true;
	tookAway({ m, state, words });
	m.print(output);
	writesCopy(m, state, words);
	const name = textOf(words[0]);
	if (name === "true" || name === "echo" || name === "printf") return { ok: state };
	return name === "false" ? { bad: state } : either(state);
}

/** tee keeps what it is given. */
function writesCopy(m: Machine, state: State, words: readonly Word[]): void {
	if (textOf(words[0]) !== "tee") return;
	const appends = words.some((word) => /^(-a|--append)$/.test(textOf(word) ?? ""));
	for (const word of words.slice(1)) if (!beginning(word).startsWith("-")) wrote(m, state, word, wholeInput(m), appends);
}

function callFunction({ m, state, words }: Call, name: string, body: Body): Outcome {
	m.uncalled.delete(body);
	if (m.active.filter((each) => each === body).length >= MOST_SELF_CALLS) {
		m.unclear("a function that calls itself", name);
		return either(state);
	}
	return runFunction(m, state, name, body, words.slice(1), `function ${name}`);
}

/** The body of a function with these parameters. */
export function runFunction(
	m: Machine,
	state: State,
	name: string,
	body: Body,
	parameters: readonly Word[] | undefined,
	via: string,
): Outcome {
	const inner = state.fork();
	inner.positional = parameters;
	const frame = newFrame("function");
	const surroundings = { via: [...m.via, via], frames: [...m.frames, frame], active: [...m.active, body], text: body.text, source: name };
	const outcome = m.nested(() =>
		m.within({ ...surroundings, env: [] }, () => m.joinOutcomes([runNode(m, body.node, inner), ...frame.ended])),
	);
	for (const end of new Set([outcome.ok, outcome.bad])) {
		if (end === undefined) continue;
		end.positional = state.positional;
		for (const [hidden, variable] of frame.hidden) restore(m, end, hidden, variable);
	}
	return outcome;
}
