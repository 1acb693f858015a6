// What a reading remembers of what earlier commands did to files, directories and repositories.

import type { Bytes } from "../policy/bytes.ts";
import type { Output, Word } from "./reading.ts";

/** What later commands can know of the file system that earlier ones changed. */
export interface World {
	/** Files written here, by their absolute path. */
	files: Map<Bytes, Output>;
	/** Whether a command ran that could have made a directory. */
	made: boolean;
	/** Whether one ran that could have brought a link somewhere. */
	linked: boolean;
	/** Absolute paths that a command may have taken away, with all that is below them. */
	gone: Set<Bytes>;
	/** Directories of whose entries a command may have taken away any. */
	thinned: Set<Bytes>;
	/** Directories that mkdir made since. */
	remade: Set<Bytes>;
	/** The addresses of the repositories that the line cloned, by the directories of the clones. */
	clones: Map<Bytes, Bytes>;
	/** The settings of git that the line made, by their names: each of their values. */
	settings: Map<Bytes, Word[]>;
}

/** Nothing was done yet. */
export const newWorld = (): World => ({
	files: new Map(),
	made: false,
	linked: false,
	gone: new Set(),
	thinned: new Set(),
	remade: new Set(),
	clones: new Map(),
	settings: new Map(),
});
