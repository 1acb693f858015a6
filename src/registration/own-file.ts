// A file that is all tmx's own among a person's other files: put there in one step, and taken away with the directories made for it.

import type { Bytes } from "../policy/bytes.ts";
import type { System } from "../sys/system.ts";
import { alone, dropDirectories, leftovers, readSettings, removeSettings, SettingsError, writeSettings } from "./file.ts";

/** A file of ours. */
export interface OwnFile {
	path: Bytes;
	/** How a file of ours begins; any other is somebody else's, and stays. */
	head: string;
	/** The directory that is removed with it when nothing else is in it, and those between. */
	upTo: Bytes;
}

const FOREIGN = "it is not tmx's, and stays as it is";

/** Write it. @throws SettingsError, and what node:fs throws; then it is as it was */
export function putOwn(system: System, { path, head }: OwnFile, text: string): "written" | "there" {
	return alone(system, path, true, () => {
		const file = readSettings(system, path);
		if (file.text === text) return "there";
		if (file.text !== undefined && !file.text.startsWith(head)) throw new SettingsError(FOREIGN);
		writeSettings(system, file, text, false);
		return "written";
	});
}

/** Take it away; whether it was there, and ours. */
export function takeOwn(system: System, { path, head, upTo }: OwnFile): boolean {
	const wasCut = leftovers(path).length > 0;
	if (!wasCut && system.kind(path, true) !== "file") return false;
	return alone(system, path, false, () => {
		const file = readSettings(system, path);
		if (file.text?.startsWith(head)) {
			removeSettings(system, file, upTo);
			return true;
		}
		// Cut short, it may have made the directories and no file.
		if (wasCut) dropDirectories(path, upTo);
		return false;
	});
}
