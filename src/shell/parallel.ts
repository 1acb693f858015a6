// GNU parallel and sem: a line for a shell, once for each argument behind `:::` or line of input.

import type { Bytes } from "../policy/bytes.ts";
import { baseOf } from "../policy/resolve.ts";
import type { Call } from "./call.ts";
import { moved } from "./directories.ts";
import { invokeFile, plainCall } from "./invoke.ts";
import type { Output, Word } from "./reading.ts";
import { fileOutput, redirectedTo, wholeInput } from "./redirections.ts";
import { quotedLine } from "./shells.ts";
import { either, type Outcome } from "./state.ts";
import { runScript, subshell } from "./statements.ts";
import { readOptions } from "./unwrap.ts";
import { childOf } from "./variables.ts";
import { joinWords, known, linesOf, textOf, unknown, wordOf } from "./words.ts";

const TAKES =
	"-j --jobs -P --max-procs -n --max-args -N -I -a --arg-file -d --delimiter --colsep -C --delay --timeout --retries --joblog --results --res --workdir --wd --tmpdir -S --sshlogin --slf --sshloginfile --halt --memfree --load --nice --tagstring --id --semaphorename --st --semaphoretimeout --env --basefile --bf --return --shuf --limit --profile -J";

/** More combinations of arguments than these are one that is not known. */
const MOST = 256;

/** The lines of an input; undefined when they are not known. */
function linesIn(input: Output): Word[] | undefined {
	if (input.kind === "text") return linesOf(input.word);
	return input.kind === "names" ? input.names : undefined;
}

/** Each source of arguments, behind `:::`, in files behind `::::` or in an input; undefined for one that is not known. */
function sourcesOf({ m, state }: Call, after: readonly Word[] | undefined, files: readonly Word[]): (Word[] | undefined)[] {
	const sources: (Word[] | undefined)[] = files.map((file) => linesIn(textOf(file) === "-" ? wholeInput(m) : fileOutput(m, state, file)));
	let mark: RegExpExecArray | null = null;
	for (const word of after ?? []) {
		const found = /^:::(:)?\+?$/.exec(textOf(word) ?? "");
		if (found !== null) {
			mark = found;
			if (found[1] === undefined) sources.push([]);
		} else if (mark?.[1] !== undefined) sources.push(linesIn(fileOutput(m, state, word)));
		else sources.at(-1)?.push(word);
	}
	return after === undefined && files.length === 0 ? [linesIn(wholeInput(m))] : sources;
}

/** The arguments of each job. */
function jobsOf(sources: readonly (Word[] | undefined)[]): Word[][] {
	let jobs: Word[][] = [[]];
	for (const source of sources) {
		const items = source ?? [unknown("(the input of parallel)")];
		if (jobs.length * items.length > MOST) return [sources.map(() => unknown("(the arguments of parallel)"))];
		jobs = jobs.flatMap((job) => items.map((item) => [...job, item]));
	}
	return jobs;
}

/** What the marks make of an argument whose text is known (parallel(1), replacement strings). */
const SHAPES: Readonly<Record<string, (text: Bytes) => Bytes>> = {
	".": (text) => text.replace(/\.[^./]*$/, ""),
	"/": baseOf,
	"//": (text) => (text.includes("/") ? text.slice(0, text.lastIndexOf("/")) || "/" : "."),
	"/.": (text) => baseOf(text).replace(/\.[^./]*$/, ""),
};

/** What stands for a mark in one job. */
function forMark(job: readonly Word[], number: string, shape: string): Word {
	if (shape === "#" || shape === "%") return known("1");
	const word = number === "" ? joinWords(job, " ") : (job[Number(number) - 1] ?? known(""));
	const text = textOf(word);
	if (shape === "" || shape === undefined) return word;
	return text === undefined ? unknown("(a part of an argument)") : known(SHAPES[shape]?.(text) ?? text);
}

