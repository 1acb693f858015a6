// The operand readers by the name that a guardfile gives them.

import type { Reader } from "../policy/call.ts";
import { dd } from "./dd.ts";
import { curl, wget } from "./downloads.ts";
import { byName, EVERYDAY } from "./everyday.ts";
import { find } from "./find.ts";
import { makers } from "./makers.ts";
import { patch } from "./patch.ts";
import { awk, perl } from "./programs.ts";
import { rsync } from "./rsync.ts";
import { sort } from "./sort.ts";
import { tar } from "./tar.ts";
import { unzip } from "./unzip.ts";

const OTHERS: readonly Reader[] = [find, dd, rsync, tar, unzip, sort, patch, curl, wget, makers, awk, perl];

/** Every reader, by name. */
export const readers: ReadonlyMap<string, Reader> = byName([...EVERYDAY, ...OTHERS]);
