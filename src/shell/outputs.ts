// What commands print: known text, lines with holes, or nothing that is known.

import type { Bytes } from "../policy/bytes.ts";
import { baseOf } from "../policy/resolve.ts";
import type { Call } from "./call.ts";
import { find } from "./found.ts";
import { gitPrints } from "./git-outputs.ts";
import { printing } from "./grep-lines.ts";
import { programIn } from "./invoke.ts";
import { mktemp } from "./mktemp.ts";
import { absolutes } from "./places.ts";
import { echoed, printed } from "./printf.ts";
import type { Hole, Output, Word } from "./reading.ts";
import { fileOutput, wholeInput } from "./redirections.ts";
import { cutLine, substituted, translated } from "./text-filters.ts";
import { held } from "./variables.ts";
import { listed, spared } from "./vital.ts";
import { beginning, known, linesOf, textOf, unknown, withoutFirst, wordOf } from "./words.ts";

const UNKNOWN: Output = { kind: "unknown" };
const text = (word: Word | undefined): Output => (word === undefined ? UNKNOWN : { kind: "text", word });
const line = (word: Word): Output => ({ kind: "text", word: wordOf([...word.pieces, "\n"]) });
const isOption = (word: Word) => /^-./s.test(beginning(word));

/** Prints a path with one known operand changed by a function. */
const onePath =
	(change: (path: Bytes) => Bytes) =>
	(call: Call): Output => {
		const operands = call.words.slice(1).filter((word) => textOf(word) !== "--");
		const path = operands.length === 1 ? textOf(operands[0]) : undefined;
		return path === undefined || path.startsWith("-") || path === "" ? UNKNOWN : line(known(change(path)));
	};

function parent(path: Bytes): Bytes {
	const trimmed = path.replace(/(?<=.)\/+$/s, "");
	const slash = trimmed.lastIndexOf("/");
	if (slash < 0) return ".";
	return trimmed.slice(0, slash).replace(/(?<=.)\/+$/s, "") || "/";
}

function basename(call: Call): Output {
	const operands = call.words.slice(1);
	const [path, suffix] = operands.map((word) => textOf(word));
	if (path === undefined || path === "" || operands.length > 2 || path.startsWith("-") || (operands.length === 2 && suffix === undefined))
		return UNKNOWN;
	const base = baseOf(path);
	return line(known(suffix && base !== suffix && base.endsWith(suffix) ? base.slice(0, -suffix.length) : base));
}

function cat({ m, state, words }: Call): Output {
	const operands = words.slice(1).filter((word) => textOf(word) !== "-u");
	if (operands.length === 0) return wholeInput(m);
	let pieces: Word["pieces"] = [];
	for (const operand of operands) {
		if (isOption(operand)) return UNKNOWN;
		const output = textOf(operand) === "-" ? wholeInput(m) : (programIn(operand) ?? fileOutput(m, state, operand));
		if (output.kind === "names" && operands.length === 1) return output;
		if (output.kind !== "text") return UNKNOWN;
		pieces = [...pieces, ...output.word.pieces];
	}
	return text(wordOf(pieces));
}

function pwd({ m, state, words }: Call): Output {
	const directory = held(m, state, "PWD");
	if (directory.kind !== "word") return UNKNOWN;
	const path = textOf(directory.word);
	if (words.length === 1 || textOf(words[1]) === "-L") return line(directory.word);
	const real = path === undefined ? undefined : m.around.files.real(path, true);
	return real ? line(known(real)) : UNKNOWN;
}

/** realpath and readlink -f of what is there. */
function realpath({ m, state, words }: Call): Output {
	const operands = words.slice(1).filter((word) => !isOption(word));
	const follows = textOf(words[0]) === "realpath" || words.some((word) => /^-[a-z]*[fe]|^--canonicalize/.test(textOf(word) ?? ""));
	const paths = operands.length === 1 ? absolutes(state, textOf(operands[0])) : [];
	const strange = words.some((word) => /^(--relative|-s|-z|--zero|--strip)/.test(textOf(word) ?? ""));
	if (!follows || strange || paths.length !== 1 || m.world.made) return UNKNOWN;
	const real = m.around.files.real(paths[0] as Bytes, false);
	return real ? line(known(real)) : UNKNOWN;
}

