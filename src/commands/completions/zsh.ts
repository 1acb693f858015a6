// Completions for zsh, as an autoloaded function of its completion system.

import { quoteWord } from "../../confine/words.ts";
import type { CommandRow, OptionRow, Proposal } from "./rows.ts";

/** A text within a specification of _arguments: what ends its parts is escaped. */
const escaped = (text: string) => text.replaceAll(/[\\:[\]]/g, "\\$&");

/** What proposes for a word, as an action of _arguments. */
function action(proposal: Proposal): string {
	if (proposal === "nothing") return " ";
	if ("words" in proposal) return `(${proposal.words.join(" ")})`;
	return proposal.paths === "file" ? "_files" : "_files -/";
}

function optionSpec({ name, letters, about, value, many }: OptionRow): string[] {
	const spellings = [`--${name}`, ...letters.map((letter) => `-${letter}`)];
	// An option that was given is not proposed again, under none of its spellings.
	const once = many ? "*" : spellings.length > 1 ? `(${spellings.join(" ")})` : "";
	const argument = value ? `${value.needed ? "" : ":"}:${escaped(value.hint)}:${action(value.proposal)}` : "";
	return spellings.map((spelling) => {
		const long = value?.needed ? "=" : "=-";
		const takes = value ? (spelling.startsWith("--") ? long : "+") : "";
		return quoteWord(`${once}${spelling}${takes}[${escaped(about)}]${argument}`);
	});
}

function commandCase({ name, options, operands, rest }: CommandRow): string {
	const specs = options.flatMap(optionSpec);
	if (operands) specs.push(quoteWord(`*:${escaped(operands.name)}:${action(operands.proposal)}`));
	const after = rest
		? "\t\tif ((at < CURRENT)); then\n\t\t\tshift $at words\n\t\t\t((CURRENT -= at))\n\t\t\t_normal\n\t\t\treturn\n\t\tfi\n"
		: "";
	return `\t${name})\n${after}\t\t_arguments -s ${specs.join(" \\\n\t\t\t")}\n\t\t;;`;
}

/** The file `_tmx` for a directory of fpath; it may also be sourced, after compinit. */
export function zshCompletions(rows: readonly CommandRow[]): string {
	const commands = rows.map(({ name, about }) => `\t\t\t${quoteWord(`${name}:${escaped(about)}`)}`);
	return `_tmx() {
	local curcontext=$curcontext state line at
	typeset -A opt_args
	_arguments -C '(- *)--help[list the commands]' '(- *)--version[print the version]' '1: :->command' '*:: :->words' && return
	case $state in
	command)
		local -a commands
		commands=(
${commands.join("\n")}
		)
		_describe -t commands command commands
		return
		;;
	esac
	at=\${words[(i)--]}
	case $words[1] in
${rows.map(commandCase).join("\n")}
	esac
}

if [[ $funcstack[1] == _tmx ]]; then _tmx "$@"; else compdef _tmx tmx; fi
`;
}
