// Facts of commands that nothing guards: which only read, and of others which of their words are read and which are written.

import type { Bytes } from "../../policy/bytes.ts";
import { baseOf } from "../../policy/resolve.ts";

/** Commands of a kind, with what a word of theirs must not be for the row to hold. */
type Row = readonly [names: string, unless?: RegExp];

/**
 * Commands that change nothing, whatever their operands are; `unless` names what would make them write or run something.
 * POSIX XCU, coreutils, findutils, grep, file, diffutils, and what is built into shells.
 */
const READS: readonly Row[] = [
	["grep egrep fgrep zgrep cat head tail wc ls stat du df echo printf true false test [ basename dirname realpath readlink : tr"],
	["md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum cksum sum cmp diff diff3 comm od hexdump strings nl tac rev fold cut"],
	["paste join expand unexpand fmt pr column look tsort factor seq expr sleep base32 bc dc numfmt vdir dir getconf locale"],
	["getfattr getfacl lsattr lsof id zcat bzcat xzcat zstdcat readelf objdump nm size ldd identify pwd whoami hostname uname tty nproc"],
	["jq which type hash wait exit return break continue shift kill jobs ulimit umask ps pgrep cal"],
	["zless xzgrep bzgrep zstdgrep cloc tokei scc flake8 pyflakes pycodestyle yamllint hadolint mypy pylint pyright fuser clamscan code"],
	[
		"zipinfo csvstat csvlook ffprobe mediainfo pdfinfo pdffonts shellcheck md5 shasum dirs history compgen complete alias unalias shopt times help",
	],
	["file", /^(-[a-zA-Z]*C|--comp)/],
	["rg ag ack", /^--(pre|hostname-bin|pager)/],
	["sort", /^(-[a-zA-Z]*[oT]|--(o|comp|t))/],
	["shuf base64 iconv xmllint", /^(-[a-zA-Z]*o|--o)/],
	["less more bat", /^-[oO]|^--[lL]/],
	["exiftool", /=|^-(o|w|overwrite|delete|tagsfromfile)/i],
	["date", /^(-[a-zA-Z]*s|--s)/],
	["tree", /^-[a-zA-Z]*[oR]/],
	["yq", /^(-[a-zA-Z]*i|--in)/],
	["clang-format", /^(-i|--i)$/],
];

/** Places where a program of a known name is that program. */
const TRUSTED_PLACES = ["", "/bin/", "/usr/bin/", "/usr/local/bin/", "/sbin/", "/usr/sbin/", "/opt/homebrew/bin/"];

/** Commands of git that change neither the working tree nor the repository (git(1)). */
const GIT_READS =
	"status log diff show blame annotate grep ls-files ls-tree ls-remote rev-parse rev-list cat-file shortlog describe diff-tree diff-index " +
	"diff-files show-ref for-each-ref name-rev merge-base check-ignore check-attr count-objects var version help whatchanged cherry";

/** Whether it is the program that its name says; one of the same name in another place may do anything. */
export function isKnownProgram(command: Bytes): boolean {
	return TRUSTED_PLACES.includes(command.slice(0, command.length - baseOf(command).length));
}

const operandsOf = (words: readonly Bytes[]) => words.slice(1).filter((word) => word === "-" || !word.startsWith("-"));

/** Whether git only looks: `git -C DIR log`. */
function gitReads(words: readonly Bytes[]): boolean {
	let at = 1;
	while (/^-/.test(words[at] ?? "")) at += /^(-C|-c|--git-dir|--work-tree|--namespace)$/.test(words[at] as Bytes) ? 2 : 1;
	const command = words[at] ?? "";
	const opens = words.slice(at + 1).some((word) => /^(--(output|ext-diff|open-files-in-pager|textconv)|-O.)/.test(word));
	const runs = words.slice(1, at).some((word) => /^-c$|^--(exec-path|config-env)/.test(word));
	return ` ${GIT_READS} `.includes(` ${command} `) && !opens && !runs;
}

const has = (words: readonly Bytes[], option: RegExp) => words.slice(1).some((word) => option.test(word));

/** Commands of which the words together say whether they only read. */
const READING: readonly [names: string, reads: (words: readonly Bytes[]) => boolean][] = [
	["git", gitReads],
	// `xxd IN OUT` and `uniq IN OUT` write their second operand.
	["xxd uniq", (words) => operandsOf(words.filter((_, k) => !/^-[clgos]$/.test(words[k - 1] ?? ""))).length < 2],
	// Questions about packages (dpkg(1), rpm(8)).
	["dpkg", (words) => /^(-[SslLpI]|--(search|status|list|listfiles|info|contents))$/.test(words[1] ?? "")],
	["rpm", (words) => /^(-q|--query)/.test(words[1] ?? "")],
	[
		"gzip gunzip bzip2 bunzip2 xz unxz zstd",
		(words) => has(words, /^-[a-zA-Z]*[clt]|^--(stdout|to-stdout|list|test)$/) && !has(words, /^(-o|--rm)/),
	],
	["sh bash dash zsh ksh", (words) => words[1] === "-n" && words.length === 3],
	["command", (words) => has(words, /^-[pvV]*[vV]/)],
	["unzip", (words) => has(words, /^-[a-zA-Z]*[lptvZ]/)],
	[
		"black isort prettier eslint ruff",
		(words) => has(words, /^(-c|--check|--check-only|--diff|-l|--list-different)$/) && !has(words, /^(-w|--write|--fix)/),
	],
];

