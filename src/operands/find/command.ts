// A command that find runs at one starting point: what it does there, below it in general, and to the files of which the names matter.

import { type Bytes, quote } from "../../policy/bytes.ts";
import type { Call, Operand, Reader } from "../../policy/call.ts";
import { baseOf, join, type Resolver } from "../../policy/resolve.ts";
import type { Act } from "../run/act.ts";
import { commandActs } from "../run/command.ts";
import { comesTo } from "./below.ts";
import type { Expression, Predicate } from "./expression.ts";
import { type Conflict, entryOf } from "./made-links.ts";
import { Matters } from "./matters.ts";
import { anyFile, climbs, inItsDirectory, type Meeting, spelledByDot } from "./meeting.ts";
import type { Reach } from "./reach.ts";
import { ANY, ANY_WITH_ENDING, Concerns, imagined, type StandIn } from "./stand-in.ts";
import type { Met } from "./tests.ts";
import { depthOf, metStart, Walk } from "./walk.ts";

/** An action of a find that runs a command. */
export interface Action {
	call: Call;
	look: Resolver;
	readerOf(tool: string): Reader | undefined;
	expression: Expression;
	reach: Reach;
	/** Which predicate it is. */
	index: number;
}

/** Of how many files the names are looked at before there are too many. */
const MOST_READ = 20_000;

/** What a command does at one meeting. */
export interface Reading {
	acts: Act[];
	look: Resolver;
	concerns: Concerns | undefined;
}

/** One command at one starting point. */
export class Command {
	readonly #predicate: Predicate;
	readonly #start: Met;
	readonly #note: string;
	readonly #ups: number;
	/** Whether find goes below the starting point. */
	readonly below: boolean;
	/** What it does at the starting point itself, and to what stands for any file below it. */
	readonly self: Reading | undefined;
	readonly #general: Reading[];
	/** Links that a command of the same find makes and that lead on from here. */
	readonly conflicts: Conflict[] = [];

	constructor(
		readonly action: Action,
		readonly start: Bytes,
	) {
		const { expression, look, reach, index } = action;
		this.#predicate = expression.predicates[index] as Predicate;
		this.#start = metStart(start, expression, look);
		this.#note = `run by find: ${quote(baseOf(this.#predicate.args[0] ?? ""))}`;
		this.#ups = climbs(this.#predicate.args, this.inDirectory);
		this.below = this.#start.kind === "directory" && depthOf(expression.predicates, "-maxdepth") > 0;
		const reached = depthOf(expression.predicates, "-mindepth") === 0 && reach.of(this.#start)[index] !== false;
		this.self = reached ? this.#read(this.inDirectory ? inItsDirectory(start) : { match: start, cwd: undefined }) : undefined;
		this.#general = this.below ? this.#standIns(start) : [];
	}

	/** Whether it runs in the directory of what is met. */
	get inDirectory(): boolean {
		return this.#predicate.name.endsWith("dir");
	}

	/** Every reading that says in general what the command does. */
	get readings(): Reading[] {
		return this.self === undefined ? this.#general : [this.self, ...this.#general];
	}

	/** Whether a file of that name and type may be met. */
	mayMeet(name: Bytes | undefined, kind: Met["kind"]): boolean {
		const { reach, index, expression } = this.action;
		return reach.of(anyFile(name, expression.follow === "L" ? undefined : kind))[index] !== false;
	}

	#read({ match, cwd }: Meeting, look = this.action.look): Reading {
		const { args, many } = this.#predicate;
		const { call, readerOf } = this.action;
		const there = cwd === undefined ? look : look.from(look.directory(cwd));
		const words = args.map((word) => word.replaceAll("{}", () => match));
		const site = { call, look: there, readerOf, handed: match, depth: 0 };
		// One file more of many: the last one is a destination to mv and cp. It may also be the only one, and a script then lacks "$1".
		const acts = many ? commandActs([...words, match], site) : [];
		if (!many || args.includes("-c")) acts.push(...commandActs(words, site));
		return { acts, look: there, concerns: undefined };
	}

