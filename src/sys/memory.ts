// Between JavaScript strings and memory: bytes to byte strings, and tables of C pointers.

import type { Bytes } from "../policy/bytes.ts";

/** How many arguments fromCharCode takes at once without trouble. */
const CHUNK = 8192;

/** Bytes `from` to `to` of a buffer as a byte string. */
export function latin1(buffer: Uint8Array, from: number, to: number): Bytes {
	if (to - from <= CHUNK) return String.fromCharCode.apply(null, buffer.subarray(from, to) as unknown as number[]);
	// Only ASCII is as long in UTF-8 as in bytes, but for what is no UTF-8.
	const text = new TextDecoder().decode(buffer.subarray(from, to));
	if (text.length === to - from && !text.includes("\ufffd")) return text;
	const parts: string[] = [];
	for (let k = from; k < to; k += CHUNK) {
		parts.push(String.fromCharCode.apply(null, buffer.subarray(k, Math.min(to, k + CHUNK)) as unknown as number[]));
	}
	return parts.join("");
}

/**
 * A table of C pointers that ends in a null pointer. Each is written as two 32-bit halves: BigInt arrays cost 0.2 ms on
 * the first use.
 */
export function pointers(addresses: number[]): Uint32Array {
	const table = new Uint32Array(2 * addresses.length + 2);
	for (let k = 0; k < addresses.length; k++) {
		table[2 * k] = (addresses[k] as number) >>> 0;
		table[2 * k + 1] = (addresses[k] as number) / 4294967296;
	}
	return table;
}
