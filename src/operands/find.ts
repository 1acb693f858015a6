// `find`: judged when it deletes, runs a command or writes a list; a find that only reads passes anywhere.

import type { Bytes } from "../policy/bytes.ts";
import type { Call, Operand, Reader } from "../policy/call.ts";
import { namesDirectory, type Resolver } from "../policy/resolve.ts";
import { execOperands } from "./find-exec.ts";
import { conditionsOf, type Expression, type Predicate, parseFind } from "./find-expression.ts";
import { lastDepth, sparesLinks, sparesName, sparesStart } from "./find-tests.ts";

const COMMANDS = ["-exec", "-execdir", "-ok", "-okdir"];

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

/** How a starting point is resolved under -P, -H and -L, and whether the walk leaves it through links. */
function followed(operand: Operand, follow: Expression["follow"], look: Resolver): Operand {
	// A link to a file is found as that file, and removed itself.
	if (follow === "P" || operand.role !== "started" || !look.isDirectory(operand.text)) return operand;
	const both: Operand = { ...operand, leaf: "both" };
	if (follow === "H") return both;
	return { ...both, below: operand.below === undefined ? { follow: "directories" } : { ...operand.below, follow: "both" } };
}

function deletes(start: Bytes, spared: boolean): Operand {
	// find does not remove a starting point that is spelled `.` (find(1), -delete).
	return { text: start, role: "started", leaf: "entry", self: spared || start === "." };
}

/** What one action does at one starting point. */
function actionOperands(
	call: Call,
	expression: Expression,
	index: number,
	start: Bytes,
	look: Resolver,
	readerOf: (tool: string) => Reader | undefined,
): Operand[] {
	const { predicates, follow } = expression;
	const { name, args } = predicates[index] as Predicate;
	const conditions = conditionsOf(predicates, index);
	// Under -P a link is no directory to find, whatever it leads to.
	const directory = look.kind(start, follow !== "P" || namesDirectory(start)) === "directory";
	const spared = sparesStart(predicates, conditions, start, directory);
	if (name === "-delete") return [deletes(start, spared)];
	const below = directory && !/^0+$/.test(lastDepth(predicates, "-maxdepth"));
	const place = {
		start,
		// No tool removes or moves a `.`, so what lies below says enough, where anything does.
		self: !spared && (start !== "." || !below),
		below,
		links: follow === "L" || !sparesLinks(conditions),
		spares: (name: Bytes) => sparesName(conditions, name),
		inDirectory: name.endsWith("dir"),
	};
	return execOperands(call, args, place, look, readerOf);
}

export const find: Reader = {
	name: "find",
	read(call, look, readerOf) {
		const expression = parseFind(call);
		const { predicates, follow } = expression;
		const operands = written(predicates);
		const actions = predicates.flatMap(({ name }, k) => (name === "-delete" || COMMANDS.includes(name) ? [k] : []));
		const unread = expression.unread.filter((word) => word.startsWith("-"));
		if (actions.length === 0 && unread.length === 0) return { operands, unread: [] };
		const list = predicates.findLast(({ name }) => name === "-files0-from")?.args[0];
		const fromList = list === undefined ? [] : listed(list, look);
		if (!Array.isArray(fromList)) return { operands: [...operands, fromList], unread };
		const starts = [...expression.starts, ...fromList];
		if (starts.length === 0 && list === undefined) starts.push(".");
		for (const start of starts) {
			// A predicate that nobody here knows may do anything at the starting points.
			if (unread.length > 0) operands.push(followed(deletes(start, false), follow, look));
			for (const index of actions) {
				for (const operand of actionOperands(call, expression, index, start, look, readerOf))
					operands.push(followed(operand, follow, look));
			}
		}
		return { operands, unread };
	},
};
