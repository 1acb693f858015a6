// Whether find comes with an action to one certain file below a starting point.

import type { Bytes } from "../../policy/bytes.ts";
import type { Operand } from "../../policy/call.ts";
import { isBelow, join, type Resolver } from "../../policy/resolve.ts";
import type { Expression } from "./expression.ts";
import type { Reach } from "./reach.ts";
import { truthOf } from "./tests.ts";
import { depthOf, met } from "./walk.ts";

type Reaches = NonNullable<Operand["reaches"]>;

/** An action of a find, and where it starts. */
interface Started {
	look: Resolver;
	expression: Expression;
	reach: Reach;
	/** Which predicate it is. */
	index: number;
}

/** No file that is looked into is longer. */
const MOST_READ = 1 << 20;

/** Tests that tell a file by its name (find(1)). */
const NAMES = /^-i?(name|path|wholename|regex)$/;

/** Whether the action, by which a file `goes` or not, may come to what stands at a real path below the starting point. */
export function comesTo({ look, expression, reach, index }: Started, start: Bytes, path: Bytes, goes: boolean): ReturnType<Reaches> {
	const base = look.directory(start);
	if (base === "" || !isBelow(path, base)) return undefined;
	const rest = path.slice(base === "/" ? 1 : base.length + 1);
	const depth = rest.split("/").length;
	const { predicates, follow } = expression;
	if (depth < depthOf(predicates, "-mindepth") || depth > depthOf(predicates, "-maxdepth")) return undefined;
	const kind = look.files.kind(path, false);
	if (kind === undefined) return undefined;
	const holds = kind === "file" && Boolean(look.read(path, MOST_READ));
	const there = { ...met(path, kind, follow === "L", look), path: join(start, rest), holds };
	const answer = reach.of(there)[index];
	const syntax = predicates.findLast(({ name }) => name === "-regextype")?.args[0] ?? "";
	// A name that is left out (`-not -path './.git/*'`) asks for none of the others.
	const named = predicates.some((test) => NAMES.test(test.name) && truthOf(test, there, syntax) !== false);
	return answer === false ? undefined : { goes, sure: answer === true, named };
}
