// The notes that an agent keeps of its work outside of the session's directories, such as plans: its own file tools may write them.

import type { NotePlace, Target } from "../agents/agent.ts";
import type { Bytes } from "../policy/bytes.ts";
import { join } from "../policy/resolve.ts";
import type { Session } from "./session.ts";

/** A name that is none: empty, or the directory itself, or the one that holds it. */
const CLIMBS = /\/(\.{0,2})(\/|$)/;

/** The directory of an agent, from its variable or from `~`; "" where that is not known. */
function homeOf({ home, variable }: NotePlace, { world }: Session): Bytes {
	const set = variable === undefined ? "" : world.env(variable);
	return set.startsWith("/") ? set : world.home.startsWith("/") ? world.home + home.slice(1) : "";
}

/** Whether a path is one of the files of a place, also when the directory of the place is a link; the file itself may be none. */
function isAmong(place: NotePlace, path: Bytes, session: Session): boolean {
	const home = homeOf(place, session);
	if (home === "" || !path.startsWith(`${home}/`)) return false;
	const below = path.slice(home.length + 1);
	const directory = place.files.map((files) => new RegExp(`^(${files.directory})/${files.names}$`, "s").exec(below)?.[1]).find(Boolean);
	if (directory === undefined) return false;
	const { look } = session.world;
	const rest = below.slice(directory.length + 1);
	return look.target(path) === join(look.target(`${home}/${directory}`), rest);
}

/** The targets that are no notes of the agent's. */
export function withoutNotes(targets: readonly Target[], places: readonly NotePlace[], session: Session): Target[] {
	return targets.filter(({ text, role }) => {
		const path = text.startsWith("/") || session.cwd === undefined ? text : join(session.cwd, text);
		return role !== "written" || CLIMBS.test(path) || !places.some((place) => isAmong(place, path, session));
	});
}
