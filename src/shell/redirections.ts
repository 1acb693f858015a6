// Redirections: what they open, what they feed in, and what becomes of the output.

import { Expander } from "./expand.ts";
import type { Input, Machine } from "./machine.ts";
import type { Redirection } from "./parse.ts";
import { absolutes, keptAt, places } from "./places.ts";
import type { Output, Word } from "./reading.ts";
import type { Outcome, State } from "./state.ts";
import { known, textOf, wordOf } from "./words.ts";

/** What the redirections of one command amount to. */
interface Redirected {
	/** A file may not open, and then the command does not run and fails. */
	mayFail?: boolean;
	input?: Input;
	/** Where standard output goes: a file, or away from what is gathered. */
	output?: { target: Word; appends: boolean } | "away";
	/** Whether another descriptor may print to what is gathered. */
	crossed: boolean;
}

const inputOf = (output: Output): Input => ({ output, lines: undefined, taken: 0 });

const STANDARD_INPUT = /^\/(dev\/(stdin|fd\/0)|proc\/self\/fd\/0)$/;

/** What is known of a file that this command line wrote. */
export function fileOutput(m: Machine, state: State, target: Word): Output {
	const text = textOf(target);
	if (text === "/dev/null") return { kind: "text", word: known("") };
	if (text !== undefined && STANDARD_INPUT.test(text)) return wholeInput(m);
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
			if (isInput(redirection)) result.input = inputOf({ kind: "text", word });
		} else if (redirection.target !== undefined) {
			const target = x.single(redirection.target);
			if (redirection.type === "HereString") {
				if (isInput(redirection)) result.input = inputOf({ kind: "text", word: wordOf([...target.pieces, "\n"]) });
			} else open(x, redirection, target, result);
		}
	}
	return result;
}

const isInput = ({ descriptor }: Redirection) =>
	descriptor === undefined || (descriptor.type === "FileDescriptor" && descriptor.value === 0);

function open(x: Expander, redirection: Redirection & { type: "Redirect" }, target: Word, result: Redirected): void {
	const { machine, state } = x;
	const { operator, descriptor } = redirection;
	const fd = descriptor?.type === "FileDescriptor" ? descriptor.value : descriptor?.name;
	const text = textOf(target);
	const copies = operator === "<&" || operator === ">&";
	const copied = copies && text !== undefined && /^([012]-?|-)$/.test(text);
	const isStream = /^\/dev\/(null|zero|tty|stdin|stdout|stderr|fd\/\d{2,})$/.test(text ?? "");
	if (!copied && !isStream && !(operator === "<" && isThere(machine, state, text))) result.mayFail = true;
	if (copies && text !== undefined && /^(\d+-?|-)$/.test(text)) {
		// What another descriptor reads from is not followed.
		if (operator === "<&" && (fd ?? 0) === 0 && !/^0?-?$/.test(text)) result.input = inputOf({ kind: "unknown" });
		if (operator === ">&" && (fd ?? 1) === 1 && text !== "1") result.output = "away";
		else if (operator === ">&" && text === "1" && (fd ?? 1) !== 1 && result.output === undefined) result.crossed = true;
		return;
	}
	const writes = operator !== "<" && operator !== "<&";
	const isDescriptor = text !== undefined && /^\/dev\/fd\/\d+$/.test(text);
	const source = machine.text.slice(redirection.pos, redirection.end);
	const event = { kind: "redirect" as const, operator, target, writes, source, ...machine.course(state) };
	if (!isDescriptor) machine.emit(fd === undefined ? event : { ...event, fd });
	if (!writes) {
		if (isInput(redirection)) result.input = inputOf(fileOutput(machine, state, target));
		return;
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

/** Remembers what a file holds now. */
export function wrote(m: Machine, state: State, target: Word, output: Output, appends: boolean): void {
	for (const path of places(state, textOf(target))) {
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
export function redirected(m: Machine, state: State, { input, output, crossed, mayFail }: Redirected, run: () => Outcome): Outcome {
	const plainly = () => (input === undefined ? run() : m.within({ input }, run));
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
	if (output !== "away") {
		if (textOf(output.target) === "/dev/stdout") m.print(gathered.output);
		else wrote(m, state, output.target, gathered.output, output.appends);
	}
	if (crossed) m.print({ kind: "unknown" });
	return outcome;
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
