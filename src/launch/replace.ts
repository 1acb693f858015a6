// Changing the files of a session that runs, each in one step.

import * as fs from "node:fs";
import { move, namesIn } from "../guardfile/disk.ts";
import { FLOOR } from "../guardfile/floor.ts";
import { replaceEach } from "../guardfile/install.ts";
import { MANIFEST } from "../guardfile/manifest.ts";
import type { Bytes } from "../policy/bytes.ts";
import { join } from "../policy/resolve.ts";
import { exchange } from "../sys/exchange.ts";
import type { System } from "../sys/system.ts";
import { fill } from "./directory.ts";
import { removeQuietly } from "./sweep.ts";

const toBuffer = (path: Bytes) => Buffer.from(path, "latin1");

/** Put new files in the place of a session's policy, all of them in one step where the file system can; why not, in words. Throws what node:fs throws. */
export function replacePolicy(system: System, shims: Bytes, name: string, files: ReadonlyMap<Bytes, Bytes>): string | undefined {
	const fresh = join(shims, `.policy-${name}`);
	const policy = join(shims, "policy");
	try {
		const failed = fill(system, fresh, { files, links: new Map() });
		if (failed !== undefined) return failed;
		if (!exchange(fresh, policy)) replaceEach(fresh, policy);
		return undefined;
	} finally {
		removeQuietly(fresh);
	}
}

/** Write one file anew, in one step. Throws what node:fs throws. */
export function replaceFile(path: Bytes, name: string, content: Bytes): void {
	const fresh = `${path}.${name}`;
	fs.writeFileSync(toBuffer(fresh), toBuffer(content), { mode: 0o600, flag: "wx" });
	move(fresh, path);
}

/** Files among the policies that are none. */
export const OTHER_FILES: readonly Bytes[] = [MANIFEST, FLOOR];

/** The names of a session's policies, without their `.json`. */
export const policyNames = (shims: Bytes): Bytes[] =>
	namesIn(join(shims, "policy"))
		.filter((name) => name.endsWith(".json") && !OTHER_FILES.includes(name))
		.map((name) => name.slice(0, -".json".length));
