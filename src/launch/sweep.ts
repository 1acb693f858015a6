// Taking away what nobody uses: sessions whose processes have all ended, and what was left of one that was cut short.

import { diskFailure, kindAt, move, removeTree } from "../guardfile/disk.ts";
import type { Bytes } from "../policy/bytes.ts";
import { join, parentOf } from "../policy/resolve.ts";
import type { System } from "../sys/system.ts";
import { GONE, STAGE } from "./directory.ts";
import { everyPlace } from "./places.ts";
import { processOf } from "./processes.ts";
import { unusedSessions } from "./record.ts";

/** Remove a tree of ours; whoever is first does it. */
export function removeQuietly(path: Bytes): void {
	try {
		if (kindAt(path) !== undefined) removeTree(path);
	} catch (error) {
		if (diskFailure(error) === undefined) throw error;
	}
}

/** Take a session's directory away. It is renamed first, so that of two who do it one does it all. */
export function removeSession(directory: Bytes): void {
	const gone = join(parentOf(directory), `.gone-${directory.slice(directory.lastIndexOf("/") + 1)}`);
	try {
		removeQuietly(gone);
		move(directory, gone);
	} catch (error) {
		if (diskFailure(error) === undefined) throw error;
		return;
	}
	removeQuietly(gone);
}

/** Take away what nobody uses. */
export function sweep(system: System): void {
	for (const directory of unusedSessions(system)) removeSession(directory);
	for (const place of everyPlace(system)) {
		for (const { name } of system.list(place) ?? []) {
			const [, pid, start] = STAGE.exec(name) ?? [];
			const abandoned = pid !== undefined && processOf(system, Number(pid))?.start !== start;
			if (abandoned || GONE.test(name)) removeQuietly(join(place, name));
		}
	}
}
