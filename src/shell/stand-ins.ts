// Tools that do what another one does, in other words: each is read as the call of that other one.

import { BINS, creatorOf, programAt } from "../tools/packages.ts";
import type { Call } from "./call.ts";
import { invokeFile } from "./invoke.ts";
import type { Word } from "./reading.ts";
import type { Outcome } from "./state.ts";
import { readOptions } from "./unwrap.ts";
import { beginning, joinWords, known, textOf } from "./words.ts";

/** The words of the other call; nothing where it would act on nothing. */
type Instead = (words: readonly Word[]) => Word[] | undefined;

const call = (line: string, ...words: readonly Word[]): Word[] => [...line.split(" ").map(known), ...words];
const operandsOf = (words: readonly Word[], takes?: string) => readOptions(words, takes, true).rest;
const gives = (words: readonly Word[], option: RegExp) => words.some((word) => option.test(textOf(word) ?? ""));

/** These files get other contents, which nobody knows. */
const writes = (...files: readonly Word[]) => call("truncate -s 0 --", ...files);

/** All its operands go. */
const removes: Instead = (words) => call("rm -rf --", ...operandsOf(words));

/** What `cmake -E` brings with it (cmake(1), Run a Command-Line Tool). */
const CMAKE = new Map([
	["rm", "rm"],
	["remove", "rm --"],
	["remove_directory", "rm -r --"],
	["copy", "cp"],
	["copy_if_different", "cp --"],
	["copy_directory", "cp -r --"],
	["rename", "mv --"],
	["touch", "touch --"],
	["touch_nocreate", "touch -c --"],
	["make_directory", "mkdir -p --"],
	["create_symlink", "ln -s --"],
	["create_hardlink", "ln --"],
	["tar", "tar"],
	["env", "env"],
	["time", "env"],
]);

const cmake: Instead = ([mode, verb, ...rest]) => {
	const line = textOf(mode) === "-E" ? CMAKE.get(textOf(verb) ?? "") : undefined;
	return line === undefined ? undefined : call(line, ...rest);
};

/** What gio(1) does with local files. */
const GIO = new Map([
	["trash", "rm -r --"],
	["remove", "rm --"],
	["move", "mv --"],
	["copy", "cp --"],
	["mkdir", "mkdir -p --"],
]);

const gio: Instead = ([verb, ...rest]) => {
	const line = GIO.get(textOf(verb) ?? "");
	const operands = operandsOf(rest);
	return line === undefined || operands.some((word) => beginning(word).includes("://")) ? undefined : call(line, ...operands);
};

/** scp(1): a colon before any slash names another machine. */
const scp: Instead = (words) => {
	const operands = operandsOf(words, "-c -D -F -i -J -l -o -P -S -X");
	const isFar = (word: Word | undefined) => /^[^/]*:/.test(beginning(word));
	if (operands.length < 2 || isFar(operands.at(-1))) return undefined;
	return call("cp -r --", ...operands.map((word) => (isFar(word) ? known("/dev/null") : word)));
};

const ZIP_TAKES = "-b -n -P -t -tt -O --out --output-file -s -Z";

/** zip(1): the first operand is the archive, a dash standard output; with -m the others go, up to a list of patterns. */
const zip: Instead = (words) => {
	const end = words.findIndex((word) => /^(-[xi]|--(ex|in)clude)$/.test(textOf(word) ?? ""));
	const own = words.slice(0, end < 0 ? undefined : end).map((word) => (textOf(word) === "-" ? known("/dev/stdout") : word));
	const { given, rest } = readOptions(own, ZIP_TAKES, true);
	const [first, ...files] = rest;
	if (first === undefined || gives(words, /^(-[a-zA-Z]*T|--test|-sf|--show-files)$/)) return undefined;
	const archive = given.find(({ name }) => /^(-O|--out|--output-file)$/.test(name))?.value ?? first;
	const packed = gives(words, /^(-[a-zA-Z]*m|--move)$/) ? files : [];
	return packed.length === 0 ? call("touch --", archive) : [...call("tar --remove-files -cf"), archive, known("--"), ...packed];
};

/** fd(1): each command of -x and -X is find's -exec for what lies below the places; which of the links there it matches is not looked at. */
const FD_TAKES =
	"-e --extension -t --type -d --max-depth --min-depth --exact-depth -E --exclude -S --size --changed-within --changed-before -o --owner " +
	"-c --color -j --threads --batch-size -C --base-directory --search-path --path-separator --max-results --ignore-file --format --and";

const fd: Instead = (words) => {
	const at = words.findIndex((word) => /^(-[xX]|--exec(-batch)?)$/.test(textOf(word) ?? ""));
	if (at < 0) return undefined;
	const end = words.findIndex((word, k) => k > at && textOf(word) === ";");
	const command = words.slice(at + 1, end < 0 ? undefined : end);
	const others = [...words.slice(0, at), ...(end < 0 ? [] : words.slice(end + 1))];
	const { given, rest } = readOptions(others, FD_TAKES, true);
	const named = given.flatMap(({ name, value }) => (/^(--search-path|-C|--base-directory)$/.test(name) && value ? [value] : []));
	const places = [...named, ...rest.slice(1)];
	const filled = command.map((word) => (/^\{(\/|\/\/|\.|\/\.)\}$/.test(textOf(word) ?? "") ? known("{}") : word));
	if (!filled.some((word) => beginning(word).includes("{}"))) filled.push(known("{}"));
	return [...call("find"), ...(places.length > 0 ? places : [known(".")]), ...call("-mindepth 1 ! -type l -exec", ...filled), known(";")];
};

