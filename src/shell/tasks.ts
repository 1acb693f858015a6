// What runners of tasks run by a file that the command line itself wrote or holds: make, just, npm and their like.

import type { Bytes } from "../policy/bytes.ts";
import type { Call } from "./call.ts";
import { moved } from "./directories.ts";
import { justRecipes, readMakefile, recipesOf } from "./makefiles.ts";
import { keptAt } from "./places.ts";
import type { Word } from "./reading.ts";
import { fileOutput, wholeInput } from "./redirections.ts";
import { scriptOf } from "./shells.ts";
import type { State } from "./state.ts";
import { runScript, subshell } from "./statements.ts";
import { readOptions } from "./unwrap.ts";
import { childOf, held } from "./variables.ts";
import { known, shown, textOf, unknown, wordOf } from "./words.ts";

/** The lines of a task, and where they run. */
interface Tasks {
	lines: Bytes[];
	state: State;
}

/** The text of a file that this line wrote or feeds in, with marks for what is not known of it. */
function contentIn({ m }: Call, state: State, file: Word): Bytes | undefined {
	const isFed = /^(-|\/dev\/stdin|\/dev\/fd\/0|\/proc\/self\/fd\/0)$/.test(textOf(file) ?? "");
	if (!isFed && keptAt(m.world.files, state, textOf(file)) === undefined) return undefined;
	const script = scriptOf(isFed ? wholeInput(m) : fileOutput(m, state, file));
	if (script === undefined) m.unclear("tasks that are not known", shown(file));
	return script && m.marked(script);
}

/** The first of these files that this line wrote. */
function firstOf(call: Call, state: State, names: string): Bytes | undefined {
	for (const name of names.split(" ")) {
		const text = contentIn(call, state, known(name));
		if (text !== undefined) return text;
	}
	return undefined;
}

const MAKE_TAKES = "-f --file --makefile -C --directory -I --include-dir -o --old-file -W --what-if -E --eval";

function make(call: Call): Tasks | undefined {
	const { m, words } = call;
	const { given, rest } = readOptions(words.slice(1), MAKE_TAKES, true);
	const has = (pattern: RegExp) => given.some(({ name }) => pattern.test(name));
	if (has(/^(-n|--just-print|--dry-run|--recon|-q|--question|-t|--touch|--help|-h|-v|--version)$/)) return undefined;
	const valuesOf = (pattern: RegExp) => given.flatMap(({ name, value }) => (pattern.test(name) && value ? [value] : []));
	const state = call.state.fork();
	for (const directory of valuesOf(/^(-C|--directory)$/)) state.cwd = moved(m, state, directory);
	const files = valuesOf(/^(-f|--file|--makefile)$/);
	const read =
		files.length > 0 ? files.map((file) => contentIn(call, state, file)) : [firstOf(call, state, "GNUmakefile makefile Makefile")];
	const included = read.flatMap((text) =>
		[...(text ?? "").matchAll(/^-?s?include[ \t]+(.*)$/gm)].flatMap(([, names = ""]) => names.trim().split(/\s+/)),
	);
	read.push(...included.map((name) => contentIn(call, state, known(name))));
	const texts = [...valuesOf(/^(-E|--eval)$/).map((word) => m.marked(word)), ...read.filter((text) => text !== undefined)];
	if (texts.length === 0) return undefined;
	const operands = rest.map((word) => m.marked(word));
	const variables = new Map(
		operands.flatMap((text) => (/^[\w.]+:?=/.test(text) ? [[text.replace(/:?=.*$/s, ""), text.replace(/^[^=]*=/, "")] as const] : [])),
	);
	const outer = (name: Bytes): Bytes | undefined => {
		const value = /^\w+$/.test(name) ? held(m, state, name) : undefined;
		if (value?.kind !== "word" || value.word.pieces.some((piece) => typeof piece !== "string" && piece.unset)) return undefined;
		return m.marked(value.word);
	};
	const goals = operands.filter((text) => !text.includes("=") && !/^\d+$/.test(text));
	const hole = (source: Bytes) => m.marked(unknown(source, { contained: true }));
	return { lines: recipesOf(readMakefile(texts.join("\n"), variables, outer), goals, outer, hole), state };
}

