// What a policy says of the floor: written by a build, read where a session starts.

import { type FloorSettings, NO_SETTINGS } from "../floor/settings.ts";
import { type Bytes, quote } from "../policy/bytes.ts";
import { FORMAT } from "../policy/policy.ts";
import { ENOENT, type System } from "../sys/system.ts";
import { type Unusable, untrusted } from "./load.ts";

/** The name of its file among the policy files. */
export const FLOOR = "floor.json";

/** The content of the file. */
export const floorFile = (floor: FloorSettings): Bytes => `${JSON.stringify({ format: FORMAT, floor })}\n`;

function isFloor(value: unknown): value is FloorSettings {
	const floor = value as FloorSettings | null | undefined;
	return (
		typeof floor?.default === "string" && typeof floor.guardfile === "string" && Array.isArray(floor.write) && Array.isArray(floor.denied)
	);
}

/**
 * What the policy of a directory says of the floor; where it says nothing, there is none unless somebody asks.
 * @param directory a shim directory; "" for the policy in the binary
 */
export function floorSettings(system: System, directory: Bytes): FloorSettings | Unusable {
	if (directory === "") return NO_SETTINGS;
	const path = `${directory}/policy/${FLOOR}`;
	const file = system.open(path);
	if (file === ENOENT) return NO_SETTINGS;
	if (typeof file === "number") return { unusable: `the policy file ${quote(path)} cannot be read (error ${file})` };
	const distrust = untrusted(system, file);
	if (distrust) return { unusable: `the policy file ${quote(path)} ${distrust}` };
	try {
		const { floor } = JSON.parse(file.content) as { floor?: unknown };
		if (isFloor(floor)) return floor;
	} catch {
		// Said below.
	}
	return { unusable: `the policy file ${quote(path)} is not valid` };
}
