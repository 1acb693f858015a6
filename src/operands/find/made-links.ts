// Links that a command of find makes, where another command of the same find, or the next file, goes through them.

import type { Bytes } from "../../policy/bytes.ts";
import type { Operand } from "../../policy/call.ts";
import { baseOf, isBelow, namesDirectory, parentOf, type Resolver } from "../../policy/resolve.ts";
import type { Act } from "../run/act.ts";
import type { Command } from "./command.ts";
import { ANY } from "./stand-in.ts";

/** A name at which a link may come to be, and what goes through it later. */
export interface Conflict {
	/** Whether what is met is what the link is made of. */
	meets: boolean;
	/** What lies behind the link, for one reading of the command that makes it. */
	follow(acts: readonly Act[], look: Resolver): Operand[];
}

/** The directory entry that an operand names, a real path. */
export function entryOf({ text, at }: Operand, look: Resolver): Bytes {
	const there = at === undefined ? look : look.from(at);
	return namesDirectory(text) ? there.directory(text) : there.entry(text);
}

/** Whether a command makes links, out of links or of anything: ln, mv, and cp where it copies links as links. */
function makesLinks({ argv }: Act): boolean {
	const name = baseOf(argv[0] ?? "");
	if (name === "mv" || name === "ln") return true;
	return name === "cp" && argv.some((word) => /^(-[a-zA-Z]*[aRrdPs]|--(arch|rec|no-d|sym))/.test(word));
}

/** The names that it makes. */
const madeBy = (act: Act) => act.operands.filter(({ role, leaf }) => role === "written" && leaf !== "target");

/** What it makes them of: its operands but the last one, where that is the destination. */
function sourcesOf({ argv }: Act): Bytes[] {
	const words = argv.slice(1).filter((word) => !/^-./.test(word));
	const directed = argv.some((word) => /^(-[a-zA-Z]*t|--t)/.test(word));
	return directed || words.length < 2 ? words : words.slice(0, -1);
}

/** Whether it leaves a link at its destination alone that leads to a directory. */
const enters = ({ argv }: Act) => !argv.some((word) => /^(-[a-zA-Z]*[Tn]|--no-(ta|de))/.test(word));

/** What a path with `{}` begins and ends with; one without begins and ends with itself. */
function edges(path: Bytes): { head: Bytes; tail: Bytes; whole: boolean } {
	if (!path.includes(ANY)) return { head: path, tail: path, whole: true };
	return { head: path.slice(0, path.indexOf(ANY)), tail: path.slice(path.lastIndexOf(ANY) + ANY.length), whole: false };
}

/** Whether two paths may be one, `{}` standing for any text in each. */
function mayBeOne(a: Bytes, b: Bytes): boolean {
	const [first, second] = [edges(a), edges(b)];
	if (first.whole && second.whole) return a === b;
	const heads = first.head.startsWith(second.head) || second.head.startsWith(first.head);
	const tails = first.tail.endsWith(second.tail) || second.tail.endsWith(first.tail);
	const least = first.whole ? second.head.length + second.tail.length : first.head.length + first.tail.length;
	const length = first.whole ? a.length : second.whole ? b.length : Number.POSITIVE_INFINITY;
	return heads && tails && length > least;
}

/** An operand of a command of the find, and the path that it names. */
interface Use {
	command: Command;
	operand: Operand;
	path: Bytes;
	/** What stands for the file that is met. */
	met: Bytes | undefined;
	/** Which act of which reading it belongs to. */
	act: Act;
}

/** How many pairs of uses are compared; of more, only those with the very same names. */
const MOST_PAIRS = 1_000_000;

/** The uses by each path that they name or go through. */
function byPath<U extends Use>(uses: readonly U[]): ReadonlyMap<Bytes, U[]> {
	const found = new Map<Bytes, U[]>();
	for (const use of uses) {
		for (let end = use.path.length; end > 0; end = use.path.lastIndexOf("/", end - 1)) {
			const path = use.path.slice(0, end);
			const known = found.get(path);
			if (known) known.push(use);
			else found.set(path, [use]);
		}
	}
	return found;
}

