// Takes a wrapper off: what `sudo -u x nice rm y` runs is `rm y`, somewhere else and found in another way.

import type { Bytes } from "../policy/bytes.ts";
import { programOf } from "../tools/packages.ts";
import { awk } from "./awk-commands.ts";
import type { Call } from "./call.ts";
import { moved } from "./directories.ts";
import { environmentWords } from "./environment-words.ts";
import { endsFor } from "./facts.ts";
import { git } from "./git-commands.ts";
import { invokeFile, invokeTool, plainCall } from "./invoke.ts";
import { loginShell } from "./login-shells.ts";
import { parallel } from "./parallel.ts";
import { absolutes } from "./places.ts";
import type { Word } from "./reading.ts";
import { standIn } from "./stand-ins.ts";
import { either, type Outcome, State } from "./state.ts";
import { runScript, subshell } from "./statements.ts";
import { patch } from "./taken-patches.ts";
import { assign, childOf, setVariable } from "./variables.ts";
import { beginning, isNothing, joinWords, known, shown, textOf, unknown, withoutFirst } from "./words.ts";
import { WRAPPERS, type Wrapper } from "./wrappers.ts";
import { xargs } from "./xargs.ts";

/** The options that a wrapper was given, and the words behind them. */
interface Options {
	given: { name: string; value?: Word | undefined }[];
	rest: Word[];
}

const has = (list: string | undefined, name: string) => list?.split(" ").includes(name) === true;

/** One word of options: what it says, and whether the next word was taken for it. */
function option(word: Word, next: Word | undefined, takes: string | undefined): { given: Options["given"]; taken: boolean } {
	const text = beginning(word);
	const whole = textOf(word) !== undefined;
	if (text.startsWith("--") || !text.startsWith("-")) {
		const equals = text.indexOf("=");
		if (equals > 0) return { given: [{ name: text.slice(0, equals), value: withoutFirst(word, equals + 1) }], taken: false };
		return has(takes, text) ? { given: [{ name: text, value: next }], taken: true } : { given: [{ name: text }], taken: false };
	}
	const given: Options["given"] = [];
	for (let at = 1; at < text.length; at++) {
		const name = `-${text[at]}`;
		if (!has(takes, name)) {
			given.push({ name });
			continue;
		}
		if (at + 1 < text.length || !whole) return { given: [...given, { name, value: withoutFirst(word, at + 1) }], taken: false };
		return { given: [...given, { name, value: next }], taken: true };
	}
	return { given, taken: false };
}

/** Reads the options in front of the operands, or between them. */
export function readOptions(words: readonly Word[], takes: string | undefined, permutes = false, operands = 0): Options {
	const options: Options = { given: [], rest: [] };
	let at = 0;
	for (; at < words.length; at++) {
		const word = words[at] as Word;
		const text = beginning(word);
		if (textOf(word) === "--") {
			at++;
			break;
		}
		if (textOf(word) === "-") options.given.push({ name: "-" });
		else if (text.startsWith("-") && text.length > 1) {
			const { given, taken } = option(word, words[at + 1], takes);
			options.given.push(...given);
			if (taken) at++;
		} else if (permutes) options.rest.push(word);
		// A variable without a value may stand between options: `sudo $FLAGS rm`.
		else if (operands > 0 || !isNothing(word)) break;
	}
	options.rest.push(...words.slice(at));
	return options;
}

