// The readers of tools that a guardfile leaves out: what find runs is read as exactly as if they were guarded.

import type { Reader } from "../../policy/call.ts";
import { chgrp, chmod, chown } from "../attributes.ts";
import { cp } from "../cp.ts";
import { dd } from "../dd.ts";
import { mkdir, rmdir } from "../directories.ts";
import { install } from "../install.ts";
import { ln } from "../ln.ts";
import { positional } from "../positional.ts";
import { positionalAndTarget } from "../positional-and-target.ts";
import { rsync } from "../rsync.ts";
import { tar } from "../tar.ts";
import { shred, tee, touch, truncate } from "../written.ts";

const OWN = [rmdir, mkdir, shred, truncate, tee, touch, cp, ln, install, dd, chmod, chown, chgrp, rsync, tar];

const byTool = new Map<string, Reader>([
	["rm", positional],
	["unlink", positional],
	["rimraf", positional],
	["del-cli", positional],
	["trash", positional],
	["trash-put", positional],
	["srm", positional],
	["mv", positionalAndTarget],
	["bsdtar", tar],
	["gtar", tar],
	...OWN.map((reader) => [reader.name, reader] as const),
]);

/** The reader of a tool of that name; undefined when there is none. */
export const toolReader = (tool: string): Reader | undefined => byTool.get(tool);
