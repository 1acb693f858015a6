// Who uses a shadow: the process that it was made for, and whoever stands in it.

import { commandOf } from "../confine/processes.ts";
import { pids } from "../launch/processes.ts";
import { type Bytes, fromText, quote } from "../policy/bytes.ts";
import { isBelow } from "../policy/resolve.ts";
import type { System } from "../sys/system.ts";
import { directoryOf } from "./places.ts";
import { runs, type ShadowRecord } from "./record.ts";

/** The processes that use a shadow, as far as this user may see them. */
export function usersOf(system: System, place: Bytes, record: ShadowRecord): number[] {
	const directory = directoryOf(place, record.id);
	const stands = (pid: number) => {
		const at = system.readlink(`/proc/${pid}/cwd`) ?? "";
		return at === directory || isBelow(at, directory);
	};
	const own = runs(system, record) ? [record.pid] : [];
	return [...new Set([...own, ...pids(system).filter(stands)])].filter((pid) => pid !== system.pid());
}

/** A process for people. */
export const named = (pid: number): string => `${pid} (${quote(fromText((commandOf(pid) ?? "?").slice(0, 60)))})`;
