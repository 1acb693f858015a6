// tar: writes the archive that it makes, or what it extracts into its directory.

import type { Bytes } from "../policy/bytes.ts";
import type { Call, Operand, Reader } from "../policy/call.ts";
import { join, type Resolver } from "../policy/resolve.ts";
import { type Grammar, has, lastValue, type Parsed, parseOptions, values } from "./options.ts";
import { scriptOperands } from "./script.ts";
import { NOTHING, suspectReading } from "./suspects.ts";

/** tar(1), GNU 1.34 and 1.35; bsdtar's letters where they do not differ. */
const TAR: Grammar = {
	rows: [
		["-x --extract --get", "no", "extract"],
		["-c --create", "no", "make"],
		["-r -u -A --append --update --catenate --concatenate --delete --add-file", "no", "make"],
		["-t -d --list --diff --compare --test-label", "no", "list"],
		["-f --file", "required", "archive"],
		["-C --directory --cd", "required", "directory"],
		["-g --listed-incremental --index-file --volno-file", "required", "writes"],
		["--one-top-level", "optional", "top"],
		["--remove-files", "no", "removes"],
		["-O --to-stdout", "no", "stdout"],
		["--to-command", "required", "runs"],
		["-I -F --use-compress-program --info-script --new-volume-script --rmt-command --rsh-command --checkpoint-action", "required", "runs"],
		["-P --absolute-names --absolute-paths", "no", "absolute"],
		["-b -H -K -L -N -T -V -X --blocking-factor --format --starting-file", "required"],
		[
			"--tape-length --newer --after-date --files-from --label --exclude-from --hole-detection --level --sparse-version --exclude",
			"required",
		],
		[
			"--exclude-ignore --exclude-ignore-recursive --exclude-tag --exclude-tag-all --exclude-tag-under --group --group-map --mode",
			"required",
		],
		["--mtime --owner --owner-map --sort --xattrs-exclude --xattrs-include --record-size --newer-mtime", "required"],
		["--strip-components --transform --xform", "required", "renames"],
		["--pax-option --suffix --no-quote-chars --quote-chars --quoting-style --warning", "required"],
		["--options --include --uid --gid --uname --gname --set-mtime-command", "required"],
		["--occurrence --atime-preserve --backup --checkpoint --totals", "optional"],
		[
			"-G -n -S -k -U -W -m -p -s -M -B -i -a -j -J -z -Z -h -l -R -v -w -y -o -? --incremental --ignore-failed-read --no-check-device",
			"no",
		],
		["--check-device --no-seek --seek --sparse --exclude-backups --exclude-caches --exclude-caches-all --exclude-caches-under", "no"],
		["--exclude-vcs --exclude-vcs-ignores --no-null --no-recursion --no-unquote --no-verbatim-files-from --null --recursion", "no"],
		["--unquote --verbatim-files-from --anchored --ignore-case --no-anchored --no-ignore-case --no-wildcards --wildcards", "no"],
		["--no-wildcards-match-slash --wildcards-match-slash --keep-directory-symlink --keep-newer-files --keep-old-files", "no"],
		["--no-overwrite-dir --overwrite --overwrite-dir --recursive-unlink --skip-old-files --unlink-first --verify", "no"],
		["--ignore-command-error --no-ignore-command-error --clamp-mtime --delay-directory-restore --touch --numeric-owner", "no"],
		["--no-delay-directory-restore --no-same-owner --no-same-permissions --preserve-permissions --same-permissions --same-owner", "no"],
		["--preserve-order --same-order --acls --no-acls --no-selinux --no-xattrs --selinux --xattrs --force-local --multi-volume", "no"],
		["--read-full-records --ignore-zeros --old-archive --portability --posix --auto-compress --bzip2 --xz --lzip", "no"],
		["--lzma --lzop --no-auto-compress --zstd --gzip --gunzip --ungzip --compress --uncompress --hard-dereference --dereference", "no"],
		["--one-file-system --full-time --check-links --block-number --show-defaults --show-omitted-dirs --show-stored-names", "no"],
		["--show-snapshot-field-ranges --show-transformed-names --utc --verbose --interactive --confirmation --restrict --usage", "no"],
		["--no-mac-metadata --no-fflags --fflags --mac-metadata --chroot --no-safe-writes --safe-writes", "no"],
	],
};

