// Random calls of find: leading options, starting points, and an expression that mostly parses.

import type { Bytes } from "../../src/policy/bytes.ts";
import { anyName } from "./farm.ts";
import { command } from "./find-commands.ts";
import type { Spelling } from "./paths.ts";
import type { Random } from "./random.ts";

/** A file with starting points that the case has to make first. */
export interface List {
	path: Bytes;
	content: Bytes;
}

const LEADING: readonly (readonly [number, string[]])[] = [
	[8, ["-H"]],
	[8, ["-L"]],
	[6, ["-P"]],
	[2, ["-O2"]],
	[1, ["-O"]],
	[2, ["-D", "tree"]],
	[2, ["-D", "exec"]],
	[1, ["-D", "-delete"]],
	[1, ["-D", "-H"]],
	[4, ["--"]],
	[1, ["-HL"]],
];

const TRICKS: readonly string[][] = [
	["-name", "-delete"],
	["-printf", "-delete"],
	["-perm", "-111"],
	["-fstype", "-exec"],
	["-false"],
	["-true"],
	["-quit"],
	["-depth"],
	["-d"],
	["-xdev"],
	["-mount"],
	["-noleaf"],
	["-follow"],
	["-prune"],
	["-print"],
	["-print0"],
	["-ls"],
	["-empty"],
	["-readable"],
	["-nouser"],
	["-daystart"],
	["-ignore_readdir_race"],
];

class Finder {
	lists: List[] = [];

	constructor(
		readonly random: Random,
		readonly spelling: Spelling,
	) {}

	#pattern(): Bytes {
		const { random } = this;
		const name = anyName(random);
		return random.pick([name, name, "*", "?", "l*", "*d", "[a-f]", "none", `${name}*`, "\\*", ".*", "R", "O"]);
	}

	#test(): Bytes[] {
		const { random, spelling } = this;
		return random.weighted<() => Bytes[]>([
			[10, () => ["-name", this.#pattern()]],
			[2, () => [random.pick(["-iname", "-lname", "-path", "-wholename", "-ipath"]), this.#pattern()]],
			[8, () => ["-type", random.pick(["f", "d", "l", "l", "f,l", "p"])]],
			[1, () => ["-xtype", random.pick(["f", "d", "l"])]],
			[4, () => ["-maxdepth", random.pick(["0", "1", "2", "3"])]],
			[4, () => ["-mindepth", random.pick(["0", "1", "2"])]],
			[1, () => [random.pick(["-newer", "-samefile", "-anewer"]), spelling.any()]],
			[1, () => ["-size", random.pick(["0", "-2", "+1k"])]],
			[1, () => ["-links", random.pick(["1", "2", "+1"])]],
			[1, () => ["-regex", random.pick([".*", ".*/f", "x"])]],
			[6, () => random.pick(TRICKS)],
		])();
	}

	#action(): Bytes[] {
		const { random, spelling } = this;
		return random.weighted<() => Bytes[]>([
			[9, () => ["-delete"]],
			[9, () => this.#command(random.weighted(COMMANDS))],
			[2, () => [random.pick(["-fprint", "-fprint0", "-fls"]), this.#file()]],
			[1, () => ["-fprintf", this.#file(), "%p\\n"]],
			[1, () => [random.pick(["-print", "-prune", "-ls"])]],
			[0.4, () => this.#listed(spelling)],
		])();
	}

	/** A file that is written. */
	#file(): Bytes {
		return this.random.chance(0.12)
			? this.random.pick(["/dev/stdout", "/dev/stderr", "/dev/null", "-", "-delete", "/dev/fd/1"])
			: this.spelling.any();
	}

	#command(name: string): Bytes[] {
		const words = command(this.random, this.spelling);
		const plus = words.at(-1) === "{}" && !name.startsWith("-ok") && this.random.chance(0.5);
		return [name, ...words, plus ? "+" : ";"];
	}

	#listed(spelling: Spelling): Bytes[] {
		const { random } = this;
		if (random.chance(0.2)) return ["-files0-from", random.pick(["-", "/dev/stdin", "none", "/dev/null"])];
		const path = `${spelling.farm.somewhere()}/list`;
		const end = random.pick(["\0", "", "\0\0"]);
		this.lists.push({ path, content: random.several(0, 3, () => spelling.any()).join("\0") + end });
		return ["-files0-from", path];
	}

	#term(depth: number): Bytes[] {
		const { random } = this;
		const negated = random.chance(0.1) ? [random.pick(["!", "-not"])] : [];
		if (depth > 0 && random.chance(0.12)) return [...negated, "(", ...this.#expression(depth - 1), ")"];
		return [...negated, ...(random.chance(0.55) ? this.#test() : this.#action())];
	}

	#expression(depth: number): Bytes[] {
		const { random } = this;
		const words = this.#term(depth);
		for (let more = random.below(3); more > 0; more--) {
			// What is removed is seldom found again.
			if (words.includes("-delete") && random.chance(0.8)) return words;
			if (random.chance(0.25)) words.push(random.pick(["-o", "-or", ",", "-a", "-and"]));
			words.push(...this.#term(depth));
		}
		return words;
	}

	words(): Bytes[] {
		const { random, spelling } = this;
		const leading = random.chance(0.35) ? random.several(1, 2, () => random.weighted(LEADING)).flat() : [];
		const starts = random.several(0, random.chance(0.2) ? 3 : 1, () => spelling.any());
		const words = [...leading, ...starts, ...this.#expression(2)];
		if (!words.includes("-delete") && random.chance(0.7)) words.push(...this.#action());
		if (this.lists.length > 0 && random.chance(0.8)) words.splice(leading.length, starts.length);
		if (random.chance(0.02))
			words.splice(random.below(words.length + 1), 0, random.pick(["-nosuch", "-help", "stray", "-H", "--version", "-follow"]));
		return words;
	}
}

const COMMANDS: readonly (readonly [number, string])[] = [
	[10, "-exec"],
	[5, "-execdir"],
	[1, "-ok"],
	[1, "-okdir"],
];

/** The words behind `find`, and the lists that they name. */
export function findWords(spelling: Spelling, random: Random): { words: Bytes[]; lists: List[] } {
	const finder = new Finder(random, spelling);
	return { words: finder.words(), lists: finder.lists };
}