function just(call: Call): Tasks | undefined {
	const { given, rest } = readOptions(call.words.slice(1), "-f --justfile -d --working-directory --set --shell", true);
	if (given.some(({ name }) => /^(-n|--dry-run|-l|--list|--summary|-s|--show|--dump)$/.test(name))) return undefined;
	const file = given.find(({ name }) => /^(-f|--justfile)$/.test(name))?.value;
	const text = file ? contentIn(call, call.state, file) : firstOf(call, call.state, "justfile Justfile .justfile");
	if (text === undefined) return undefined;
	const hole = (source: Bytes) => call.m.marked(unknown(source, { contained: true }));
	return { lines: justRecipes(text, rest.map((word) => textOf(word) ?? "").slice(0, 1), hole), state: call.state };
}

/** Scripts that npm and its like run without `run` in front, or beside it (npm-scripts(7)). */
const SHORT = /^(test|tst|t|start|stop|restart)$/;
const INSTALLS = /^(install|i|ci|add)$/;

/** The scripts of a package.json by the words of npm, yarn, pnpm and bun. */
function scripts(call: Call, tool: string): Tasks | undefined {
	const text = firstOf(call, call.state, "package.json");
	if (text === undefined) return undefined;
	const { rest } = readOptions(call.words.slice(1), "-w --workspace --prefix -C --dir -F --filter --cwd", true);
	const [verb = "", next = ""] = rest.map((word) => textOf(word) ?? "");
	const runs = /^(run|run-script|rum|urn)$/.test(verb);
	const name = runs ? next : SHORT.test(verb) ? verb.replace(/^(t|tst)$/, "test") : tool === "npm" ? "" : verb;
	const names =
		INSTALLS.test(verb) || (tool === "yarn" && verb === "")
			? ["preinstall", "install", "postinstall", "prepare"]
			: [`pre${name}`, name, `post${name}`];
	let found: unknown;
	try {
		found = (JSON.parse(text) as { scripts?: unknown } | null)?.scripts;
	} catch {
		call.m.unclear("a package.json that cannot be read");
	}
	const all = typeof found === "object" && found !== null ? (found as Record<string, unknown>) : {};
	const lines = names.flatMap((each) => (Object.hasOwn(all, each) && typeof all[each] === "string" ? [all[each]] : []));
	return { lines, state: call.state };
}

/** Files of tasks in languages that are not read. */
const NAMED: Readonly<Record<string, string>> = {
	rake: "Rakefile rakefile Rakefile.rb",
	task: "Taskfile.yml Taskfile.yaml",
	invoke: "tasks.py",
	inv: "tasks.py",
	tox: "tox.ini",
	nox: "noxfile.py",
	gulp: "gulpfile.js",
	grunt: "Gruntfile.js",
	ant: "build.xml",
	scons: "SConstruct",
	ninja: "build.ninja",
	foreman: "Procfile",
};

function tasksOf(call: Call, tool: string): Tasks | undefined {
	if (/^(make|gmake|bmake)$/.test(tool)) return make(call);
	if (tool === "just") return just(call);
	if (/^(npm|yarn|pnpm|bun)$/.test(tool)) return scripts(call, tool);
	const files = Object.hasOwn(NAMED, tool) ? NAMED[tool] : undefined;
	if (files !== undefined && firstOf(call, call.state, files) !== undefined)
		call.m.unclear(`tasks of ${tool} that this command line wrote`, tool);
	return undefined;
}

/** Reads the lines of tasks, each in a shell of its own. */
export function runTasks(call: Call, tool: string): void {
	const { m } = call;
	if (m.world.files.size === 0 && !/make$/.test(tool)) return;
	const tasks = tasksOf(call, tool);
	if (tasks === undefined) return;
	const input = { output: { kind: "unknown" } as const, lines: undefined, taken: 0 };
	for (const line of tasks.lines) {
		const word = wordOf(m.unmarkedPieces(line));
		m.within({ via: [...m.via, tool], env: [], active: [], input }, () =>
			m.perhaps(true, () => void subshell(m, childOf(m, tasks.state), (inner) => runScript(m, word, inner))),
		);
	}
}
