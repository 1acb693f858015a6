// The floor of a session that is about to start.

import { floorOf } from "../../floor/floor.ts";
import type { System } from "../../sys/system.ts";
import type { Launch } from "../plan.ts";
import { type Ready, readyFloor } from "./ready.ts";
import { groundHere, wishFor } from "./wish.ts";

/** Get the floor of a launch ready, whose session is written already. @param say tells a person what goes wrong at the last moment */
export function startFloor(system: System, launch: Launch, say: (words: string) => void): Ready | { refused: string } {
	const { base, roots, session, directory } = launch;
	const ground = groundHere(system);
	const own = roots.map(({ real }) => real);
	const wish = wishFor(system, base, own, session.command[0] ?? "", ground, directory);
	if ("unusable" in wish) return { refused: wish.unusable };
	return readyFloor(system, floorOf(system, wish), ground.abi, launch.floor === "require", say);
}
