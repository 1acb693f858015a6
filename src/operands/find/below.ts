// Whether find comes with an action to one certain file below a starting point.

import type { Bytes } from "../../policy/bytes.ts";
import type { Operand } from "../../policy/call.ts";
import { isBelow, join, type Resolver } from "../../policy/resolve.ts";
import type { Expression } from "./expression.ts";
import type { Reach } from "./reach.ts";
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
	const answer = reach.of({ ...met(path, kind, follow === "L", look), path: join(start, rest) })[index];
	return answer === false ? undefined : { goes, sure: answer === true, named: predicates.some(({ name }) => NAMES.test(name)) };
}
