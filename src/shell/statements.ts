// Runs the tree of a script on states: lists, pipelines, branches, loops and functions.

import { Exhausted } from "./bounds.ts";
import { evaluateCondition } from "./conditions.ts";
import { isCountedOn, isInverted, leftBehind } from "./counted.ts";
import { Expander } from "./expand.ts";
import { behind, endsFor, inverted, isExact } from "./facts.ts";
import { loopFor, loopWhile } from "./loops.ts";
import type { Machine } from "./machine.ts";
import {
	type Case,
	type CommandNode,
	type CompoundList,
	type FunctionNode,
	type If,
	type ParsedScript,
	type Pipeline,
	type PipelineNode,
	parseScript,
	type Statement,
} from "./parse.ts";
import { matchesUnder } from "./patterns.ts";
import type { Output, Word } from "./reading.ts";
import { withRedirections } from "./redirections.ts";
import { runSimple } from "./simple.ts";
import { either, type Outcome, type State } from "./state.ts";
import type { Frame } from "./streams.ts";
import { shown, textOf } from "./words.ts";
import { isZsh, withoutShortForms } from "./zsh.ts";

type Node = PipelineNode | Statement["command"] | CompoundList;

export const newFrame = (kind: Frame["kind"]): Frame => ({ kind, ended: [], continued: [], hidden: new Map() });

/** One statement after the other. */
export function runStatements(m: Machine, statements: readonly Statement[], state: State): Outcome {
	let outcome: Outcome = { ok: state };
	for (const statement of statements) {
		const current = m.after(outcome);
		if (current === undefined) return {};
		m.step();
		outcome = runStatement(m, statement, current);
	}
	return outcome;
}

function runStatement(m: Machine, statement: Statement, state: State): Outcome {
	if (statement.background) {
		// Nobody waits for its end.
		m.within({ doubts: m.doubts + 1 }, () => subshell(m, state, (inner) => runNode(m, statement.command, inner)));
		return { ok: state };
	}
	const outcome = runNode(m, statement.command, state);
	const checks = ["Command", "Pipeline", "Subshell", "Redirected", "TestCommand", "ArithmeticCommand"].includes(statement.command.type);
	return checks && !isInverted(statement.command) ? strict(m, outcome) : outcome;
}

/** Under `set -e` a failure that nobody looks at ends the shell. */
function strict(m: Machine, outcome: Outcome): Outcome {
	const { bad } = outcome;
	if (bad === undefined || m.tested > 0 || !bad.options.has("errexit")) return outcome;
	leave(m, "shell", { bad: bad.fork() });
	return { ok: outcome.ok };
}

/** Leaves the innermost frame of a kind with these ends. */
export function leave(m: Machine, kind: Frame["kind"], outcome: Outcome): void {
	m.frames.findLast((frame) => frame.kind === kind)?.ended.push(outcome);
}

/** A shell of its own: what it does to its state is lost. */
export function subshell(m: Machine, state: State, run: (state: State) => Outcome): Outcome {
	const inner = state.fork();
	inner.traps = new Map();
	const frame = newFrame("shell");
	const outcome = m.nested(() =>
		m.within({ frames: [frame], sink: m.sink, input: m.input, descriptors: m.descriptors }, () => {
			const result = m.joinOutcomes([run(inner), ...frame.ended]);
			runTraps(m, m.after(result));
			return result;
		}),
	);
	return endsFor(state, outcome);
}

/** The bodies of traps are read where the shell ends, in its last state. */
export function runTraps(m: Machine, state: State | undefined): void {
	if (state === undefined || state.traps.size === 0) return;
	const { traps } = state;
	state.traps = new Map();
	for (const [signal, body] of traps) {
		m.within({ via: [...m.via, `trap ${signal}`], frames: [newFrame("shell")] }, () =>
			m.perhaps(signal !== "EXIT", () => runScript(m, body, state.fork())),
		);
	}
}

