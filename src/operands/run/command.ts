// What a command acts on, whoever runs it: a reader acts on nothing, a guarded tool is read by its own reader, a script by its commands.

import { type Bytes, quote } from "../../policy/bytes.ts";
import { type Operand, operandsOf } from "../../policy/call.ts";
import { baseOf } from "../../policy/resolve.ts";
import { programOf } from "../../tools/programs.ts";
import { namesOutputs, outputsOf } from "../outputs/effects.ts";
import { scriptActs } from "../script/shell.ts";
import { scriptOperands } from "../script.ts";
import { type Act, actOf, type Site, within } from "./act.ts";
import { awk, type Effects, perl, sed } from "./editors.ts";
import { isKnownProgram, type Manner, mannerOf, onlyReads } from "./known.ts";
import { namedPaths, pathsInText } from "./named-paths.ts";
import { toolReader } from "./tools.ts";
import { unwrapped } from "./wrapper.ts";

/** How many commands may stand around one another before no more is looked for in them. */
const DEEPEST = 12;

const SHELLS = ["sh", "bash", "dash", "zsh", "ksh", "ash", "mksh", "rbash"];

/** The reader of a tool: the guardfile's own where it has one. */
const readerFor = (tool: string, { readerOf }: Site) => readerOf(tool) ?? toolReader(tool);

/** A word as what a command that nobody knows may do to it. */
const written = (text: Bytes, note: string): Operand => ({ text, role: "written", leaf: "both", note });

/** How a shell reads its options (sh of POSIX, bash(1)): where the first other word stands, and whether it is a script. */
function shellWords(words: readonly Bytes[]): { at: number; script: boolean } {
	let script = false;
	let at = 1;
	for (; /^[-+]/.test(words[at] ?? ""); at++) {
		const word = words[at] as Bytes;
		if (word === "--" || word === "-") return { at: at + 1, script };
		if (word.startsWith("--")) {
			if (/^--(rcfile|init-file|emulate)$/.test(word)) at++;
			continue;
		}
		if (word.startsWith("-") && word.includes("c")) script = true;
		// Each -o and -O of a bundle takes a word of its own.
		at += [...word].filter((letter) => letter === "o" || letter === "O").length;
	}
	return { at, script };
}

/** A shell: the commands of its script, or a script in a file, which nobody knows. */
function shell(words: readonly Bytes[], site: Site): Act[] {
	const { at, script } = shellWords(words);
	const text = words[at];
	if (text === undefined) return [];
	const rest = words.slice(at + 1);
	if (!script) return [actOf(words, named(baseOf(words[0] ?? ""), rest, site), site)];
	const acts = scriptActs(text, rest.length > 0 ? rest : ["sh"], site, commandActs);
	if (acts !== undefined) return acts;
	const found = scriptOperands(site.call, text, site.look, undefined, "both");
	return [actOf(words, [...found, ...named("sh", rest, site)], site)];
}

/** What words name for a command that nobody knows. */
function named(name: Bytes, words: readonly Bytes[], { call, look }: Site): Operand[] {
	return namedPaths(words, call.env("HOME"), look).map((text) => written(text, `named to ${quote(name)}`));
}

/** The same without the file that it is handed: called with one by somebody, it would not be asked what it does with it either. */
const namedElse = (name: Bytes, words: readonly Bytes[], site: Site): Operand[] =>
	named(
		name,
		words.filter((word) => word !== site.handed),
		site,
	);

/** An operand of a reader that was called for another command. */
const noted = (operand: Operand, words: readonly Bytes[]): Operand => {
	// What an earlier operand makes is known only for words that stand there, not for what stands for them.
	const { after, ...rest } = operand;
	return { ...rest, note: `run by find: ${quote(baseOf(words[0] ?? ""))}` };
};

/** The command that a wrapper runs, and the files of the wrapper's own. */
function wrapped(words: readonly Bytes[], site: Site): Act[] | undefined {
	const inner = unwrapped(words);
	if (inner === undefined) return undefined;
	const look = inner.chdir === undefined ? site.look : site.look.from(site.look.directory(inner.chdir));
	const there = within(site, look, inner.variables);
	const made = inner.made.filter((text) => site.look.kind(text, true) === undefined);
	const own = [...inner.written, ...made].map((text) => noted(written(text, ""), words));
	const lines = inner.lines.flatMap((line) => shell(["sh", "-c", line], there));
	return [...(own.length > 0 ? [actOf(words, own, site)] : []), ...lines, ...commandActs(inner.words, there)];
}

const isAmong = (list: string | undefined, word: Bytes) => ` ${list} `.includes(` ${word} `);

