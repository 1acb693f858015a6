// The operand readers by the name that a guardfile gives them, and the one that fits each tool best.

import type { Reader } from "../policy/call.ts";
import { chgrp, chmod, chown } from "./attributes.ts";
import { cp } from "./cp.ts";
import { dd } from "./dd.ts";
import { mkdir, rmdir } from "./directories.ts";
import { curl, wget } from "./downloads.ts";
import { find } from "./find.ts";
import { git } from "./git.ts";
import { install } from "./install.ts";
import { ln } from "./ln.ts";
import { makers } from "./makers.ts";
import { patch } from "./patch.ts";
import { positional } from "./positional.ts";
import { positionalAndTarget } from "./positional-and-target.ts";
import { awk, perl } from "./programs.ts";
import { rsync } from "./rsync.ts";
import { sed } from "./sed.ts";
import { sort } from "./sort.ts";
import { tar } from "./tar.ts";
import { unzip } from "./unzip.ts";
import { shred, tee, touch, truncate } from "./written.ts";

const ALL: readonly Reader[] = [
	positional,
	positionalAndTarget,
	find,
	rmdir,
	mkdir,
	shred,
	truncate,
	tee,
	touch,
	cp,
	ln,
	install,
	dd,
	chmod,
	chown,
	chgrp,
	rsync,
	tar,
	unzip,
	sed,
	sort,
	patch,
	curl,
	wget,
	git,
	makers,
	awk,
	perl,
];

const byName = new Map<string, Reader>();
for (const reader of ALL) byName.set(reader.name, reader);

/** Every reader, by name. */
export const readers: ReadonlyMap<string, Reader> = byName;
