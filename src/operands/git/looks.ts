// Which calls of git only look: the subcommands that change no file, and the options and actions with which others do not.

import type { Bytes } from "../../policy/bytes.ts";
import { argumentsOf, row } from "./words.ts";

/** Subcommands that change no file, whatever their operands. */
const READS = new Set(
	(
		"status log diff show ls-files ls-tree ls-remote rev-parse rev-list blame annotate grep describe cat-file shortlog for-each-ref merge-base " +
		"name-rev var version help whatchanged count-objects check-ignore check-attr check-ref-format diff-tree diff-index diff-files diff-pairs " +
		"merge-tree cherry show-ref show-branch verify-commit verify-tag range-diff column stripspace get-tar-commit-id instaweb verify-pack " +
		"patch-id request-pull check-mailmap show-index fmt-merge-msg difftool upload-pack upload-archive last-modified survey"
	).split(" "),
);

const DRY = /^(-[a-zA-Z]*n[a-zA-Z]*|--dry-run)$/;

/** With one of these branch and tag list, whatever words follow (git-branch(1), git-tag(1)). */
const LISTS = "-l|--list|--(no-)?contains(=.*)?|--(no-)?merged(=.*)?|--points-at(=.*)?";

/** Subcommands that only read with one of these options. */
const READS_WITH: Readonly<Record<string, RegExp>> = {
	branch: new RegExp(`^(${LISTS}|-[vqi]*[alr][avlrqi]*|--all|--remotes|--show-current)$`),
	tag: new RegExp(`^(${LISTS}|-n\\d*|-i?li?|-v|--verify)$`),
	apply: /^(--stat|--numstat|--summary|--check)$/,
	clean: DRY,
	add: DRY,
	rm: DRY,
	mv: DRY,
	push: DRY,
	prune: DRY,
	worktree: DRY,
	reflog: DRY,
	"read-tree": DRY,
	fetch: /^--dry-run$/,
	pull: /^--dry-run$/,
	commit: /^--dry-run$/,
	replace: /^(-l|--list)$/,
	"merge-file": /^(-[a-oq-zA-Z]*p[a-zA-Z]*|--stdout)$/,
	"pack-objects": /^--stdout$/,
	mergetool: /^--tool-help$/,
	// It takes in how files look now, as status does.
	"update-index": /^--(really-)?refresh$/,
};

/** Options with which those change something all the same. */
const CHANGES_WITH: Readonly<Record<string, RegExp>> = {
	branch:
		/^(-[a-zA-Z]*[dDmMcCfu].*|--(delete|move|copy|force|set-upstream-to.*|unset-upstream|edit-description|create-reflog|track.*|set-upstream))$/,
	tag: /^(-[a-zA-Z]*[dfasum].*|--(delete|force|annotate|sign|local-user.*|create-reflog|message.*|file.*|edit))$/,
	apply: /^--apply$/,
	"update-index": /^--(add|remove|force-remove|cacheinfo|index-info|stdin|chmod|(no-)?(assume-unchanged|skip-worktree))/,
	fsck: /^--lost-found$/,
	"hash-object": /^-w$/,
	"interpret-trailers": /^--in-place$/,
};

/** Their actions that only read: the first word that is no option. */
const READING_ACTIONS: Readonly<Record<string, RegExp>> = {
	remote: /^(show|get-url)$/,
	stash: /^(list|show)$/,
	worktree: /^list$/,
	notes: /^(list|show|get-ref)$/,
	reflog: /^(?!(expire|delete|drop|write)$)/,
	submodule: /^(status|summary)$/,
	bundle: /^(verify|list-heads)$/,
	bisect: /^(log|view|visualize|terms|help)$/,
	rerere: /^(status|diff|remaining)$/,
	refs: /^(verify|list|exists)$/,
	repo: /^(info|structure)$/,
	credential: /^(fill|capability)$/,
	"sparse-checkout": /^(list|check-rules)$/,
	"multi-pack-index": /^verify$/,
	"commit-graph": /^verify$/,
	lfs: /^(ls-files|status|env|locks|version|pointer|help)$/,
};

/** Without an operand these list what is there. */
const LISTS_ALONE = ["branch", "tag", "remote", "notes", "submodule", "replace"];

/** These read but for the options that make them change something. */
const READS_WITHOUT = ["fsck", "hash-object", "interpret-trailers"];

/** `submodule foreach` with another call of git that only looks, and nothing of a shell's own around it. */
function foreachLooks(rest: readonly Bytes[]): boolean {
	const line = rest.slice(rest.indexOf("foreach") + 1).join(" ");
	const words = line.split(" ").filter((word) => word !== "" && word !== "--recursive" && word !== "--quiet");
	return !/[;&|<>$`\n(){}]/.test(line) && words[0] === "git" && words[1] !== "submodule" && onlyLooks(words[1] ?? "", words.slice(2));
}

/** Whether a call changes nothing. @param rest the words behind the subcommand */
export function onlyLooks(subcommand: string, rest: readonly Bytes[]): boolean {
	if (READS.has(subcommand)) return true;
	const words = rest.slice(0, rest.indexOf("--") < 0 ? undefined : rest.indexOf("--"));
	const { operands, options } = argumentsOf(subcommand, words);
	const changes = row(CHANGES_WITH, subcommand);
	if (changes !== undefined && options.some((word) => changes.test(word))) return false;
	const [first = ""] = operands;
	// One name is asked for, and two set it.
	if (subcommand === "symbolic-ref") return operands.length === 1 && !options.some((word) => /^(-d|--delete)$/.test(word));
	if (READS_WITHOUT.includes(subcommand)) return true;
	if (subcommand === "submodule" && first === "foreach") return foreachLooks(rest);
	if (subcommand === "remote" && first === "prune") return options.some((word) => DRY.test(word));
	if (row(READING_ACTIONS, subcommand)?.test(first)) return true;
	const pattern = row(READS_WITH, subcommand);
	return (
		(pattern !== undefined && options.some((word) => pattern.test(word))) || (LISTS_ALONE.includes(subcommand) && operands.length === 0)
	);
}
