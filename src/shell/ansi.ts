// The escapes of $'..', and those of echo -e and printf, as the bytes that bash makes of them.

import { type Bytes, fromText } from "../policy/bytes.ts";

const PLAIN: Readonly<Record<string, string>> = {
	a: "\x07",
	b: "\b",
	e: "\x1b",
	E: "\x1b",
	f: "\f",
	n: "\n",
	r: "\r",
	t: "\t",
	v: "\v",
	"\\": "\\",
	"'": "'",
	'"': '"',
	"?": "?",
};

const byte = (digits: string, base: number) => String.fromCharCode(Number.parseInt(digits, base) & 0xff);

function codePoint(digits: string, raw: string): string {
	const point = Number.parseInt(digits, 16);
	return point > 0x10ffff || (point >= 0xd800 && point <= 0xdfff) ? raw : fromText(String.fromCodePoint(point));
}

/** Where an escape stands: in $'..', in an operand of `echo -e` (octal is \0NNN) or of %b (also \NNN), or in a format of printf. */
export type Place = "quotes" | "echo" | "operand" | "format";

/** The text with its escapes decoded; `stopped` when a \c ended it. undefined for what bash versions disagree on. */
export function decoded(text: Bytes, place: Place): { text: Bytes; stopped: boolean } | undefined {
	const pattern = /\\(?:x([0-9A-Fa-f]{1,2})|(0?[0-7]{1,3})|u([0-9A-Fa-f]{1,4})|U([0-9A-Fa-f]{1,8})|(c)|([\s\S]))/g;
	let result = "";
	let at = 0;
	for (let found = pattern.exec(text); found !== null; found = pattern.exec(text)) {
		result += text.slice(at, found.index);
		at = pattern.lastIndex;
		const [raw, hex, octal, short, long, control, other] = found;
		if (hex !== undefined) result += byte(hex, 16);
		else if (octal !== undefined) {
			const digits = octalDigits(octal, place);
			if (digits === undefined) result += raw.slice(0, 2);
			else result += byte(digits, 8);
			at = pattern.lastIndex = found.index + 1 + (digits?.length ?? 1);
		} else if (short !== undefined || long !== undefined) result += codePoint((short ?? long) as string, raw);
		else if (control !== undefined) {
			if (place === "quotes") return undefined;
			if (place === "echo" || place === "operand") return { text: result, stopped: true };
			result += raw;
		} else
			result +=
				place !== "quotes" && "'\"?".includes(other as string)
					? outsideQuotes(raw, other as string, place)
					: (PLAIN[other as string] ?? raw);
	}
	return { text: result + text.slice(at), stopped: false };
}

/** echo -e knows \" not at all, printf's format does. */
const outsideQuotes = (raw: string, other: string, place: Place) => (place === "format" && other !== "?" ? other : raw);

function octalDigits(digits: string, place: Place): string | undefined {
	if (place === "operand") return digits;
	if (place !== "echo") return digits.slice(0, 3);
	return digits.startsWith("0") ? digits : undefined;
}
