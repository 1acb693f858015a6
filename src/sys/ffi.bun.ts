// The door to libc under Bun: load a library, take addresses, read memory. `Bun.FFI` is what bun:ffi wraps; importing the module costs 0.3 ms.

import type { Ffi, Signatures, Symbols } from "./ffi.ts";

interface BunFfi {
	dlopen(library: string, symbols: object): { symbols: unknown };
	ptr(view: ArrayBufferView): number;
	toArrayBuffer(address: number, offset: number, length: number): ArrayBuffer;
	read: { i32(address: number, offset: number): number };
}

function load(): BunFfi {
	const inside = (Bun as unknown as { FFI?: BunFfi }).FFI;
	return inside?.read ? inside : (import.meta.require("bun:ffi") as BunFfi);
}

const bun = load();

export const ffi: Ffi = {
	open<const Table extends Signatures>(library: string, signatures: Table): Symbols<Table> {
		const table: Record<string, object> = {};
		for (const name in signatures) {
			const [args, returns] = signatures[name] as Table[typeof name];
			table[name] = { args, returns };
		}
		return bun.dlopen(library, table).symbols as Symbols<Table>;
	},
	address: (view) => bun.ptr(view),
	bytesAt: (address, length) => new Uint8Array(bun.toArrayBuffer(address, 0, length)),
	int32At: (address) => bun.read.i32(address, 0),
};

/** Whether this is the compiled binary and not a runtime that was given the sources. */
export const compiled: boolean = Bun.main.startsWith("/$bunfs/");

/** The platform as uname knows it. */
export const platform: string = process.platform;
