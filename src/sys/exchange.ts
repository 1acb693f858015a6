// Swapping two names in one step, for replacing a whole directory; few calls need it, so it is no part of the system's interface.

import { ffi, platform } from "#ffi";
import type { Bytes } from "../policy/bytes.ts";

/** renameat2(2) of <linux/fs.h>; renamex_np(2) of <sys/stdio.h>. */
const AT_FDCWD = -100;
const RENAME_EXCHANGE = 2;
const RENAME_SWAP = 2;

function cstring(text: Bytes): Uint8Array {
	const buffer = new Uint8Array(text.length + 1);
	for (let k = 0; k < text.length; k++) buffer[k] = text.charCodeAt(k);
	return buffer;
}

/** Let the names of two existing files change places; false where the system or the file system cannot. */
export function exchange(one: Bytes, other: Bytes): boolean {
	const first = cstring(one);
	const second = cstring(other);
	try {
		if (platform === "darwin") {
			const c = ffi.open("libSystem.B.dylib", { renamex_np: [["ptr", "ptr", "i32"], "i32"] });
			return c.renamex_np(ffi.address(first), ffi.address(second), RENAME_SWAP) === 0;
		}
		const c = ffi.open("libc.so.6", { renameat2: [["i32", "ptr", "i32", "ptr", "i32"], "i32"] });
		return c.renameat2(AT_FDCWD, ffi.address(first), AT_FDCWD, ffi.address(second), RENAME_EXCHANGE) === 0;
	} catch {
		// No FFI, or a C library without the function: the caller has another way.
		return false;
	}
}
