// What tmx install says at its end: what holds from now on, what is still to do, and how all of it goes away.

import { stableBinary } from "../../guardfile/binary.ts";
import { quote } from "../../policy/bytes.ts";
import type { System } from "../../sys/system.ts";
import { print } from "../command.ts";
import { isOnPath } from "./shims.ts";

/** What was done about the line in the start files. */
export type Line = "shown" | "written";

/** Where a person's own programs lie; most systems have it on PATH at login (systemd file-hierarchy(7)). */
const OWN = "~/.local/bin/tmx";

/** The steps that are left. @param tmx how this binary is called in a shell */
function steps(tmx: string, away: boolean, line: Line): string[] {
	const place = `the shims and hooks call ${tmx}, which is not on PATH: when that file goes, so does the guard. To give it a place that lasts: install -D -m 755 ${tmx} ${OWN} && ${OWN} install`;
	return [
		...(away ? [place] : []),
		`${line === "written" ? "open a new shell" : "put the line into your start file and open a new shell"}, and ask "${tmx} doctor" whether the guard stands`,
		`nothing is judged until a session's directories are named: start an agent with "${tmx} wrap -- AGENT", or export TMX_ROOTS="$PWD" in the shell that you start it from`,
	];
}

/** Print the end of an installation of shims. */
export function summarise(system: System, line: Line): void {
	const away = !isOnPath(system);
	const tmx = away ? quote(stableBinary(system)) : "tmx";
	const lines = steps(tmx, away, line).map((step) => `  - ${step}\n`);
	print(system, `to do:\n${lines.join("")}to undo all of it: ${tmx} uninstall (the audit and your guardfiles stay)\n`);
}
