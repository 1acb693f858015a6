// What earlier sources of one cp make, laid over the files as they are now: a later source may be written through a link of theirs.

import type { Bytes } from "../policy/bytes.ts";
import { type Files, join, type Kind, parentOf, Resolver } from "../policy/resolve.ts";

/** One source of a cp and the real path that it is copied to. */
export interface Landing {
	at: Bytes;
	source: Bytes;
	/** Whether a link becomes a link: the source itself, or one `below` it. */
	keepsLinks(below: boolean): boolean;
}

/** A name in a source whose copy comes to stand at the path that was asked for. */
interface Original {
	/** The source, in the order of the call. */
	number: number;
	path: Bytes;
	kind: Kind;
}

/** The files with what the first `count` landings make. Only links and directories matter: a file is written through what is there. */
class Overlaid implements Files {
	constructor(
		readonly files: Files,
		readonly landings: Landings,
		readonly count: number,
	) {}

	/** What the last landing makes that makes anything of that kind there. */
	#made(path: Bytes, kind?: Kind): Original | undefined {
		return this.landings.originals(path).findLast((one) => one.number < this.count && (kind === undefined || one.kind === kind));
	}

	real(path: Bytes, directory: boolean): Bytes | undefined {
		// The kernel knows nothing of what is yet to be made, so the walk by components has to find it.
		return path === "." || path.startsWith("/proc/") ? this.files.real(path, directory) : undefined;
	}

	readlink(path: Bytes): Bytes | undefined {
		return this.files.readlink(this.#made(path, "link")?.path ?? path);
	}

	kind(path: Bytes, follow: boolean): Kind | undefined {
		if (path.charCodeAt(0) !== 47) return this.files.kind(path, follow);
		if (follow) return this.kind(new Resolver(this).walk(path, true).path, false);
		if (this.#made(path, "link")) return "link";
		return this.files.kind(path, false) ?? this.#made(path)?.kind ?? (this.landings.leads(path) ? "directory" : undefined);
	}

	list(path: Bytes): ReturnType<Files["list"]> {
		return this.files.list(path);
	}

	read(path: Bytes, limit: number): Bytes | undefined {
		return this.files.read(path, limit);
	}

	opened(descriptor: number): ReturnType<Files["opened"]> {
		return this.files.opened(descriptor);
	}

	mounts(): Bytes {
		return this.files.mounts();
	}
}

/** Where the sources of a call are copied to, in their order. */
export class Landings {
	readonly #at = new Map<Bytes, (Landing & { number: number })[]>();
	/** The directories above the landings. */
	readonly #above = new Set<Bytes>();
	/** What is known of a path, and of how many landings. */
	readonly #originals = new Map<Bytes, { size: number; found: Original[] }>();
	/** How many there are. */
	size = 0;
	#view: Resolver | undefined;

	/** @param look where the sources stand */
	constructor(readonly look: Resolver) {}

	/** One more source, which makes links or directories. */
	add(landing: Landing): void {
		const there = this.#at.get(landing.at) ?? [];
		there.push({ ...landing, number: this.size++ });
		this.#at.set(landing.at, there);
		for (let path = parentOf(landing.at); path.length > 1; path = parentOf(path)) this.#above.add(path);
		this.#view = undefined;
	}

	/** What landings make at a real path, in their order. */
	originals(path: Bytes): readonly Original[] {
		const known = this.#originals.get(path) ?? { size: 0, found: [] };
		if (known.size === this.size) return known.found;
		for (let at = path; at.length > 1; at = parentOf(at)) {
			const there = this.#at.get(at) ?? [];
			for (let k = there.length - 1; k >= 0 && (there[k]?.number ?? 0) >= known.size; k--) {
				const { number, source, keepsLinks } = there[k] as Landing & { number: number };
				const original = at === path ? source : join(source, path.slice(at.length + 1));
				const kind = this.look.kind(original, !keepsLinks(at !== path));
				if (kind !== undefined) known.found.push({ number, path: this.look.standing(original), kind });
			}
		}
		known.found.sort((one, other) => one.number - other.number);
		this.#originals.set(path, { size: this.size, found: known.found });
		return known.found;
	}

	/** Whether there are landings below a path, so that it becomes a directory. */
	leads(path: Bytes): boolean {
		return this.#above.has(path);
	}

	/** Whether an earlier source may have made what stands at a real path, below it or on the way to it, or what a link there leads to. */
	concern(path: Bytes): boolean {
		if (this.#above.has(path) || this.look.kind(path, false) !== undefined) return true;
		for (let at = path; at.length > 1; at = parentOf(at)) if (this.#at.has(at)) return true;
		return false;
	}

	/** The files as the sources so far will have left them. */
	view(): Resolver {
		this.#view ??= new Resolver(new Overlaid(this.look.files, this, this.size), this.look.cwd);
		return this.#view;
	}
}
