// Which of the files that find meets have to be looked at by their names, as far as a command says what matters to it.

import type { Bytes } from "../../policy/bytes.ts";
import { join, type Kind, type Resolver } from "../../policy/resolve.ts";
import { matchesPattern } from "../patterns.ts";
import type { Concerns } from "./stand-in.ts";
import type { Found } from "./walk.ts";

/** Which of the files that are met have to be looked at by their names. */
export class Matters {
	links: boolean;
	readonly #below: Set<Bytes>;
	readonly #beside: Set<Bytes>;
	readonly #all: boolean;
	readonly #walks: boolean;
	readonly #directories = new Map<Bytes, boolean>();

	constructor(
		concerns: readonly Concerns[],
		readonly merges: ReadonlySet<Bytes>,
		readonly ups: number,
		readonly look: Resolver,
	) {
		this.links = concerns.some(({ links }) => links);
		this.#below = new Set(concerns.flatMap(({ below }) => [...below]));
		this.#beside = new Set(concerns.flatMap(({ beside }) => [...beside]));
		this.#all = concerns.some(({ paths }) => paths.size > 0);
		this.#walks = concerns.some(({ walks }) => walks);
	}

	of({ kind, name, real, depth }: Found): boolean {
		if (this.#all || depth <= this.ups || (this.links && kind !== "directory" && kind !== "file" && kind !== "other")) return true;
		if (this.#beside.size > 0) {
			const known = this.#directories.get(real) ?? this.#holds(real, this.#beside);
			this.#directories.set(real, known);
			if (known) return true;
		}
		if (kind !== "directory") return false;
		if (this.#walks) return true;
		if (this.#below.size > 0 && this.#holds(join(real, name), this.#below)) return true;
		return [...this.merges].some((directory) => this.look.kind(join(directory, name), false) === "directory");
	}

	/** Whether one of the names in a directory is that of a link or a directory there. */
	#holds(directory: Bytes, patterns: ReadonlySet<Bytes>): boolean {
		const leads = (kind: Kind | undefined) => kind === "link" || kind === "directory";
		for (const pattern of patterns) {
			if (!/[*?[\\]/.test(pattern)) {
				if (leads(this.look.kind(join(directory, pattern), false))) return true;
				continue;
			}
			const entries = this.look.files.list(directory) ?? [];
			if (entries.some(({ name, kind }) => (kind === undefined || leads(kind)) && matchesPattern(pattern, name) !== false)) return true;
		}
		return false;
	}
}
