// What tools hand to a shell or write because an option, a variable or a text says so: lines and files, a row for each tool.

import type { Bytes } from "../policy/bytes.ts";
import { sedEffects } from "../tools/sed-script.ts";
import type { Call } from "./call.ts";
import { consoles } from "./consoles.ts";
import { editors } from "./editors.ts";
import type { Output, Word } from "./reading.ts";
import { fileOutput, wholeInput } from "./redirections.ts";
import { scriptOf } from "./shells.ts";
import type { State } from "./state.ts";
import { runScript, subshell } from "./statements.ts";
import { readOptions } from "./unwrap.ts";
import { childOf } from "./variables.ts";
import { beginning, withoutFirst, wordOf } from "./words.ts";

/** What a call comes to beside itself. Texts have marks for what is not known in them. */
export interface Handed {
	/** Lines for a shell. */
	lines: Bytes[];
	/** Files that are written. */
	files?: Bytes[];
	/** What cannot be known, in words. */
	unclear?: string;
}

/** What is asked of a call. */
export interface Asked {
	/** The words behind the name. */
	words: readonly Word[];
	text(word: Word): Bytes;
	/** A text as a word. */
	word(text: Bytes): Word;
	/** What stands on standard input, or in a file that this line wrote; undefined where that is not known. */
	input(): Bytes | undefined;
	content(file: Word | undefined): Bytes | undefined;
}

export type Hands = (asked: Asked) => Handed | undefined;

/** Options whose value is a line, or a program that is run; the other options that take a value. */
const options =
	(lines: string, takes = ""): Hands =>
	({ words, text }) => {
		const names = lines.split(" ");
		const { given } = readOptions(words, `${lines} ${takes}`, true);
		return { lines: given.flatMap(({ name, value }) => (names.includes(name) && value ? [text(value)] : [])) };
	};

/** The same for options that are spelled as they stand. */
const exact =
	(lines: string): Hands =>
	({ words, text }) => {
		const names = lines.split(" ");
		return { lines: words.flatMap((word, k) => (k > 0 && names.includes(text(words[k - 1] as Word)) ? [text(word)] : [])) };
	};

/** ssh_config(5): settings whose value is a line for a shell. */
const SETTING = /^(Proxy|Local|KnownHosts)Command[ =]\s*/i;

const ssh: Hands = ({ words, text }) => {
	const { given } = readOptions(words, "-b -c -D -e -E -F -I -i -J -L -l -m -O -o -p -Q -R -S -W -w", false, 1);
	const values = given.flatMap(({ name, value }) => (name === "-o" && value && SETTING.test(beginning(value)) ? [value] : []));
	const log = given.find(({ name }) => name === "-E")?.value;
	// What it puts in for `%h` and its like is a host, a port or a user.
	const lines = values.map((value) =>
		text(withoutFirst(value, SETTING.exec(beginning(value))?.[0].length ?? 0)).replace(/%[a-zA-Z]/g, "x"),
	);
	return { lines, files: log === undefined ? [] : [text(log)] };
};

const both =
	(...all: readonly Hands[]): Hands =>
	(asked) => {
		const found = all.map((one) => one(asked));
		return { lines: found.flatMap((one) => one?.lines ?? []), files: found.flatMap((one) => one?.files ?? []) };
	};