/** A script in the shell that runs here, as `eval` does it; its holes are words of it. */
export function runScript(m: Machine, script: Word, state: State): Outcome {
	let text = m.marked(script);
	m.step(1 + (text.length >> 6));
	if (text.length > m.limits.text) throw new Exhausted("a script that is too long");
	if (script.pieces.some((piece) => typeof piece !== "string" && !piece.contained && !piece.unset)) {
		m.unclear("a script with parts that are not known", shown(script));
		state.foreign = true;
	}
	let tree = parseScript(text);
	if (tree.errors?.length && isZsh(m)) {
		const plain = withoutShortForms(text);
		const other = parseScript(plain);
		if (!other.errors?.length) [text, tree] = [plain, other];
	}
	if (tree.errors?.length) m.unclear(`a script that cannot be read: ${tree.errors[0]?.message}`, text.slice(0, 200));
	return m.nested(() => m.within({ text, source: text }, () => runStatements(m, tree.commands, state)));
}

/** The tree of a substitution, in a shell of its own. */
export function runTree(m: Machine, tree: ParsedScript, state: State): Outcome {
	if (tree.errors?.length) m.unclear(`a substitution that cannot be read: ${tree.errors[0]?.message}`);
	return m.within({ text: tree.source ?? m.text }, () => subshell(m, state, (inner) => runStatements(m, tree.commands, inner)));
}

/** One node of the tree. */
export function runNode(m: Machine, node: Node, state: State): Outcome {
	m.step();
	return m.nested(() => runKind(m, node, state));
}

function runKind(m: Machine, node: Node, state: State): Outcome {
	switch (node.type) {
		case "Command":
			return runSimple(m, node, state);
		case "AndOr":
			return runAndOr(m, node.commands, node.operators, state);
		case "Pipeline":
			return runPipeline(m, node, state);
		case "CompoundList":
			return runStatements(m, node.commands, state);
		case "BraceGroup":
			return runNode(m, node.body, state);
		case "Subshell":
			return subshell(m, state, (inner) => runNode(m, node.body, inner));
		case "Redirected":
			return withRedirections(m, state, node.redirects, (inner) => runNode(m, node.command, inner));
		case "If":
			return runIf(m, node, state);
		case "Case":
			return runCase(m, node, state);
		case "For":
		case "Select":
			return loopFor(m, node, state);
		case "While":
			return loopWhile(m, node, state);
		case "Function":
			return define(m, node, state);
		case "Coproc":
			m.within({ via: [...m.via, "coproc"], input: undefined }, () => subshell(m, state, (inner) => runNode(m, node.body, inner)));
			return { ok: state };
		case "TestCommand":
			return evaluateCondition(new Expander(m, state), node.expression);
		case "ArithmeticCommand":
			return truth(new Expander(m, state).arithmetic(node.expression), state);
		case "ArithmeticFor":
			return loopWhile(m, node, state);
	}
}

/** The outcome of arithmetic that is looked at as a condition. */
export const truth = (value: number | undefined, state: State): Outcome =>
	value === undefined ? either(state) : value === 0 ? { bad: state } : { ok: state };

/** Functions that shells call of their own accord (bash(1), COMMAND EXECUTION; zshmisc(1), SPECIAL FUNCTIONS). */
const CALLED_BY_SHELLS = /^(command_not_found_handler?|chpwd|precmd|preexec|periodic|zshaddhistory|zshexit|TRAP[A-Z0-9]+)$/;

function define(m: Machine, node: FunctionNode, state: State): Outcome {
	const exported = state.options.has("allexport") || undefined;
	const body = { node: node.body as CommandNode | CompoundList, text: m.text, exported };
	const name = node.name.value;
	m.step(state.functions.set(name, [body]) >> 3);
	const handedOut = exported === true || state.traps.size > 0 || CALLED_BY_SHELLS.test(name);
	m.uncalled.set(body.node, { name, body, state: state.fork(), since: m.events.length, handedOut });
	return { ok: state };
}

function runAndOr(m: Machine, commands: readonly PipelineNode[], operators: readonly string[], state: State): Outcome {
	let outcome: Outcome = { ok: state, exact: "both" };
	const base = state.facts;
	let counts = true;
	for (const [k, command] of commands.entries()) {
		const end = k === 0 || operators[k - 1] === "&&" ? "ok" : "bad";
		const last = k === commands.length - 1;
		const { ok, bad } = m.apart(outcome);
		const [from, aside] = end === "ok" ? [ok, bad] : [bad, ok];
		if (from === undefined) continue;
		const sure = isExact(outcome, end);
		const result = behind(m, aside !== undefined, from, base, sure, () =>
			last && !isInverted(command) ? strict(m, runNode(m, command, from)) : m.testing(() => runNode(m, command, from)),
		);
		const exact = aside === undefined ? result.exact : isExact(result, end) ? end : undefined;
		const other = end === "ok" ? { bad: counts ? leftBehind(aside, from, result) : aside } : { ok: aside };
		outcome = { ...m.joinOutcomes([result, other]), exact: sure ? exact : undefined };
		counts &&= isCountedOn(command) && (last || operators[k] === "&&");
	}
	return outcome;
}

