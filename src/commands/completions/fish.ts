// Completions for fish, from 3.0 on.

import type { CommandRow, OptionRow, Proposal } from "./rows.ts";

/** A word within single quotes, in which fish reads a backslash before a quote and before itself. */
const quoted = (text: string) => `'${text.replaceAll(/[\\']/g, "\\$&")}'`;

/** What proposes for a word, as options of complete. */
function proposes(proposal: Proposal): string {
	if (proposal === "nothing") return "";
	if ("words" in proposal) return ` -a ${quoted(proposal.words.join(" "))}`;
	return proposal.paths === "file" ? " -F" : " -a '(__fish_complete_directories)'";
}

function optionLine(name: string, option: OptionRow): string {
	const letters = option.letters.map((letter) => ` -s ${letter}`).join("");
	const needs = option.value?.needed ? (option.value.proposal === "nothing" ? " -x" : " -r") : "";
	const value = option.value ? `${needs}${proposes(option.value.proposal)}` : "";
	return `complete -c tmx -n '__tmx_in ${name}' -l ${option.name}${letters}${value} -d ${quoted(option.about)}`;
}

function commandLines({ name, about, options, operands, rest }: CommandRow): string[] {
	const lines = [`complete -c tmx -n __tmx_first -a ${name} -d ${quoted(about)}`];
	lines.push(...options.map((option) => optionLine(name, option)));
	const words = operands && proposes(operands.proposal);
	if (operands && words) lines.push(`complete -c tmx -n '__tmx_in ${name}'${words} -d ${quoted(operands.name)}`);
	if (rest) lines.push(`complete -c tmx -n '__tmx_behind ${name}' -a '(__tmx_rest)'`);
	return lines;
}

/** The script, for a directory of fish_complete_path. */
export function fishCompletions(rows: readonly CommandRow[]): string {
	return `function __tmx_first
	test (count (commandline -opc)) -eq 1
end

function __tmx_in
	set -l words (commandline -opc)
	test (count $words) -gt 1; and test $words[2] = $argv[1]; and not contains -- -- $words
end

function __tmx_behind
	set -l words (commandline -opc)
	test (count $words) -gt 1; and test $words[2] = $argv[1]; and contains -- -- $words
end

# What stands behind "--" is another program's command line.
function __tmx_rest
	set -l words (commandline -opc)
	set -l at (contains -i -- -- $words)
	set -e words[1..$at]
	complete -C (string join ' ' -- (string escape -- $words) (commandline -ct))
end

complete -c tmx -f
complete -c tmx -n __tmx_first -l help -d 'list the commands'
complete -c tmx -n __tmx_first -l version -d 'print the version'
${rows.flatMap(commandLines).join("\n")}
`;
}
