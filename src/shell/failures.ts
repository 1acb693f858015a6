// When a built-in may fail although it is known what it does: what stands behind `||` then runs.

import type { Word } from "./reading.ts";
import { beginning, textOf } from "./words.ts";

/** The signals that trap takes (POSIX, and the ones of bash). */
const SIGNALS =
	/^(SIG)?(EXIT|ERR|DEBUG|RETURN|HUP|INT|QUIT|TERM|USR[12]|PIPE|CHLD|ALRM|TSTP|CONT|WINCH|TTIN|TTOU|STOP|KILL|ABRT)$|^\d{1,2}$/i;

const OPTIONS =
	/^(allexport|braceexpand|emacs|errexit|errtrace|functrace|hashall|histexpand|history|ignoreeof|interactive-comments|keyword|monitor|noclobber|noexec|noglob|nolog|notify|nounset|onecmd|physical|pipefail|posix|privileged|verbose|vi|xtrace)$/;

const texts = (words: readonly Word[]) => words.slice(1).map((word) => textOf(word));

/** set: an option that bash does not have. */
function failsToSet(words: readonly Word[]): boolean {
	for (const [k, text] of texts(words).entries()) {
		if (text === undefined || text === "--" || !/^[-+]./.test(text)) return false;
		if (/[^abefhkmnptuvxBCEHPTo]/.test(text.slice(1))) return true;
		if (text.endsWith("o")) return !OPTIONS.test(texts(words)[k + 1] ?? "");
	}
	return false;
}

/** declare and its like: a name that is none, or a question for one. */
const failsToDeclare = (words: readonly Word[]): boolean =>
	words.slice(1).some((word) => !/^([-+][aAgirxnlut]+$|[A-Za-z_]\w*(\[[^\]]*\])?(\+?=|$))/.test(beginning(word)));

const always = (): boolean => true;
const given = (words: readonly Word[]): boolean => words.length > 1;

/** By the name of the built-in. */
const MAY_FAIL: Readonly<Record<string, (words: readonly Word[]) => boolean>> = {
	hash: given,
	unalias: given,
	jobs: given,
	dirs: given,
	disown: always,
	ulimit: given,
	setopt: always,
	alias: (words) => texts(words).some((text) => !text?.includes("=")),
	umask: (words) => texts(words).some((text) => !/^0?[0-7]{3}$|^-[pS]$/.test(text ?? "")),
	set: failsToSet,
	trap: (words) =>
		texts(words)
			.slice(1)
			.some((text) => !SIGNALS.test(text ?? "")),
	// A number that is none: the message comes, and the status.
	printf: (words) => /%[^a-zA-Z%]*[diouxXfeEgGaA]/.test(texts(words).find((text) => !text?.startsWith("-")) ?? ""),
	mapfile: (words) => texts(words).some((text) => /^-[a-zA-Z]*u/.test(text ?? "")),
	declare: failsToDeclare,
	typeset: failsToDeclare,
	export: failsToDeclare,
	readonly: failsToDeclare,
};

/** Whether a built-in may fail with these words. */
export const mayFail = (name: string, words: readonly Word[]): boolean =>
	Object.hasOwn(MAY_FAIL, name) && (MAY_FAIL[name] as (typeof MAY_FAIL)[string])(words);