/** Names that Homebrew gives the tools of GNU. */
const GNU = new Set(
	(
		"rm mv cp ln sed find tar touch mkdir rmdir unlink shred truncate dd tee install chmod chown chgrp sort split csplit uniq shuf mkfifo " +
		"mknod mktemp xargs env timeout nice nohup stdbuf echo printf cat ls head tail cut tr basename dirname realpath readlink seq date"
	).split(" "),
);

/** ripgrep runs the program of --pre for each file that it searches. */
const rg: Instead = (words) => {
	const { given, rest } = readOptions(words, "--pre -e -f -g -t -T -A -B -C -m -d -j -M --regexp --file --glob --type", true);
	const program = given.find(({ name }) => name === "--pre")?.value;
	if (program === undefined || program.pieces.length === 0) return undefined;
	const places = given.some(({ name }) => /^(-e|-f|--regexp|--file)$/.test(name)) ? rest : rest.slice(1);
	return [...call("find"), ...(places.length > 0 ? places : [known(".")]), ...call("-type f -exec"), program, ...call("{} ;")];
};

/** A file behind another is written. */
const second: (takes: string) => Instead = (takes) => (words) => {
	const target = operandsOf(words, takes)[1];
	return target === undefined || textOf(target) === "-" ? undefined : writes(target);
};

/** `npm create NAME` and its like run a package whose name begins with `create-`. */
const created: (verb: RegExp) => Instead =
	(verb) =>
	([first, second, ...rest]) => {
		const creator = verb.test(textOf(first) ?? "") && !beginning(second).startsWith("-") ? creatorOf(textOf(second) ?? "") : undefined;
		return creator === undefined ? undefined : call("npx", known(creator), ...rest);
	};

/** A program of the project's packages by its bare name. */
const bins: (takes: string) => Instead = (takes) => (words) => {
	const { rest } = readOptions(words, takes);
	return ` ${BINS} `.includes(` ${textOf(rest[0]) ?? " "} `) ? rest : undefined;
};

/** `yarn workspace NAME exec` and `yarn workspaces foreach exec` run it in directories that are not known, as `npm exec` does. */
const yarn: Instead = (words) => {
	const at = words.findIndex((word) => textOf(word) === "exec");
	if (/^workspaces?$/.test(textOf(words[0]) ?? "") && at > 0) return call("npm exec --", ...words.slice(at + 1));
	return created(/^create$/)(words) ?? bins("--cwd")(words);
};

/** `uv tool run` is uvx. */
const uv: Instead = (words) => {
	const [tool, run, ...rest] = readOptions(words, "--directory --project -p --python --config-file").rest;
	return textOf(tool) === "tool" && textOf(run) === "run" ? call("uvx", ...rest) : undefined;
};

/** bun: `exec` hands a line to the shell that it brings with it. */
const bun: Instead = (words) => {
	const [verb, ...line] = words;
	if (textOf(verb) === "exec") return [...call("sh -c"), joinWords(line, " ")];
	return created(/^(create|c)$/)(words) ?? bins("--cwd --filter")(words);
};

/** How many values the options of bwrap(1) take; those of no value are not here. */
const BWRAP: Readonly<Record<number, RegExp>> = {
	2: /^--((ro-|dev-)?bind(-try|-fd|-data)?|file|symlink|setenv|chmod|ro-bind-data|ro-bind-fd|bind-fd)$/,
	1: /^--(args|argv0|unsetenv|lock-file|proc|dev|tmpfs|mqueue|dir|chdir|uid|gid|hostname|exec-label|file-label|seccomp|add-seccomp-fd|userns2?|pidns|sync-fd|info-fd|json-status-fd|block-fd|userns-block-fd|cap-add|cap-drop|perms|size|remount-ro|overlay-src|tmp-overlay|ro-overlay)$/,
};

/** bwrap: what is bound to where it is, to be written, is the file itself. */
const bwrap: Instead = (words) => {
	let at = 0;
	let [binds, chdir] = [false, undefined as Word | undefined];
	for (; at < words.length && beginning(words[at]).startsWith("-"); at++) {
		const option = textOf(words[at]) ?? "";
		const [first, second] = words.slice(at + 1);
		if (/^--(dev-)?bind(-try)?$/.test(option)) binds ||= textOf(first) !== undefined && textOf(first) === textOf(second);
		if (option === "--chdir") chdir = first;
		if (option === "--") break;
		at += BWRAP[2]?.test(option) ? 2 : BWRAP[1]?.test(option) ? 1 : 0;
	}
	const command = words.slice(textOf(words[at]) === "--" ? at + 1 : at);
	if (!binds || command.length === 0) return undefined;
	return chdir === undefined ? command : [...call("env -C"), chdir, ...command];
};

