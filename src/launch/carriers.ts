// The files that a session's shells read when they start, so that the shims stay first on PATH and each tool shell is confined.

import { quoteWord } from "../confine/words.ts";
import type { Bytes } from "../policy/bytes.ts";
import { join } from "../policy/resolve.ts";
import type { Own } from "./record.ts";

/** Which shells are confined: none; each one; those that read the agent's own file; or those in whose environment a variable stands. */
export type Confined = "none" | "each" | "agent's file" | { variable: string };

/** What the files are made of. */
export interface Carried {
	/** The session's directory. */
	directory: Bytes;
	shims: Bytes;
	/** The names that have a shim. */
	tools: readonly Bytes[];
	/** The process that becomes COMMAND, which is not moved into a scope. */
	pid: number;
	own: Own;
	confine: Confined;
}

/** The names of the files below the session's directory. */
export const FILES = { bash: "bash.sh", bashrc: "bashrc", zsh: "zsh", claude: "claude.sh", fragment: "tool-confine.sh" } as const;

/** What zsh reads at its start, in this order, and at its end (zsh(1), STARTUP/SHUTDOWN FILES). */
const ZSH_FILES = [".zshenv", ".zprofile", ".zshrc", ".zlogin", ".zlogout"] as const;

/**
 * The shims come first, and stand there once. A function or an alias of a guarded name would be run in the place of its shim,
 * so those go. What ends the loop is a word of the grammar: `break` could be a function of the person's, and the loop endless.
 */
function front({ shims, tools }: Carried): Bytes[] {
	const names = tools.map(quoteWord).join(" ");
	return [
		`\\builtin unset -f ${names} || :`,
		`\\builtin unalias ${names} || :`,
		`_tmx_first=${quoteWord(shims)}`,
		`case "\${PATH-}" in "$_tmx_first" | "$_tmx_first":*) ;; *)`,
		`	_tmx_path=":\${PATH-}:"`,
		`	while [[ "$_tmx_path" == *:"$_tmx_first":* ]]; do`,
		`		_tmx_path="\${_tmx_path%%:"$_tmx_first":*}:\${_tmx_path#*:"$_tmx_first":}"`,
		"	done",
		`	_tmx_path="\${_tmx_path#:}"`,
		`	PATH="$_tmx_first\${PATH:+:\${_tmx_path%:}}"`,
		"	\\builtin export PATH ;;",
		"esac",
		"\\builtin unset _tmx_first _tmx_path || :",
	];
}

/** Confine this shell, unless it is the one that becomes COMMAND. */
function scope({ confine, directory, pid }: Carried): Bytes[] {
	if (confine === "none" || confine === "agent's file") return [];
	const fragment = `\\builtin . ${quoteWord(join(directory, FILES.fragment))} || :`;
	const condition = confine === "each" ? "" : `case "\${${confine.variable}-}" in '') ;; *) `;
	return [`case "$$" in ${pid}) ;; *) ${condition}${fragment} ;; esac${condition === "" ? "" : " ;; esac"}`];
}

/** In a group nothing is printed, neither by a trace (`bash -x`) nor by what is missing in a sandbox; and its status is 0. */
const silently = (lines: readonly Bytes[]): Bytes => ["{", ...lines.map((line) => `\t${line}`), "} >/dev/null 2>&1 || :"].join("\n");

/** The variable in which an interactive bash hands on a BASH_ENV that its .bashrc named. */
export const OWN_BASH_ENV = "TMX_BASH_ENV";

/** Read the person's own BASH_ENV: expanded as bash does it, with a name that is looked up in the working directory and not on PATH. */
const READ_OWN = [
	'case "$_tmx_own" in */*) ;; *) _tmx_own=./$_tmx_own ;; esac',
	'if \\builtin test -r "$_tmx_own" && ! \\builtin test -d "$_tmx_own"; then \\builtin . "$_tmx_own"; fi',
];

/** The text of a BASH_ENV between double quotes, where bash expands it. */
const expandedText = (text: Bytes): Bytes => `"${text.replaceAll('"', '\\"')}"`;

/**
 * BASH_ENV. The person's own is expanded as bash does it, and read as if it were the only one (bash(1), BASH_ENV).
 * What comes behind it has the last word, also behind a login shell's profile, which bash reads before.
 */