	/** The command with names that stand for any file below a base, deep enough not to climb out. */
	#standIns(base: Bytes): Reading[] {
		const { look, expression } = this.action;
		const names = Array(Math.min(Math.max(2, this.#ups + 1, depthOf(expression.predicates, "-mindepth")), 99)).fill(ANY);
		const ending = this.#predicate.args.some((word) => word.includes("${"));
		return [ANY, ...(ending ? [ANY_WITH_ENDING] : [])].flatMap((name) => {
			const inner = [...names.slice(1), name].join("/");
			const [realBase, path] = [look.directory(base), join(base, inner)];
			const stand: StandIn = { base, path, realBase, realPath: join(realBase, inner) };
			return (["file", "directory"] as const).map((kind) => this.#standIn(stand, name, imagined(look, stand, kind)));
		});
	}

	#standIn({ path, realBase, realPath }: StandIn, name: Bytes, look: Resolver): Reading {
		const meeting = this.inDirectory ? { match: `./${name}`, cwd: path.slice(0, -name.length - 1) } : { match: path, cwd: undefined };
		const reading = this.#read(meeting, look);
		const concerns = new Concerns(realBase, realPath, meeting.match);
		// What a link leads to may be asked for.
		concerns.links = this.#predicate.args.some((word) => /\b(readlink|realpath)\b/.test(word));
		for (const { argv, operands } of reading.acts) {
			for (const operand of operands) concerns.add(operand, entryOf(operand, reading.look));
			concerns.walks ||= baseOf(argv[0] ?? "") === "find" && operands.length > 0;
		}
		return { ...reading, concerns };
	}

	#operands({ acts, look }: Reading): Operand[] {
		const found = acts.flatMap((act) => act.operands);
		for (const conflict of this.conflicts) found.push(...conflict.follow(acts, look));
		return found;
	}

	/** The starting point, or a link that find follows, as what is acted on: mounts below it count. */
	#acted(base: Bytes, readings: readonly Reading[]): Operand[] {
		const { look } = this.action;
		if (!readings.some(({ concerns }) => concerns?.acts)) return [];
		const walks = readings.flatMap(({ acts, concerns }) => acts.flatMap(({ operands }) => walkedBelow(operands, concerns, look, base)));
		const goes = readings.some(({ acts }) =>
			acts.some(({ operands }) => operands.some(({ role }) => role === "removed" || role === "moved")),
		);
		const reaches = (path: Bytes) => comesTo(this.action, base, path, goes);
		return [{ text: base, role: "started", leaf: "target", self: true, note: this.#note, reaches }, ...walks];
	}

	/** What can be said without a look at what lies below. */
	operands(): Operand[] {
		const found = this.self === undefined ? [] : this.#operands(this.self).filter((operand) => !spelledByDot(operand));
		found.push(...this.#acted(this.start, this.#general));
		for (const reading of this.#general) found.push(...this.#operands(reading));
		return [...found, ...this.#elsewhere()];
	}

	/** Links elsewhere that have the name of what is met, as in `cp {} DIR`. */
	#elsewhere(): Operand[] {
		const found: Operand[] = [];
		const { look } = this.action;
		for (const { concerns } of this.#general) {
			for (const [directory, patterns] of concerns?.elsewhere ?? []) {
				for (const { name, kind } of look.files.list(directory) ?? []) {
					if ((kind ?? look.kind(join(directory, name), false)) === "link") found.push(...this.#named(name, patterns));
				}
			}
		}
		return found;
	}

	/** The command for a file whose name makes `name` where the command puts it. */
	#named(name: Bytes, patterns: ReadonlySet<Bytes>): Operand[] {
		const { look } = this.action;
		return [...patterns].flatMap((pattern) => {
			const any = pattern.includes(ANY_WITH_ENDING) ? ANY_WITH_ENDING : ANY;
			const [before = "", after = ""] = pattern.split(any);
			if (!name.startsWith(before) || !name.endsWith(after) || name.length <= before.length + after.length) return [];
			const own = name.slice(before.length, name.length - after.length);
			if (pattern === ANY && !this.mayMeet(own, undefined)) return [];
			const [realBase, inner] = [look.directory(this.start), `${ANY}/${own}`];
			const stand = { base: this.start, path: join(this.start, inner), realBase, realPath: join(realBase, inner) };
			return this.#operands(this.#standIn(stand, own, imagined(look, stand, "file")));
		});
	}

	/** Whether what lies below has to be looked at. */
	get #looksBelow(): boolean {
		if (!this.below) return false;
		if (this.action.expression.follow === "L") return this.#general.some(({ acts }) => acts.length > 0);
		if (this.#ups > 0 || this.#merges.size > 0) return true;
		const links = this.conflicts.some(({ meets }) => meets) || this.#some((concerns) => concerns.links);
		if (links && this.mayMeet(undefined, "link")) return true;
		return this.#some(({ below, beside, paths, walks }) => walks || below.size > 0 || beside.size > 0 || paths.size > 0);
	}

	#some(test: (concerns: Concerns) => boolean): boolean {
		return this.#general.some(({ concerns }) => concerns !== undefined && test(concerns));
	}

	/** Directories into which one that is met is merged when it has the name of one there (cp -r). */
	get #merges(): Set<Bytes> {
		const found = new Set<Bytes>();
		for (const { acts, concerns, look } of this.#general) {
			for (const operand of acts.flatMap(({ operands }) => operands)) {
				const path = operand.below === undefined ? "" : entryOf(operand, look);
				for (const directory of concerns?.elsewhere.keys() ?? []) if (path === join(directory, ANY)) found.add(directory);
			}
		}
		return found;
	}

	/** What has to be looked for below the starting point. */
	*later(): Generator<Operand> {
		if (!this.#looksBelow) return;
		const { expression, reach, index, look } = this.action;
		const walk = new Walk(expression, reach, index, look);
		const matters = new Matters(
			this.#general.flatMap(({ concerns }) => concerns ?? []),
			this.#merges,
			this.#ups,
			look,
		);
		if (this.conflicts.some(({ meets }) => meets)) matters.links = true;
		const bases = new Set<Bytes>();
		let read = 0;
		for (const found of walk.below(this.start, this.#start)) {
			if (found.base.followed && !bases.has(found.base.path)) {
				bases.add(found.base.path);
				yield* this.#followed(found.base.path);
			}
			if (!matters.of(found)) continue;
			if (++read > MOST_READ) return yield tooMuch(this.start, "too many of the files that it may meet have names that lead through links");
			const { name, path, real } = found;
			yield* this.#operands(this.#read(this.inDirectory ? { match: `./${name}`, cwd: real } : { match: path, cwd: undefined }));
		}
		if (walk.tooLarge) yield tooMuch(this.start, "the tree is too large to look for links that lead out of it");
	}

	/** A link to a directory that -L follows, below which something is met. */
	*#followed(link: Bytes): Generator<Operand> {
		const readings = this.#standIns(link);
		for (const operand of this.#acted(link, readings)) yield { ...operand, note: "a link that find follows" };
		for (const reading of readings) yield* this.#operands(reading);
	}
}

/** A starting point at which nobody can look at everything. */
export const tooMuch = (text: Bytes, unknowable: string): Operand => ({ text, role: "started", leaf: "entry", unknowable });

/** A command that walks what it is given and follows links there (chmod -R -L) does so from the starting point on. */
function walkedBelow(operands: readonly Operand[], concerns: Concerns | undefined, look: Resolver, base: Bytes): Operand[] {
	const walking = operands.filter((operand) => operand.below !== undefined && entryOf(operand, look) === concerns?.met);
	return walking.map(({ at, ...operand }) => ({ ...operand, text: base, leaf: "target", role: "written" }));
}
