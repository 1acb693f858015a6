// Commands that run another one: what `env A=b nice -n5 rm x` runs is `rm x`.

import type { Bytes } from "../policy/bytes.ts";
import { baseOf } from "../policy/resolve.ts";
import { parseScript } from "./script-syntax.ts";
import { fieldsOf } from "./script-words.ts";

/** What a wrapper reads before the command that it runs. Options are spelled as they stand, `-o` or `--option`. */
interface Wrapper {
	/** Options that take the next word. */
	takes?: string;
	/** Of these, the ones whose value is a shell command line, a directory to go to, or a file that is written. */
	line?: string;
	chdir?: string;
	writes?: string;
	/** Options with which it runs no command, or one that cannot be told. */
	opaque?: RegExp;
	/** How many operands of its own stand before the command; the first is a file that it makes where `makes` says so. */
	operands?: number;
	makes?: boolean;
	/** Whether the rest is put together and given to a shell. */
	joins?: boolean;
	/** Whether what follows its operands is a command at all; for some, only an option gives one. */
	lineOnly?: boolean;
}

/** coreutils, util-linux, bash, sudo(8), procps, moreutils, findutils, GNU parallel, strace, and what is used like them. */
const WRAPPERS: readonly [names: string, wrapper: Wrapper][] = [
	["env", { takes: "-u --unset -a --argv0 -C --chdir -S --split-string", chdir: "-C --chdir", line: "-S --split-string" }],
	["nice", { takes: "-n --adjustment" }],
	["nohup setsid chronic unbuffer nocache eatmydata builtin busybox toybox ccache distcc torsocks tsocks proxychains proxychains4", {}],
	["dbus-run-session ssh-agent linux32 linux64 i386 x86_64 rlwrap winpty arch", {}],
	["command", { opaque: /^-[pvV]*[vV]/ }],
	["exec", { takes: "-a" }],
	["time", { takes: "-f --format -o --output", writes: "-o --output" }],
	["timeout", { takes: "-k --kill-after -s --signal", operands: 1 }],
	["stdbuf", { takes: "-i --input -o --output -e --error" }],
	["ionice", { takes: "-c --class -n --classdata", opaque: /^-[pPu]|^--(pid|pgid|uid)/ }],
	["chrt", { takes: "-T -P -D", opaque: /^-[pm]|^--(pid|max)/, operands: 1 }],
	["taskset", { opaque: /^-[ac]*p|^--pid/, operands: 1 }],
	["numactl", { takes: "-i -m -N -C -p -P -w", opaque: /^-[sH]/ }],
	["prlimit choom", { takes: "-n", opaque: /^-p|^--pid/ }],
	["setarch", { operands: 1 }],
	[
		"setpriv",
		{
			takes:
				"--reuid --regid --groups --inh-caps --ambient-caps --bounding-set --securebits --pdeathsig --selinux-label --apparmor-profile",
		},
	],
	["unshare", { takes: "-R --root -w --wd -S --setuid -G --setgid", chdir: "-w --wd", opaque: /^-R|^--root/ }],
	["nsenter", { takes: "-t --target -S --setuid -G --setgid", opaque: /^-r|^--root/ }],
	[
		"sudo",
		{
			takes: "-u --user -g --group -p --prompt -h --host -C -T -r -t -U -D --chdir",
			chdir: "-D --chdir",
			opaque: /^-[a-zA-Z]*[eR]|^--(edit|chroot)/,
		},
	],
	["doas", { takes: "-u -C -a" }],
	["pkexec", { takes: "--user" }],
	["runuser", { takes: "-u --user -g --group -G --supp-group -s --shell -c --command -w", line: "-c --command" }],
	[
		"su",
		{
			takes: "-s --shell -g --group -G --supp-group -c --command --session-command -w",
			line: "-c --command --session-command",
			operands: 1,
			lineOnly: true,
		},
	],
	["sg", { takes: "-c", line: "-c", operands: 1, joins: true }],
	["flock", { takes: "-w --wait --timeout -E --conflict-exit-code", operands: 1, makes: true, line: "-c --command" }],
	[
		"script",
		{
			takes: "-c --command -E --echo -m --logging-format -o --output-limit -B --log-io -I --log-in -O --log-out -T --log-timing",
			line: "-c --command",
			writes: "-B --log-io -I --log-in -O --log-out -T --log-timing",
			operands: 1,
			makes: true,
			lineOnly: true,
		},
	],
	["watch", { takes: "-n --interval -q --equexit", joins: true }],
	["hyperfine", { takes: "-w -r -m -M -p -c -s -S -u" }],
	["xargs", { takes: "-I -P -L -n -s -E -a -d --arg-file --delimiter --max-args --max-procs --max-chars --max-lines" }],
	[
		"parallel sem",
		{
			takes: "-j --jobs -n -N -L -a --arg-file -S --colsep -d --joblog --results --tmpdir --wd",
			joins: true,
			writes: "--joblog --results",
		},
	],
	["strace ltrace", { takes: "-e -o --output -p -s -u -a -E -O -S -b -I -P -X -n -l", writes: "-o --output" }],
	["valgrind", {}],
	["fakeroot", { takes: "-l --lib --faked -s -i -b", writes: "-s" }],
	["faketime", { takes: "-f", operands: 1 }],
	["caffeinate", { takes: "-t -w" }],
	[
		"systemd-run",
		{ takes: "-p --property -u --unit --slice -E --setenv --working-directory -M --description", chdir: "--working-directory" },
	],
	["systemd-inhibit xvfb-run", { takes: "-n -s -f -e -p" }],
	["aa-exec", { takes: "-p --profile -n --namespace" }],
	["runcon", { takes: "-t -u -r -l" }],
	["retry", { takes: "-t -d -n --times --delay" }],
];

