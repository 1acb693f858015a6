// Redirections: what they open, what they feed in, and what becomes of the output.

import type { Bytes } from "../policy/bytes.ts";
import { Expander } from "./expand.ts";
import type { Machine } from "./machine.ts";
import type { Redirection } from "./parse.ts";
import { absolutes, keptAt, places } from "./places.ts";
import type { Output, Word } from "./reading.ts";
import type { Outcome, State } from "./state.ts";
import type { Input, Opened, Sink } from "./streams.ts";
import { assign } from "./variables.ts";
import { known, textOf, wordOf } from "./words.ts";

/** What the redirections of one command amount to. */
interface Redirected {
	/** A file may not open, and then the command does not run and fails. */
	mayFail?: boolean;
	input?: Input;
	/** Where standard output goes: a file, or away from what is gathered. */
	output?: { target: Word; appends: boolean } | { files: readonly Bytes[] } | { sink: Sink } | "away";
	/** Whether another descriptor may print to what is gathered. */
	crossed: boolean;
	/** The descriptors from 3 on, where they change. */
	descriptors?: Map<string, Opened>;
}

const inputOf = (output: Output): Input => ({ output, lines: undefined, taken: 0 });

const STANDARD_INPUT = /^\/(dev\/(stdin|fd\/0)|proc\/self\/fd\/0)$/;

/** What is known of a file that this command line wrote. */
export function fileOutput(m: Machine, state: State, target: Word): Output {
	const text = textOf(target);
	if (text === "/dev/null") return { kind: "text", word: known("") };
	if (text !== undefined && STANDARD_INPUT.test(text)) return wholeInput(m);
	const opened = m.descriptors.get(/^\/(?:dev|proc\/self)\/fd\/(\d+)$/.exec(text ?? "")?.[1] ?? "");
	if (opened !== undefined && "input" in opened) return opened.input.taken > 0 ? { kind: "unknown" } : opened.input.output;
	return keptAt(m.world.files, state, text) ?? { kind: "unknown" };
}

/** The redirections in their order, each file that they open as an event. */
export function redirect(x: Expander, redirections: readonly Redirection[]): Redirected {
	const result: Redirected = { crossed: false };
	for (const redirection of redirections) {
		x.machine.step();
		if (redirection.type === "HereDoc") {
			const { body, delimiter } = redirection;
			const quoted = delimiter?.quoted === true;
			const word = quoted ? wordOf(x.machine.unmarkedPieces(body.text)) : x.document(body.text, body.parts);
			feed(x, redirection, word, result);
		} else if (redirection.target !== undefined) {
			const target = x.single(redirection.target);
			if (redirection.type === "HereString") {
				feed(x, redirection, wordOf([...target.pieces, "\n"]), result);
			} else open(x, redirection, target, result);
		}
	}
	return result;
}

const isInput = ({ descriptor }: Redirection) =>
	descriptor === undefined || (descriptor.type === "FileDescriptor" && descriptor.value === 0);

/** The number of a descriptor that a redirection opens, where it is none of the standard ones; `{name}` is given a new one. */
function ownNumber(x: Expander, { descriptor }: Redirection): string | undefined {
	if (descriptor?.type === "FileDescriptor") return descriptor.value > 2 ? String(descriptor.value) : undefined;
	if (descriptor === undefined) return undefined;
	const number = String(10 + x.machine.descriptors.size);
	assign(x.machine, x.state, descriptor.name, known(number));
	return number;
}

/** Lets a descriptor lead somewhere, or nowhere that is known. */
function lead(x: Expander, result: Redirected, number: string, opened: Opened | undefined): void {
	result.descriptors ??= new Map(x.machine.descriptors);
	if (opened === undefined) result.descriptors.delete(number);
	else result.descriptors.set(number, opened);
}

/** Text that is fed to a descriptor. */
function feed(x: Expander, redirection: Redirection, word: Word, result: Redirected): void {
	const input = inputOf({ kind: "text", word });
	const number = ownNumber(x, redirection);
	if (isInput(redirection)) result.input = input;
	else if (number !== undefined) lead(x, result, number, { input });
}

/** Where standard output goes, for a descriptor that leads there, too. */
function outputOf({ sink }: Machine): Opened | undefined {
	if (sink === undefined) return undefined;
	return sink.files === undefined ? { sink } : { files: sink.files };
}

const inputAt = ({ input }: Machine): Opened | undefined => input && { input };

