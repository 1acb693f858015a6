// The compiled binary that the tests run: dist/tmx, or the one that TMX_TEST_BINARY names.

import { existsSync } from "node:fs";
import { resolve } from "node:path";

export const ROOT = resolve(import.meta.dir, "../..");

/** The path of the compiled binary. */
export const BINARY = resolve(process.env.TMX_TEST_BINARY ?? `${ROOT}/dist/tmx`);

if (!existsSync(BINARY)) throw new Error(`${BINARY} does not exist: run "npm run build" first`);
