// Much text on stdout: complete also into a slow pipe, and it says when nobody reads any more.

import { writeSync } from "node:fs";

const PAUSE_MS = 5;
const cell = new Int32Array(new SharedArrayBuffer(4));

/** Write to stdout; false when its reader is gone. Other failures are thrown. */
export function writeOut(text: string): boolean {
	let rest: Uint8Array = Buffer.from(text);
	while (rest.length > 0) {
		try {
			rest = rest.subarray(writeSync(1, rest));
		} catch (error) {
			const { code } = error as { code?: string };
			if (code === "EPIPE") return false;
			if (code !== "EAGAIN") throw error;
			// Somebody else made the pipe non-blocking, and it is full.
			Atomics.wait(cell, 0, 0, PAUSE_MS);
		}
	}
	return true;
}

/** Collects text and writes it in larger pieces. */
export class Out {
	#held = "";
	/** Whether the reader is gone. */
	closed = false;

	/** @param before what is done before anything is written */
	constructor(readonly before: () => void = () => {}) {}

	put(text: string): void {
		this.#held += text;
		if (this.#held.length > 65536) this.flush();
	}

	flush(): void {
		this.before();
		if (this.#held !== "" && !this.closed) this.closed = !writeOut(this.#held);
		this.#held = "";
	}
}
