// `find`: judged when it deletes, runs a command or writes a list; a find that only reads passes anywhere.

import type { Bytes } from "../policy/bytes.ts";
import type { Operand, Reader } from "../policy/call.ts";
import { join, type Resolver } from "../policy/resolve.ts";
import { comesTo } from "./find/below.ts";
import { type Action, Command, tooMuch } from "./find/command.ts";
import { type Predicate, parseFind } from "./find/expression.ts";
import { findConflicts } from "./find/made-links.ts";
import { Reach } from "./find/reach.ts";
import { depthOf, met, metStart, Walk } from "./find/walk.ts";

const COMMANDS = ["-exec", "-execdir", "-ok", "-okdir"];

const isDelete = ({ expression, index }: Action) => expression.predicates[index]?.name === "-delete";

/** Predicates that open a file for writing while they are parsed, so also when find then stops or finds nothing. */
const WRITES = ["-fprint", "-fprint0", "-fprintf", "-fls"];
/** These two names are not opened (findutils, find/sharefile). */
const STREAMS = ["/dev/stdout", "/dev/stderr"];

/** The largest list of starting points that is read before the verdict, in bytes. */
const LIST_LIMIT = 8 * 1024 * 1024;

function written(predicates: Predicate[]): Operand[] {
	const files = predicates.filter(({ name, args }) => WRITES.includes(name) && args.length > (name === "-fprintf" ? 1 : 0));
	const texts = files.map(({ args }) => args[0] as Bytes).filter((text) => !STREAMS.includes(text));
	return texts.map((text) => ({ text, role: "written", leaf: "target", note: "opened for writing by find" }));
}

/** The starting points of `-files0-from FILE`; one whose content cannot be known beforehand refuses the call. */
function listed(file: Bytes, look: Resolver): Bytes[] | Operand {
	const unknowable = (why: string): Operand => ({ text: file, role: "started", leaf: "entry", unknowable: why });
	if (file === "-" || look.kind(file, true) === undefined) {
		if (file !== "-") return [];
		return unknowable("the starting points come from standard input and are not known beforehand; name them, or put them into a file");
	}
	const content = look.read(file, LIST_LIMIT);
	if (content === undefined) return unknowable("the starting points are in no regular file of moderate size and are not known beforehand");
	return content.split("\0").filter((text) => text !== "");
}

/** How many names are looked at to find one that stays. */
const MOST_NAMES = 10_000;

/** What -delete does at a starting point. */
class Deletion {
	constructor(
		readonly action: Action,
		readonly start: Bytes,
	) {}

	/** Whether the starting point itself stays: a test rules it out, or the kernel does not remove it under that name. */
	#stays(): boolean {
		const { call, expression, reach, index, look } = this.action;
		// rmdir(2): EINVAL for a last component of `.`, ENOTEMPTY for `..`. find does not try a plain `.` (find(1)).
		if (/(^|\/)\.\/*$/.test(this.start) || (call.implementation !== "bsd" && /(^|\/)\.\.\/*$/.test(this.start))) return true;
		if (depthOf(expression.predicates, "-mindepth") > 0) return true;
		const start = metStart(this.start, expression, look);
		return reach.of({ ...start, holds: this.#keepsSome() })[index] === false;
	}

	/** Whether something below the starting point surely stays, so that it does not become empty. */
	#keepsSome(): boolean {
		const { expression, reach, look } = this.action;
		const { predicates, follow } = expression;
		if (follow === "L" || !predicates.some(({ name }) => name === "-empty")) return false;
		const acts = predicates.flatMap(({ name }, k) => (name === "-delete" || COMMANDS.includes(name) ? [k] : []));
		const pending = [{ path: this.start, real: look.directory(this.start) }];
		let names = 0;
		for (let at = pending.pop(); at !== undefined && names < MOST_NAMES; at = pending.pop()) {
			for (const { name, kind } of look.files.list(at.real) ?? []) {
				const path = join(at.path, name);
				const real = join(at.real, name);
				names++;
				if (kind === "directory") pending.push({ path, real });
				else if (kind !== undefined) {
					const reached = reach.of({ ...met(real, kind, false, look), path });
					if (acts.every((k) => reached[k] === false)) return true;
				}
			}
		}
		return false;
	}

	operands(): Operand[] {
		const reaches = (path: Bytes) => comesTo(this.action, this.start, path, true);
		return [{ ...deletes(this.start, this.#stays(), this.action), reaches }];
	}

	/** Links to directories that -L follows, where something behind them may go. */
	*later(): Generator<Operand> {
		const { expression, reach, index, look } = this.action;
		if (expression.follow !== "L" || !look.isDirectory(this.start)) return;
		const walk = new Walk(expression, reach, index, look);
		const bases = new Set<Bytes>();
		for (const { base } of walk.below(this.start, metStart(this.start, expression, look))) {
			if (!base.followed || bases.has(base.path)) continue;
			bases.add(base.path);
			yield { text: base.path, role: "started", leaf: "target", self: true, note: "a link that find follows" };
		}
		if (walk.tooLarge) yield tooMuch(this.start, "the tree is too large to look for links that lead out of it");
	}
}

/** A starting point below which everything may go. */
function deletes(start: Bytes, stays: boolean, { expression, look }: Pick<Action, "expression" | "look">): Operand {
	// A link that is followed is removed itself as well; a link to a file always is.
	const followed = expression.follow !== "P" && look.isDirectory(start);
	return { text: start, role: "started", leaf: followed ? "both" : "entry", self: stays };
}

/** Operands without those that say the same: several readings of a command mostly agree. */
function distinct(operands: Operand[]): Operand[] {
	const seen = new Set<string>();
	return operands.filter(({ text, role, leaf, at, below }) => {
		const key = [text, role, leaf, at, below === undefined].join("\0");
		return below !== undefined || (!seen.has(key) && seen.add(key));
	});
}

export const find: Reader = {
	name: "find",
	read(call, look, readerOf) {
		const expression = parseFind(call);
		const { predicates } = expression;
		const operands = written(predicates);
		const indices = predicates.flatMap(({ name }, k) => (name === "-delete" || COMMANDS.includes(name) ? [k] : []));
		const unread = expression.unread.filter((word) => word.startsWith("-"));
		if (indices.length === 0 && unread.length === 0) return { operands, unread: [] };
		const { list } = expression;
		// find itself stops where it should ask and read its starting points from one stream (findutils, find/ftsfind.c).
		if (list === "-" && call.implementation === "gnu" && predicates.some(({ name }) => name === "-ok" || name === "-okdir"))
			return { operands, unread };
		const fromList = list === undefined ? [] : listed(list, look);
		if (!Array.isArray(fromList)) return { operands: [...operands, fromList], unread };
		const starts = [...expression.starts, ...fromList].filter((start) => start !== "");
		if (expression.starts.length === 0 && list === undefined) starts.push(".");
		// A predicate that nobody here knows may do anything at the starting points.
		if (unread.length > 0) operands.push(...starts.map((start) => deletes(start, false, { expression, look })));
		const reach = new Reach(predicates);
		const actions = indices.map((index): Action => ({ call, look, readerOf, expression, reach, index }));
		const commands = actions.flatMap((action) => (isDelete(action) ? [] : starts.map((start) => new Command(action, start))));
		findConflicts(commands);
		const deletions = actions.filter(isDelete).flatMap((action) => starts.map((start) => new Deletion(action, start)));
		const all = [...deletions, ...commands];
		operands.push(...distinct(all.flatMap((one) => one.operands())));
		return { operands, unread, more: () => distinct(all.flatMap((one) => [...one.later()])) };
	},
};