/** `N>&M` and `N<&M`: a descriptor that leads where another one does. */
function copy(x: Expander, redirection: Redirection & { type: "Redirect" }, text: Bytes, result: Redirected): void {
	const { operator, descriptor } = redirection;
	const fd = descriptor?.type === "FileDescriptor" ? descriptor.value : descriptor?.name;
	const from = (result.descriptors ?? x.machine.descriptors).get(text.replace(/-$/, ""));
	const number = ownNumber(x, redirection);
	if (number !== undefined) lead(x, result, number, text === "1" ? outputOf(x.machine) : text === "0" ? inputAt(x.machine) : from);
	if (operator === "<&" && (fd ?? 0) === 0 && !/^0?-?$/.test(text)) {
		// What another descriptor reads from is not always followed.
		result.input = from !== undefined && "input" in from ? from.input : inputOf({ kind: "unknown" });
	}
	const isOutput = from !== undefined && !("input" in from);
	if (operator === ">&" && (fd ?? 1) === 1 && text !== "1") result.output = isOutput ? from : "away";
	else if (operator === ">&" && (fd ?? 1) !== 1 && result.output === undefined && (text === "1" || (fd === 2 && isOutput)))
		result.crossed = true;
}

function open(x: Expander, redirection: Redirection & { type: "Redirect" }, target: Word, result: Redirected): void {
	const { machine, state } = x;
	const { operator, descriptor } = redirection;
	const fd = descriptor?.type === "FileDescriptor" ? descriptor.value : descriptor?.name;
	const text = textOf(target);
	const copies = operator === "<&" || operator === ">&";
	const copied = copies && text !== undefined && /^[012]-?$/.test(text);
	const isStream = /^\/dev\/(null|zero|tty|stdin|stdout|stderr|fd\/\d{2,})$/.test(text ?? "");
	if (!copied && !isStream && !(operator === "<" && isThere(machine, state, text))) result.mayFail = true;
	if (copies && text !== undefined && /^(\d+-?|-)$/.test(text)) {
		copy(x, redirection, text, result);
		return;
	}
	const writes = operator !== "<" && operator !== "<&";
	const isDescriptor = text !== undefined && /^\/dev\/fd\/\d+$/.test(text);
	const source = machine.text.slice(redirection.pos, redirection.end);
	const event = { kind: "redirect" as const, operator, target, writes, source, ...machine.course(state) };
	if (!isDescriptor) machine.emit(fd === undefined ? event : { ...event, fd });
	const number = ownNumber(x, redirection);
	if (!writes) {
		const input = { ...inputOf(fileOutput(machine, state, target)), file: target };
		if (isInput(redirection)) result.input = input;
		else if (number !== undefined) lead(x, result, number, { input });
		return;
	}
	if (number !== undefined) {
		wrote(machine, state, target, { kind: "text", word: known("") }, operator !== ">" && operator !== ">|");
		lead(x, result, number, { files: places(state, text) });
	}
	const toOutput = operator.startsWith("&") || (copies && fd === undefined) || (operator !== "<>" && (fd ?? 1) === 1);
	if (toOutput) result.output = text === "/dev/stderr" ? "away" : { target, appends: operator.endsWith(">>") };
}

/** Whether a file below the working directory is there to be read: it stands on the disk, or this line wrote it. */
function isThere(m: Machine, state: State, text: string | undefined): boolean {
	const paths = text === undefined || /^\/|\.\./.test(text) ? [] : absolutes(state, text);
	return paths.length > 0 && paths.every((path) => m.world.files.has(path) || m.around.files.kind(path, true) === "file");
}

/** No longer text is kept for what only one of two ways writes. */
const LONGEST_OF_TWO = 65536;

/** What a file may hold where a branch may have written it anew: as a script, the one text and the other. */
function eitherText(before: Word, after: Word): Output {
	const [old, now] = [textOf(before), textOf(after)];
	if (old !== undefined && now !== undefined && old.endsWith(now)) return { kind: "text", word: before };
	const length = [...before.pieces, ...after.pieces].reduce((sum, piece) => sum + (typeof piece === "string" ? piece.length : 1), 0);
	return length > LONGEST_OF_TWO
		? { kind: "text", word: after }
		: { kind: "text", word: wordOf([...before.pieces, "\n", ...after.pieces]) };
}