const ASSIGNMENT = /^([A-Za-z_][A-Za-z0-9_]*)=(.*)$/s;

/** A command without its wrapper. */
export interface Unwrapped {
	/** The command that is run; empty where there is none. */
	words: Bytes[];
	/** Command lines that a shell is given. */
	lines: Bytes[];
	/** What its environment gets; undefined for a variable that is taken away. */
	variables: Map<string, Bytes | undefined>;
	/** The directory that it goes to. */
	chdir: Bytes | undefined;
	/** Files that the wrapper writes. */
	written: Bytes[];
	/** A file that it makes where there is none. */
	made: Bytes[];
}

const isAmong = (list: string | undefined, option: Bytes) => list !== undefined && ` ${list} `.includes(` ${option} `);

/** A word of options as one option and the value glued to it; a bundle counts by its first letter that takes a value. */
function optionOf(word: Bytes, takes: string): { option: Bytes; glued: Bytes | undefined } {
	const long = /^(--[^=]+)(?:=(.*))?$/s.exec(word);
	if (long !== null) return { option: long[1] as Bytes, glued: long[2] };
	for (let k = 1; k < word.length; k++) {
		const option = `-${word[k]}`;
		if (isAmong(takes, option)) return { option, glued: k + 1 < word.length ? word.slice(k + 1) : undefined };
	}
	return { option: word, glued: undefined };
}

/** A command line split as `env -S` does it: quotes, no more. */
function split(line: Bytes): Bytes[] {
	const command = parseScript(line)?.[0]?.commands[0];
	if (command?.is !== "simple") return line.trim().split(/\s+/);
	const look = undefined as never;
	const scope = { value: () => undefined, args: [], look, home: "~", output: () => "" };
	return command.words.flatMap((word) => fieldsOf(word, scope, false)[0] ?? []);
}

class Reading {
	at = 1;
	readonly found: Unwrapped = { words: [], lines: [], variables: new Map(), chdir: undefined, written: [], made: [] };

	constructor(
		readonly name: Bytes,
		readonly wrapper: Wrapper,
		readonly words: readonly Bytes[],
	) {}

	/** Its options; false when they say that nothing can be told. */
	options(): boolean {
		const { wrapper, words } = this;
		for (; /^-./.test(words[this.at] ?? ""); ) {
			const word = words[this.at++] as Bytes;
			if (word === "--") break;
			if (wrapper.opaque?.test(word)) return false;
			const { option, glued } = optionOf(word, wrapper.takes ?? "");
			const takes = isAmong(wrapper.takes, option) || isAmong(wrapper.line, option);
			this.#option(option, takes ? (glued ?? words[this.at++] ?? "") : glued);
		}
		return true;
	}

	#option(option: Bytes, value: Bytes | undefined): void {
		const { wrapper, found, name } = this;
		if (name === "env" && (option === "-i" || option === "--ignore-environment")) found.variables.set("POSIXLY_CORRECT", undefined);
		if (value === undefined) return;
		if (name === "env" && /^(-u|--unset)$/.test(option)) found.variables.set(value, undefined);
		else if (isAmong(wrapper.chdir, option)) found.chdir = value;
		else if (isAmong(wrapper.writes, option)) found.written.push(value);
		else if (isAmong(wrapper.line, option)) found.lines.push(value);
	}

	operands(): void {
		const { wrapper, found, words, name } = this;
		if (name === "env" && words[this.at] === "-") this.at++;
		for (; ["env", "sudo"].includes(name) && this.at < words.length; this.at++) {
			const [, variable, value] = ASSIGNMENT.exec(words[this.at] as Bytes) ?? [];
			if (variable === undefined) break;
			found.variables.set(variable, value ?? "");
		}
		for (let left = wrapper.operands ?? 0; left > 0 && this.at < words.length; left--) {
			const operand = words[this.at++] as Bytes;
			if (name === "script") found.written.push(operand);
			else if (wrapper.makes && !/^\d+$/.test(operand)) found.made.push(operand);
		}
		// Behind its operand flock has one more option, and script(1) and su(1) may have all of them.
		if (wrapper.makes || name === "sg" || name === "su") this.options();
	}

	rest(): void {
		const { wrapper, found, name } = this;
		const rest = this.words.slice(this.at);
		if (name === "env" && found.lines.length > 0) found.words = [...split(found.lines.pop() as Bytes), ...rest];
		else if (name.startsWith("parallel") || name === "sem") found.lines.push(...parallelLines(rest));
		else if (name === "hyperfine") found.lines.push(...rest);
		else if (wrapper.joins && rest.length > 0) found.lines.push(rest.join(" "));
		else if (!wrapper.lineOnly) found.words = rest;
		if (name === "script" && found.written.length === 0) found.written.push("typescript");
	}
}

/** The command lines of parallel: the command with each argument behind `:::`. */
function parallelLines(words: readonly Bytes[]): Bytes[] {
	const end = words.findIndex((word) => word.startsWith(":::"));
	const line = words.slice(0, end < 0 ? undefined : end).join(" ");
	if (end < 0) return [line];
	return words.slice(end + 1).map((word) => (line === "" ? word : `${line} ${word}`));
}

/** Take one wrapper off; undefined when there is none, or one that nobody can see through. */
export function unwrapped(words: readonly Bytes[]): Unwrapped | undefined {
	const name = baseOf(words[0] ?? "");
	const wrapper = WRAPPERS.find(([names]) => isAmong(names, name))?.[1];
	if (wrapper === undefined) return undefined;
	const reading = new Reading(name, wrapper, words);
	if (!reading.options()) return undefined;
	reading.operands();
	reading.rest();
	return reading.found;
}
