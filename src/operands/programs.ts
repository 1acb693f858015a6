// awk and perl: the files that their one-line programs write by name, and those that they change in place.

import type { Bytes } from "../policy/bytes.ts";
import type { Operand, Reader } from "../policy/call.ts";
import { has, parseOptions, values } from "./options.ts";
import { AWK, perl as perlEffects } from "./run/editors.ts";
import { NOTHING, suspectReading } from "./suspects.ts";

/**
 * `print` or `printf` with its output sent to a file whose name stands there, or in a variable, or in one and what is put behind it;
 * without one of them `>` compares (POSIX awk).
 */
const PRINTS =
	/(\bprintf?\b[^;{}\n"]*(?:"(?:[^"\\]|\\.)*"[^;{}\n"]*)*)>>?[\s(]*(?:"((?:[^"\\]|\\.)*)"|([A-Za-z_]\w*)\s*(?:"((?:[^"\\]|\\.)*)"|(?=[;)}\n]|$)))/g;

const plain = (text: Bytes) => text.replace(/\\(.)/g, "$1");

/** Within parentheses `>` compares, too. */
const isOpen = (text: Bytes) => text.split("(").length > text.split(")").length;

/** What a variable of a program holds: the text that is assigned to it there and nowhere else, or by a word before it. */
function valueIn(program: Bytes, name: Bytes, assigned: readonly Bytes[]): Bytes | undefined {
	const assigns = new RegExp(`(?<![\\w.$])${name}\\s*[-+*/%^]?=(?!=)\\s*(?:"((?:[^"\\\\]|\\\\.)*)"\\s*(?=[;}\\n]|$))?`, "g");
	const own = [...program.matchAll(assigns)];
	if (own.length > 0) return own.length === 1 && own[0]?.[1] !== undefined ? plain(own[0][1]) : undefined;
	return assigned.findLast((word) => word.startsWith(`${name}=`))?.slice(name.length + 1);
}

/** The files that a program prints to by name. @param assigned NAME=VALUE words that set its variables @param read the files that it reads */
function printed(program: Bytes, assigned: readonly Bytes[], read: readonly Bytes[]): Bytes[] {
	return [...program.matchAll(PRINTS)].flatMap(([, before = "", text, name = "", behind = ""]) => {
		if (isOpen(before.replace(/"(?:[^"\\]|\\.)*"/g, ""))) return [];
		if (name === "FILENAME") return read.map((file) => file + plain(behind));
		const value = text ?? valueIn(program, name, assigned);
		const file = value === undefined ? undefined : (text === undefined ? value : plain(text)) + plain(behind);
		return file === undefined || file === "-" ? [] : [file];
	});
}

/** No program in an argument is longer, and no one-liner nearly as long. */
const LONGEST = 8192;

const written = (text: string, leaf: Operand["leaf"]): Operand => ({ text, role: "written", leaf });

/** A name that ends in a slash is the directory of names that are put together. */
const output = (name: Bytes): Operand => (name.endsWith("/") ? { text: name, role: "into", leaf: "target" } : written(name, "target"));

export const awk: Reader = {
	name: "awk",
	read(call, look) {
		const parsed = parseOptions(call, AWK);
		if (parsed.unread.length > 0) return suspectReading(call, parsed);
		if (parsed.informs) return NOTHING;
		const own = has(parsed, "text") || has(parsed, "file");
		// A longer one in a file is its owner's, as any script is.
		const files = values(parsed, "file").map((file) => look.read(file, LONGEST) ?? "");
		const program = (own ? values(parsed, "text") : parsed.operands.slice(0, 1)).join("\n");
		const text = [program, ...files].join("\n").slice(0, LONGEST);
		const assignments = parsed.operands.filter((word) => /^[A-Za-z_]\w*=/.test(word));
		const unread = program.length > LONGEST ? ["a program that is too long to be read"] : [];
		const read = parsed.operands.slice(own ? 0 : 1).filter((word) => word !== "-" && !assignments.includes(word));
		const operands = [...printed(text, [...values(parsed, "assign"), ...assignments], read), ...values(parsed, "dumps")].map(output);
		// gawk's extension puts a new file in the place of each.
		if (values(parsed, "include").includes("inplace")) {
			for (const file of own ? parsed.operands : parsed.operands.slice(1)) operands.push(written(file, "entry"));
		}
		return { operands, unread };
	},
};

export const perl: Reader = {
	name: "perl",
	// A program that does more than change lines is nobody's to know.
	read: ({ argv }) => ({ operands: perlEffects(argv, true)?.operands ?? [], unread: [] }),
};