/** A command with a manner of its own: which of its words are read, and which written. */
function mannered(words: readonly Bytes[], { reads, writes, operands, text, instead, makes }: Manner, site: Site): Act[] {
	const { call, look } = site;
	const name = baseOf(words[0] ?? "");
	const elsewhere = words.some(
		(word) => word.startsWith("-") && (/^(-E|-M|-MM|-fsyntax-only|--version|-v)$/.test(word) || isAmong(writes, word)),
	);
	const found: Operand[] = makes && !elsewhere ? [{ ...written(".", `run by find: ${quote(name)}`), role: "into" }] : [];
	let first = operands === "first-read";
	let flags = true;
	for (let k = 1; k < words.length; k++) {
		const word = words[k] as Bytes;
		if (!flags || !/^-./.test(word)) {
			if (operands === "written" || (operands === "first-read" && !first)) found.push(...named(name, [word], site));
			// Behind its script all words are the script's own.
			if (operands === "first-read") flags = false;
			first = false;
		} else if (isAmong(text, word) || (/^-\w+$/.test(word) && isAmong(text, `-${word.at(-1)}`))) {
			found.push(...pathsInText(words[++k] ?? "", call.env("HOME"), look).map((path) => written(path, `named to ${quote(name)}`)));
			first = false;
		} else if (isAmong(instead, word)) {
			k++;
			first = false;
			flags = false;
		} else if (isAmong(reads, word)) k++;
		else if (isAmong(writes, word)) found.push(written(words[++k] ?? "", `run by find: ${quote(name)}`));
		else {
			const glued = ` ${writes} `.includes(` ${word.slice(0, 2)} `) || /^--?[\w-]+=/.test(word);
			const known = reads.split(" ").some((option) => option !== "" && word.startsWith(option));
			if (glued && !known) found.push(...named(name, [word], site));
		}
	}
	return [actOf(words, found, site)];
}

const EDITORS: Readonly<Record<string, (words: readonly Bytes[], site: Site) => Effects | undefined>> = {
	sed: (words, { call, look }) => sed({ ...call, tool: "sed", argv: [...words], cwd: look.cwd }, look),
	awk: (words, { call, look }) => awk({ ...call, tool: "awk", argv: [...words], cwd: look.cwd }, look),
	perl: (words) => perl(words),
};
const PROGRAMS = ["awk", "gawk", "mawk", "nawk", "perl"];
const OTHER_NAMES: Readonly<Record<string, string>> = { gsed: "sed", gawk: "awk", mawk: "awk", nawk: "awk" };

/** sed, awk and perl. */
function edited(words: readonly Bytes[], site: Site): Act[] | undefined {
	const name = baseOf(words[0] ?? "");
	const effects = EDITORS[OTHER_NAMES[name] ?? name]?.(words, site);
	if (effects === undefined) return undefined;
	const lines = effects.lines.flatMap((line) => shell(["sh", "-c", line], site));
	return [
		actOf(
			words,
			effects.operands.map((operand) => noted(operand, words)),
			site,
		),
		...lines,
	];
}

/** An interpreter: what a program of it does that only looks, or one in a file, is not asked of what it is handed. */
function interpreted(words: readonly Bytes[], site: Site): Act[] | undefined {
	const name = baseOf(words[0] ?? "");
	const program = programOf(name, words.slice(1));
	if (program === undefined || program.texts.some((text) => program.changes(text))) return undefined;
	const own = outputsOf(words).map((operand) => noted(operand, words));
	return [actOf(words, [...own, ...(program.texts.length > 0 ? [] : namedElse(name, words.slice((program.file ?? 0) + 2), site))], site)];
}

/** A tool that names plainly what it writes. */
const outputs = (words: readonly Bytes[], site: Site): Act[] => [
	actOf(
		words,
		outputsOf(words).map((operand) => noted(operand, words)),
		site,
	),
];

/** A command that nobody knows: it may act on each path that is named to it, and run what stands in its words. */
function unknown(words: readonly Bytes[], site: Site): Act[] {
	const name = baseOf(words[0] ?? "");
	const runs = (word: Bytes) => SHELLS.includes(baseOf(word)) || readerFor(word, site) !== undefined || namesOutputs(word);
	const tail = words.findIndex((word, k) => k > 0 && runs(word));
	// `git rm` and `docker cp` have words that are tools elsewhere.
	const inner =
		tail > 0 && (isKnownProgram(words[tail] as Bytes) || words[tail]?.includes("/")) ? commandActs(words.slice(tail), site) : [];
	return [actOf(words, named(name, words.slice(1), site), site), ...inner];
}

/** What a command acts on, and what the commands act on that it runs. */
export function commandActs(words: readonly Bytes[], site: Site): Act[] {
	const [command = ""] = words;
	if (command === "" || onlyReads(words)) return [];
	if (site.depth > DEEPEST) return [actOf(words, named(command, words.slice(1), site), site)];
	const name = baseOf(command);
	const inside = within(site, site.look);
	// Their readers leave alone what a program of theirs might do; who runs them for each of many files is asked for more.
	const reader = PROGRAMS.includes(name) ? undefined : readerFor(name, site);
	if (reader) {
		const call = { ...site.call, tool: name, argv: [...words], cwd: site.look.cwd };
		const read = operandsOf(reader.read(call, site.look, site.readerOf));
		return [
			actOf(
				words,
				read.map((operand) => noted(operand, words)),
				site,
			),
		];
	}
	if (SHELLS.includes(name)) return shell(words, inside);
	const other = wrapped(words, inside) ?? edited(words, inside) ?? interpreted(words, inside);
	if (other !== undefined) return other;
	const manner = mannerOf(name);
	if (manner !== undefined) return mannered(words, manner, inside);
	return namesOutputs(name) ? outputs(words, inside) : unknown(words, inside);
}
