// What earlier sources of one cp make, laid over the files as they are now: a later source may be written through a link of theirs.

import type { Bytes } from "../policy/bytes.ts";
import { baseOf, type Files, join, type Kind, parentOf, Resolver } from "../policy/resolve.ts";

/** One source of a cp and the real path that it is copied to. */
export interface Landing {
	at: Bytes;
	source: Bytes;
	/** Whether a link becomes a link: the source itself, or one `below` it. */
	keepsLinks(below: boolean): boolean;
}

/** A name in a source whose copy comes to stand at the path that was asked for. */
interface Original {
	path: Bytes;
	keepsLinks: boolean;
}

/** The files with what the first `count` landings make. Only links and directories matter: a file is written through what is there. */
class Overlaid implements Files {
	constructor(
		readonly files: Files,
		readonly landings: Landings,
		readonly count: number,
	) {}

	*#originals(path: Bytes): Generator<Original> {
		for (const { at, source, keepsLinks } of this.landings.over(path, this.count)) {
			const below = path.length > at.length;
			yield { path: below ? join(source, path.slice(at.length + 1)) : source, keepsLinks: keepsLinks(below) };
		}
	}

	real(path: Bytes, directory: boolean): Bytes | undefined {
		// The kernel knows nothing of what is yet to be made, so the walk by components has to find it.
		return path === "." || path.startsWith("/proc/") ? this.files.real(path, directory) : undefined;
	}

	readlink(path: Bytes): Bytes | undefined {
		for (const original of this.#originals(path)) {
			const to = original.keepsLinks ? this.files.readlink(original.path) : undefined;
			if (to !== undefined) return to;
		}
		return this.files.readlink(path);
	}

	kind(path: Bytes, follow: boolean): Kind | undefined {
		if (path.charCodeAt(0) !== 47) return this.files.kind(path, follow);
		if (follow) return this.kind(new Resolver(this).walk(path, true).path, false);
		let made: Kind | undefined;
		for (const original of this.#originals(path)) {
			const kind = this.files.kind(original.path, !original.keepsLinks);
			if (kind === "link") return kind;
			made ??= kind;
		}
		return this.files.kind(path, false) ?? made ?? (this.landings.below(path) && "directory");
	}

	list(path: Bytes): { name: Bytes; kind: Kind | undefined }[] | undefined {
		const found = new Map<Bytes, { name: Bytes; kind: Kind | undefined }>();
		for (const directory of [path, ...[...this.#originals(path)].map((original) => original.path)]) {
			for (const { name } of this.files.list(directory) ?? []) found.set(name, { name, kind: undefined });
		}
		for (const name of this.landings.below(path) ?? []) found.set(name, { name, kind: undefined });
		return [...found.values()];
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
	readonly #below = new Map<Bytes, Set<Bytes>>();
	/** How many there are. */
	size = 0;
	#view: Resolver | undefined;

	/** @param look where the sources stand */
	constructor(readonly look: Resolver) {}

	/** One more source, which makes links or directories. */
	add(landing: Landing): void {
		const source = this.look.cwd === "" || landing.source.charCodeAt(0) === 47 ? landing.source : join(this.look.cwd, landing.source);
		this.#at.set(landing.at, [...(this.#at.get(landing.at) ?? []), { ...landing, source, number: this.size++ }]);
		for (let path = landing.at; path.length > 1; path = parentOf(path)) {
			const names = this.#below.get(parentOf(path)) ?? new Set<Bytes>();
			this.#below.set(parentOf(path), names.add(baseOf(path)));
		}
		this.#view = undefined;
	}

	/** The first `count` landings at a real path or above it, the last one first. */
	over(path: Bytes, count = this.size): Landing[] {
		const found = [...(this.#at.get(path) ?? [])];
		for (let slash = path.lastIndexOf("/"); slash > 0; slash = path.lastIndexOf("/", slash - 1))
			found.push(...(this.#at.get(path.slice(0, slash)) ?? []));
		return found.filter(({ number }) => number < count).sort((one, other) => other.number - one.number);
	}

	/** The names in a directory that lead to landings. */
	below(path: Bytes): ReadonlySet<Bytes> | undefined {
		return this.#below.get(path);
	}

	/** Whether an earlier source may have made what stands at a real path, below it or on the way to it, or what a link there leads to. */
	concern(path: Bytes): boolean {
		return this.#below.has(path) || this.over(path).length > 0 || this.look.kind(path, false) !== undefined;
	}

	/** The files as the sources so far will have left them. */
	view(): Resolver {
		this.#view ??= new Resolver(new Overlaid(this.look.files, this, this.size), this.look.cwd);
		return this.#view;
	}
}
