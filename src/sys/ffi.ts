// What both doors to libc look like, so that everything above them is written once.

/** Argument and result types: an address, a 32-bit and a 64-bit integer. */
export type CType = "ptr" | "i32" | "i64_fast";

export type Signatures = Record<string, readonly [args: readonly CType[], returns: CType]>;

/** A bound C function; `null` is the null pointer. */
export type CFunction = (...args: (number | null)[]) => number;

export type Symbols<Table> = { [name in keyof Table]: CFunction };

export interface Ffi {
	/** Load a shared library and bind the named functions. Throws where the system refuses executable memory. */
	open<const Table extends Signatures>(library: string, signatures: Table): Symbols<Table>;
	/** The address of a buffer, which must stay referenced while it is in use. */
	address(view: ArrayBufferView): number;
	/** The bytes at an address of this process. */
	bytesAt(address: number, length: number): Uint8Array;
	/** The C int at an address. */
	int32At(address: number): number;
}