/** ls DIR prints names; ls of files prints them as they were given. */
function ls(call: Call): Output {
	const { m, state, words } = call;
	if (words.slice(1).some((word) => /^-[a-zA-Z]*[lsiFpRmQb]/.test(textOf(word) ?? "") || /^--/.test(textOf(word) ?? ""))) return UNKNOWN;
	const operands = words.slice(1).filter((word) => !isOption(word));
	const directory = words.some((word) => /^-[a-zA-Z]*d/.test(textOf(word) ?? ""));
	const name = unknown("(a name that ls prints)", { contained: true });
	const hidden = words.some((word) => /^-[a-zA-Z]*[aA]/.test(textOf(word) ?? ""));
	const inside = (text: Bytes | undefined) => (text === undefined || directory ? [] : listed(call, text, hidden));
	if (operands.length === 0) return { kind: "names", names: [name, ...inside(".")], separator: "\n" };
	const files = operands.filter((operand) => {
		const last = operand.pieces.at(-1);
		if (typeof last !== "string") return last?.contained === true || directory;
		return directory || absolutes(state, textOf(operand)).every((path) => m.around.files.kind(path, true) !== "directory");
	});
	const entries = operands.flatMap((operand) => (files.includes(operand) ? [] : inside(textOf(operand))));
	return { kind: "names", names: files.length === operands.length ? files : [...files, name, ...entries], separator: "\n" };
}

function seq({ words }: Call): Output {
	const numbers = words.slice(1).map((word) => textOf(word));
	if (numbers.length < 1 || numbers.length > 3 || !numbers.every((each) => each !== undefined && /^-?\d{1,6}$/.test(each))) {
		return { kind: "names", names: [unknown("(a number)", { contained: true })], separator: "\n" };
	}
	const values = numbers.map(Number);
	const [first, step, last] = values.length === 1 ? [1, 1, values[0]] : values.length === 2 ? [values[0], 1, values[1]] : values;
	const all: number[] = [];
	const [from, by, to] = [first as number, step as number, last as number];
	for (let at = from; by > 0 ? at <= to : by < 0 && at >= to; at += by)
		if (all.push(at) > 200) return { kind: "names", names: [unknown("(a number)", { contained: true })], separator: "\n" };
	return text(known(all.map((each) => `${each}\n`).join("")));
}

/** Whether a filter prints every line that comes, or one like it. */
const keepsAll = (words: readonly Word[]) =>
	/^(sort|tac)$/.test(textOf(words[0]) ?? "") || (/^(uniq|shuf)$/.test(textOf(words[0]) ?? "") && words.length === 1);

/** A filter that prints some of its lines, in some order. @param takes its options whose value is the next word */
function someLines(files: number, takes = "") {
	return (call: Call): Output => {
		const { m, words } = call;
		const valued = takes.split(" ");
		const rest = words.slice(1).filter((_, k) => !valued.includes(textOf(words[k]) ?? "") || k === 0);
		const operands = rest.filter((word) => !isOption(word) && !/^\+\d/.test(beginning(word)));
		const strange = words.some((word) => /^-[a-zA-Z]*[coblnHz]$|^--(count|only|byte|line-number|null)/.test(textOf(word) ?? ""));
		const input = wholeInput(m);
		if (strange && textOf(words[0])?.includes("grep")) return UNKNOWN;
		if (words.some((word) => /^(-[a-zA-Z]*[cz]\d*|--bytes.*|--zero-terminated)$/.test(textOf(word) ?? "")) && takes.includes("-n"))
			return UNKNOWN;
		if (operands.length > files || input.kind === "unknown") return UNKNOWN;
		if (input.kind === "names") return keepsAll(words) ? input : { ...input, names: spared(call, input.names) };
		return { kind: "names", names: linesOf(input.word), separator: "\n" };
	};
}

/** head -N and head -n N: the first lines of a text; of names, some. */
function head(call: Call): Output {
	const input = wholeInput(call.m);
	const count = /^(?:-n ?|-)(\d+)$/.exec(plain(call.words.slice(1)).join(" "))?.[1];
	if (count === undefined || input.kind !== "text") return someLines(0, "-n --lines")(call);
	const lines = linesOf(input.word).slice(0, Number(count));
	return text(wordOf(lines.flatMap(({ pieces }) => [...pieces, "\n"])));
}

