// From the words of a command to what would run: a function, a built-in, what a wrapper runs, a script, or a tool.

import type { Bytes } from "../policy/bytes.ts";
import { baseOf } from "../policy/resolve.ts";
import { besides } from "./beside.ts";
import { BUILTINS } from "./builtins.ts";
import type { Call } from "./call.ts";
import { tookAway } from "./directories.ts";
import { endsFor, toldApart } from "./facts.ts";
import { mayFail } from "./failures.ts";
import { callBodies } from "./functions.ts";
import type { Machine } from "./machine.ts";
import { printedBy } from "./outputs.ts";
import { absolutes, keptAt, keptLike } from "./places.ts";
import { onlyReads } from "./readers.ts";
import type { CallEvent, Output, Word } from "./reading.ts";
import { fileOutput, wholeInput, wrote } from "./redirections.ts";
import { runShell, SHELLS } from "./shells.ts";
import { shownValue } from "./simple.ts";
import { ownScript } from "./startup.ts";
import { either, type Outcome, type State } from "./state.ts";
import { runScript, subshell } from "./statements.ts";
import { takesAll } from "./takes-all.ts";
import { unwrap } from "./unwrap.ts";
import { childOf } from "./variables.ts";
import { beginning, isNothing, known, shown, textOf, unknown, withoutFirst } from "./words.ts";

/** A command as the shell runs it. */
export function invoke(call: Call): Outcome {
	const { m, state } = call;
	m.step(call.words.length);
	const words = withoutNothing(call.words);
	if (words.length === 0) return either(state);
	const name = textOf(words[0]);
	if (name === undefined) return computed({ ...call, words });
	// zsh: the program of that name.
	if (/^=[\w.+-]+$/.test(name))
		return m.within({ offPath: true }, () => invokeFile({ m, state, words: [known(name.slice(1)), ...words.slice(1)] }));
	const bodies = name.includes("/") ? undefined : state.functions.get(name);
	return bodies === undefined ? m.nested(() => invokeTool({ ...call, words })) : callBodies({ ...call, words }, name, bodies);
}

/** A variable without a value outside of quotes is no word. */
function withoutNothing(words: Word[]): Word[] {
	const first = words.findIndex((word) => !isNothing(word));
	return first < 0 ? [] : words.slice(first);
}