/** What a use goes through at a made name: the rest of its path behind it; undefined when it does not. */
function restBehind(use: Use, made: Bytes): Bytes | undefined {
	const { path, operand, met, command } = use;
	for (let end = path.length; end > 0; end = path.lastIndexOf("/", end - 1)) {
		const above = path.slice(0, end);
		if (end === path.length && operand.leaf === "entry" && operand.role !== "into" && !operand.text.endsWith("/")) continue;
		if (!mayBeOne(above, made)) continue;
		// A link that is made is met like any other, and the tests may rule it out.
		if (above === met && !command.mayMeet(undefined, "link")) continue;
		// What leads to a file that is met is no link, unless find follows them.
		if (met !== undefined && isBelow(met, above) && command.action.expression.follow !== "L") continue;
		return path.slice(end);
	}
	return undefined;
}

/** The conflict of a use that goes on at the name that the act with this number makes. */
function conflictAt(maker: Act, number: number, rest: Bytes, command: Command, entered: boolean): Conflict {
	const { start, action } = command;
	const links = baseOf(maker.argv[0] ?? "") === "ln";
	const follow = (acts: readonly Act[], look: Resolver): Operand[] => {
		const act = acts[number];
		const [made] = act === undefined ? [] : madeBy(act);
		if (act === undefined || made === undefined) return [];
		// The text of a link stands on the directory of the link.
		const at = links ? parentOf(entryOf(made, look)) : act.look.cwd;
		const there = at === "" ? action.look : look.from(at);
		const behind = (text: Bytes, at: Bytes): Operand => {
			return { text: text + rest, role: "written", leaf: "target", note: "behind a link that find makes", ...(at !== "" && { at }) };
		};
		const leads = (text: Bytes, from: Resolver) => !entered || from.isDirectory(text);
		const named = sourcesOf(act).flatMap((source) => (leads(source, there) ? [behind(source, at)] : []));
		// A link that is moved or copied keeps its text, which stands on the directory that it comes to.
		const place = links ? "" : parentOf(entryOf(made, look));
		const kept = place === "" ? [] : sourcesOf(act).map((source) => there.files.readlink(there.standing(source)) ?? "/");
		const moved = kept.flatMap((text) => (!text.startsWith("/") && leads(text, look.from(place)) ? [behind(text, place)] : []));
		return [...named, ...moved];
	};
	return { meets: sourcesOf(maker).some((source) => source.includes(ANY) || source === start), follow };
}

/** Find what the commands of one find make for one another, and let each know. */
export function findConflicts(commands: readonly Command[]): void {
	const uses: (Use & { number: number })[] = commands.flatMap((command) =>
		command.readings.flatMap(({ acts, look, concerns }) =>
			acts.flatMap((act, number) =>
				act.operands.map((operand) => ({ command, operand, path: entryOf(operand, look), met: concerns?.met, act, number })),
			),
		),
	);
	const makers = uses.filter(({ act, operand }) => makesLinks(act) && madeBy(act).includes(operand));
	const index = makers.length * uses.length > MOST_PAIRS ? byPath(uses) : undefined;
	for (const maker of makers) {
		const later = index === undefined ? uses : (index.get(maker.path) ?? []);
		// A name that does not depend on what is met is made each time, with -execdir once for each file of a directory.
		const again =
			maker.met !== undefined ||
			uses.some(({ act, path, command: { action } }) => {
				return act !== maker.act && path === maker.path && action === maker.command.action;
			});
		const rests = new Set(later.map((use) => restBehind(use, maker.path)).filter((rest) => rest !== undefined));
		for (const rest of rests) maker.command.conflicts.push(conflictAt(maker.act, maker.number, rest, maker.command, false));
		const fixed = maker.command.inDirectory ? baseOf(maker.path) : maker.path;
		if (again && !fixed.includes(ANY) && enters(maker.act) && !rests.has("")) {
			maker.command.conflicts.push(conflictAt(maker.act, maker.number, "", maker.command, true));
		}
	}
}
