// Random spellings of paths: walks through the farm, known places by detours, and words that look like something else.

import type { Bytes } from "../../src/policy/bytes.ts";
import { anyName, BASE, type Farm, OTHER, OUTSIDE, ROOT, SECOND } from "./farm.ts";
import type { Random } from "./random.ts";

const SPECIAL: readonly Bytes[] = [
	"",
	".",
	"..",
	"/",
	"//",
	"./",
	"../",
	"./.",
	"../.",
	"-",
	"*",
	"../..",
	"/dev/null",
	"./-x",
	"...",
	"nope/../a",
];

/** Spells paths that are meant in a working directory. */
export class Spelling {
	readonly #random: Random;

	constructor(
		readonly farm: Farm,
		readonly cwd: Bytes,
	) {
		this.#random = farm.random;
	}

	/** Mostly paths within the session's directories, so that calls with several of them have a chance to pass. */
	any(): Bytes {
		const path = this.#any();
		return this.farm.bearable(this.#standing(path)) ? path : ".";
	}

	#any(): Bytes {
		return this.#random.weighted<() => Bytes>([
			[30, () => this.walk()],
			[30, () => this.known(ROOT)],
			[8, () => this.known(OUTSIDE)],
			[4, () => this.known("")],
			[4, () => this.#missing()],
			[2, () => this.#random.pick(SPECIAL)],
			[1, () => this.#random.pick([ROOT, `${ROOT}/`, `${ROOT}/.`, `${ROOT}x/f`, `${ROOT}/..`, BASE, SECOND, OTHER])],
		])();
	}

	/** A path that is most likely a directory. */
	directory(): Bytes {
		const { farm } = this;
		if (this.#random.chance(0.3)) return this.any();
		const below = this.#random.chance(0.75) ? ROOT : BASE;
		const path = this.#spelled(this.#random.chance(0.7) ? farm.somewhere(below) : farm.something(below));
		return farm.bearable(this.#standing(path)) ? path : ".";
	}

	/** Something that is there. */
	known(below: Bytes): Bytes {
		return this.#spelled(this.farm.something(below));
	}

	/** Step by step through whatever stands there, links among it. */
	walk(): Bytes {
		const random = this.#random;
		const { tree } = this.farm;
		let text = random.weighted<Bytes>([
			[6, ""],
			[2, `${ROOT}/`],
			[1, `${OUTSIDE}/`],
			[1, `${BASE}/`],
			[1, "./"],
		]);
		for (let steps = 1 + random.below(3); steps > 0; steps--) {
			const place = tree.target(this.#standing(text));
			const names = typeof place === "string" || place.node === undefined ? [] : [...place.node.entries.keys()];
			const name = names.length === 0 || random.chance(0.12) ? random.pick(["..", ".", "none", anyName(random)]) : random.pick(names);
			text += steps > 1 ? `${name}/` : name;
		}
		return this.#noisy(text);
	}

	#missing(): Bytes {
		return this.#spelled(`${this.farm.somewhere(this.#random.chance(0.8) ? ROOT : BASE)}/${anyName(this.#random)}`);
	}

	#standing(text: Bytes): Bytes {
		return text.startsWith("/") ? text : `${this.cwd}/${text}`;
	}

	/** A real path in some spelling: relative or absolute, with detours. */
	#spelled(path: Bytes): Bytes {
		const relative = this.#random.chance(0.75) ? this.#relative(path) : path;
		return this.#noisy(relative);
	}

	#relative(path: Bytes): Bytes {
		const here = this.cwd.split("/");
		const there = path.split("/");
		let same = 0;
		while (same < here.length && here[same] === there[same]) same++;
		return [...here.slice(same).map(() => ".."), ...there.slice(same)].join("/") || ".";
	}

	#noisy(text: Bytes): Bytes {
		const random = this.#random;
		if (!random.chance(0.25)) return text;
		return random.weighted<() => Bytes>([
			[4, () => `${text}/`],
			[1, () => `${text}//`],
			[1, () => `${text}/.`],
			[1, () => `${text}/..`],
			[2, () => text.replace("/", random.pick(["//", "/./", "///"]))],
			[2, () => (text.startsWith("/") ? `/${text}` : `./${text}`)],
			[2, () => this.#detour(text)],
		])();
	}

	/** Into something and back out of it, which through a link leads elsewhere. */
	#detour(text: Bytes): Bytes {
		const below = text.startsWith(`${ROOT}/`) ? `${ROOT}/` : "";
		if (below === "" && text.startsWith("/")) return text;
		const place = this.farm.tree.target(below === "" ? this.cwd : ROOT);
		const names = typeof place === "string" || place.node === undefined ? [] : [...place.node.entries.keys()];
		const name = names.length > 0 ? this.#random.pick(names) : "sub";
		return `${below}${name}/../${text.slice(below.length)}`;
	}
}
