// Commands that change nothing in the file system, so that what was seen of it before still holds.

import type { Word } from "./reading.ts";
import { textOf } from "./words.ts";

const READERS = new Set(
	(
		"echo printf cat ls grep egrep fgrep rg head tail wc uniq cut tr pwd true false test [ [[ stat file du df date id whoami uname hostname " +
		"which type whereis dirname basename realpath readlink seq sleep printenv ps pgrep diff cmp tree nproc env locale tput arch tac nl od xxd " +
		"md5sum sha1sum sha256sum cksum fold fmt join paste comm expr yes jq nl look less more man help wait jobs kill ulimit umask hash alias " +
		"history fg bg times free uptime lscpu lsblk mount groups logname tty who w rm rmdir unlink shred chmod chown touch truncate true :"
	).split(" "),
);

/** Options and words by which a reader writes, or runs something. */
const WRITES: Readonly<Record<string, RegExp>> = {
	find: /^-(delete|exec|execdir|ok|okdir|fprint|fprint0|fprintf|fls)$/,
	sort: /^-[a-zA-Z]*o|^--output/,
};

const GIT_READS = new Set(
	"status log diff show rev-parse ls-files branch remote describe blame grep cat-file config symbolic-ref rev-list".split(" "),
);

/** Readers that are not run for their answer: that they fail is as unexpected as it is of a build. */
const UNASKED = new Set("echo printf pwd true : date sleep cat head tail tee rm rmdir unlink shred chmod chown touch truncate".split(" "));

/** Others whose failure is an answer, or that of what they run. */
const ASKING = new Set("command builtin read getent pidof systemctl ping nc env sudo doas timeout nice xargs".split(" "));

/** Whether a command is run to learn something, so that its failure is an answer that the line reckons with. */
export function asks(words: readonly Word[]): boolean {
	const name = textOf(words[0])?.replace(/^.*\//s, "") ?? "";
	return ASKING.has(name) || (onlyReads(words) && !UNASKED.has(name));
}

/** Whether a command makes no directory and no name that a later word could lead to. */
export function onlyReads(words: readonly Word[]): boolean {
	const name = textOf(words[0])?.replace(/^.*\//s, "") ?? "";
	if (name === "git") {
		const command = words.slice(1).find((word) => !/^-/.test(textOf(word) ?? "-"));
		return GIT_READS.has(textOf(command) ?? "");
	}
	const writes = Object.hasOwn(WRITES, name) ? WRITES[name] : undefined;
	if (writes !== undefined) return !words.some((word) => writes.test(textOf(word) ?? ""));
	return READERS.has(name);
}
