// The door to libc under Deno; the same shape as Bun's. Addresses are plain numbers (`usize`), as a process has 47 bits of them.

import type { CFunction, CType, Ffi, Signatures, Symbols } from "./ffi.ts";

const TYPES: Record<CType, Deno.NativeType> = { ptr: "usize", i32: "i32", i64_fast: "i64" };

export const ffi: Ffi = {
	open<const Table extends Signatures>(library: string, signatures: Table): Symbols<Table> {
		const table: Record<string, { parameters: Deno.NativeType[]; result: Deno.NativeType }> = {};
		for (const name in signatures) {
			const [args, returns] = signatures[name] as Table[typeof name];
			table[name] = { parameters: args.map((type) => TYPES[type]), result: TYPES[returns] };
		}
		const symbols = Deno.dlopen(library, table as Deno.ForeignLibraryInterface).symbols as Record<
			string,
			(...args: (number | bigint)[]) => number | bigint
		>;
		const calls: Record<string, CFunction> = {};
		for (const name in signatures) {
			const call = symbols[name];
			if (call) calls[name] = (...args) => Number(call(...args.map((value) => value ?? 0)));
		}
		return calls as Symbols<Table>;
	},
	address: (view) => Number(Deno.UnsafePointer.value(Deno.UnsafePointer.of(view as BufferSource))),
	bytesAt(address, length) {
		const pointer = Deno.UnsafePointer.create(BigInt(address));
		return pointer === null ? new Uint8Array(0) : new Uint8Array(Deno.UnsafePointerView.getArrayBuffer(pointer, length));
	},
	int32At(address) {
		const pointer = Deno.UnsafePointer.create(BigInt(address));
		return pointer === null ? 0 : new Deno.UnsafePointerView(pointer).getInt32();
	},
};

export const compiled = false;

export const platform: string = Deno.build.os;
