// A call of a function: each body that its name may have, in the state of the caller, and what is the caller's again afterwards.

import type { Call } from "./call.ts";
import { invokeTool } from "./invoke.ts";
import type { Machine } from "./machine.ts";
import type { Word } from "./reading.ts";
import { restore } from "./simple.ts";
import { type Body, either, NO_FUNCTION, type Outcome, type State } from "./state.ts";
import { newFrame, runNode } from "./statements.ts";

/** How often a function may be in itself. */
const MOST_SELF_CALLS = 2;

/** A command whose name is a function's, or perhaps: each body, and the tool where there may be none. */
export function callBodies(call: Call, name: string, bodies: readonly Body[]): Outcome {
	const { m, state } = call;
	// Within an alias its own name is the tool's (bash(1), ALIASES).
	const meant = new Set(bodies.map((body) => (body.alias && m.active.includes(body) ? NO_FUNCTION : body)));
	const one = (body: Body): Outcome =>
		body === NO_FUNCTION ? m.nested(() => invokeTool({ ...call, state: state.fork() })) : callFunction(call, name, body);
	return m.perhaps(meant.size > 1, () => m.joinOutcomes([...meant].map(one)));
}

function callFunction({ m, state, words }: Call, name: string, body: Body): Outcome {
	m.uncalled.delete(body.node);
	if (m.active.filter((each) => each.node === body.node).length >= MOST_SELF_CALLS) {
		m.unclear("a function that calls itself", name);
		return either(state);
	}
	return runFunction(m, state, name, body, words.slice(1), `${body.alias ? "alias" : "function"} ${name}`);
}

/** Names that were marked for the function alone are again what they were for the caller. */
function unmark(end: State, caller: State, hidden: ReadonlyMap<string, unknown>): void {
	if (end.numbers !== caller.numbers) {
		end.numbers = new Set([...end.numbers].filter((name) => !hidden.has(name) || caller.numbers.has(name)));
	}
	if (end.constants !== caller.constants) {
		end.constants = new Set([...end.constants].filter((name) => !hidden.has(name) || caller.constants.has(name)));
	}
	if (end.cases !== caller.cases) {
		const own = [...end.cases].filter(([name]) => !hidden.has(name));
		end.cases = new Map([...own, ...[...caller.cases].filter(([name]) => hidden.has(name))]);
	}
	if (end.references !== caller.references) {
		const own = [...end.references].filter(([name]) => !hidden.has(name));
		end.references = new Map([...own, ...[...caller.references].filter(([name]) => hidden.has(name))]);
	}
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
		unmark(end, state, frame.hidden);
	}
	return outcome;
}