/** What prints where a tool lies. */
const FOUND = /^(?:\$\(|`) *(?:which|command -v|type -[pP]|whence -p) +([\w.+-]+)(?: +2>\/dev\/null)? *(?:\)|`)$/;

/** The shell that reads the line, or the person's: SHELL is a login shell by its path (environ(7)), BASH the running one (bash(1)). */
const OWN_SHELL = /^\$(?:\{(?:BASH|SHELL|0)(?::?-[\w./]+)?\}|BASH|SHELL|0)$/;

/** The tool that a hole in a command's place surely is. */
function toolIn(source: Bytes): string | undefined {
	return OWN_SHELL.test(source) ? "bash" : FOUND.exec(source)?.[1];
}

/** A command whose name is not known. */
function computed({ m, state, words }: Call): Outcome {
	const [hole, more] = words[0]?.pieces ?? [];
	const tool = typeof hole === "object" && more === undefined ? toolIn(hole.source) : undefined;
	if (tool !== undefined) return m.within({ offPath: true }, () => invokeFile({ m, state, words: [known(tool), ...words.slice(1)] }));
	for (const path of keptLike(m.world.files, state, shown(words[0] as Word)))
		m.perhaps(true, () => invokeFile({ m, state: state.fork(), words: [known(path), ...words.slice(1)] }));
	m.unclear("a command whose name is not known", shown(words[0] as Word));
	m.world.made = true;
	m.print({ kind: "unknown" });
	return either(state);
}

/** Built-ins whose words are names, with subscripts that are expanded again even where they were quoted. */
const NAMING: ReadonlySet<string> = new Set("unset read declare typeset local mapfile readarray".split(" "));

/** The option behind which others take a name. */
const NAMED_BEHIND: Readonly<Record<string, string>> = { test: "-v", "[": "-v", printf: "-v", wait: "-p" };

/** The words of a built-in that it takes for names. */
function namesAmong(name: string, words: readonly Word[]): readonly Word[] {
	if (NAMING.has(name)) return words.slice(1);
	const option = Object.hasOwn(NAMED_BEHIND, name) ? NAMED_BEHIND[name] : undefined;
	if (option === undefined) return [];
	const at = words.findIndex((word) => textOf(word) === option) + 1;
	return at > 0 ? words.slice(at, at + 1) : [];
}

/** A command that no function hides. */
export function invokeTool(call: Call): Outcome {
	const { m, state, words } = call;
	const name = textOf(words[0]);
	if (name === undefined) return computed(call);
	const builtin = Object.hasOwn(BUILTINS, name) ? BUILTINS[name] : undefined;
	for (const word of namesAmong(name, words)) m.again(textOf(word)?.replace(/^[A-Za-z_]\w*=(?=[A-Za-z_]\w*\[)/, ""), state);
	if (builtin === undefined) return runFile(call, state, m, name);
	const outcome = builtin(call);
	return outcome.ok !== undefined && outcome.bad === undefined && mayFail(name, words) ? either(outcome.ok) : outcome;
}

/** A command that is a program, as a wrapper runs it. */
export function invokeFile(call: Call): Outcome {
	const name = textOf(call.words[0]);
	return name === undefined ? computed(call) : call.m.nested(() => runFile(call, call.state, call.m, name));
}

function runFile(call: Call, state: State, m: Machine, name: string): Outcome {
	m.step();
	const own = ownScript(m, state, name);
	if (own !== undefined) return runFile({ ...call, words: [own, ...call.words.slice(1)] }, state, m, textOf(own) as string);
	const away = m.offPath || name.includes("/");
	return m.within({ offPath: away }, () => {
		const tool = baseOf(name);
		const script = name.includes("/") ? keptAt(m.world.files, state, name) : undefined;
		if (script?.kind === "text") return runScriptFile(call, script.word, name);
		if (SHELLS.has(tool)) return runShell(call, tool);
		const full = besides(call);
		const inner = unwrap(full, tool);
		if (inner !== undefined) return inner;
		return plainCall(full);
	});
}

/** The first line of a script that is for no shell: what runs it, and the one word that it gets before the script's name (execve(2)). */
const OTHER_SCRIPT = /^#!(?!.*\b(?:ba|da|z|k|mk|a)?sh\b)[ \t]*([^ \t\n]+)[ \t]*([^\n]*?)[ \t]*(?:\n|$)/;

/** A script by its path: read where it is for a shell, else handed to what its first line names. */
function runScriptFile(call: Call, script: Word, name: string): Outcome {
	const [, program, argument] = OTHER_SCRIPT.exec(beginning(script)) ?? [];
	if (program === undefined) return runChild(call, script, name);
	const before = argument ? [known(program), known(argument)] : [known(program)];
	return invokeFile({ ...call, words: [...before, ...call.words] });
}

/** A script in a shell of its own, with the rest of the words as its parameters. */
function runChild({ m, state, words }: Call, script: Word, name: string): Outcome {
	const child = childOf(m, state, /^(?!#!)|^#!.*\bbash\b/.test(beginning(script)));
	child.zero = words[0] as Word;
	child.positional = words.slice(1);
	const outcome = m.within({ via: [...m.via, name], env: [] }, () => subshell(m, child, (inner) => runScript(m, script, inner)));
	return endsFor(state, outcome);
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

/** Variables that operand readers ask for. */
const ASKED =
	"HOME GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE GIT_CONFIG_GLOBAL GIT_CONFIG_SYSTEM RSYNC_RSH RSYNC_PARTIAL_DIR VERSION_CONTROL SIMPLE_BACKUP_SUFFIX".split(
		" ",
	);

/** Tools whose readers read what they run, in which any variable can stand. */
const RUNNERS = ["find"];

/** What a tool inherits of what this line set: the variables for it alone, and those of the others that say which files are meant. */
function environmentOf(m: Machine, state: State, tool: string): CallEvent["env"] {
	const exported: CallEvent["env"] = [];
	if (state.variables.size === 0) return m.env;
	for (const name of RUNNERS.includes(tool) ? state.variables.keys() : ASKED) {
		const variable = state.variables.get(name);
		if (!variable?.exported || m.env.some((own) => own.name === name)) continue;
		const [value, other] = variable.values;
		exported.push({ name, value: value !== undefined && other === undefined ? shownValue(value) : unknown(`$${name}`) });
	}
	return exported.length === 0 ? m.env : [...exported, ...m.env];
}

/** Tools of which it tells something about the files whether they worked. */
const TELLING: ReadonlySet<string> = new Set("rm unlink rmdir mv ln cp mkdir install find git rsync cmake rimraf trash".split(" "));

/** Tools that bring links to a place. */
const CARRIERS: ReadonlySet<string> = new Set(["ln", "cp", "mv", "tar", "rsync"]);

/** A tool that is run: the event, what it prints, and what it may have changed. */
export function plainCall({ m, state, words }: Call): Outcome {
	const taken = m.input === undefined ? undefined : wholeInput(m);
	const file = taken?.kind === "unknown" && m.input?.taken === 0 ? m.input.file : undefined;
	const input = taken === undefined ? {} : { input: taken, ...(file && { inputFile: file }) };
	const event: CallEvent = {
		kind: "call",
		words,
		via: [...m.via],
		onPath: isOnPath(m, state, words),
		env: environmentOf(m, state, baseOf(textOf(words[0] ?? known("")) ?? "")),
		...input,
		source: m.source,
		step: 0,
		...m.course(state),
		...(state.homeward !== undefined && takesAll(words) && { cwd: [state.homeward] }),
	};
	const step = m.emit(event);
	const output = printedBy({ m, state, words });
	if (!onlyReads(words)) m.world.made = true;
	m.world.linked ||= CARRIERS.has(baseOf(beginning(words[0])));
	tookAway({ m, state, words });
	m.print(output);
	writesCopy(m, state, words);
	const name = textOf(words[0]);
	if (name === "true" || name === "echo" || name === "printf") return { ok: state };
	if (name !== undefined && TELLING.has(baseOf(name))) return toldApart(m, state, step);
	return name === "false" ? { bad: state } : either(state);
}

/** A file of the system's programs, as a script that runs it: what a copy of it or a link to it does. */
export function programIn(word: Word): Output | undefined {
	const name = /^\/(?:usr\/)?(?:local\/)?s?bin\/([\w.+-]+)$/.exec(shown(word))?.[1] ?? FOUND.exec(shown(word))?.[1];
	return name === undefined ? undefined : { kind: "text", word: known(`/usr/bin/${name} "$@"\n`) };
}

/** cp, mv and install put a file that is known, or one that is not, in another's place. */
function keepsCopy(m: Machine, state: State, words: readonly Word[]): void {
	const [from, to, more] = words.slice(1).filter((word) => !/^(-|[0-7]+$)/.test(beginning(word)));
	if (from === undefined || to === undefined || more !== undefined) return;
	const program = programIn(from);
	if (m.world.files.size === 0 && !beginning(from).startsWith("/dev/") && program === undefined) return;
	const output = program ?? fileOutput(m, state, from);
	const paths = absolutes(state, textOf(to));
	if (paths.length === 0) wrote(m, state, to, output, false);
	for (const path of paths) {
		const at = m.around.files.kind(path, true) === "directory" ? `${path}/${baseOf(textOf(from) ?? "")}` : path;
		wrote(m, state, known(at), output, false);
	}
}

/** Tools that change what a file holds, in a way that is not followed. */
const CHANGERS = ["sed", "perl", "awk", "gawk", "dd", "sort", "patch", "truncate", "ed", "ex"];

/** Of files that such a tool is given nobody knows what they hold from then on. */
function forgets(m: Machine, state: State, words: readonly Word[]): void {
	const inPlace = words.some((word) => /^(-[a-zA-Z]*i|--in-place)/.test(beginning(word)));
	const edits = inPlace && /^(sed|perl)$/.test(textOf(words[0]) ?? "");
	for (const word of inPlace || textOf(words[0]) !== "sed" ? words.slice(1) : []) {
		const text = textOf(word)?.replace(/^(of=|-o)/, "");
		// A script that stands on the disk is the person's no more once it was edited.
		const changes = edits && /^[^-/][^\s;]*$|^\/[^\s;]*[^/\s;]$/.test(text ?? "");
		if (text && (changes || keptAt(m.world.files, state, text) !== undefined)) wrote(m, state, known(text), { kind: "unknown" }, false);
	}
}

/** tee and dd keep what they are given. */
function writesCopy(m: Machine, state: State, words: readonly Word[]): void {
	const tool = textOf(words[0]) ?? "";
	if (["cp", "mv", "install", "ln"].includes(tool)) keepsCopy(m, state, words);
	if (CHANGERS.includes(tool)) forgets(m, state, words);
	const copied = tool === "dd" ? words.find((word) => beginning(word).startsWith("of=")) : undefined;
	if (copied !== undefined && !words.some((word) => /^(seek|skip|conv|oflag)=/.test(beginning(word)))) {
		const from = words.findLast((word) => beginning(word).startsWith("if="));
		wrote(m, state, withoutFirst(copied, 3), from === undefined ? wholeInput(m) : fileOutput(m, state, withoutFirst(from, 3)), false);
	}
	if (tool !== "tee") return;
	const appends = words.some((word) => /^(-a|--append)$/.test(textOf(word) ?? ""));
	for (const word of words.slice(1)) if (!beginning(word).startsWith("-")) wrote(m, state, word, wholeInput(m), appends);
}
