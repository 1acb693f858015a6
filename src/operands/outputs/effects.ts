// What tools write that have no policy of their own, where an option or an operand names it plainly.

import type { Bytes } from "../../policy/bytes.ts";
import type { Operand } from "../../policy/call.ts";
import { baseOf, join } from "../../policy/resolve.ts";
import { perl } from "../run/editors.ts";
import { type Fate, ROWS, type Row } from "./table.ts";

const isAmong = (list: string | undefined, word: Bytes) => list !== undefined && ` ${list} `.includes(` ${word} `);
/** Whether a value names a file: no standard output, and nothing that a program is fed through. */
const isFile = (text: Bytes) => text !== "" && text !== "-" && !/^[|%]/.test(text);
const written = (text: Bytes): Operand => ({ text, role: "written", leaf: "both" });
const into = (text: Bytes): Operand => ({ text, role: "into", leaf: "target" });
/** A name with a slash behind it is the directory that a name of the tool's own comes into. */
const output = (text: Bytes): Operand => (text.endsWith("/") ? into(text) : written(text));
/** What ImageMagick puts before a name: the format of the file. */
const FORMAT = /^[a-z][a-z0-9]+:(?!\/\/)/i;

/** The words of a call as a row reads them. */
interface Read {
	/** The directory that relative names stand on. */
	from: Bytes | undefined;
	files: Bytes[];
	into: Bytes[];
	operands: Bytes[];
}

/** A word that is an option and its value; `at` is where the value begins, 0 where it is the next word. */
function valueIn(word: Bytes, { single, ...row }: Row): { option: Bytes; at: number } | undefined {
	const takes = (option: Bytes) =>
		isAmong(row.files, option) || isAmong(row.into, option) || isAmong(row.takes, option) || isAmong(row.from, option);
	if (takes(word)) return { option: word, at: 0 };
	const equals = word.indexOf("=");
	if (equals > 0 && (single || word.startsWith("--"))) {
		const option = word.slice(0, equals);
		return takes(option) ? { option, at: equals + 1 } : undefined;
	}
	if (word.startsWith("--")) return undefined;
	for (let k = 1; k < (single ? 2 : word.length); k++) {
		const option = `-${word[k]}`;
		if (takes(option)) return { option, at: k + 1 < word.length ? k + 1 : 0 };
	}
	return undefined;
}

function read(words: readonly Bytes[], row: Row): Read {
	const found: Read = { from: undefined, files: [], into: [], operands: [] };
	for (let at = 0; at < words.length; at++) {
		const word = words[at] as Bytes;
		if (word === "--") {
			found.operands.push(...words.slice(at + 1));
			break;
		}
		const value = word.startsWith("-") ? valueIn(word, row) : undefined;
		if (value === undefined) {
			if (!word.startsWith("-") || word === "-") found.operands.push(word);
			continue;
		}
		const text = value.at > 0 ? word.slice(value.at) : words[++at];
		if (text === undefined) continue;
		if (isAmong(row.files, value.option)) found.files.push(text);
		else if (isAmong(row.into, value.option)) found.into.push(text);
		else if (isAmong(row.from, value.option)) found.from = text;
	}
	return found;
}

/** The operands that have a fate. */
function fated(operands: readonly Bytes[], fate: Fate | undefined): Bytes[] {
	if (fate === "all") return [...operands];
	if (fate === "first") return operands.slice(0, 1);
	if (fate === "last") return operands.slice(-1);
	if (fate === "second") return operands.slice(1, 2);
	if (fate === "behind-second") return operands.slice(2);
	return fate === "second-or-first" ? operands.slice(0, 2).slice(-1) : [];
}

/** What one row says of a call; undefined where it is for another one. */
function byRow(words: readonly Bytes[], row: Row): Operand[] | undefined {
	const found = read(words, row);
	const [verb, ...others] = found.operands;
	if (row.verb !== undefined && !row.verb.test(verb ?? "")) return undefined;
	const operands = row.verb === undefined ? found.operands : others;
	if (words.some((word) => row.unless?.test(word)) || (row.only && !words.some((word) => row.only?.test(word)))) return [];
	// A file that an option names takes the place of the operands.
	const reads = row.rewrites !== undefined && !words.some((word) => row.rewrites?.test(word));
	const own = found.files.length > 0 || reads ? [] : fated(operands, row.written);
	const files = [...found.files, ...own].filter((text) => isFile(text) && !row.far?.test(text));
	const directories = [...found.into, ...fated(operands, row.comes)].filter((text) => isFile(text));
	if (directories.length === 0 && row.otherwise !== undefined) directories.push(row.otherwise);
	const base = row.fromFirst ? operands[0] : found.from;
	const placed = (text: Bytes) => (base === undefined || text.startsWith("/") ? text : join(base, text));
	return [...files.map((text) => output(placed(text.replace(FORMAT, "")))), ...directories.map((text) => into(placed(text)))];
}