/** A program that node is told by its path among the packages of a project. */
const node: Instead = ([path, ...rest]) => {
	const program = programAt(textOf(path) ?? "");
	return program === undefined ? undefined : [known(program), ...rest];
};

/** Verbs of rtk that are its own, and those behind which a command stands; any other word is a command, run as it is. */
const RTK_OWN =
	/^(read|smart|json|deps|env|log|format|lint|init|gain|cc-economics|config|discover|session|telemetry|learn|trust|untrust|verify|hook|hook-audit|rewrite|help)$/;
const RTK_BEHIND = /^(proxy|err|test|summary|run)$/;

/** rtk: a prefix that makes what commands print shorter. */
const rtk: Instead = (words) => {
	const rest = readOptions(words, undefined).rest;
	const verb = textOf(rest[0]) ?? "";
	if (RTK_OWN.test(verb) || gives(words.slice(0, 1), /^--?(help|version|h|V)$/)) return undefined;
	if (!RTK_BEHIND.test(verb)) return rest;
	const behind = rest.slice(1);
	return verb === "run" && textOf(behind[0]) === "-c" ? call("sh", ...behind) : readOptions(behind, undefined).rest;
};

/** gh(1): `repo clone NAME [DIRECTORY] [-- FLAGS]` is git's. */
const gh: Instead = ([noun, verb, ...rest]) => {
	if (!/^(repo|gist)$/.test(textOf(noun) ?? "") || textOf(verb) !== "clone") return undefined;
	const end = rest.findIndex((word) => textOf(word) === "--");
	const own = rest.slice(0, end < 0 ? undefined : end);
	const [name, ...directory] = operandsOf(own, "-u --upstream-remote-name");
	if (name === undefined) return undefined;
	const isWhole = /:|\.git$/.test(beginning(name));
	const address = isWhole ? name : joinWords([known("https://github.com/"), name], "");
	return call("git clone", ...(end < 0 ? [] : rest.slice(end + 1)), known("--"), address, ...directory);
};

/** The manuals of trash-cli, rimraf, del-cli, GNU coreutils, util-linux, xxd, glibc's iconv, dos2unix, yq, Yarn, Bun, Nix. */
export const INSTEAD: Readonly<Record<string, Instead>> = {
	cmake,
	gio,
	scp,
	zip,
	rg,
	bsdtar: (words) => call("tar", ...words),
	fd,
	fdfind: fd,
	rimraf: removes,
	"del-cli": removes,
	trash: removes,
	"trash-put": removes,
	link: (words) => call("ln --", ...operandsOf(words)),
	fallocate: (words) => writes(...operandsOf(words, "-l --length -o --offset")),
	xxd: second("-c -cols -g -groupsize -l -len -n -name -o -R -s -seek"),
	iconv: (words) => {
		const { given } = readOptions(words, "-f --from-code -t --to-code -o --output", true);
		const output = given.find(({ name }) => /^(-o|--output)$/.test(name));
		return output?.value && writes(output.value);
	},
	dos2unix: (words) => (gives(words, /^(-[nOi]|--newfile|--to-stdout|--info.*)$/) ? undefined : call("sed -i p", ...operandsOf(words))),
	yq: (words) => {
		const isVerb = (word: Word | undefined) => /^(e|ea|eval|eval-all)$/.test(textOf(word) ?? "");
		const operands = operandsOf(words, "-I --indent -o --output-format -p --input-format");
		if (!gives(words, /^(-[a-zA-Z]*i|--inplace|--in-place)$/)) return undefined;
		return call("sed -i p", ...operands.slice(isVerb(operands[0]) ? 2 : 1));
	},
	yarn,
	rtk,
	gh,
	glab: gh,
	npm: created(/^(create|init|innit)$/),
	pnpm: (words) => created(/^create$/)(words) ?? bins("-C --dir -F --filter")(words),
	bun,
	bwrap,
	node,
	uv,
	nix: (words) => {
		const at = words.findIndex((word) => /^(-c|--command)$/.test(textOf(word) ?? ""));
		return /^(develop|shell)$/.test(textOf(words[0]) ?? "") && at > 0 ? words.slice(at + 1) : undefined;
	},
};

/** What a tool of these comes to; undefined when it is none, or acts on nothing. */
export function standIn({ m, state, words }: Call, tool: string): Outcome | undefined {
	const row = Object.hasOwn(INSTEAD, tool) ? INSTEAD[tool] : undefined;
	const instead = tool.startsWith("g") && GNU.has(tool.slice(1)) ? call(tool.slice(1), ...words.slice(1)) : row?.(words.slice(1));
	if (instead === undefined || instead.length === 0) return undefined;
	// No shim sees what these do themselves.
	const offPath = m.offPath || !/^(fd|fdfind|rg|nix|yarn|rtk)$/.test(tool);
	return m.within({ via: [...m.via, tool], offPath }, () => invokeFile({ m, state, words: instead }));
}
