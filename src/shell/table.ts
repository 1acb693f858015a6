// A table of names that is forked often and written seldom, as the variables and functions of a shell are.

/** More layers than these are put into one. */
const MOST_LAYERS = 12;
/** As many entries as these are copied at once: one layer is looked through sooner than several. */
const FEW = 24;

/** What stands for an entry that was taken out. */
const GONE = Symbol("gone");

/** A table of layers, the newest first: copies share all of them, and each writes into a new one. */
export class Table<T> {
	#layers: readonly Map<string, T | typeof GONE>[];
	#isOwn = false;

	constructor(layers: readonly Map<string, T | typeof GONE>[] = []) {
		this.#layers = layers;
	}

	fork(): Table<T> {
		this.#isOwn = false;
		return new Table(this.#layers);
	}

	/** How many entries there are, those counted more than once that were written anew. */
	get size(): number {
		let size = 0;
		for (const layer of this.#layers) size += layer.size;
		return size;
	}

	get(name: string): T | undefined {
		if (this.#layers.length === 0) return undefined;
		for (const layer of this.#layers) {
			const found = layer.get(name);
			if (found !== undefined) return found === GONE ? undefined : (found as T);
		}
		return undefined;
	}

	/** @returns the entries that had to be copied. */
	set(name: string, value: T): number {
		return this.#put(name, value);
	}

	delete(name: string): void {
		if (this.get(name) !== undefined) this.#put(name, GONE);
	}

	#put(name: string, value: T | typeof GONE): number {
		let copied = 0;
		if (!this.#isOwn) {
			if (this.#layers.length >= MOST_LAYERS || (this.#layers.length > 0 && this.size <= FEW)) {
				const all = this.#flat();
				copied = all.size;
				this.#layers = [all];
			} else this.#layers = [new Map(), ...this.#layers];
			this.#isOwn = true;
		}
		this.#layers[0]?.set(name, value);
		return copied;
	}

	#flat(): Map<string, T | typeof GONE> {
		const all = new Map<string, T | typeof GONE>();
		for (const layer of [...this.#layers].reverse()) {
			for (const [name, value] of layer)
				if (value === GONE) all.delete(name);
				else all.set(name, value);
		}
		return all;
	}

	keys(): Iterable<string> {
		return this.#layers.length === 1 ? this.#namesOf(this.#layers[0] as Map<string, T | typeof GONE>) : this.#flat().keys();
	}

	#namesOf(layer: Map<string, T | typeof GONE>): string[] {
		return [...layer].flatMap(([name, value]) => (value === GONE ? [] : [name]));
	}

	/** The names that one of two tables wrote since they were one; undefined where that is not known. */
	differing(other: Table<T>): Iterable<string> {
		const shared = new Set(this.#layers);
		const at = other.#layers.findIndex((layer) => shared.has(layer));
		const common = at < 0 ? undefined : other.#layers[at];
		const mine = this.#layers.slice(0, common === undefined ? undefined : this.#layers.indexOf(common));
		const names = new Set<string>();
		for (const layer of [...mine, ...other.#layers.slice(0, at < 0 ? undefined : at)]) for (const name of layer.keys()) names.add(name);
		return names;
	}

	/** How many entries two tables do not share, at most. */
	distance(other: Table<T>): number {
		if (this.#layers === other.#layers) return 0;
		let count = 0;
		const [mine, theirs] = [new Set(this.#layers), new Set(other.#layers)];
		for (const layer of this.#layers) if (!theirs.has(layer)) count += layer.size;
		for (const layer of other.#layers) if (!mine.has(layer)) count += layer.size;
		return count;
	}

	same(other: Table<T>): boolean {
		return this.#layers.length === other.#layers.length && this.#layers.every((layer, k) => layer === other.#layers[k]);
	}
}