const isAmong = (names: string, name: Bytes) => ` ${names} `.includes(` ${name} `);

/** Whether a command only reads. */
export function onlyReads(words: readonly Bytes[]): boolean {
	const [command = ""] = words;
	if (!isKnownProgram(command)) return false;
	const name = baseOf(command);
	if (READING.some(([names, reads]) => isAmong(names, name) && reads(words))) return true;
	return READS.some(([names, unless]) => isAmong(names, name) && (unless === undefined || !has(words, unless)));
}

/** How a command that is no mere reader takes its words. */
export interface Manner {
	/** Options whose value, glued or in the next word, is only read. */
	reads: string;
	/** Options whose value is written. */
	writes: string;
	/** What the other words are: all read, all written, or the first one read (an interpreter's script) and the rest written. */
	operands: "read" | "written" | "first-read";
	/** Options whose value is the text of a program. */
	text?: string;
	/** Options whose value stands for the script that is run. */
	instead?: string;
	/** Whether files come to be in the working directory. */
	makes?: boolean;
}

const COMPILER: Manner = {
	reads:
		"-I -L -isystem -iquote -idirafter -include -imacros -isysroot -B -F -x -D -U -l -std -W -f -g -O -m -specs --sysroot -target -arch -Xlinker -T",
	writes: "-o -MF -MJ -dumpbase -dumpdir -save-temps",
	operands: "read",
	makes: true,
};

/** Compilers, interpreters and converters (gcc(1), cc of POSIX, python(1), node(1), ruby(1), php(1), pandoc(1)). */
const MANNERS: readonly [names: string, manner: Manner][] = [
	["gcc g++ cc c++ clang clang++ cpp c99 gfortran tcc ld as", COMPILER],
	["rustc", { reads: "-L -l --extern -C --cfg --edition --crate-type --target", writes: "-o --out-dir", operands: "read", makes: true }],
	["javac", { reads: "-cp -classpath --class-path -sourcepath -p --module-path", writes: "-d -s -h", operands: "read", makes: true }],
	["java", { reads: "-cp -classpath --class-path -p --module-path", writes: "", operands: "first-read" }],
	["protoc", { reads: "-I --proto_path", writes: "--descriptor_set_out", operands: "read", makes: true }],
	[
		"pandoc",
		{ reads: "--template --css -c --bibliography --lua-filter -F --filter -f -t -H -B -A", writes: "-o --output", operands: "read" },
	],
	// What their commands write is read where the command line is.
	["sqlite3 sqlite psql mysql mariadb gdb lldb ed vi vim nvim view ex dc m4 expect", { reads: "", writes: "", operands: "read" }],
	["dos2unix unix2dos mac2unix wipe", { reads: "-c -m", writes: "", operands: "written" }],
	["dot neato", { reads: "-T -K -G -N -E", writes: "-o", operands: "read" }],
	["xsltproc", { reads: "--path --param --stringparam", writes: "-o --output", operands: "read" }],
	["python python2 python3 pypy3", { reads: "-W -X", writes: "", operands: "first-read", text: "-c", instead: "-m" }],
	[
		"node nodejs bun deno tsx ts-node",
		{ reads: "-r --require --import --loader", writes: "", operands: "first-read", text: "-e --eval -p --print" },
	],
	["perl", { reads: "-I -M -m", writes: "", operands: "first-read", text: "-e -E" }],
	["ruby", { reads: "-I -r -C", writes: "", operands: "first-read", text: "-e" }],
	["php", { reads: "-c -d -f", writes: "", operands: "first-read", text: "-r" }],
	["lua luajit Rscript tclsh osascript", { reads: "-l", writes: "", operands: "first-read", text: "-e" }],
];

/** How a command takes its words; undefined when nothing is known of it. */
export function mannerOf(name: Bytes): Manner | undefined {
	// `python3.12` and `gcc-13` are what they are without the version.
	const plain = name.replace(/-?\d+(\.\d+)*$/, (version) => (/^[23]$/.test(version) ? version : ""));
	return MANNERS.find(([names]) => isAmong(names, name) || isAmong(names, plain))?.[1];
}
