// export, declare, local, readonly, unset: variables that get values and marks.

import type { Call } from "./call.ts";
import { letters } from "./call.ts";
import { markCases } from "./cased.ts";
import type { Word } from "./reading.ts";
import { shownValue } from "./simple.ts";
import { either, NO_FUNCTION, type Outcome, type Value } from "./state.ts";
import { held, setVariable } from "./variables.ts";
import { beginning, known, shown, textOf, unknown, withoutFirst, wordOf } from "./words.ts";

const NAMED = /^([A-Za-z_]\w*)(\[[^\]]*\])?(\+?=)/;

/** Remembers what a function's `local` hides. */
function hide({ m, state }: Call, name: string): void {
	const frame = m.frames.findLast(({ kind }) => kind === "function");
	if (frame !== undefined && !frame.hidden.has(name)) frame.hidden.set(name, state.variables.get(name));
}

/** declare, typeset, local, export and readonly. */
export function declare(call: Call): Outcome {
	const { m, state, words, values } = call;
	const tool = textOf(words[0]) as string;
	// `+x` takes a mark away; the other marks with a plus change nothing that matters here.
	const plus = words.slice(1).filter((word) => /^\+[a-zA-Z]+$/.test(textOf(word) ?? ""));
	const hidden = plus.some((word) => beginning(word).includes("x"));
	const { given, rest } = letters(
		words.slice(1).filter((word) => !plus.includes(word)),
		"aAcfFgiIlnrtuxp",
	);
	const exported = tool === "export" ? !given.includes("n") : given.includes("x");
	const inFunction = m.frames.some(({ kind }) => kind === "function");
	const isLocal = tool === "local" || (inFunction && (tool === "declare" || tool === "typeset") && !given.includes("g"));
	if (given.includes("p") || (given.includes("f") && tool !== "export")) m.print({ kind: "unknown" });
	if (/[fF]/.test(given)) {
		const marks = exported || (tool === "export" && given.includes("n"));
		for (const word of marks ? rest : []) markFunction(call, textOf(word) ?? "", exported);
		// A name that is no function's.
		return either(state);
	}
	if (given.includes("i")) state.numbers = new Set([...state.numbers, ...rest.map((word) => nameOf(word) ?? "")]);
	for (const word of rest) {
		m.step();
		const found = NAMED.exec(beginning(word));
		const name = nameOf(word);
		if (name === undefined || !/^[A-Za-z_]\w*$/.test(name)) {
			if (name === undefined) {
				m.unclear(`${tool} of a name that is not known`);
				state.foreign = true;
			}
			continue;
		}
		if (isLocal) hide(call, name);
		if (tool !== "export") markCases(state, [name], given, plus.map(shown).join(""));
		if (given.includes("n") && tool !== "export") {
			refer(call, name, found === null ? undefined : textOf(withoutFirst(word, found[0].length)));
			continue;
		}
		if (found === null) {
			if (given.includes("A")) setVariable(m, state, name, { kind: "array", items: [], keys: [] });
			else bare(call, name, isLocal, exported);
		} else {
			const value: Value = values?.get(word) ?? { kind: "word", word: withoutFirst(word, found[0].length) };
			m.assigned(name, shownValue(value));
			setVariable(m, state, name, value, exported);
		}
		if (hidden || (tool === "export" && given.includes("n"))) unexport(call, name);
	}
	const keeps = rest.some((word) => state.constants.has(nameOf(word) ?? ""));
	if (tool === "readonly" || given.includes("r")) {
		state.constants = new Set([...state.constants, ...rest.map((word) => nameOf(word) ?? "")]);
	}
	if (rest.length === 0) m.print({ kind: "unknown" });
	// Only a function has variables of its own, a number may be none, and what may not change does not.
	return keeps || (tool === "local" && !inFunction) || given.includes("i") ? either(state) : { ok: state };
}

/** A function that shells get from now on, or do not get any more. */
function markFunction({ m, state }: Call, name: string, exported: boolean): void {
	const bodies = state.functions.get(name) ?? [];
	if (bodies.length === 0) return;
	state.functions.set(
		name,
		bodies.map((body) => (body === NO_FUNCTION ? body : { ...body, exported: exported || undefined })),
	);
	for (const { node } of bodies) {
		const uncalled = m.uncalled.get(node);
		if (uncalled !== undefined) uncalled.handedOut = true;
	}
}

const nameOf = (word: Word) => NAMED.exec(beginning(word))?.[1] ?? textOf(word);

/** A name for another name: what it is given goes to that one, so that it counts as given. */
function refer({ m, state }: Call, name: string, to: string | undefined): void {
	const target = /^[A-Za-z_]\w*/.exec(to ?? "")?.[0];
	if (target !== undefined) m.assigned(target, unknown(`$${name}`));
	const references = new Map(state.references);
	if (target !== undefined && target === to && target !== name) references.set(name, target);
	else references.delete(name);
	state.references = references;
	if (!references.has(name)) setVariable(m, state, name, { kind: "word", word: unknown(`$${name}`) });
}

/** What is started does not get it any more. */
function unexport({ m, state }: Call, name: string): void {
	m.assigned(name, known(""));
	const values = state.variables.get(name)?.values ?? [held(m, state, name)];
	state.variables.set(name, { values, exported: false });
}

function bare({ m, state }: Call, name: string, isLocal: boolean, exported: boolean): void {
	if (isLocal) setVariable(m, state, name, { kind: "unset" });
	else if (exported) setVariable(m, state, name, held(m, state, name), true);
}

/** Whether a variable of this name surely has a value. */
function isVariable({ m, state }: Call, name: string): boolean {
	const variable = state.variables.get(name);
	return variable === undefined ? m.around.env(name) !== undefined : variable.values.every(({ kind }) => kind !== "unset");
}

/** unset. */
export function unset(call: Call): Outcome {
	const { m, state, words } = call;
	const { given, rest } = letters(words.slice(1), "fvn");
	for (const word of rest) {
		const name = textOf(word);
		// `${!NAME*}` is all names that begin so.
		const [, start] = /^\$\{!([A-Za-z_]\w*)[*@]\}$/.exec(shown(word)) ?? [];
		if (start !== undefined) m.assigned(start.startsWith("TMX") ? "TMX_ROOTS" : start, wordOf([]));
		if (name === undefined) m.unclear("unset of a name that is not known");
		else if (given.includes("n")) state.references = new Map([...state.references].filter(([each]) => each !== name));
		else if (given.includes("f")) state.functions.delete(name);
		else if (/\[/.test(name)) setVariable(m, state, name.replace(/\[.*/s, ""), { kind: "word", word: unknown(`$${name}`) });
		else {
			const bodies = state.functions.get(name);
			// Without a variable of that name bash takes the function, and dash does not.
			if (bodies !== undefined && !given.includes("v") && !isVariable(call, name))
				state.functions.set(name, [...new Set([...bodies, NO_FUNCTION])]);
			setVariable(m, state, name, { kind: "unset" });
			m.assigned(name, wordOf([]));
		}
	}
	return { ok: state };
}
