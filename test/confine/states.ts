// The states that a shell may be in when it sources the fragment, a row each.

export interface State {
	name: string;
	/** What brings the shell into the state. */
	setup: string;
	/** "open" where the fragment cannot work and must only do no harm. */
	ends?: "open";
}

/** Every word that the fragment calls, and those that a careless one would. */
const WORDS =
	"read test local unset return break continue set shift shopt export exec printf emulate setopt false true trap eval command source type declare typeset [ timeout busctl sleep cat grep tr kill date".split(
		" ",
	);

const aliases = (option = "") => WORDS.map((word) => `alias ${option} -- '${word}=echo SHADOW ${word};'`).join("\n");
const functions = (words: readonly string[]) => words.map((word) => `function ${word} { echo "SHADOW ${word}"; return 1; }`).join("\n");
/** The shell's own words in the test's script are called past the functions. */
const named = WORDS.filter((word) => word !== "[");

const BOTH: readonly State[] = [
	{ name: "nothing special", setup: "" },
	{ name: "errexit", setup: "set -e" },
	{ name: "nounset", setup: "set -u" },
	{ name: "noclobber", setup: "set -C" },
	{ name: "xtrace", setup: "set -x" },
	{ name: "noglob", setup: "set -f" },
	{ name: "allexport", setup: "set -a" },
	{ name: "pipefail", setup: "set -o pipefail" },
	{ name: "all the strict ones", setup: "set -euCf -o pipefail" },
	{ name: "IFS of digits and marks", setup: "IFS=0123456789:/.-n" },
	{ name: "IFS empty", setup: "IFS=" },
	{ name: "IFS unset", setup: "unset IFS" },
	{ name: "a locale with a comma", setup: "export LC_ALL=de_DE.UTF-8 LC_NUMERIC=de_DE.UTF-8 2>/dev/null" },
	{ name: "stdin closed", setup: "exec 0<&-" },
	{ name: "stdin, stdout and stderr closed", setup: "exec 0<&- 1>&- 2>&-" },
	{ name: "PATH empty", setup: "PATH=" },
	{ name: "PATH unset", setup: "unset PATH" },
	{ name: "a job of its own", setup: "/bin/sleep 100 & " },
	{ name: "functions that shadow its words", setup: functions(named) },
	{ name: "a function that shadows builtin", setup: `PLAIN=1\n${functions(["builtin"])}`, ends: "open" },
	{
		name: "a helper's debugging and another bus in the environment",
		setup: "export SYSTEMD_LOG_LEVEL=debug DBUS_SESSION_BUS_ADDRESS=disabled:",
	},
	{ name: "TMOUT", setup: "TMOUT=1" },
	{ name: "LC_ALL and the bus's address readonly", setup: "readonly LC_ALL=C DBUS_SESSION_BUS_ADDRESS=disabled:", ends: "open" },
	{ name: "SRANDOM a variable of its own", setup: "unset SRANDOM; SRANDOM=../x" },
	{ name: "every limit set, in good and bad values", setup: "export AGENT_TASKS_MAX=08 AGENT_MEMORY_MAX=2G AGENT_CPU_WEIGHT=x" },
	{ name: "an umask", setup: "umask 077" },
	{ name: "a trap for ALRM and for the end of a child", setup: "trap ': alarm' ALRM; trap ': child' CHLD" },
	{ name: "signals ignored", setup: "trap '' ALRM CHLD PIPE TERM" },
];

