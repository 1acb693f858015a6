// The built-ins of bash that change what the shell knows; the others are calls like any tool.

import { alias, unalias } from "./aliases.ts";
import { type Builtin, letters } from "./call.ts";
import { testCommand } from "./conditions.ts";
import { declare, unset } from "./declare.ts";
import { cd, popd, pushd } from "./directories.ts";
import { plainCall } from "./invoke.ts";
import { printed } from "./printf.ts";
import type { Word } from "./reading.ts";
import { reckoned } from "./reckoned.ts";
import { fileOutput } from "./redirections.ts";
import { RUNNERS } from "./runners.ts";
import { scriptOf } from "./shells.ts";
import { either, type Outcome, type State } from "./state.ts";
import { leave, newFrame, runScript } from "./statements.ts";
import { mapfile, read } from "./taken-lines.ts";
import { unwrap } from "./unwrap.ts";
import { assign, setOneOf } from "./variables.ts";
import { beginning, joinWords, shown, textOf, unknown, withoutFirst } from "./words.ts";

const still: Builtin = ({ state }) => ({ ok: state });

/** eval: its words are one line. */
const evaluate: Builtin = ({ m, state, words }) => {
	const line = joinWords(words.slice(textOf(words[1]) === "--" ? 2 : 1), " ");
	if (line.pieces.some((piece) => typeof piece !== "string" && !piece.contained && !piece.unset && line.pieces.length === 1)) {
		m.unclear("eval of a text that is not known", shown(line));
		m.world.made = true;
		state.foreign = true;
		return either(state);
	}
	return m.within({ via: [...m.via, "eval"], env: [] }, () => runScript(m, line, state));
};

/** source and `.`: a file in this shell. */
const source: Builtin = (call) => {
	const { m, state, words } = call;
	const { rest } = letters(words.slice(1), "");
	const [file, ...parameters] = rest;
	if (file === undefined) return { bad: state };
	const script = scriptOf(fileOutput(m, state, file));
	if (script === undefined) {
		m.unclear("a file whose commands are not known", shown(file));
		m.world.made = true;
		state.foreign = true;
		return either(state);
	}
	const frame = newFrame("function");
	const kept = state.positional;
	if (parameters.length > 0) state.positional = parameters;
	const outcome = m.within({ via: [...m.via, `source ${shown(file)}`], frames: [...m.frames, frame], env: [] }, () =>
		m.joinOutcomes([runScript(m, script, state), ...frame.ended]),
	);
	if (parameters.length > 0) for (const end of [outcome.ok, outcome.bad]) if (end !== undefined) end.positional = kept;
	return outcome;
};

/** The status that a word gives; undefined when it is the last command's, or not known. */
function ended(state: State, word: Word | undefined): Outcome {
	const text = textOf(word);
	return text === undefined || !/^\d+$/.test(text) ? either(state) : Number(text) % 256 === 0 ? { ok: state } : { bad: state };
}

const exit: Builtin = ({ m, state, words }) => {
	leave(m, "shell", ended(state, words[1]));
	return {};
};

const leaveFunction: Builtin = ({ m, state, words }) => {
	const inFunction = m.frames.some(({ kind }) => kind === "function");
	if (!inFunction) return { bad: state };
	leave(m, "function", ended(state, words[1]));
	return {};
};

/** break and continue, also out of several loops. */
const leaveLoop =
	(goesOn: boolean): Builtin =>
	({ m, state, words }) => {
		const loops = m.frames.slice(m.frames.findLastIndex(({ kind }) => kind !== "loop") + 1).reverse();
		const count = Number(textOf(words[1]) ?? 1) || 1;
		const frame = loops[Math.min(count, loops.length) - 1];
		if (frame === undefined) return { ok: state };
		if (goesOn) frame.continued.push(state);
		else frame.ended.push({ ok: state });
		return {};
	};

const OPTION_LETTERS: Readonly<Record<string, string>> = { e: "errexit", f: "noglob", a: "allexport", u: "nounset", P: "physical" };

function option(state: State, name: string, on: boolean): void {
	const options = new Set(state.options);
	if (on) options.add(name);
	else options.delete(name);
	state.options = options;
}

/** set: options, and new positional parameters. */
const set: Builtin = ({ m, state, words }) => {
	for (let at = 1; at < words.length; at++) {
		const text = textOf(words[at]);
		if (text === "--" || (text !== undefined && !/^[-+]/.test(text)) || text === undefined || text === "-") {
			state.positional = words.slice(text === "--" || text === "-" ? at + 1 : at);
			return { ok: state };
		}
		for (const letter of text.slice(1)) {
			if (letter === "H" && text.startsWith("-")) m.unclear("a shell with histexpand");
			if (letter === "o") {
				const name = textOf(words[++at]) ?? "";
				if (name === "histexpand" && text.startsWith("-")) m.unclear("a shell with histexpand");
				option(state, name, text.startsWith("-"));
			} else if (Object.hasOwn(OPTION_LETTERS, letter)) option(state, OPTION_LETTERS[letter] as string, text.startsWith("-"));
		}
	}
	if (words.length === 1) m.print({ kind: "unknown" });
	return { ok: state };
};