/** base64 -d: what was hidden from nobody. */
function base64(call: Call): Output {
	const input = wholeInput(call.m);
	const whole = input.kind === "text" ? textOf(input.word) : undefined;
	const decodes = /^(-d|-D|--decode)$/.test(plain(call.words.slice(1)).join(" "));
	const coded = whole?.replace(/\s+/g, "") ?? "";
	const isCode = coded.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(coded);
	return decodes && isCode ? text(known(atob(coded))) : UNKNOWN;
}

/** Options of grep and rg whose value is the next word (their manuals). */
const GREP_TAKES = "-e -f -A -B -C -m -d -D -g -t -T --include --exclude --exclude-dir --glob --type".split(" ");

/** The names that a plain pattern lets through. */
function matchingNames({ m, words }: Call): Output | undefined {
	const input = wholeInput(m);
	if (input.kind !== "names") return undefined;
	const prints = printing(plain(words.slice(1)));
	return prints && { ...input, names: input.names.filter((name) => prints(textOf(name) ?? "") || textOf(name) === undefined) };
}

/** grep -l and rg -l: names of files that were given, or that lie below what was given. */
function grep(call: Call): Output {
	const { m, state, words } = call;
	const given = (pattern: RegExp) => words.slice(1).some((word) => pattern.test(textOf(word) ?? ""));
	if (!given(/^(-(?![tg])[a-zA-Z]*[lL][a-zA-Z]*|--files-with(out)?-match(es)?)$/)) return matchingNames(call) ?? someLines(1)(call);
	if (given(/^(-(?![tg])[a-zA-Z]*[efz][a-zA-Z]*|--(regexp|file|files|null-data).*)$/)) return UNKNOWN;
	const descends = textOf(words[0])?.endsWith("rg") || given(/^(-(?![tg])[a-zA-Z]*[rR][a-zA-Z]*|--(dereference-)?recursive)$/);
	const operands = words.slice(1).filter((word, k) => !isOption(word) && !GREP_TAKES.includes(textOf(words[k]) ?? ""));
	const [, ...files] = operands;
	const hole: Hole = { source: "(a name that grep prints)", contained: true };
	const names = files.flatMap((file): Word[] => {
		if (!descends) return [file];
		const below = wordOf([...file.pieces, textOf(file)?.endsWith("/") ? "" : "/", hole]);
		const paths = absolutes(state, textOf(file));
		return paths.length > 0 && paths.every((path) => m.around.files.kind(path, true) === "directory") ? [below] : [file, below];
	});
	const separator = given(/^(-[a-zA-Z]*Z[a-zA-Z]*|--null|-0)$/) ? "\0" : "\n";
	return { kind: "names", names: names.length > 0 ? names : [wordOf([hole])], separator };
}

/** awk '{print $N}' (POSIX awk): one field of each line. */
function awk(call: Call): Output {
	const words = plain(call.words.slice(1));
	const found = /^(?:-F ?([^ \\]) )?\{ ?print \$([1-9]\d?);? ?\}$/.exec(words.join(" "));
	if (found === null) return UNKNOWN;
	const [, separator, field] = found;
	const at = Number(field) - 1;
	return eachLine(call, (each) => (separator === undefined ? each.trim().split(/[ \t]+/) : each.split(separator))[at] ?? "");
}

/** One line that is a number or a name, and no path out. */
const contained = ({ m }: Call): Output => ({ kind: "text", word: wordOf([{ source: `$(${m.source})`, contained: true }, "\n"]) });

/** Each line of the input changed by a function; undefined from it when that is not exact. */
function eachLine({ m }: Call, change: (line: Bytes) => Bytes | undefined): Output {
	const input = wholeInput(m);
	if (input.kind !== "text" || textOf(input.word) === undefined) return UNKNOWN;
	const lines = linesOf(input.word).map((each) => change(textOf(each) as Bytes));
	m.step(lines.length);
	return lines.some((each) => each === undefined) ? UNKNOWN : text(known(lines.map((each) => `${each}\n`).join("")));
}

const plain = (words: readonly Word[]) => words.map((word) => textOf(word));