function bashFile(carried: Carried): Bytes {
	const { directory, own } = carried;
	const lines = ["# Read by each bash of this session that a program starts."];
	const named = [
		// In a group, so that a trace (`bash -x`) says nothing of it.
		`if { [[ -n "\${${OWN_BASH_ENV}-}" ]]; } 2>/dev/null; then`,
		`	BASH_ENV=$${OWN_BASH_ENV}`,
		`	\\builtin eval "_tmx_own=\\"\${${OWN_BASH_ENV}//\\"/\\\\\\"}\\""`,
		...READ_OWN.map((line) => `	${line}`),
	];
	lines.push(...named);
	if (own.bashEnv !== "") {
		const read = [`BASH_ENV=${quoteWord(own.bashEnv)}`, `_tmx_own=${expandedText(own.bashEnv)}`, ...READ_OWN];
		lines.push("else", ...read.map((line) => `	${line}`));
	}
	lines.push("fi");
	const back = [`BASH_ENV=${quoteWord(join(directory, FILES.bash))} && \\builtin export BASH_ENV`, "\\builtin unset _tmx_own || :"];
	return `${[...lines, silently([...back, ...front(carried), ...scope(carried)])].join("\n")}\n`;
}

/** What an interactive bash that is COMMAND reads in the place of the person's own, which comes first (bash(1), --rcfile). */
export function bashrcFile(carried: Carried): Bytes {
	const ours = quoteWord(join(carried.directory, FILES.bash));
	const back = [
		`if [[ -n "\${BASH_ENV-}" && "\${BASH_ENV-}" != ${ours} ]]; then \\builtin export ${OWN_BASH_ENV}="$BASH_ENV"; fi`,
		`BASH_ENV=${ours} && \\builtin export BASH_ENV`,
	];
	return `${["if \\builtin test -r ~/.bashrc; then \\builtin . ~/.bashrc; fi", silently([...back, ...front(carried)])].join("\n")}\n`;
}

/**
 * One of zsh's files. The person's own stands in the person's ZDOTDIR, which may change in each of them; a child of this shell
 * starts with the one that was exported (TMX_ZDOTDIR), as it would without us.
 */
function zshFile(carried: Carried, name: (typeof ZSH_FILES)[number]): Bytes {
	const ours = quoteWord(join(carried.directory, FILES.zsh));
	const before =
		name === ".zshenv"
			? [`if [[ -n "\${TMX_ZDOTDIR-}" ]]; then \\builtin export ZDOTDIR="$TMX_ZDOTDIR"; else \\builtin unset ZDOTDIR; fi`]
			: [
					`if [[ -n "\${_tmx_zdotdir-}" ]]; then ZDOTDIR="$_tmx_zdotdir"; else \\builtin unset ZDOTDIR; fi`,
					`if [[ -z "\${TMX_ZDOTDIR-}" && -n "\${ZDOTDIR-}" ]]; then \\builtin typeset +x ZDOTDIR; fi`,
				];
	const theirs = `if [[ -r "\${ZDOTDIR:-$HOME}/${name}" ]]; then \\builtin . "\${ZDOTDIR:-$HOME}/${name}"; fi`;
	const behind = [
		`_tmx_zdotdir="\${ZDOTDIR-}"`,
		`case "\${(t)ZDOTDIR-}" in (*export*) \\builtin export TMX_ZDOTDIR="$ZDOTDIR" ;; (*) \\builtin export TMX_ZDOTDIR= ;; esac`,
		`\\builtin export ZDOTDIR=${ours}`,
	];
	// Some systems' zshrc names the history after ZDOTDIR, before the person's own is read.
	if (name === ".zshrc") behind.push(`case "\${HISTFILE-}" in (${ours}/*) HISTFILE="\${_tmx_zdotdir:-$HOME}/\${HISTFILE##*/}" ;; esac`);
	const lines = [...behind, ...(name === ".zlogout" ? [] : front(carried)), ...(name === ".zshenv" ? scope(carried) : [])];
	return ["# Read by each zsh of this session.", ...before, theirs, silently(lines), ""].join("\n");
}

/** CLAUDE_ENV_FILE: its text is put before each command of Claude Code's, behind the functions of the shell snapshot. */
function claudeFile(carried: Carried): Bytes {
	const { directory, own, confine } = carried;
	const file = quoteWord(join(directory, FILES.claude));
	const shells: Confined = confine === "none" ? "none" : "each";
	const theirs =
		own.claudeEnvFile === ""
			? []
			: [`if \\builtin test -r ${quoteWord(own.claudeEnvFile)}; then \\builtin . ${quoteWord(own.claudeEnvFile)}; fi`];
	const back = [`\\builtin export CLAUDE_ENV_FILE=${file}`];
	return `${[...theirs, silently([...back, ...front(carried), ...scope({ ...carried, confine: shells })])].join("\n")}\n`;
}

/** The files by their names below the session's directory. */
export function carriersFor(carried: Carried, fragment: Bytes): Map<Bytes, Bytes> {
	const files = new Map<Bytes, Bytes>([
		[FILES.bash, bashFile(carried)],
		[FILES.claude, claudeFile(carried)],
	]);
	for (const name of ZSH_FILES) files.set(`${FILES.zsh}/${name}`, zshFile(carried, name));
	if (carried.confine !== "none") files.set(FILES.fragment, fragment);
	return files;
}