/** The letters of the first word that take a word each, in the order of the letters (tar manual, Old Option Style). */
const TAKING = "bfgCFHIKLNTVX";

/** `xzf a.tgz -C d` as words with dashes. */
function withDashes(argv: Bytes[]): Bytes[] {
	const [name = "", first = "", ...rest] = argv;
	if (first === "" || first.startsWith("-")) return argv;
	const words: Bytes[] = [];
	for (const letter of first) {
		words.push(`-${letter}`);
		if (TAKING.includes(letter)) words.push(...rest.splice(0, 1));
	}
	return [name, ...words, ...rest];
}

/** The directories of -C, each taken from the one before (tar manual, directory). */
function directories(parsed: Parsed): Bytes[] {
	const found: Bytes[] = [];
	for (const text of values(parsed, "directory")) {
		const before = found.at(-1);
		found.push(before === undefined || text.startsWith("/") ? text : join(before, text));
	}
	return found;
}

/** The members that are asked for by their names, in the one directory that they go into. */
function members(parsed: Parsed, all: readonly Bytes[]): Operand[] {
	if (all.length > 1 || has(parsed, "renames") || has(parsed, "top")) return [];
	const names = parsed.operands.filter((text) => !text.startsWith("/") && !/[*?[]|(^|\/)\.\.?(\/|$)/.test(text));
	return names.map((text) => ({ text: join(all[0] ?? ".", text), role: "written", leaf: "entry", deep: {} }));
}

function extracted(parsed: Parsed, call: Call): Operand[] {
	if (has(parsed, "stdout") || call.argv.some((word) => word.startsWith("--to-c"))) return [];
	const all = directories(parsed);
	// Without names everything goes into the last one; a name goes into the one before it.
	const into = parsed.operands.length === 0 ? all.slice(-1) : all;
	if (into.length === 0) into.push(".");
	const operands = into.map((text): Operand => ({ text, role: "into", leaf: "target" }));
	operands.push(...members(parsed, all));
	const top = lastValue(parsed, "top");
	if (top !== undefined) operands.push({ text: top.startsWith("/") ? top : join(into.at(-1) ?? ".", top), role: "into", leaf: "target" });
	if (has(parsed, "absolute")) {
		const unknowable = "with -P the archive itself says where its files go, and that is not known beforehand";
		operands.push({ text: lastValue(parsed, "archive") ?? "-", role: "into", leaf: "target", unknowable });
	}
	return operands;
}

/** An archive on this machine: not standard output, and not HOST:FILE. */
function archives(parsed: Parsed): Operand[] {
	const local = values(parsed, "archive").filter((text) => text !== "-" && !/^[^/]+:/.test(text));
	return local.map((text) => ({ text, role: "written", leaf: "both" }));
}

function removed(parsed: Parsed, look: Resolver): Operand[] {
	if (!has(parsed, "removes")) return [];
	const at = look.directory(directories(parsed).at(-1) ?? ".");
	return parsed.operands.map((text) => ({ text, role: "removed", leaf: "entry", at }));
}

/** What only says something: an action that is no command, and a command that prints and sends nothing anywhere else. */
const SAYS = /^(?:(?:echo|ttyout)(?:=|$)|(?:exec=)?\s*(?:echo|printf|cat|true|:)\b[^>`|&;\n]*$)/;
const acts = (line: Bytes) => !SAYS.test(line) || line.includes("$(");

function operandsOf(parsed: Parsed, call: Call, look: Resolver): Operand[] {
	const operands = values(parsed, "writes").map((text): Operand => ({ text, role: "written", leaf: "both" }));
	for (const line of values(parsed, "runs").filter(acts)) operands.push(...scriptOperands(call, line, look, undefined, "both"));
	if (has(parsed, "extract")) operands.push(...extracted(parsed, call));
	if (has(parsed, "make")) operands.push(...archives(parsed), ...removed(parsed, look));
	return operands;
}

export const tar: Reader = {
	name: "tar",
	read(call, look) {
		const dashed: Call = { ...call, argv: withDashes(call.argv), posix: false };
		const parsed = parseOptions(dashed, TAR);
		if (parsed.unread.length > 0) return suspectReading(call, parsed);
		return parsed.informs ? NOTHING : { operands: operandsOf(parsed, call, look), unread: [] };
	},
};
