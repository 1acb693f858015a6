// Commands that run another one: what `env A=b nice -n5 rm x` runs is `rm x`.

import type { Bytes } from "../policy/bytes.ts";
import { baseOf } from "../policy/resolve.ts";

/** What a wrapper reads before the command that it runs. */
interface Wrapper {
	/** Options that take the next word. */
	takes: string;
	/** Options that make something else of the rest: a directory to go to, a line to split. */
	unless?: RegExp;
	/** How many operands of its own stand before the command. */
	operands?: number;
}

/** coreutils, util-linux, sudo(8), busybox and toybox. */
const WRAPPERS: Readonly<Record<string, Wrapper>> = {
	env: { takes: "-u --unset -a --argv0", unless: /^-[a-zA-Z0]*[SC]|^--(split|chdir)/ },
	nice: { takes: "-n --adjustment" },
	nohup: { takes: "" },
	timeout: { takes: "-k --kill-after -s --signal", operands: 1 },
	setsid: { takes: "" },
	stdbuf: { takes: "-i --input -o --output -e --error" },
	ionice: { takes: "-c --class -n --classdata", unless: /^-[pPu]|^--(pid|pgid|uid)/ },
	chrt: { takes: "-T -P -D", unless: /^-[pm]|^--(pid|max)/, operands: 1 },
	sudo: { takes: "-u --user -g --group -p --prompt -h --host", unless: /^-[a-zA-Z]*[eisDR]|^--(edit|login|shell|chdir|chroot)/ },
	busybox: { takes: "" },
	toybox: { takes: "" },
};

const ASSIGNMENT = /^[A-Za-z_][A-Za-z0-9_]*=/;

/** A command without its wrapper. */
export interface Unwrapped {
	words: Bytes[];
	/** Whether POSIXLY_CORRECT was put into its environment. */
	posix: boolean;
}

/** Take one wrapper off; undefined when there is none, or one that nobody can see through. */
export function unwrapped(words: Bytes[]): Unwrapped | undefined {
	const name = baseOf(words[0] ?? "");
	const wrapper = Object.hasOwn(WRAPPERS, name) ? WRAPPERS[name] : undefined;
	if (wrapper === undefined) return undefined;
	const takes = wrapper.takes.split(" ");
	let at = 1;
	for (; words[at]?.startsWith("-"); at++) {
		const word = words[at] as Bytes;
		if (wrapper.unless?.test(word)) return undefined;
		if (takes.includes(word)) at++;
		if (word === "--") {
			at++;
			break;
		}
	}
	const first = at;
	if (name === "env" || name === "sudo") while (ASSIGNMENT.test(words[at] ?? "")) at++;
	const posix = words.slice(first, at).some((word) => word.startsWith("POSIXLY_CORRECT="));
	const rest = words.slice(at + (wrapper.operands ?? 0));
	return rest.length === 0 ? undefined : { words: rest, posix };
}
