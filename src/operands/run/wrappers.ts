// Facts of commands that run another one: the options and operands which stand before it.

import type { Bytes } from "../../policy/bytes.ts";

/** What a wrapper reads before the command that it runs. Options are spelled as they stand, `-o` or `--option`. */
export interface Wrapper {
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
	["npx bunx pnpx uvx", { takes: "-p --package -c --call --from --with", line: "-c --call" }],
	["retry", { takes: "-t -d -n --times --delay" }],
];

/** Whether a word is one of a list that is written as one text. */
export const isAmong = (list: string | undefined, word: Bytes) => list !== undefined && ` ${list} `.includes(` ${word} `);

/** What is known of a command that runs others; undefined when it is none. */
export const wrapperOf = (name: Bytes): Wrapper | undefined => WRAPPERS.find(([names]) => isAmong(names, name))?.[1];