/** What a wrapper runs; undefined when the command is none. */
export function unwrap(call: Call, tool: string): Outcome | undefined {
	if (tool === "xargs") return xargs(call);
	if (tool === "parallel" || tool === "sem") return parallel(call, tool);
	if (tool === "git") return git(call);
	if (tool === "patch") return patch(call);
	if (/^[gmn]?awk$/.test(tool)) return awk(call);
	const login = loginShell(call, tool);
	if (login !== undefined) return login;
	const wrapper = Object.hasOwn(WRAPPERS, tool) ? WRAPPERS[tool] : undefined;
	if (wrapper === undefined) return standIn(call, tool);
	let options = readOptions(call.words.slice(1), wrapper.takes, wrapper.permutes, wrapper.operands ?? (wrapper.verb && 1));
	if (wrapper.verb !== undefined) {
		if (!wrapper.verb.test(textOf(options.rest[0]) ?? "")) return standIn(call, tool);
		const behind = readOptions(options.rest.slice(1), wrapper.takes);
		options = { given: [...options.given, ...behind.given], rest: behind.rest };
	}
	if (tool === "env") options = splitStrings(call, options, wrapper);
	const isGiven = (names: string | undefined) => options.given.some(({ name }) => has(names, name));
	if (isGiven(wrapper.asks) || (!wrapper.inShell && isGiven("--help --version"))) return plainCall(call);
	if (wrapper.edits === true || isGiven(wrapper.edits)) {
		for (const file of options.rest) opened(call, file);
		return plainCall(call);
	}
	for (const { name, value } of options.given) if (has(wrapper.writes, name) && value !== undefined) opened(call, value);
	if (wrapper.makes && options.rest[0] !== undefined) opened(call, options.rest[0]);
	if (wrapper.locks && options.rest[0] !== undefined && isMissing(call, options.rest[0])) opened(call, options.rest[0]);
	if (isGiven(wrapper.root) || wrapper.root === "*") return otherRoot(call, tool);
	return runInner(call, tool, wrapper, options);
}

/** A file that a wrapper opens for writing, as a redirection would. */
function opened({ m, state }: Call, target: Word): void {
	const text = textOf(target);
	// What strace takes for a command or as a pattern (`|cmd`, `%p`) names no file that is known.
	if (text === "-" || beginning(target).startsWith("|") || text?.includes("%")) return;
	m.emit({ kind: "redirect", operator: ">", target, writes: true, source: m.source, ...m.course(state) });
}

/** Whether nothing stands where a file is made unless it is there; a number is a descriptor. */
function isMissing({ m, state }: Call, file: Word): boolean {
	const text = textOf(file);
	if (text === undefined || /^\d+$/.test(text)) return false;
	return absolutes(state, text).some((path) => m.around.files.kind(path, true) === undefined);
}

/** Behind another root directory no path means what it says. */
function otherRoot(call: Call, tool: string): Outcome {
	call.m.unclear(`${tool} with another root directory`);
	return plainCall(call);
}

/** `env -S 'rm -rf' x`: the string is split into words that stand in its place. */
function splitStrings(call: Call, options: Options, wrapper: Wrapper): Options {
	const at = options.given.findIndex(({ name }) => name === "-S" || name === "--split-string");
	const value = options.given[at]?.value;
	if (value === undefined) return options;
	const text = textOf(value);
	const words = text === undefined ? [unknown(shown(value), { unquoted: true })] : environmentWords(call, text);
	const inner = readOptions([...words, ...options.rest], wrapper.takes);
	return { given: [...options.given.toSpliced(at, 1), ...inner.given], rest: inner.rest };
}

