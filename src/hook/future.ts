// One way in which the file system may look when the next call of a line runs, and what was found out about it.

import type { Bytes } from "../policy/bytes.ts";
import type { ActiveGate, Gate, Root, Settings, World } from "../policy/policy.ts";
import { isBelow, join, parentOf, Resolver } from "../policy/resolve.ts";
import type { Facts, Given } from "../shell/facts.ts";
import type { LinkAt } from "./changes.ts";
import type { FutureFiles } from "./files.ts";

/** What a call does to links and what holds them, by real paths. */
export interface Change {
	links: readonly LinkAt[];
	taken: readonly Bytes[];
	directories: readonly Bytes[];
}

export class Future {
	/** What was found out already: a line has hundreds of calls in the same few directories. */
	readonly #worlds = new Map<Bytes, World>();
	readonly #gates = new Map<string, ActiveGate | undefined>();
	/** Real paths of what earlier calls took away, surely or perhaps: another thing may come to such a place. */
	readonly vacated: Set<Bytes>;
	/** Links in the archives that the line makes, by their paths there; `-` is the one that goes through a pipe. */
	readonly archives = new Map<Bytes, readonly LinkAt[]>();
	/** How commands end here, as far as that is known. */
	readonly #ended = new Map<number, boolean>();

	/** @param outer the world of this process, from which all but the files is taken */
	constructor(
		readonly outer: World,
		readonly files: FutureFiles,
		vacated: ReadonlySet<Bytes> = new Set(),
	) {
		this.vacated = new Set(vacated);
	}

	/** The world as it is seen from a working directory; one that is not known leaves relative paths unknown. */
	worldAt(cwd: Bytes = "\0"): World {
		const known = this.#worlds.get(cwd);
		if (known !== undefined) return known;
		const world = { ...this.outer, look: new Resolver(this.files, cwd) };
		this.#worlds.set(cwd, world);
		return world;
	}

	/** A gate that is switched on for calls in the working directory of `world`; undefined while it is inert. */
	activate(gate: Gate, settings: Settings, world: World): ActiveGate | undefined {
		const key = [gate.name, world.look.cwd, JSON.stringify(settings)].join("\0");
		if (!this.#gates.has(key)) this.#gates.set(key, gate.activate(settings, world));
		return this.#gates.get(key);
	}

	/** What a call makes and takes away, by real paths; links come last. */
	change({ links, taken, directories }: Change): void {
		this.files.change((changes) => {
			for (const at of taken) changes.take(at);
			for (const path of directories)
				for (let at = path; at.length > 1 && this.files.kind(at, false) === undefined; at = parentOf(at)) changes.directories.add(at);
			for (const [at, to] of links) changes.link(at, to);
		});
		for (const at of taken) this.vacated.add(at);
		this.#worlds.clear();
		this.#gates.clear();
	}

	/** What is known here of how a command ends: whether it works, or nothing. */
	tell(step: number, worked: boolean): void {
		if (step > 0) this.#ended.set(step, worked);
	}

	/** Whether something may happen here that is only done when commands end so. */
	allows(after: Facts | undefined): boolean {
		if (this.#ended.size > 0)
			for (let at = after; at !== undefined; at = at.before) if (this.#ended.get(at.step) === !at.worked) return false;
		return true;
	}

	/** Whether it surely is done. */
	ensures(given: readonly Given[]): boolean {
		for (const { top, base } of given)
			for (let at = top; at !== undefined && at !== base; at = at.before)
				if (at.step > 0 && this.#ended.get(at.step) !== at.worked) return false;
		return true;
	}

	/** The same once more, to go another way. */
	fork(): Future {
		const other = new Future(this.outer, this.files.fork(), this.vacated);
		for (const [step, worked] of this.#ended) other.tell(step, worked);
		for (const [name, held] of this.archives) other.archives.set(name, held);
		return other;
	}

	/** Takes another one in, where the files are the same; whether it does. */
	takes(other: Future): boolean {
		if (!this.files.isLike(other.files) || this.archives.size + other.archives.size > 0) return false;
		for (const [step, worked] of this.#ended) if (other.#ended.get(step) !== worked) this.#ended.delete(step);
		for (const at of other.vacated) this.vacated.add(at);
		return true;
	}

	/** How much harm is done through a link of this text at a real path: none, by what is made where it leads, or by what is there. */
	harm(at: Bytes, text: Bytes, roots: readonly Root[]): number {
		const look = new Resolver(this.files);
		const to = look.target(text.startsWith("/") ? text : join(parentOf(at), text));
		if (roots.some(({ real, dropped }) => dropped === undefined && (to === real || isBelow(to, real)))) return 0;
		return look.isDirectory(to) ? 2 : 1;
	}
}