/** A substitution of sed with the flag that runs what comes of it. */
const RUNS = /(?:^|[;{\n\d$/!,\s])s([^\w\s\\])((?:\\.|(?!\1)[^\\\n])*)\1((?:\\.|(?!\1)[^\\\n])*)\1[gpiImM\d]*e/g;

/** Its command that runs the line itself. */
const ITSELF = /(?:^|[;{\n\d$/!,\s])e\s*(?:[;}\n]|$)/;

const sed: Hands = ({ words, text, input }) => {
	const { given, rest } = readOptions(words, "-e --expression -f --file -l --line-length", true);
	const own = given.flatMap(({ name, value }) => (/^(-e|--expression)$/.test(name) && value ? [text(value)] : []));
	const isElsewhere = given.some(({ name }) => /^(-e|--expression|-f|--file)$/.test(name));
	const programs = isElsewhere || rest[0] === undefined ? own : [text(rest[0])];
	const found = programs.flatMap((each) => [...each.matchAll(RUNS)]);
	const runsLines = programs.some((each) => ITSELF.test(each.replace(RUNS, "")));
	// The whole line becomes a text that stands there.
	const lines = found.flatMap(([, , pattern, line = ""]) =>
		/^\^?\.\*\$?$/.test(pattern ?? "") && !/\\\d|(?<!\\)&/.test(line) ? [line.replace(/\\(.)/g, "$1")] : [],
	);
	// A command that stands behind `e` is the rest of its line.
	const behind = programs.flatMap((each) => sedEffects(each)?.lines.filter((line) => line !== "") ?? []);
	const fed = runsLines && rest.length < (isElsewhere ? 1 : 2) ? input() : undefined;
	const all = [...lines, ...behind, ...(fed?.split("\n") ?? [])];
	const isUnclear = lines.length < found.length || (runsLines && fed === undefined);
	return isUnclear ? { lines: all, unclear: "what sed hands to a shell" } : { lines: all };
};

const TAR_PROGRAMS = "-I -F --use-compress-program --info-script --new-volume-script --rmt-command --rsh-command --to-command";

/** tar(1): of the actions at a checkpoint one runs a line. */
const tar: Hands = (asked) => {
	const { given } = readOptions(asked.words, "--checkpoint-action", true);
	const actions = given.flatMap(({ name, value }) => (name === "--checkpoint-action" && value ? [asked.text(value)] : []));
	const lines = actions.filter((each) => each.startsWith("exec=")).map((each) => each.slice(5));
	return { lines: [...lines, ...(options(TAR_PROGRAMS, "-b -g -C -f -H -K -L -N -T -V -X")(asked)?.lines ?? [])] };
};

/** socat(1): an address is a keyword, its parameters and options behind commas. */
const ADDRESS = /^(\w[\w-]*):((?:[^,]|,(?![a-z][\w-]*(?:[=,]|$)))*)(.*)$/is;

const socat: Hands = ({ words, text }) => {
	const { given, rest } = readOptions(words, "-b -l -r -R -s -t -T", true);
	const gives = (option: string) => given.some(({ name }) => name === option);
	const found = { lines: [] as Bytes[], files: given.flatMap(({ name, value }) => (/^-[rR]$/.test(name) && value ? [text(value)] : [])) };
	for (const [k, word] of rest.entries()) {
		const [, keyword = "", parameter = "", more = ""] = ADDRESS.exec(text(word)) ?? [];
		const link = /,(?:link|symbolic-link)=([^,]+)/i.exec(more)?.[1];
		if (link !== undefined) found.files.push(link);
		// With -u what comes first is only read, with -U what comes second.
		const isRead = /,rdonly|,o-rdonly/i.test(more) || gives(k === 0 ? "-u" : "-U") || parameter.startsWith("/dev/");
		if (/^(exec|system|shell)$/i.test(keyword)) found.lines.push(parameter);
		else if (/^(creat|create|unix-listen|unix-l|unix-recv|unix-recvfrom)$/i.test(keyword)) found.files.push(parameter);
		else if (/^(open|file|gopen)$/i.test(keyword) && !isRead) found.files.push(parameter);
	}
	return found;
};

/** man(1), ssh(1), scp(1), rsync(1), coreutils, wget(1), zip(1). */
const HANDS: Readonly<Record<string, Hands>> = {
	...editors,
	...consoles,
	sed,
	gsed: sed,
	man: options("-P --pager", "-C -L -m -M -S -s -e -r -E -R -p"),
	split: options("--filter", "-a -b -C -l -n -t"),
	sort: options("--compress-program", "-k -t -S -T -o"),
	wget: options("--use-askpass"),
	rsync: options("-e --rsh", "-f -B -T -M --rsync-path --exclude --include --filter"),
	ssh,
	scp: both(options("-S", "-c -D -F -i -J -l -o -P -X"), ssh),
	sftp: both(options("-S", "-B -b -c -D -F -i -J -l -o -P -R -s -X"), ssh),
	zip: exact("-TT --unzip-command"),
	tar,
	gtar: tar,
	socat,
	ncat: options("-e --exec -c --sh-exec", "-o -x -p -s -w -m -i -g -G -d"),
	nc: options("-e -c", "-p -s -w -i -q -X -x -I -O -T -V"),
	netcat: options("-e -c", "-p -s -w -i -q -X -x -I -O -T -V"),
};

/** Whether a tool works on files as its commands say. */
export const isHandsOn = (tool: string): boolean => Object.hasOwn(editors, tool) || Object.hasOwn(consoles, tool);

/** Reads what a call hands over; nothing for most tools. */
export function handOver({ m, state, words }: Call, tool: string): void {
	const hands = Object.hasOwn(HANDS, tool) ? HANDS[tool] : undefined;
	if (hands === undefined) return;
	const text = (word: Word) => m.marked(word);
	const textIn = (output: Output) => {
		const script = scriptOf(output);
		return script && text(script);
	};
	const content = (file: Word | undefined) => (file === undefined ? undefined : textIn(fileOutput(m, state, file)));
	const word = (each: Bytes) => wordOf(m.unmarkedPieces(each));
	const asked: Asked = { words: words.slice(1), text, word, input: () => textIn(wholeInput(m)), content };
	const { lines = [], files = [], unclear } = hands(asked) ?? {};
	if (unclear !== undefined) m.unclear(unclear);
	const source = m.source;
	for (const file of files) {
		const target = word(file);
		m.emit({ kind: "redirect", operator: ">", target, writes: true, source, ...m.course(state) });
	}
	const input = { output: { kind: "unknown" } as const, lines: undefined, taken: 0 };
	for (const line of lines) {
		m.within({ via: [...m.via, tool], env: [], active: [], input }, () =>
			m.perhaps(true, () => void subshell(m, childOf(m, state), (inner: State) => runScript(m, word(line), inner))),
		);
	}
}
