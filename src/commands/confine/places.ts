// Where an installation for the user's shells and manager lies (XDG Base Directory Specification).

import { cpus } from "node:os";
import { sourceLine, tasksMax } from "../../confine/snapshots.ts";
import { toText } from "../../policy/bytes.ts";
import type { System } from "../../sys/system.ts";

/** An absolute directory from a variable, else below the home directory; undefined when a newline would end a line of ours. */
function place(system: System, variable: string, below: string): string | undefined {
	const set = system.env(variable) ?? "";
	const home = system.env("HOME") || system.passwdHome(system.uid());
	const path = set.startsWith("/") ? set : home.startsWith("/") ? `${home}/${below}` : undefined;
	return path === undefined || path.includes("\n") ? undefined : toText(path);
}

/** The fragment that snapshots source. */
export function installedFragment(system: System): string | undefined {
	const data = place(system, "XDG_DATA_HOME", ".local/share");
	return data === undefined ? undefined : `${data}/tmx/tool-confine.sh`;
}

/** The user's unit directory. */
export function unitDirectory(system: System): string | undefined {
	const config = place(system, "XDG_CONFIG_HOME", ".config");
	return config === undefined ? undefined : `${config}/systemd/user`;
}

/** Where Claude Code keeps its shell snapshots. */
export function snapshotDirectory(system: System): string | undefined {
	const claude = place(system, "CLAUDE_CONFIG_DIR", ".claude");
	return claude === undefined ? undefined : `${claude}/shell-snapshots`;
}

/** The line that sources the fragment, with a number of tasks that fits this machine. */
export function lineHere(fragment: string): string {
	return sourceLine(fragment, tasksMax(cpus().length));
}
