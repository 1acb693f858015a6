// Names as the kernel has them: strings in which each character is one byte, and how people and JSON read them.

/**
 * A byte string: each character is one byte (U+0000 to U+00FF). Pathnames, argv and environment values are bytes
 * to the kernel (POSIX 3.170, Filename) and need not be UTF-8; two names are the same when their bytes are.
 */
export type Bytes = string;

/** Length of the UTF-8 sequence that starts with this byte, 0 when no sequence may start so (RFC 3629). */
function sequenceLength(lead: number): number {
	if (lead < 0x80) return 1;
	if (lead >= 0xc2 && lead <= 0xdf) return 2;
	if (lead >= 0xe0 && lead <= 0xef) return 3;
	if (lead >= 0xf0 && lead <= 0xf4) return 4;
	return 0;
}

/** The code point of `length` bytes at `at`, or -1 when they are no valid UTF-8. */
function codePoint(bytes: Bytes, at: number, length: number): number {
	let point = bytes.charCodeAt(at) & (0xff >> (length + 1));
	for (let k = 1; k < length; k++) {
		const next = bytes.charCodeAt(at + k);
		if ((next & 0xc0) !== 0x80) return -1;
		point = point * 64 + (next & 0x3f);
	}
	const least = length === 2 ? 0x80 : length === 3 ? 0x800 : 0x10000;
	const surrogate = point >= 0xd800 && point <= 0xdfff;
	return point < least || point > 0x10ffff || surrogate ? -1 : point;
}

const encoder = new TextEncoder();
const scratch = new Uint8Array(512);

/** Whether every byte is ASCII; then bytes and text are the same string. Nothing else is one byte a character in UTF-8. */
export function isAscii(bytes: string): boolean {
	const { length } = bytes;
	if (length > scratch.length) return encoder.encode(bytes).length === length;
	const { read, written } = encoder.encodeInto(bytes, scratch);
	return read === length && written === length;
}

/**
 * Bytes as text: UTF-8 decoded, a byte that is not UTF-8 as the lone surrogate U+DC80..U+DCFF (PEP 383), so that
 * `fromText` gives the same bytes back.
 */
export function toText(bytes: Bytes): string {
	if (isAscii(bytes)) return bytes;
	let text = "";
	for (let at = 0; at < bytes.length; ) {
		const lead = bytes.charCodeAt(at);
		const length = sequenceLength(lead);
		const point = length === 1 ? lead : length === 0 ? -1 : codePoint(bytes, at, length);
		if (point < 0) text += String.fromCharCode(0xdc00 + lead);
		else text += String.fromCodePoint(point);
		at += point < 0 ? 1 : length;
	}
	return text;
}

/** So many bytes become characters at once; a call takes a few 10,000 arguments. */
const AT_ONCE = 4096;

function stringOf(encoded: Uint8Array): Bytes {
	let bytes = "";
	for (let at = 0; at < encoded.length; at += AT_ONCE) {
		bytes += String.fromCharCode.apply(null, encoded.subarray(at, at + AT_ONCE) as unknown as number[]);
	}
	return bytes;
}

/** Text as bytes: UTF-8 encoded, the lone surrogates U+DC80..U+DCFF as the byte that they stand for. */
export function fromText(text: string): Bytes {
	if (isAscii(text)) return text;
	if (text.isWellFormed()) return stringOf(encoder.encode(text));
	let bytes = "";
	for (const character of text) {
		const point = character.codePointAt(0) as number;
		if (point < 0x80) bytes += character;
		else if (point >= 0xdc80 && point <= 0xdcff) bytes += String.fromCharCode(point - 0xdc00);
		else bytes += encodePoint(point);
	}
	return bytes;
}

function encodePoint(point: number): Bytes {
	const tail = (shift: number) => 0x80 | ((point >> shift) & 0x3f);
	if (point < 0x800) return String.fromCharCode(0xc0 | (point >> 6), tail(0));
	if (point < 0x10000) return String.fromCharCode(0xe0 | (point >> 12), tail(6), tail(0));
	return String.fromCharCode(0xf0 | (point >> 18), tail(12), tail(6), tail(0));
}

/** Bidirectional and line-separating characters: they could make a message read as something else (Unicode TR 36). */
function deceives(code: number): boolean {
	return (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069) || code === 0x2028 || code === 0x2029;
}

function escaped(code: number): string {
	if (code === 0x0a) return "\\n";
	if (code === 0x09) return "\\t";
	if (code === 0x0d) return "\\r";
	if (code >= 0xdc80 && code <= 0xdcff) return `\\x${(code - 0xdc00).toString(16)}`;
	return code < 0x80 ? `\\x${code.toString(16).padStart(2, "0")}` : `\\u${code.toString(16).padStart(4, "0")}`;
}

/** Whether a character could act on a terminal, hide, or make a message read as something else. */
function isHostile(text: string, at: number): boolean {
	const code = text.charCodeAt(at);
	if (code < 0x20 || (code >= 0x7f && code < 0xa0)) return true;
	return (code >= 0xdc80 && code <= 0xdcff && !isPair(text, at)) || deceives(code);
}

/** Characters that bash reads in a special way inside `$'...'` (bash(1), QUOTING). */
const inDollarQuotes = (character: string) => (character === "\\" || character === "'" ? `\\${character}` : character);

/** A name for a message as a shell would read it: as it is when it is plain, in quotes, or as `$'...'` with what is hostile escaped. */
export function quote(bytes: Bytes): string {
	if (bytes === "") return "''";
	const text = toText(bytes);
	let escapedText = "";
	let plain = true;
	for (let k = 0; k < text.length; k++) {
		const hostile = isHostile(text, k);
		if (hostile) plain = false;
		escapedText += hostile ? escaped(text.charCodeAt(k)) : inDollarQuotes(text[k] as string);
	}
	if (!plain) return `$'${escapedText}'`;
	return /[ '\\]/.test(text) ? `'${text.replaceAll("'", "'\\''")}'` : text;
}

function isPair(text: string, at: number): boolean {
	const before = at > 0 ? text.charCodeAt(at - 1) : 0;
	return before >= 0xd800 && before <= 0xdbff;
}
