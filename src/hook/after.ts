// After a command: what the floor refused it, told to the model, which would take it for a matter of permission bits.

import type { Answer, Outcome } from "../agents/agent.ts";
import { SILENCE } from "../agents/agent.ts";
import { blamed } from "../floor/blame.ts";
import { quote } from "../policy/bytes.ts";
import type { World } from "../policy/policy.ts";
import { restart } from "../policy/refusal.ts";
import type { System } from "../sys/system.ts";

/** So many paths are named. */
const NAMED = 3;

/** One line for the model where the floor was the reason, and nothing where it was not. */
export function tellOfFloor(system: System, { command, output, cwd, tell }: Outcome, world: World): Answer {
	const directory = cwd?.startsWith("/") ? cwd : (system.real(".", true) ?? "/");
	const paths = blamed(system, output, command, directory, world.home);
	if (paths.length === 0) return SILENCE;
	const more = paths.length > NAMED ? ` and ${paths.length - NAMED} more` : "";
	const roots = world
		.env("TMX_ROOTS")
		.split(":")
		.filter((root) => root !== "");
	const where = roots.length === 0 ? "this session's roots" : `this session's roots, ${roots.map(quote).join(" and ")}`;
	const first = roots[0] === undefined ? "work within the roots" : `work below ${quote(roots[0])}`;
	return tell(
		`tmx: floor: ${paths.slice(0, NAMED).map(quote).join(", ")}${more}: outside ${where}; the kernel refuses to write, create or remove anything there ` +
			`in this session, and neither chmod nor sudo nor another program changes that. Instead, ${first}, or ask the person whose machine this is ` +
			`to start the session again with one directory more: ${restart(roots)}`,
	);
}
