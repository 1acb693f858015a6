// A byte string as a word of bash, so that one line shows a call and also runs it.

import type { Bytes } from "../../src/policy/bytes.ts";

const PLAIN = /^[A-Za-z0-9_.,/:@%+-][A-Za-z0-9_.,/:=@%+-]*$/;

function escaped(byte: string): string {
	if (byte === "'" || byte === "\\") return `\\${byte}`;
	if (byte === "\n") return "\\n";
	return byte >= " " && byte <= "~" ? byte : `\\x${byte.charCodeAt(0).toString(16).padStart(2, "0")}`;
}

/** Quoted when it must be; ASCII whatever the bytes are. */
export function shellWord(bytes: Bytes): string {
	if (PLAIN.test(bytes)) return bytes;
	if (/^[ -~]*$/.test(bytes) && !bytes.includes("'")) return `'${bytes}'`;
	return `$'${[...bytes].map(escaped).join("")}'`;
}

/** A command line. */
export const shellLine = (words: readonly Bytes[]) => words.map(shellWord).join(" ");
