// The user's manager as a command needs it, or why there is nothing to work on.

import { type Manager, managerOf } from "../../confine/manager.ts";
import type { System } from "../../sys/system.ts";
import { fail } from "../command.ts";

const NONE =
	"no systemd user manager stands in this session's process namespace, so there are no tool shells' scopes; a sandbox, a container or a machine without systemd has none";

/** The manager, or the exit status after the message. */
export function managerHere(system: System, name: string): Manager | number {
	return managerOf(system.uid()) ?? fail(system, name, "internal", NONE);
}
