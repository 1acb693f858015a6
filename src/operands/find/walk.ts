// The walk of find, as find would do it, to see which files an action comes to.

import type { Bytes } from "../../policy/bytes.ts";
import { baseOf, join, type Kind, namesDirectory, type Resolver } from "../../policy/resolve.ts";
import type { Truth } from "../patterns.ts";
import type { Expression, Predicate } from "./expression.ts";
import type { Reach } from "./reach.ts";
import type { Met } from "./tests.ts";

/** How many names one walk may see before it gives up. */
const WALK_LIMIT = 1_500_000;

/** A directory that the walk starts from: a starting point, or a link that -L follows. */
export interface Base {
	/** As find spells it. */
	path: Bytes;
	/** Whether it is a link that the walk came to. */
	followed: boolean;
}

/** A file that the action may come to. */
export interface Found {
	path: Bytes;
	name: Bytes;
	/** The directory that it stands in, as find spells it and as it is. */
	directory: Bytes;
	real: Bytes;
	/** Its own type, and whether it leads to a directory that find goes into. */
	kind: Kind | undefined;
	base: Base;
	/** How far below its base it stands; 1 for an entry of it. */
	depth: number;
}

interface Pending {
	path: Bytes;
	real: Bytes;
	base: Base;
	depth: number;
	/** How far below the starting point. */
	level: number;
	above: Pending | undefined;
}

/** The number that `-mindepth` or `-maxdepth` gives. They hold for the whole expression, and the last one wins. */
export function depthOf(predicates: readonly Predicate[], option: "-mindepth" | "-maxdepth"): number {
	const text = predicates.findLast(({ name }) => name === option)?.args[0] ?? "";
	if (/^\d+$/.test(text)) return Number(text);
	return option === "-mindepth" ? 0 : Number.POSITIVE_INFINITY;
}

/** A file as the tests see it. */
export function met(path: Bytes, kind: Kind | undefined, follow: boolean, look: Resolver): Met {
	// -type and -xtype look at a link from its two sides.
	const otherKind = () => (kind === "link" || follow ? (look.kind(path, !follow) ?? "link") : kind);
	return { path, name: baseOf(path), kind, otherKind, readlink: () => look.files.readlink(path) };
}

/** A starting point as the tests see it; `link` is a link that is not followed. */
export function metStart(start: Bytes, { follow }: Expression, look: Resolver): Met {
	const through = follow !== "P" || namesDirectory(start);
	const kind = look.kind(start, through) ?? look.kind(start, false);
	return { ...met(start, kind, follow === "L", look), otherKind: () => undefined, readlink: () => undefined };
}

/** One walk for the action at `index`. */
export class Walk {
	readonly #least: number;
	readonly #most: number;
	readonly #prunes: number[];
	/** Whether it gave up because there were too many names. */
	tooLarge = false;
	#names = 0;

	constructor(
		readonly expression: Expression,
		readonly reach: Reach,
		readonly index: number,
		readonly look: Resolver,
	) {
		const { predicates } = expression;
		this.#least = depthOf(predicates, "-mindepth");
		this.#most = depthOf(predicates, "-maxdepth");
		// -prune does nothing where directories come after what they hold (find(1)).
		const late = predicates.some(({ name }) => name === "-depth" || name === "-d" || name === "-delete");
		this.#prunes = late ? [] : predicates.flatMap(({ name }, k) => (name === "-prune" ? [k] : []));
	}

	#reached(file: Met, level: number): readonly Truth[] | undefined {
		return level < this.#least ? undefined : this.reach.of(file);
	}

	#isPruned(reached: readonly Truth[] | undefined): boolean {
		return reached !== undefined && this.#prunes.some((k) => reached[k] === true);
	}

	/** Each file below a starting point that the action may come to. */
	*below(start: Bytes, startMet: Met): Generator<Found> {
		const { look, index } = this;
		const base = { path: start, followed: false };
		if (this.#isPruned(this.#reached(startMet, 0))) return;
		const pending: Pending[] = [{ path: start, real: look.directory(start), base, depth: 0, level: 0, above: undefined }];
		for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
			if (at.level >= this.#most) continue;
			for (const { name, kind } of look.files.list(at.real) ?? []) {
				if (++this.#names > WALK_LIMIT) {
					this.tooLarge = true;
					return;
				}
				const below = this.#entry(at, name, kind);
				const reached = this.#reached(below.met, at.level + 1);
				const gone = this.#isPruned(reached);
				if (reached !== undefined && reached[index] !== false) yield below.found;
				if (below.next && !gone) pending.push(below.next);
			}
		}
	}

	/** One entry of a directory: as it may be found, and as it is walked into. */
	#entry(at: Pending, name: Bytes, listed: Kind | undefined): { met: Met; found: Found; next: Pending | undefined } {
		const { look } = this;
		const follow = this.expression.follow === "L";
		const path = join(at.path, name);
		const full = join(at.real, name);
		const kind = listed ?? look.kind(full, false);
		const seen = follow && kind === "link" ? (look.kind(full, true) ?? "link") : kind;
		const found: Found = { path, name, directory: at.path, real: at.real, kind, base: at.base, depth: at.depth + 1 };
		const below = { ...met(full, seen, follow, look), path };
		if (seen !== "directory") return { met: below, found, next: undefined };
		if (kind !== "link") return { met: below, found, next: { ...found, real: full, level: at.level + 1, above: at } };
		const real = look.target(full);
		const next = { path, real, base: { path, followed: true }, depth: 0, level: at.level + 1, above: at };
		return { met: below, found, next: real === "" || comesBack(at, real) ? undefined : next };
	}
}

/** Whether a link leads to a directory that the walk is in; find reports such a loop and does not follow it. */
function comesBack(at: Pending, real: Bytes): boolean {
	for (let above: Pending | undefined = at; above !== undefined; above = above.above) if (above.real === real) return true;
	return false;
}