function runPipeline(m: Machine, node: Pipeline, state: State): Outcome {
	const negated = node.prefixes.filter(({ type }) => type === "Negation").length % 2 === 1;
	const via = node.prefixes.some(({ type }) => type === "Time") ? [...m.via, "time"] : m.via;
	const run = () => m.within({ via }, () => runStages(m, node.commands, state));
	if (!negated) return run();
	return inverted(m.testing(run));
}

function runStages(m: Machine, commands: readonly CommandNode[], state: State): Outcome {
	if (commands.length === 1) return runNode(m, commands[0] as CommandNode, state);
	let outcome: Outcome = either(state);
	let before: Output | undefined;
	let mayWork = true;
	for (const [k, command] of commands.entries()) {
		const input = before === undefined ? m.input : { output: before, lines: undefined, taken: 0 };
		const stage = () => m.within({ input }, () => subshell(m, state, (inner) => runNode(m, command, inner)));
		if (k === commands.length - 1) outcome = stage();
		else {
			let own: Outcome = {};
			const run = () => {
				own = stage();
			};
			before = m.captured(run).output;
			mayWork &&= own.ok !== undefined;
		}
	}
	if (!state.options.has("pipefail")) return outcome;
	// The last failure counts; and a stage whose reader went away has failed by SIGPIPE.
	return { ok: mayWork ? outcome.ok : undefined, bad: outcome.bad ?? state };
}

function runIf(m: Machine, node: If, state: State): Outcome {
	const outcomes: Outcome[] = [];
	let current: State | undefined = state;
	let [unsure, exact] = [false, true];
	const base = state.facts;
	for (const { clause, body } of [
		{ clause: node.clause, body: node.then },
		...node.elif.map((elif) => ({ clause: elif.clause, body: elif.then })),
	]) {
		if (current === undefined) break;
		const from: State = current;
		const asked = m.apart(behind(m, unsure, from, base, exact, () => m.testing(() => runNode(m, clause, from))));
		const { ok, bad } = asked;
		unsure ||= ok !== undefined && bad !== undefined;
		if (ok !== undefined) outcomes.push(behind(m, unsure, ok, base, exact && isExact(asked, "ok"), () => runNode(m, body, ok)));
		exact &&= isExact(asked, "bad");
		current = bad;
	}
	if (current !== undefined) {
		const from = current;
		const last = node.else;
		outcomes.push(last ? behind(m, unsure, from, base, exact, () => runNode(m, last, from)) : { ok: from });
	}
	return m.joinOutcomes(outcomes);
}

function runCase(m: Machine, node: Case, state: State): Outcome {
	const x = new Expander(m, state);
	const text = textOf(x.single(node.word));
	const outcomes: Outcome[] = [];
	let [certain, falling] = [false, false];
	let through: State | undefined;
	for (const item of node.items) {
		if (certain && !falling) break;
		const answers = item.pattern.map((word) => {
			const pattern = x.pattern(word);
			return text === undefined || pattern === undefined ? undefined : matchesUnder(state.options, pattern, text);
		});
		const fits = answers.includes(true) ? true : answers.includes(undefined) ? undefined : false;
		if (fits === false && !falling) continue;
		const from = (falling && through) || state.fork();
		const outcome = m.perhaps(fits === undefined && !falling, () => runNode(m, item.body, from));
		if (fits === true && !falling) certain = true;
		falling = item.terminator === ";&";
		through = falling ? m.after(outcome) : undefined;
		if (item.terminator === ";;&") certain = false;
		if (!falling) outcomes.push(outcome);
	}
	if (through !== undefined) outcomes.push({ ok: through });
	return m.joinOutcomes(certain ? outcomes : [...outcomes, { ok: state }]);
}