const BASH: readonly State[] = [
	{ name: "monitor", setup: "set -m" },
	{ name: "posix", setup: "set -o posix" },
	{ name: "posix and errexit and nounset", setup: "set -o posix; set -eu" },
	{ name: "failglob", setup: "shopt -s failglob" },
	{ name: "nullglob, nocaseglob, nocasematch, dotglob, extglob", setup: "shopt -s nullglob nocaseglob nocasematch dotglob extglob" },
	{ name: "inherit_errexit", setup: "set -e; shopt -s inherit_errexit" },
	{ name: "GLOBIGNORE", setup: "GLOBIGNORE='*'" },
	{ name: "an ERR trap", setup: "trap 'echo ERR' ERR" },
	{ name: "an ERR trap with errtrace", setup: "set -E; trap 'echo ERR' ERR" },
	{ name: "a DEBUG trap", setup: "trap ': debug' DEBUG" },
	{ name: "a DEBUG trap with functrace", setup: "set -T; trap ': debug' DEBUG" },
	{ name: "a RETURN trap with functrace", setup: "set -T; trap ': return' RETURN" },
	{ name: "extdebug", setup: "shopt -s extdebug" },
	{ name: "an EXIT trap", setup: "trap ': exit' EXIT" },
	{ name: "xtrace with functrace and a descriptor of its own", setup: "exec 7>/dev/null; BASH_XTRACEFD=7; set -xT" },
	{ name: "aliases that shadow its words", setup: `shopt -s expand_aliases\n${aliases()}` },
	{ name: "functions of nearly its names", setup: functions(["__tmx", "_tmx_line"]) },
	{ name: "IFS readonly", setup: "readonly IFS", ends: "open" },
	{ name: "lastpipe", setup: "shopt -s lastpipe" },
	// No older bash runs here; these take the way that is there for one.
	{ name: "the version of bash 3.2, without what came later", setup: "BASH_VERSION='3.2.57(1)-release'; unset BASHPID SRANDOM" },
	{
		name: "the same with a limit of memory",
		setup: "BASH_VERSION='3.2.57(1)-release'; unset BASHPID SRANDOM; export AGENT_MEMORY_MAX=2G",
	},
	{ name: "BASHPID a variable of its own", setup: "unset BASHPID; BASHPID=$$" },
	{ name: "kill switched off", setup: "enable -n kill", ends: "open" },
	{ name: "BASH_COMPAT of 3.2", setup: "BASH_COMPAT=3.2" },
];

const ZSH: readonly State[] = [
	{ name: "err_exit and no_unset", setup: "setopt err_exit no_unset" },
	{ name: "err_return", setup: "setopt err_return" },
	{ name: "ksh_arrays", setup: "setopt ksh_arrays" },
	{ name: "warn_create_global and warn_nested_var", setup: "setopt warn_create_global warn_nested_var" },
	{ name: "sh_word_split, glob_subst, sh_glob", setup: "setopt sh_word_split glob_subst sh_glob" },
	{ name: "extended_glob, csh_null_glob, no_nomatch", setup: "setopt extended_glob csh_null_glob no_nomatch" },
	{ name: "ignore_braces and rc_quotes", setup: "setopt ignore_braces rc_quotes" },
	{ name: "posix_builtins, posix_aliases, posix_argzero", setup: "setopt posix_builtins posix_aliases posix_argzero" },
	{ name: "all_export and no_multios", setup: "setopt all_export no_multios" },
	{ name: "emulate ksh", setup: "emulate ksh" },
	{ name: "emulate sh", setup: "emulate sh" },
	{ name: "a ZERR trap", setup: "TRAPZERR() { echo ERR }" },
	{ name: "a DEBUG trap", setup: "trap ': debug' DEBUG" },
	{ name: "an EXIT trap", setup: "trap ': exit' EXIT" },
	{ name: "monitor", setup: "setopt monitor" },
	{ name: "kill switched off", setup: "disable kill", ends: "open" },
	{ name: "no module can be loaded", setup: "zmodload -u zsh/datetime 2>/dev/null; module_path=()" },
	{ name: "aliases that shadow its words", setup: aliases() },
	{ name: "global aliases that shadow its words", setup: aliases("-g") },
];

/** The rows of a shell. */
export function statesOf(shell: string): readonly State[] {
	return [...BOTH, ...(shell.startsWith("bash") ? BASH : ZSH)];
}