/** Words of a string with quotes and backslashes, as env -S and xargs read them. */
export function splitString(text: Bytes): Bytes[] {
	const words: Bytes[] = [];
	for (const found of text.matchAll(/(?:[^\s"'\\]|\\[\s\S]|"(?:[^"\\]|\\[\s\S])*"?|'[^']*'?)+/g)) {
		words.push(
			found[0].replace(
				/\\([\s\S])|"((?:[^"\\]|\\[\s\S])*)"?|'([^']*)'?/g,
				(_, escaped, double, single) => escaped ?? double?.replace(/\\(["\\$`])/g, "$1") ?? single ?? "",
			),
		);
	}
	return words;
}

/** Nothing of the environment is left. */
function clear(inner: State): void {
	const fresh = new State();
	inner.variables = fresh.variables;
	inner.functions = fresh.functions;
	inner.cleared = true;
}

/** The state that the inner command sees. */
function innerState(call: Call, wrapper: Wrapper, options: Options): State {
	const { m, state } = call;
	if (wrapper.inShell && wrapper.clears === undefined) return state;
	const inner = state.fork();
	if (options.given.some(({ name }) => has(wrapper.clears, name))) clear(inner);
	for (const { name, value } of options.given) {
		if (has(wrapper.chdir, name) && value !== undefined) inner.cwd = moved(m, inner, value);
		if (has(wrapper.unsets, name) && textOf(value) !== undefined) {
			m.assigned(textOf(value) as string, known(""));
			setVariable(m, inner, textOf(value) as string, { kind: "unset" });
		}
	}
	const stays = options.given.some(({ name }) => has(wrapper.elsewhere, name) || has(wrapper.chdir, name));
	const moves = options.given.some(({ name }) => has(wrapper.homes, name));
	if ((wrapper.elsewhere !== undefined || moves) && !stays) inner.cwd = [];
	return inner;
}

function runInner(call: Call, tool: string, wrapper: Wrapper, options: Options): Outcome {
	const { m, state } = call;
	const inner = innerState(call, wrapper, options);
	const env = [...m.env];
	let rest = [...options.rest];
	if (wrapper.assigns) {
		// bash(1), FUNCTIONS: a function that the environment hands over.
		while (/^BASH_FUNC_[^=]*=/.test(beginning(rest[0]))) m.unclear("a function in the environment", shown(rest.shift() as Word));
		while (/^[A-Za-z_]\w*=/.test(beginning(rest[0]))) {
			const word = rest.shift() as Word;
			const name = beginning(word).split("=", 1)[0] as string;
			const value = withoutFirst(word, name.length + 1);
			assign(m, inner, name, value, true);
			env.push({ name, value });
		}
	}
	for (let k = 0; k < (wrapper.operands ?? 0); k++) {
		const text = textOf(rest[0]);
		if (wrapper.ifLike === undefined || text === undefined || wrapper.ifLike.test(text)) rest = rest.slice(1);
	}
	if ((wrapper.verb ?? wrapper.operands) !== undefined && /^(--|\{)$/.test(textOf(rest[0]) ?? "")) rest = rest.slice(1);
	// flock FILE -c LINE
	let given = options.given;
	if (wrapper.line !== undefined && wrapper.operands !== undefined) {
		const more = readOptions(rest, wrapper.line);
		if (more.given.length > 0) [given, rest] = [[...given, ...more.given], more.rest];
	}
	const named = wrapper.packages ? textOf(rest[0]) : undefined;
	if (named !== undefined) rest[0] = known(programOf(named));
	const lined = given.find(({ name }) => has(wrapper.line, name));
	const line = lined?.value;
	const always = wrapper.joins === true && !given.some(({ name }) => has(wrapper.joinsUnless, name));
	const joins = always || given.some(({ name }) => typeof wrapper.joins === "string" && has(wrapper.joins, name));
	const offPath =
		m.offPath || wrapper.offPath === true || given.some(({ name }) => typeof wrapper.offPath === "string" && has(wrapper.offPath, name));
	const through = { via: [...m.via, line !== undefined ? `${tool} ${lined?.name}` : tool], offPath, env };
	if (wrapper.lines !== undefined) {
		const all = given.flatMap(({ name, value }) => (has(wrapper.lines, name) && value !== undefined ? [value] : []));
		for (const each of [...all, ...rest]) shellLine(call, inner, each, through);
		return either(state);
	}
	if (line !== undefined) return shellLine(call, inner, line, through);
	if (wrapper.permutes || rest.length === 0) {
		if (tool === "exec") return { ok: state };
		const isShell = wrapper.shell === true || given.some(({ name }) => typeof wrapper.shell === "string" && has(wrapper.shell, name));
		if (!isShell || rest.length > 0) return plainCall(call);
		return endsFor(
			state,
			m.within(through, () => invokeFile({ m, state: inner, words: [known("sh")] })),
		);
	}
	if (joins) return shellLine(call, inner, joinWords(rest, " "), through);
	const outcome = m.within(through, () => next({ m, state: inner, words: rest }, wrapper, tool));
	// A shell whose `exec` fails goes on where execfail is on.
	if (wrapper.replaces) return state.options.has("execfail") ? { bad: state } : {};
	return wrapper.inShell ? outcome : endsFor(state, outcome);
}

function next(call: Call, wrapper: Wrapper, tool: string): Outcome {
	if (wrapper.inShell && tool !== "exec") return invokeTool(call);
	return invokeFile(call);
}

/** A line that a wrapper hands to a shell. */
function shellLine(call: Call, inner: State, line: Word, through: Partial<Pick<Call["m"], "via" | "offPath">>): Outcome {
	const { m, state } = call;
	const child = childOf(m, inner);
	const outcome = m.within({ ...through, env: [], active: [] }, () => subshell(m, child, (fork) => runScript(m, line, fork)));
	return endsFor(state, outcome);
}
