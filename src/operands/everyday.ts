// The operand readers of the tools that are called most, apart from the others: loading all of them takes three times as long.

import type { Reader } from "../policy/call.ts";
import { chgrp, chmod, chown } from "./attributes.ts";
import { cp } from "./cp.ts";
import { mkdir, rmdir } from "./directories.ts";
import { git } from "./git.ts";
import { install } from "./install.ts";
import { ln } from "./ln.ts";
import { positional } from "./positional.ts";
import { positionalAndTarget } from "./positional-and-target.ts";
import { sed } from "./sed.ts";
import { shred, tee, touch, truncate } from "./written.ts";

/** None of them asks for the reader of another tool. */
export const EVERYDAY: readonly Reader[] = [
	positional,
	positionalAndTarget,
	rmdir,
	mkdir,
	shred,
	truncate,
	tee,
	touch,
	cp,
	ln,
	install,
	chmod,
	chown,
	chgrp,
	sed,
	git,
];

/** These readers, by name. */
export const everyday: ReadonlyMap<string, Reader> = byName(EVERYDAY);

/** Readers under the names that a guardfile gives them. */
export function byName(readers: readonly Reader[]): ReadonlyMap<string, Reader> {
	const found = new Map<string, Reader>();
	for (const reader of readers) found.set(reader.name, reader);
	return found;
}
