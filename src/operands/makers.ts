// Tools that make a file beside what they read, or put another in its place: compressors, split, uniq, mkfifo and their like, a row each.

import type { Operand, Reader } from "../policy/call.ts";
import { type Grammar, has, lastValue, type Parsed, parseOptions, values } from "./options.ts";
import { NOTHING, suspectReading } from "./suspects.ts";

const written = (text: string, leaf: Operand["leaf"] = "both"): Operand => ({ text, role: "written", leaf });
const isFile = (text: string) => text !== "-" && text !== "";

/** What a compressed file's name ends in (gzip(1), bzip2(1), xz(1), zstd(1)). */
const PACKED = /\.(gz|z|bz2?|xz|lzma|zst|tgz|tbz2?|txz)$/i;

/** A file goes, and one with another ending comes to be; with `keep` it stays, and on standard output nothing changes. */
function packed(suffix: string, keeps: boolean): (parsed: Parsed) => Operand[] {
	return (parsed) => {
		if (has(parsed, "prints")) return [];
		const outputs = values(parsed, "output").filter(isFile);
		if (has(parsed, "below")) return parsed.operands.map((text): Operand => ({ text, role: "into", leaf: "target" }));
		const stays = has(parsed, "keep") || (keeps && !has(parsed, "goes"));
		const made = (text: string) => (PACKED.test(text) ? text.replace(PACKED, "") : text + suffix);
		const changed = parsed.operands.filter(isFile).flatMap((text): Operand[] => {
			const output = outputs.length > 0 ? [] : [written(made(text))];
			return stays ? output : [{ text, role: "removed", leaf: "entry" }, ...output];
		});
		return [...changed, ...outputs.map((text) => written(text))];
	};
}

const LEVELS = "-1 -2 -3 -4 -5 -6 -7 -8 -9";

const GZIP: Grammar = {
	rows: [
		["-c --stdout --to-stdout -t --test -l --list", "no", "prints"],
		["-k --keep", "no", "keep"],
		["-r --recursive", "no", "below"],
		["-S --suffix -b", "required"],
		["-d --decompress --uncompress -f --force -n --no-name -N --name -q --quiet -v --verbose -a --ascii -h -V -L --license", "no"],
		["--fast --best --rsyncable --synchronous", "no"],
		[LEVELS, "no"],
	],
};

const BZIP2: Grammar = {
	rows: [
		["-c --stdout -t --test", "no", "prints"],
		["-k --keep", "no", "keep"],
		["-d --decompress -z --compress -f --force -q --quiet -v --verbose -s --small -h -L -V --license --fast --best", "no"],
		["--repetitive-fast --repetitive-best", "no"],
		[LEVELS, "no"],
	],
};

const XZ: Grammar = {
	rows: [
		["-c --stdout --to-stdout -t --test -l --list", "no", "prints"],
		["-k --keep", "no", "keep"],
		["-S --suffix -F --format -C --check -T --threads -M --memlimit --memlimit-compress --memlimit-decompress --memory", "required"],
		["--block-size --block-list --flush-timeout --lzma1 --lzma2 --x86 --arm --delta", "required"],
		["--files --files0", "optional"],
		["-z --compress -d --decompress --uncompress -f --force -e --extreme -q --quiet -Q --no-warn -v --verbose -h -H -V", "no"],
		["--single-stream --no-sparse --ignore-check --robot --info-memory --long-help --no-adjust -0", "no"],
		[LEVELS, "no"],
	],
};

const ZSTD: Grammar = {
	rows: [
		["-c --stdout --to-stdout -t --test -l --list -b", "no", "prints"],
		["-o", "required", "output"],
		["--rm", "no", "goes"],
		["-k --keep", "no", "keep"],
		["-r", "no", "below"],
		["-D -M --memory -T --threads --filelist --stream-size --size-hint --format --auto-threads", "required"],
		["--output-dir-flat --output-dir-mirror", "required", "output"],
		["--long --fast --adapt --patch-from", "optional"],
		["-d --decompress --uncompress -z --compress -f --force -q --quiet -v --verbose -h -H -V -n --no-name --ultra --no-progress", "no"],
		["--progress --check --no-check --sparse --no-sparse --rsyncable --single-thread --content-size --no-content-size", "no"],
		["-0 -1 -2 -3 -4 -5 -6 -7 -8 -9", "no"],
	],
};