/** cut -d SEPARATOR -f N (POSIX cut). */
function cut(call: Call): Output {
	const found = /^(?:-d ?(.) -f ?(\d+)|-f ?(\d+) -d ?(.))$/s.exec(plain(call.words.slice(1)).join(" "));
	if (found === null) return UNKNOWN;
	const [, before, first, second, behind] = found;
	return eachLine(call, (each) => cutLine(each, (before ?? behind) as string, Number(first ?? second)));
}

/** tr SET1 SET2, tr -d SET1. */
function tr(call: Call): Output {
	const input = wholeInput(call.m);
	const whole = input.kind === "text" ? textOf(input.word) : undefined;
	const result = whole === undefined ? undefined : translated(plain(call.words.slice(1)), whole);
	return result === undefined ? UNKNOWN : text(known(result));
}

/** Names whose known beginning sed changes at ^; what they end in is kept. */
function namesBegunAnew({ names, separator }: Output & { kind: "names" }, script: Bytes): Output {
	const changed = names.map((name) => {
		const start = beginning(name);
		const begun = /^s.\^/.test(script) && !/\$.|g$/.test(script.slice(2)) ? substituted(script, `${start}\0`) : undefined;
		return begun?.endsWith("\0") ? wordOf([begun.slice(0, -1), ...withoutFirst(name, start.length).pieces]) : undefined;
	});
	return separator === "\n" && changed.every((word) => word !== undefined) ? { kind: "names", names: changed, separator } : UNKNOWN;
}

/** sed with one s command. */
function sed(call: Call): Output {
	const words = plain(call.words.slice(1));
	const script = words.length === 1 ? words[0] : words.length === 2 && words[0] === "-e" ? words[1] : undefined;
	if (script === undefined) return UNKNOWN;
	const input = wholeInput(call.m);
	return input.kind === "names" ? namesBegunAnew(input, script) : eachLine(call, (each) => substituted(script, each));
}

/** uname says what system this is: the one that the hook runs on. */
function uname(call: Call): Output {
	const words = plain(call.words.slice(1));
	const isName = words.length === 0 || (words.length === 1 && (words[0] === "-s" || words[0] === "--kernel-name"));
	const { system } = call.m.around;
	return isName && system !== undefined ? line(known(system)) : contained(call);
}

function date(call: Call): Output {
	const format = call.words.slice(1).find((word) => beginning(word).startsWith("+"));
	const shape = format === undefined ? "" : (textOf(format) ?? "/");
	return /^\+?\/|\.\./.test(shape) ? UNKNOWN : contained(call);
}

const PRINTS: Readonly<Record<string, (call: Call) => Output>> = {
	echo: ({ words }) => text(echoed(words.slice(1))),
	printf: ({ words }) => text(printed(words.slice(1))),
	cat,
	pwd,
	find,
	ls,
	seq,
	mktemp,
	basename,
	realpath,
	readlink: realpath,
	dirname: onePath(parent),
	tee: ({ m }) => wholeInput(m),
	sort: someLines(0, "-k -t -S --key --field-separator"),
	uniq: someLines(0, "-f -s -w"),
	head,
	tail: someLines(0, "-n --lines"),
	cut,
	tr,
	sed,
	base64,
	rev: (call) => eachLine(call, (each) => (/[\x80-\xff]/.test(each) ? undefined : [...each].reverse().join(""))),
	tac: someLines(0),
	shuf: someLines(0),
	grep,
	egrep: grep,
	fgrep: grep,
	rg: grep,
	awk,
	git: (call) => {
		const found = gitPrints(call);
		return found === undefined ? UNKNOWN : "name" in found ? contained(call) : line(known(found.text));
	},
	date,
	id: contained,
	whoami: contained,
	hostname: contained,
	uname,
	nproc: contained,
	uuidgen: contained,
};

const SILENT = new Set("true false : rm rmdir mkdir mv cp ln touch chmod chown test [ kill sleep truncate unlink shred install".split(" "));

/** What a tool prints. */
export function printedBy(call: Call): Output {
	const name = baseOf(textOf(call.words[0]) ?? "");
	const prints = Object.hasOwn(PRINTS, name) ? PRINTS[name] : undefined;
	if (prints !== undefined) return prints(call);
	const speaks = call.words.some((word) => /^(-[a-zA-Z]*v|--verbose|--help|--version|--debug)/.test(textOf(word) ?? ""));
	return SILENT.has(name) && !speaks ? text(known("")) : UNKNOWN;
}
