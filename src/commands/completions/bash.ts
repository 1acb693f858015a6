// Completions for bash, from 3.2 on; with or without the bash-completion package.

import { quoteWord } from "../../confine/words.ts";
import type { CommandRow, OptionRow, Proposal } from "./rows.ts";

/** What proposes for a word. */
function proposes(proposal: Proposal): string {
	if (proposal === "nothing") return ":";
	return "words" in proposal ? `_tmx_words ${quoteWord(proposal.words.join(" "))}` : `_tmx_paths -${proposal.paths === "file" ? "f" : "d"}`;
}

const spellings = ({ name, letters }: OptionRow) => [`--${name}`, ...letters.map((letter) => `-${letter}`)];

/** The options of a command that take a value, each with what it may be. */
function valueCases({ name, options }: CommandRow): string[] {
	return options.flatMap((option) => {
		if (option.value === undefined) return [];
		const { needed, proposal } = option.value;
		const patterns = spellings(option).flatMap((spelling) => [...(needed ? [`${name}:${spelling}`] : []), `${name}:${spelling}=`]);
		return [`\t${patterns.join(" | ")}) ${proposes(proposal)} && return ;;`];
	});
}

function commandCase({ name, options, operands, rest }: CommandRow): string {
	const words = [...options.map((option) => `--${option.name}`), ...(rest ? ["--"] : [])];
	return `\t${name}) options=${quoteWord(words.join(" "))} operands=${quoteWord(proposes(operands?.proposal ?? "nothing"))} ;;`;
}

/** The script. Its functions print nothing and change no setting of the shell. */
export function bashCompletions(rows: readonly CommandRow[]): string {
	const names = quoteWord([...rows.map(({ name }) => name), "--help", "--version"].join(" "));
	const withRest = rows.filter(({ rest }) => rest).map(({ name }) => name);
	return `_tmx_words() {
	local word
	while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -W "$1" -- "$current")
}

_tmx_paths() {
	local word
	compopt -o filenames 2>/dev/null
	while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen "$1" -- "$current")
}

# What stands behind "--" is another program's command line.
_tmx_rest() {
	if declare -F _comp_command_offset >/dev/null; then
		_comp_command_offset "$1"
	elif declare -F _command_offset >/dev/null; then
		_command_offset "$1"
	elif ((COMP_CWORD == $1)); then
		_tmx_paths -c
	else
		_tmx_paths -f
	fi
}

_tmx() {
	local current=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD - 1]} command=\${COMP_WORDS[1]} options= operands=: k
	COMPREPLY=()
	if ((COMP_CWORD == 1)); then
		_tmx_words ${names}
		return
	fi
	for ((k = 2; k < COMP_CWORD; k++)); do
		[[ \${COMP_WORDS[k]} == -- ]] || continue
		case $command in ${withRest.join(" | ")}) _tmx_rest $((k + 1)) ;; esac
		return
	done
	# Bash takes "--out=DIR" for three words.
	if [[ $current == = ]]; then
		current= before+==
	elif [[ $before == = ]]; then
		before=\${COMP_WORDS[COMP_CWORD - 2]}=
	fi
	case $command:$before in
${rows.flatMap(valueCases).join("\n")}
	esac
	case $command in
${rows.map(commandCase).join("\n")}
	esac
	if [[ $current == -* ]]; then _tmx_words "$options"; else eval "$operands"; fi
}

complete -F _tmx tmx
`;
}