/** split(1): the names begin with the second operand. */
const SPLIT: Grammar = {
	rows: [
		["-a --suffix-length -b --bytes -C --line-bytes -l --lines -n --number -t --separator --additional-suffix --filter", "required"],
		["--numeric-suffixes --hex-suffixes", "optional"],
		["-d -x -e -u --elide-empty-files --unbuffered --verbose", "no"],
		["-0 -1 -2 -3 -4 -5 -6 -7 -8 -9", "no"],
	],
};

const CSPLIT: Grammar = {
	rows: [
		["-f --prefix", "required", "prefix"],
		["-b --suffix-format -n --digits", "required"],
		["-k -q -s -z --keep-files --quiet --silent --elide-empty-files --suppress-matched", "no"],
	],
};

const UNIQ: Grammar = {
	rows: [
		["-f --skip-fields -s --skip-chars -w --check-chars", "required"],
		["-D --all-repeated --group", "optional"],
		["-c -d -i -u -z --count --repeated --ignore-case --unique --zero-terminated", "no"],
	],
};

const SHUF: Grammar = {
	rows: [
		["-o --output", "required", "output"],
		["-i --input-range -n --head-count --random-source", "required"],
		["-e -r -z --echo --repeat --zero-terminated", "no"],
	],
};

/** mkfifo(1), mknod(1): only the first operand of mknod is a name. */
const NODES: Grammar = {
	rows: [
		["-m --mode", "required"],
		["-Z --context", "optional"],
	],
};

const SPONGE: Grammar = { rows: [["-a", "no"]] };

/** mktemp(1): a template is a name, unless -t puts it into a temporary directory. */
const MKTEMP: Grammar = {
	rows: [
		["-u --dry-run", "no", "dry"],
		["-t", "no", "there"],
		["-p", "required", "directory"],
		["--tmpdir", "optional", "directory"],
		["--suffix", "required"],
		["-d -q --directory --quiet", "no"],
	],
};

function templates(parsed: Parsed): Operand[] {
	if (has(parsed, "dry")) return [];
	const directory = lastValue(parsed, "directory");
	if (directory !== undefined) return [{ text: directory, role: "into", leaf: "target" }];
	const placed = has(parsed, "there") || has(parsed, "directory");
	return placed ? [] : parsed.operands.map((text) => written(text, "entry"));
}

const ROWS: readonly [names: string, grammar: Grammar, effects: (parsed: Parsed) => Operand[]][] = [
	["gzip gunzip", GZIP, packed(".gz", false)],
	["bzip2 bunzip2", BZIP2, packed(".bz2", false)],
	["xz unxz lzma unlzma", XZ, packed(".xz", false)],
	["zstd unzstd", ZSTD, packed(".zst", true)],
	["split", SPLIT, ({ operands }) => (operands[1] === undefined ? [written("xaa", "target")] : [written(`${operands[1]}aa`, "target")])],
	["csplit", CSPLIT, (parsed) => [written(`${lastValue(parsed, "prefix") ?? "xx"}00`, "target")]],
	[
		"uniq",
		UNIQ,
		({ operands }) =>
			operands
				.slice(1, 2)
				.filter(isFile)
				.map((text) => written(text, "target")),
	],
	["shuf", SHUF, (parsed) => values(parsed, "output").map((text) => written(text, "target"))],
	["mkfifo", NODES, ({ operands }) => operands.map((text) => written(text, "entry"))],
	["mknod", NODES, ({ operands }) => operands.slice(0, 1).map((text) => written(text, "entry"))],
	["sponge", SPONGE, ({ operands }) => operands.slice(0, 1).map((text) => written(text, "target"))],
	["mktemp", MKTEMP, templates],
];

/** One reader for all of them: the name of the tool says which row is meant. */
export const makers: Reader = {
	name: "makers",
	read(call) {
		const [, grammar, effects] = ROWS.find(([names]) => ` ${names} `.includes(` ${call.tool} `)) ?? [];
		if (grammar === undefined || effects === undefined) return suspectReading(call, parseOptions(call, { rows: [] }));
		const parsed = parseOptions(call, grammar);
		if (parsed.unread.length > 0) return suspectReading(call, parsed);
		return parsed.informs ? NOTHING : { operands: effects(parsed), unread: [] };
	},
};
