// What a test of find says of a file of which the path and the type are known: yes, no, or only find can tell.

import type { Bytes } from "../../policy/bytes.ts";
import type { Kind } from "../../policy/resolve.ts";
import { matchesPattern, matchesRegex, type Truth } from "../patterns.ts";
import type { Predicate } from "./expression.ts";

/** A file that find may meet. What is undefined is not known. */
export interface Met {
	/** As find spells it. */
	path: Bytes | undefined;
	name: Bytes | undefined;
	/** As `-type` sees it: under -L what a link leads to. */
	kind: Kind | undefined;
	/** As `-xtype` sees it: under -P what a link leads to. */
	otherKind(): Kind | undefined;
	/** The text of a link. */
	readlink(): Bytes | undefined;
	/** Whether it is a directory, or a file, that surely holds something when find looks. */
	holds?: boolean;
}

const LETTERS: Readonly<Record<Kind, string>> = { directory: "d", file: "f", link: "l", other: "bcpsD" };

function isOfType(kind: Kind | undefined, list: Bytes): Truth {
	if (kind === undefined) return undefined;
	const possible = [...LETTERS[kind]].filter((letter) => list.split(",").includes(letter));
	if (possible.length === 0) return false;
	return kind === "other" ? undefined : true;
}

const pattern = (value: Bytes, text: Bytes | undefined, ignoringCase: boolean): Truth =>
	text === undefined ? undefined : matchesPattern(value, text, ignoringCase);

/** The units of -size in bytes (find(1)). */
const UNITS: Readonly<Record<string, number>> = { c: 1, w: 2, b: 512, k: 1024, M: 2 ** 20, G: 2 ** 30 };

/** The text of a link is its content: from 1 byte to what a path may have (PATH_MAX). */
const LONGEST_LINK = 4095;

/** -size of a link, which is never large: its size in units is rounded up. */
function linkSize(value: Bytes): Truth {
	const found = /^([+-]?)(\d+)([cwbkMG]?)$/.exec(value);
	if (!found) return undefined;
	const [, sign, count, unit] = found;
	const most = Math.ceil(LONGEST_LINK / (UNITS[unit || "b"] as number));
	const number = Number(count);
	if (sign === "+") return number >= most ? false : undefined;
	return (sign === "-" ? number <= 1 : number < 1 || number > most) ? false : undefined;
}

/** Predicates that are true whatever they meet (find(1)): options, and the actions that say so. */
const TRUE =
	/^-(true|print.*|fprint.*|f?ls|prune|quit|daystart|d|depth|follow|(min|max)depth|x?mount|xdev|x|no(leaf|warn)|warn|(no)?ignore_readdir_race|regextype|files0-from)$/;

/**
 * What a predicate says of a file.
 * @param syntax the value of the -regextype that holds there
 */
export function truthOf({ name, args }: Predicate, met: Met, syntax: Bytes): Truth {
	const value = args[0];
	if (TRUE.test(name)) return true;
	if (name === "-false") return false;
	if (name === "-empty") return met.holds || met.kind === "link" || met.kind === "other" ? false : undefined;
	if (value === undefined) return undefined;
	switch (name) {
		case "-type":
			return isOfType(met.kind, value);
		case "-xtype":
			return isOfType(met.otherKind(), value);
		case "-name":
		case "-iname":
			return pattern(value, met.name, name === "-iname");
		case "-path":
		case "-wholename":
		case "-ipath":
		case "-iwholename":
			return pattern(value, met.path, name.startsWith("-i"));
		case "-regex":
		case "-iregex":
			return met.path === undefined ? undefined : matchesRegex(value, syntax, met.path, name === "-iregex");
		case "-lname":
		case "-ilname":
			if (met.kind !== undefined && met.kind !== "link") return false;
			return pattern(value, met.readlink(), name === "-ilname");
		case "-size":
			return met.kind === "link" ? linkSize(value) : undefined;
		default:
			return undefined;
	}
}
