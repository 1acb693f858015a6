// Whether a session gets a floor: what is asked for, and whether the agent's own sandbox, which cannot start under one, is on.

import type { Mode } from "../../floor/settings.ts";
import { type Bytes, quote } from "../../policy/bytes.ts";
import type { System } from "../../sys/system.ts";
import { sandboxOf } from "./sandboxes.ts";

/** Where the sessions lie that are started within one: in its own directory, and nothing else of that may be written. */
export const INNER = "inner";

/** What `--floor=` takes: `instead` switches the agent's own sandbox off. */
export const FLOOR_WISHES = ["on", "require", "instead"] as const;

/** What a command line says of the floor. */
export type FloorWish = (typeof FLOOR_WISHES)[number] | "off";

/** The wish that a word says; undefined when it is none. */
export function floorWord(word: Bytes): FloorWish | undefined {
	if (word === "--floor") return "on";
	if (word === "--no-floor") return "off";
	return FLOOR_WISHES.find((wish) => word === `--floor=${wish}`);
}

export interface FloorChoice {
	floor: Mode;
	/** COMMAND, with its sandbox switched off where that was asked for. */
	command: readonly Bytes[];
	/** Whether the agent's own settings are to switch its sandbox off. */
	unboxed: boolean;
	notes: string[];
}

/**
 * @param wish what the command line says
 * @param otherwise what holds when it says nothing
 */
export function chooseFloor(
	system: System,
	wish: FloorWish | undefined,
	otherwise: Mode,
	command: readonly Bytes[],
): FloorChoice | { wrong: string } {
	const wanted = wish ?? otherwise;
	if (wanted === "off") return { floor: "off", command, unboxed: false, notes: [] };
	const floor = wanted === "require" ? "require" : "on";
	const sandbox = sandboxOf(system, command);
	if (sandbox === undefined) return { floor, command, unboxed: false, notes: [] };
	const both = `${sandbox.what}, and it cannot start under a floor`;
	const without = "without" in sandbox ? "--floor=instead switches it off and the floor on" : sandbox.hint;
	if (wanted === "require") return { wrong: `${both}: ${without}` };
	if (wanted !== "instead") return { floor: "off", command, unboxed: false, notes: [`${both}: the floor is off; ${without}`] };
	if (!("without" in sandbox)) return { wrong: `${both}: ${without}` };
	return {
		floor,
		command: sandbox.without,
		unboxed: true,
		notes: [`${quote(command[0] ?? "")} runs without its own sandbox: the floor is in its place`],
	};
}
