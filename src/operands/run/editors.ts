// sed, awk and perl: what they are given is changed in place or only read, and their programs may write and run things.

import type { Bytes } from "../../policy/bytes.ts";
import type { Call, Operand } from "../../policy/call.ts";
import { baseOf, join, parentOf, type Resolver } from "../../policy/resolve.ts";
import { sedEffects } from "../../tools/sed-script.ts";
import { type Grammar, has, lastValue, parseOptions, values } from "../options.ts";

/** What such a call acts on: files, and command lines that its program gives to a shell. */
export interface Effects {
	operands: Operand[];
	lines: Bytes[];
}

/** The largest program in a file of its own that is read, in bytes. */
const PROGRAM_LIMIT = 256 * 1024;

/** sed(1) of GNU and busybox; BSD's -i takes the next word. */
export const SED: Grammar = {
	rows: [
		["-e --expression", "required", "text"],
		["-f --file", "required", "file"],
		["-i --in-place", "optional", "in-place"],
		["-I", "required", "in-place"],
		["-l --line-length", "required"],
		["--follow-symlinks", "no", "follow"],
		["-n -E -r -s -u -z -a --quiet --silent --regexp-extended --separate --unbuffered --null-data --posix --debug --sandbox", "no"],
	],
};
const BSD_SED: Grammar = { rows: [...SED.rows, ["-i", "required", "in-place"]] };

/** awk of POSIX, with the options of gawk. */
export const AWK: Grammar = {
	rows: [
		["-F --field-separator", "required"],
		["-v --assign", "required", "assign"],
		["-f --file -E --exec", "required", "file"],
		["-e --source", "required", "text"],
		["-i --include -l --load", "required", "include"],
		["-W", "required"],
		["-b -c -C -g -h -k -n -N -O -P -r -s -S -t -V -M --posix --traditional --re-interval --sandbox --bignum --csv", "no"],
		["-d -D -L -o -p --dump-variables --debug --lint --pretty-print --profile", "optional", "dumps"],
	],
};

const written = (text: Bytes, leaf: Operand["leaf"]): Operand => ({ text, role: "written", leaf });

/** The names that the original gets for a backup: the suffix behind the name, or in it for each `*` (sed(1), perlrun(1)). */
function backups(file: Bytes, suffix: Bytes): Operand[] {
	if (suffix === "") return [];
	if (!suffix.includes("*")) return [written(file + suffix, "entry")];
	const named = suffix.replaceAll("*", () => baseOf(file));
	const directory = file.includes("/") ? parentOf(file) : ".";
	return [suffix.replaceAll("*", () => file), named, join(directory, named)].map((text) => written(text, "entry"));
}

/** The texts of programs that options give or name; undefined when a file of them cannot be read. */
function programs(parsed: ReturnType<typeof parseOptions>, look: Resolver): Bytes[] | undefined {
	const read = values(parsed, "file").map((file) => look.read(file, PROGRAM_LIMIT));
	return read.every((text) => text !== undefined) ? [...values(parsed, "text"), ...(read as Bytes[])] : undefined;
}

/** sed: with -i each file is replaced by a new one, so a link is not followed unless --follow-symlinks says so. */
export function sed(call: Call, look: Resolver): Effects | undefined {
	const parsed = parseOptions(call, call.implementation === "bsd" ? BSD_SED : SED);
	const given = programs(parsed, look);
	if (parsed.unread.length > 0 || given === undefined) return undefined;
	const own = has(parsed, "text") || has(parsed, "file");
	const texts = own ? given : parsed.operands.slice(0, 1);
	const effects = texts.map(sedEffects);
	if (effects.includes(undefined)) return undefined;
	const operands = effects.flatMap((effect) => effect?.written.map((text) => written(text, "target")) ?? []);
	const lines = effects.flatMap((effect) => effect?.lines ?? []);
	if (!has(parsed, "in-place") || parsed.informs) return { operands, lines };
	const suffix = lastValue(parsed, "in-place") ?? "";
	for (const file of own ? parsed.operands : parsed.operands.slice(1)) {
		operands.push(written(file, has(parsed, "follow") ? "both" : "entry"), ...backups(file, suffix));
	}
	return { operands, lines };
}