/** Options under which `cd` takes names of variables, or the last command of a pipeline runs in this shell. */
const MOVING = ["cdable_vars", "lastpipe"];

const shopt: Builtin = ({ m, state, words }) => {
	const { given, rest } = letters(words.slice(1), "supqo");
	for (const word of rest) {
		const name = textOf(word) ?? "";
		if (/[su]/.test(given)) option(state, name, given.includes("s"));
		if (given.includes("s") && MOVING.includes(name)) m.unclear(`a shell with ${name}`);
	}
	if (!/[suq]/.test(given)) m.print({ kind: "unknown" });
	return /[su]/.test(given) ? { ok: state } : either(state);
};

const shift: Builtin = ({ state, words }) => {
	const count = words[1] === undefined ? 1 : Number(textOf(words[1]) ?? Number.NaN);
	if (state.positional === undefined) return either(state);
	if (Number.isNaN(count)) state.positional = undefined;
	else if (count <= state.positional.length) state.positional = state.positional.slice(count);
	else return { bad: state };
	return { ok: state };
};

/** trap: what runs later is read later. */
const trap: Builtin = ({ m, state, words }) => {
	const { given, rest } = letters(words.slice(1), "lp");
	const [body, ...signals] = rest;
	if (given !== "" || body === undefined) return { ok: state };
	const traps = new Map(state.traps);
	for (const word of signals) {
		const signal = (textOf(word) ?? "?").toUpperCase().replace(/^SIG/, "").replace(/^0$/, "EXIT");
		if (textOf(body) === "-" || textOf(body) === "") traps.delete(signal);
		else traps.set(signal, body);
	}
	state.traps = traps;
	// What a signal calls is what the name stands for then.
	for (const each of m.uncalled.values()) each.handedOut = true;
	m.step();
	return { ok: state };
};

/** printf -v NAME prints into a variable. */
const printf: Builtin = (call) => {
	const { m, state, words } = call;
	const name = textOf(words[1]) === "-v" ? textOf(words[2]) : undefined;
	const [whole] = name === undefined ? [] : (/^[A-Za-z_]\w*(?=\[)/.exec(name) ?? []);
	if (whole !== undefined) m.assigned(whole, unknown(`$${whole}`));
	if (name === undefined || !/^[A-Za-z_]\w*$/.test(name)) return plainCall(call);
	assign(m, state, name, printed(words.slice(3)) ?? unknown(`$${name}`));
	return { ok: state };
};

/** getopts: which option comes next is not followed; its value is one of the words. */
const getopts: Builtin = ({ m, state, words }) => {
	const name = textOf(words[2]) ?? "";
	if (/^[A-Za-z_]\w*$/.test(name)) assign(m, state, name, unknown(`$${name}`));
	const given = words.length > 3 ? words.slice(3) : state.positional;
	const values = given?.flatMap((word) => {
		const glued = /^-./s.test(beginning(word)) ? withoutFirst(word, 2) : word;
		return glued.pieces.length === 0 ? [] : [glued];
	});
	if (values === undefined || values.length === 0 || values.length > 8) assign(m, state, "OPTARG", unknown("$OPTARG"));
	else {
		for (const value of values) m.assigned("OPTARG", value);
		setOneOf(m, state, "OPTARG", values);
	}
	return either(state);
};

/** let: its assignments are not followed. */
const let_: Builtin = ({ m, state, words }) => {
	for (const word of words.slice(1)) {
		reckoned(m, state, textOf(word));
		const name = /^([A-Za-z_]\w*)/.exec(textOf(word) ?? "")?.[1];
		if (name !== undefined) assign(m, state, name, unknown(`$${name}`, { contained: true }));
	}
	return either(state);
};

/** [ and test: a call, and what its answer says. */
const test: Builtin = (call) => {
	const { m, state, words } = call;
	plainCall(call);
	const operands = textOf(words[0]) === "[" && textOf(words.at(-1)) === "]" ? words.slice(1, -1) : words.slice(1);
	return testCommand(m, state, operands);
};

const wrapper =
	(name: string): Builtin =>
	(call) =>
		unwrap(call, name) ?? plainCall(call);

export const BUILTINS: Readonly<Record<string, Builtin>> = {
	":": still,
	cd,
	pushd,
	popd,
	dirs: ({ m, state }) => {
		m.print({ kind: "unknown" });
		return { ok: state };
	},
	declare,
	typeset: declare,
	local: declare,
	export: declare,
	readonly: declare,
	unset,
	eval: evaluate,
	source,
	".": source,
	exit,
	logout: exit,
	return: leaveFunction,
	break: leaveLoop(false),
	continue: leaveLoop(true),
	read,
	mapfile,
	readarray: mapfile,
	set,
	shopt,
	shift,
	trap,
	printf,
	getopts,
	let: let_,
	"[": test,
	test,
	alias,
	unalias,
	wait: ({ state }) => either(state),
	umask: still,
	ulimit: still,
	jobs: still,
	disown: still,
	command: wrapper("command"),
	builtin: wrapper("builtin"),
	exec: wrapper("exec"),
	...RUNNERS,
};