/** cpio(1): -p copies into its operand, -i into the directory of -D, -o into the archive of -F or -O. */
function cpio(words: readonly Bytes[]): Operand[] {
	const row: Row = { files: "-F -O --file", into: "-D --directory", takes: "-C -E -H -I -M -R --format --pattern-file --owner" };
	const found = read(words, row);
	const has = (letter: string, long: string) =>
		words.some((word) => word === long || (letter !== "" && new RegExp(`^-[a-zA-Z]*${letter}`).test(word)));
	if (has("p", "--pass-through")) return found.operands.slice(-1).map(into);
	if (has("o", "--create")) return found.files.map(written);
	if (!has("i", "--extract") || has("t", "--list") || has("", "--to-stdout")) return [];
	return (found.into.length > 0 ? found.into : ["."]).map(into);
}

/** ar(1) and jar(1): the first word has the letters of what is done. */
const lettered =
	(makes: RegExp, takes: RegExp): ((words: readonly Bytes[]) => Operand[]) =>
	([letters = "", ...rest]) => {
		const mode = letters.replace(/^-/, "");
		if (/^-/.test(mode)) return [];
		// The archive stands first, behind the names that letters before it ask for.
		const archive = rest.slice(takes.test(mode) ? 1 : 0).find((word) => !word.startsWith("-"));
		if (makes.test(mode)) return archive === undefined || !/[fqrdms]/.test(mode) ? [] : [written(archive)];
		return /x/.test(mode) ? [into(".")] : [];
	};

