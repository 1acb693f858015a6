// What a guardfile says of the floor: whether a session has one, what may be written besides, and which groups may not.

import type { Bytes } from "../policy/bytes.ts";

/** Whether a session gets a floor when its command line says nothing: `require` refuses to start without a full one. */
export const MODES = ["on", "off", "require"] as const;
export type Mode = (typeof MODES)[number];

/** `floor { ... }` of a guardfile, and `DIR/policy/floor.json`. Strings in it are bytes as the file holds them. */
export interface FloorSettings {
	default: Mode;
	/** Places that may be written, as they are spelled: absolute or from `~`, and with `{uid}` for the user's number. */
	write: { path: Bytes; line: number }[];
	/** Groups of places that may not be written. */
	denied: { group: string; line: number }[];
	/** The guardfile; "" where none speaks of the floor. */
	guardfile: Bytes;
}

/** What holds where no guardfile speaks of the floor. */
export const NO_SETTINGS: FloorSettings = { default: "off", write: [], denied: [], guardfile: "" };
