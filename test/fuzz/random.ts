// Random choices that a seed and a case number reproduce.

/** A stream of choices; two streams of the same seed and case are the same. */
export class Random {
	#state: number;

	constructor(seed: number, index: number) {
		this.#state = (Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(index + 1, 0xc2b2ae35)) >>> 0;
		for (let k = 0; k < 4; k++) this.next();
	}

	/** At least 0 and below 1 (the generator is mulberry32). */
	next(): number {
		this.#state = (this.#state + 0x6d2b79f5) >>> 0;
		let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
	}

	below(limit: number): number {
		return Math.floor(this.next() * limit);
	}

	chance(probability: number): boolean {
		return this.next() < probability;
	}

	pick<T>(items: readonly T[]): T {
		if (items.length === 0) throw new Error("nothing to pick from");
		return items[this.below(items.length)] as T;
	}

	/** One of several things, each as likely as its weight. */
	weighted<T>(rows: readonly (readonly [weight: number, item: T])[]): T {
		let rest = this.next() * rows.reduce((sum, [weight]) => sum + weight, 0);
		for (const [weight, item] of rows) {
			rest -= weight;
			if (rest < 0) return item;
		}
		return (rows.at(-1) as readonly [number, T])[1];
	}

	/** Each item with the same probability, in order. */
	some<T>(items: readonly T[], probability: number): T[] {
		return items.filter(() => this.chance(probability));
	}

	/** As many results of `make` as a number between `least` and `most`. */
	several<T>(least: number, most: number, make: () => T): T[] {
		return Array.from({ length: least + this.below(most - least + 1) }, make);
	}
}