/** rename(1) of Perl, whose first operand is a program, and of util-linux, whose first two are texts. */
function rename(words: readonly Bytes[]): Operand[] {
	if (words.some((word) => /^(-[a-zA-Z]*n|--no-act|--nono|--version|--help)$/.test(word))) return [];
	const operands = words.filter((word) => !word.startsWith("-"));
	const files = operands.slice(/[/{(;,|]|^\W/.test(operands[0] ?? "") ? 1 : 2);
	return files.map((text) => ({ text, role: "moved", leaf: "entry" }));
}

/** zip(1): the archive stands first; with -m what it holds then goes from where it was. */
function zip(words: readonly Bytes[]): Operand[] {
	const { files, operands } = read(words, { files: "-O --out", takes: "-b -n -P -t -tt -i -x -R --password --suffixes" });
	if (words.some((word) => /^(-s[fc]|--show-(files|command)|-[hLv])$/.test(word))) return [];
	const [archive = "-", ...others] = operands;
	const moves = words.some((word) => /^(-[a-zA-Z]*m[a-zA-Z]*|--move)$/.test(word));
	const archives = [...files, archive].filter(isFile).map(written);
	return moves ? [...archives, ...others.map((text): Operand => ({ text, role: "removed", leaf: "entry" }))] : archives;
}

/** unrar(1): a last operand with a slash behind it is where all comes to. */
function unrar(words: readonly Bytes[]): Operand[] {
	const [verb = "", ...operands] = words.filter((word) => !word.startsWith("-"));
	const last = operands.at(-1) ?? "";
	return /^[xe]$/.test(verb) ? [into(last.endsWith("/") ? last : ".")] : [];
}

/** yt-dlp(1): a template of names, of which the directory is known. */
function ytDlp(words: readonly Bytes[]): Operand[] {
	const found = read(words, { files: "-o --output", into: "-P --paths", takes: "-f -S -a -r -x --format --cookies" });
	const directories = [...found.into.map((text) => text.replace(/^\w+:/, "")), "."].slice(0, 1);
	const [base = "."] = directories;
	const templates = found.files.filter((text) => isFile(text)).map((text) => text.slice(0, text.lastIndexOf("/") + 1));
	return [...directories, ...templates.map((text) => (text.startsWith("/") ? text : join(base, text)))].map(into);
}

/** Modules of Python that are programs under the same name. */
const MODULES = /^(black|ruff|isort|autopep8|yapf|autoflake|pytest|coverage|mkdocs|cookiecutter|codespell|nbstripout|papermill|jupyter)$/;

/** protoc(1): each of its plugins has an option of its own, with parameters before a colon. */
function protoc(words: readonly Bytes[]): Operand[] {
	const files = read(words, { single: true, files: "-o --descriptor_set_out --dependency_out", takes: "-I --proto_path" }).files;
	const directories = words.flatMap((word) => /^--\w+_out=(?:[^:]*:)?(.+)$/.exec(word)?.[1] ?? []);
	return [...files.map(written), ...directories.map(into)];
}

/** `python -m MODULE` where the module writes what it is given. */
function python(words: readonly Bytes[]): Operand[] {
	const at = words.findIndex((word) => word === "-m" || !word.startsWith("-"));
	const [module = "", ...rest] = words[at] === "-m" ? words.slice(at + 1) : [];
	const operands = rest.filter((word) => !word.startsWith("-"));
	if (module === "pip") return outputsOf(["pip", ...rest]);
	if (module === "venv" || module === "virtualenv") return outputsOf(["virtualenv", ...rest]);
	if (module === "build") return outputsOf(["pyproject-build", ...rest]);
	if (module === "cProfile") return read(rest, { files: "-o", takes: "-s -m" }).files.map(written);
	if (MODULES.test(module)) return outputsOf([module, ...rest]);
	if (module === "json.tool") return read(rest, { takes: "--indent" }).operands.slice(1, 2).map(written);
	if (!/^(zipfile|tarfile)$/.test(module)) return [];
	if (/^(-e|--extract)$/.test(rest[0] ?? "")) return [into(operands[1] ?? ".")];
	return /^(-c|--create)$/.test(rest[0] ?? "") ? operands.slice(0, 1).map(written) : [];
}

/** dos2unix(1): with -n every second name is written, else each of them. */
function dos2unix(words: readonly Bytes[]): Operand[] {
	if (words.some((word) => /^(-i|--info.*|-O|--to-stdout)$/.test(word))) return [];
	const { operands } = read(words, { takes: "-c -D --convmode --display-enc" });
	const pairs = words.some((word) => /^(-n|--newfile)$/.test(word));
	return operands.filter((_, k) => !pairs || k % 2 === 1).map(written);
}

/** Options of ImageMagick that take no value. */
const FLAGS =
	/^-(strip|auto-orient|flip|flop|negate|normalize|trim|verbose|quiet|monochrome|transpose|transverse|equalize|enhance|despeckle)$/;

/** mogrify(1): each image is changed, or comes into the directory of -path; what stands behind another option is its value. */
function mogrify(words: readonly Bytes[]): Operand[] {
	const { into: directories } = read(words, { single: true, into: "-path" });
	if (directories.length > 0) return directories.map(into);
	const isValue = (k: number) => k > 0 && /^[-+]/.test(words[k - 1] as Bytes) && !FLAGS.test(words[k - 1] as Bytes);
	return words.filter((word, k) => isFile(word) && /^[^-].*\.\w+$/.test(word) && !isValue(k)).map(written);
}

/** sox(1): the last name is written, unless it asks for information or plays. */
function sox(words: readonly Bytes[]): Operand[] {
	if (words.some((word) => /^--i(nfo)?$/.test(word)) || /^(-d|-n|--default-device|--null)$/.test(words.at(-1) ?? "")) return [];
	return read(words, { single: true, takes: "-t -r -b -c -e -v" })
		.operands.slice(-1)
		.filter((text) => isFile(text))
		.map(written);
}

/** chattr(1): a word of attributes begins with a sign, `-` among them. */
function chattr(words: readonly Bytes[]): Operand[] {
	const files = words.filter((word, k) => !/^[-+=]/.test(word) && !/^-[a-zA-Z]*[vp]$/.test(words[k - 1] ?? ""));
	return files.map(written);
}

/** ruby(1): -i changes files in place as perl's does. */
const ruby = (words: readonly Bytes[]): Operand[] =>
	perl(["ruby", ...words.filter((word) => !/^(-[rIEKWT].|--(enable|disable|encoding)=)/.test(word))], true)?.operands ?? [];

/** Tools whose words no row explains. */
const OTHERS: readonly [names: string, effects: (words: readonly Bytes[]) => Operand[]][] = [
	["cpio", cpio],
	["ar llvm-ar gcc-ar", lettered(/[rqdms]/, /[abi]/)],
	["jar", lettered(/[cu]/, /^$/)],
	["rename prename file-rename perl-rename", rename],
	["unrar", unrar],
	["zip", zip],
	["chattr", chattr],
	["protoc", protoc],
	["dos2unix unix2dos mac2unix unix2mac", dos2unix],
	["ruby", ruby],
	["yt-dlp youtube-dl", ytDlp],
	["python python3", python],
	["mogrify", mogrify],
	["sox", sox],
];

/** What is written by a call of a tool that nothing guards; nothing where that is not plain from its words. */
export function outputsOf([command = "", ...words]: readonly Bytes[]): Operand[] {
	// `python3.12` and `gcc-13` are what they are without the version.
	const name = baseOf(command).replace(/(?<=^(python3?|pip3?|gcc|g\+\+|clang(\+\+)?))-?[\d.]+$/, "");
	if (words.some((word) => word === "--help" || word === "--version")) return [];
	const other = OTHERS.find(([names]) => isAmong(names, name))?.[1];
	if (other !== undefined) return other(words);
	for (const [names, row] of ROWS) {
		const found = isAmong(names, name) ? byRow(words, row) : undefined;
		if (found !== undefined) return found;
	}
	return [];
}

/** Whether it is known how a tool names what it writes. */
export const namesOutputs = (name: Bytes): boolean =>
	OTHERS.some(([names]) => isAmong(names, name)) || ROWS.some(([names]) => isAmong(names, name));
