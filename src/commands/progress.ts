// One line on a terminal that says how far a long piece of work is; nothing anywhere else.

import { isatty } from "node:tty";
import type { System } from "../sys/system.ts";

const FIRST_MS = 700;
const EVERY_MS = 200;

export class Progress {
	readonly #shows = isatty(2);
	#next = performance.now() + FIRST_MS;
	#stands = false;

	constructor(readonly system: System) {}

	/** Say where the work is, when it is time to. */
	tick(words: () => string): void {
		if (!this.#shows || performance.now() < this.#next) return;
		this.system.write(2, `\r\x1b[K${words()}`);
		this.#stands = true;
		this.#next = performance.now() + EVERY_MS;
	}

	/** Take the line away, before other text and at the end. */
	clear(): void {
		if (this.#stands) this.system.write(2, "\r\x1b[K");
		this.#stands = false;
	}
}
