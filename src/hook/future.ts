// One way in which the file system may look when the next call of a line runs, and what was found out about it.

import type { Bytes } from "../policy/bytes.ts";
import type { ActiveGate, Gate, Root, Settings, World } from "../policy/policy.ts";
import { isBelow, join, parentOf, Resolver } from "../policy/resolve.ts";
import type { FutureFiles } from "./files.ts";

export class Future {
	/** What was found out already: a line has hundreds of calls in the same few directories. */
	readonly #worlds = new Map<Bytes, World>();
	readonly #gates = new Map<string, ActiveGate | undefined>();
	/** Real paths of what earlier calls took away, surely or perhaps: another thing may come to such a place. */
	readonly vacated: Set<Bytes>;

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

	/** A symbolic link will stand at a real path: whatever was seen before may look otherwise now. */
	link(at: Bytes, to: Bytes): void {
		this.files.link(at, to);
		this.#forget();
	}

	/** A directory will stand at a real path, and those that hold it. */
	makeDirectory(path: Bytes): void {
		for (let at = path; at.length > 1 && this.files.kind(at, false) === undefined; at = parentOf(at)) {
			this.files.directory(at, true);
			this.#forget();
		}
	}

	/** A symbolic link that stands there will be gone. */
	unlink(at: Bytes): void {
		if (this.files.unlink(at)) this.#forget();
	}

	/** The same once more, to go another way. */
	fork(): Future {
		return new Future(this.outer, this.files.fork(), this.vacated);
	}

	/** How much harm is done through a link of this text at a real path: none, by what is made where it leads, or by what is there. */
	harm(at: Bytes, text: Bytes, roots: readonly Root[]): number {
		const look = new Resolver(this.files);
		const to = look.target(text.startsWith("/") ? text : join(parentOf(at), text));
		if (roots.some(({ real, dropped }) => dropped === undefined && (to === real || isBelow(to, real)))) return 0;
		return look.isDirectory(to) ? 2 : 1;
	}

	#forget(): void {
		this.#worlds.clear();
		this.#gates.clear();
	}
}