const STRING = '"((?:[^"\\\\]|\\\\.)*)"';
/** Output to a file (POSIX awk). */
const AWK_WRITES = new RegExp(`>\\s*${STRING}`, "g");

const strings = (text: Bytes, pattern: RegExp) => [...text.matchAll(pattern)].map((found) => (found[1] as Bytes).replace(/\\(.)/g, "$1"));

/** Values of variables into which the program writes. */
function assigned(words: readonly Bytes[], text: Bytes): Bytes[] {
	return words.flatMap((word) => {
		const [, name = "", value = ""] = /^([A-Za-z_]\w*)=(.*)$/s.exec(word) ?? [];
		return name !== "" && new RegExp(`>\\s*${name}\\b`).test(text) ? [value] : [];
	});
}

/** awk: its files are read, unless gawk's extension changes them in place or the program writes where it reads. */
export function awk(call: Call, look: Resolver): Effects | undefined {
	const parsed = parseOptions(call, AWK);
	const given = programs(parsed, look);
	const included = values(parsed, "include");
	if (parsed.unread.length > 0 || given === undefined || included.some((name) => name !== "inplace")) return undefined;
	const own = has(parsed, "text") || has(parsed, "file");
	const text = (own ? given : parsed.operands.slice(0, 1)).join("\n");
	const names = [...strings(text, AWK_WRITES), ...assigned([...values(parsed, "assign"), ...parsed.operands], text)];
	// What a command is put together of is not known, but for what stands in its pieces.
	const pieces = /system|getline|\|/.test(text.replaceAll("||", "")) ? strings(text, new RegExp(STRING, "g")) : [];
	const paths = pieces.filter((piece) => /^(\/|\.\.)/.test(piece));
	const operands = [...names.map((name) => written(name, "target")), ...paths.map((path) => written(path, "both"))];
	if (has(parsed, "dumps")) operands.push(...values(parsed, "dumps").map((name) => written(name, "target")));
	const files = own ? parsed.operands : parsed.operands.slice(1);
	if (included.length > 0) operands.push(...files.map((file) => written(file, "entry")));
	else if (/(>|\|)[^\n;}]*\b(FILENAME|ARGV)\b/.test(text)) operands.push(...files.map((file) => written(file, "both")));
	return { operands, lines: pieces };
}

/** Words of a perl program with which it does more than look at lines. */
const PERL_ACTS =
	/\b(open|sysopen|unlink|rename|system|exec|eval|require|use|do|qx|mkdir|rmdir|chmod|chown|utime|truncate|link|symlink|opendir|IO|File)\b|`/;

/**
 * perl -n and -p: a link is replaced with -i, and without it the files are read; undefined for any other perl.
 * @param scripted whether the program may stand in a file, of which only that it changes files in place is known
 */
export function perl(words: readonly Bytes[], scripted = false): Effects | undefined {
	let at = 1;
	let inPlace: Bytes | undefined;
	let loops = false;
	const texts: Bytes[] = [];
	for (; /^-./.test(words[at] ?? ""); at++) {
		const word = words[at] as Bytes;
		if (word === "--") {
			at++;
			break;
		}
		const found = /^-([acnplwWtTuUX0-9]*)(?:i(.*?)|F.*|[mMID].*|)([eE]?)$/s.exec(word);
		if (found === null) return undefined;
		loops ||= /[np]/.test(found[1] as string);
		// `-ie` is a suffix, not a program.
		if (found[2] !== undefined) inPlace = found[2] + (found[3] ?? "");
		else if (found[3] !== "") texts.push(words[++at] ?? "");
	}
	const isScript = scripted && texts.length === 0 && inPlace !== undefined;
	if (isScript) at++;
	if (!loops || (texts.length === 0 && !isScript) || texts.some((text) => PERL_ACTS.test(text))) return undefined;
	if (inPlace === undefined) return { operands: [], lines: [] };
	const suffix = inPlace;
	return { operands: words.slice(at).flatMap((file) => [written(file, "entry"), ...backups(file, suffix)]), lines: [] };
}
