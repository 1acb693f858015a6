// The settings files in which a hook of ours may stand, for the person and for the project in this directory.

import { type Bytes, fromText } from "../../policy/bytes.ts";
import { join } from "../../policy/resolve.ts";
import type { Registration } from "../../registration/agents.ts";
import type { System } from "../../sys/system.ts";

/** The file of the person; undefined without a home directory. */
export function userFile(system: System, row: Registration): Bytes | undefined {
	const home = row.home(system);
	return home && join(home, fromText(row.file));
}

/** The files of the project, the one that we write first. */
export function projectFiles(system: System, row: Registration): Bytes[] {
	const here = system.real(".", true);
	return here === undefined ? [] : row.project.map((file) => join(here, fromText(file)));
}

/** All of them, without those that are the same file. */
export function allFiles(system: System, row: Registration): Bytes[] {
	const files = [userFile(system, row), ...projectFiles(system, row)].filter((file) => file !== undefined);
	return [...new Set(files)];
}