/** A file that is written by a word of its own, as a redirection would. */
export function redirectedTo(m: Machine, state: State, target: Word, operator: ">" | ">>"): void {
	m.emit({ kind: "redirect", operator, target, writes: true, source: m.source, ...m.course(state) });
}

/** Adds to files that are open. */
function added(m: Machine, files: readonly Bytes[], output: Output): void {
	for (const path of files) {
		const before = m.world.files.get(path);
		const both = before?.kind === "text" && output.kind === "text";
		m.world.files.set(path, both ? { kind: "text", word: wordOf([...before.word.pieces, ...output.word.pieces]) } : { kind: "unknown" });
	}
}

/** Remembers what a file holds now. */
export function wrote(m: Machine, state: State, target: Word, output: Output, appends: boolean): void {
	for (const path of places(state, textOf(target))) {
		const opened = m.descriptors.get(/^\/dev\/fd\/(\d+)$/.exec(path)?.[1] ?? "");
		if (opened !== undefined && "files" in opened) added(m, opened.files, output);
		if (path.startsWith("/dev/")) continue;
		const before = m.world.files.get(path);
		const missing = before === undefined && m.around.files.kind(path, true) === undefined;
		if (!appends && m.branches > 0 && before?.kind === "text" && output.kind !== "names") {
			if (output.kind === "text") m.world.files.set(path, eitherText(before.word, output.word));
		} else if (!appends || (missing && !m.world.made)) m.world.files.set(path, output);
		else if (before?.kind === "text" && output.kind === "text") {
			m.world.files.set(path, { kind: "text", word: wordOf([...before.word.pieces, ...output.word.pieces]) });
		} else m.world.files.set(path, { kind: "unknown" });
	}
}

/** Runs a command with what its redirections amount to. */
export function redirected(
	m: Machine,
	state: State,
	{ input, output, crossed, mayFail, descriptors }: Redirected,
	run: () => Outcome,
): Outcome {
	const inside = { ...(input && { input }), ...(descriptors && { descriptors }) };
	const plainly = () => (input === undefined && descriptors === undefined ? run() : m.within(inside, run));
	const go = (): Outcome => {
		const unopened = mayFail ? state.fork() : undefined;
		const outcome = plainly();
		return unopened === undefined ? outcome : { ...outcome, bad: m.join(outcome.bad, unopened) };
	};
	if (output === undefined) return go();
	let outcome: Outcome = {};
	const gathered = m.captured(() => {
		outcome = go();
	});
	if (output !== "away" && "files" in output) added(m, output.files, gathered.output);
	else if (output !== "away" && "sink" in output) m.within({ sink: output.sink }, () => m.print(gathered.output));
	else if (output !== "away") {
		if (textOf(output.target) === "/dev/stdout") m.print(gathered.output);
		else wrote(m, state, output.target, gathered.output, output.appends);
	}
	if (crossed) m.print({ kind: "unknown" });
	return outcome;
}

/** Where what is printed goes from now on. */
function sinkFor(m: Machine, state: State, output: NonNullable<Redirected["output"]>): Sink {
	if (output !== "away" && "sink" in output) return output.sink;
	if (output !== "away" && "target" in output) wrote(m, state, output.target, { kind: "text", word: known("") }, output.appends);
	const files = output === "away" ? [] : "files" in output ? output.files : places(state, textOf(output.target));
	return { output: undefined, certain: true, branches: m.branches, files: files.filter((path) => !path.startsWith("/dev/")) };
}

/** Redirections of `exec` alone, which stay: each as what follows in this shell finds it. */
export function redirectedForGood(m: Machine, state: State, { input, output, descriptors, mayFail }: Redirected): Outcome {
	if (input !== undefined) m.input = input;
	if (descriptors !== undefined) m.descriptors = descriptors;
	if (output !== undefined) {
		m.sink = sinkFor(m, state, output);
	}
	return mayFail ? { ok: state, bad: state.fork() } : { ok: state };
}

/** Redirections around a compound command. */
export function withRedirections(m: Machine, state: State, redirections: readonly Redirection[], run: (state: State) => Outcome): Outcome {
	const here = state.fork();
	const result = redirect(new Expander(m, state), redirections);
	return redirected(m, here, result, () => run(state));
}

/** The text of an input, read to its end. */
export function wholeInput(m: Machine): Output {
	const { input } = m;
	if (input === undefined) return { kind: "unknown" };
	return input.taken > 0 ? { kind: "unknown" } : input.output;
}