/** A word with the marks in it replaced; undefined where it has none. */
function filled(word: Word, mark: string, put: (number: string, shape: string) => Word): Word | undefined {
	const own = mark.replace(/[^\w]/g, "\\$&");
	const pattern = new RegExp(`${own}|\\{(\\d*)(\\.|//|/\\.|/|#|%|(?<=\\d))\\}`, "g");
	let found = false;
	const pieces = word.pieces.flatMap((piece) => {
		if (typeof piece !== "string") return [piece];
		const parts: Word["pieces"] = [];
		let at = 0;
		for (const each of piece.matchAll(pattern)) {
			found = true;
			parts.push(piece.slice(at, each.index), ...put(each[1] ?? "", each[2] ?? "").pieces);
			at = each.index + each[0].length;
		}
		return [...parts, piece.slice(at)];
	});
	return found ? wordOf(pieces) : undefined;
}

/** The line of one job. Without a command, or with a mark alone, the argument is the line. */
function lineOf(command: readonly Word[], job: readonly Word[], mark: string, quotes: boolean): Word {
	const alone = command.length === 0 || (command.length === 1 && textOf(command[0]) === mark);
	if (alone) return joinWords(job, " ");
	const put = (number: string, shape: string) => {
		const word = forMark(job, number, shape);
		return quotes ? word : quotedLine([word]);
	};
	const words = command.map((word) => filled(word, mark, put));
	const line = (all: readonly Word[]) => (quotes ? quotedLine(all) : joinWords(all, " "));
	const all = line(command.map((word, k) => words[k] ?? word));
	return words.some((word) => word !== undefined) || job.length === 0 ? all : joinWords([all, quotedLine(job)], " ");
}

/** Whether the lines run on other machines; `:` is this one. */
const isElsewhere = (hosts: readonly (Word | undefined)[]) =>
	hosts.length > 0 && !hosts.some((host) => (textOf(host) ?? "").split(",").some((each) => /(^|\/)\s*:$/.test(each)));

/** What parallel would run. */
export function parallel(call: Call, tool: string): Outcome {
	const { m, state } = call;
	const { given, rest } = readOptions(call.words.slice(1), TAKES);
	const valuesOf = (names: RegExp) => given.filter(({ name }) => names.test(name)).map(({ value }) => value);
	const gives = (names: RegExp) => valuesOf(names).length > 0;
	if (gives(/^(--dry-?run|--help|-h|--version|-V|--minversion)$/) || isElsewhere(valuesOf(/^(-S|--sshlogin)$/))) return plainCall(call);
	if (gives(/^(--pipe|--pipe-?part|--colsep|-C|--slf|--sshloginfile)$/)) m.unclear("options of parallel");
	const isSemaphore = tool === "sem" || gives(/^--sem(aphore)?$/);
	const cut = rest.findIndex((word) => /^:::/.test(textOf(word) ?? ""));
	const command = cut < 0 ? rest : rest.slice(0, cut);
	const mark = textOf(valuesOf(/^-I$/)[0]) ?? "{}";
	const files = valuesOf(/^(-a|--arg-file)$/).filter((file) => file !== undefined);
	const jobs = isSemaphore ? [[]] : jobsOf(sourcesOf(call, cut < 0 ? undefined : rest.slice(cut), files));
	const inner = state.fork();
	const directory = valuesOf(/^(--workdir|--wd)$/).at(-1);
	if (directory !== undefined) inner.cwd = textOf(directory) === "..." ? [] : moved(m, inner, directory);
	for (const file of valuesOf(/^--joblog$/)) if (file !== undefined) redirectedTo(m, state, file, ">");
	m.within({ via: [...m.via, tool], env: [] }, () => {
		for (const results of valuesOf(/^--res(ults)?$/))
			if (results !== undefined) invokeFile({ m, state: state.fork(), words: [known("mkdir"), known("-p"), known("--"), results] });
		for (const job of jobs) {
			m.step();
			if (isSemaphore && command.length === 0) continue;
			const line = lineOf(command, job, mark, gives(/^(-q|--quote)$/));
			subshell(m, childOf(m, inner), (own) => runScript(m, line, own));
		}
	});
	return either(state);
}
