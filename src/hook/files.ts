// The file system as it will be when a call of the command line comes to run: what is on disk, and the links that earlier calls make.

import type { Bytes } from "../policy/bytes.ts";
import { type Files, Resolver } from "../policy/resolve.ts";

/** Where a path is the reading process's own: this process is another one than the call's, so such a path says nothing here. */
const OWN = /^\/proc\/(self|thread-self)(\/|$)|^\/dev\/fd(\/|$)/;

/** Whether a path cannot be looked at: a part of it is not known, or it is this process's own. */
const isBlind = (path: Bytes) => path.includes("\0") || OWN.test(path);

/** What is on disk, with the links that are yet to be made laid over it. */
export class FutureFiles implements Files {
	/** Real paths of links that earlier calls make, and their texts. */
	readonly #links = new Map<Bytes, Bytes>();
	readonly #walker: Resolver;

	constructor(readonly disk: Files) {
		const { disk: files } = this;
		const readlink = (path: Bytes) => this.#links.get(path) ?? files.readlink(path);
		this.#walker = new Resolver({ ...boundTo(files), readlink });
	}

	/** From now on a symbolic link stands at a real path. */
	link(at: Bytes, to: Bytes): void {
		this.#links.set(at, to);
	}

	real(path: Bytes, directory: boolean): Bytes | undefined {
		if (isBlind(path)) return undefined;
		if (this.#links.size === 0) return this.disk.real(path, directory);
		const { path: found, lost } = this.#walker.walk(path, true);
		return lost ? "" : this.disk.real(found, directory);
	}

	readlink(path: Bytes): Bytes | undefined {
		return isBlind(path) ? undefined : (this.#links.get(path) ?? this.disk.readlink(path));
	}

	kind(path: Bytes, follow: boolean) {
		if (isBlind(path)) return undefined;
		if (this.#links.size === 0) return this.disk.kind(path, follow);
		if (!follow && this.#links.has(this.#walker.entry(path))) return "link";
		const found = follow ? this.#walker.walk(path, true).path : this.#walker.entry(path);
		return this.disk.kind(found, follow);
	}

	list(path: Bytes) {
		return isBlind(path) ? undefined : this.disk.list(path);
	}

	read(path: Bytes, limit: number): Bytes | undefined {
		return isBlind(path) ? undefined : this.disk.read(path, limit);
	}

	/** Descriptors are this process's own, and the call's are others. */
	opened() {
		return undefined;
	}

	mounts(): Bytes {
		return this.disk.mounts();
	}
}

/** The members as values, whatever object they come from. */
const boundTo = (files: Files): Files => ({
	real: (path, directory) => files.real(path, directory),
	readlink: (path) => files.readlink(path),
	kind: (path, follow) => files.kind(path, follow),
	list: (path) => files.list(path),
	read: (path, limit) => files.read(path, limit),
	opened: (descriptor) => files.opened(descriptor),
	mounts: () => files.mounts(),
});
