// The manifest of a build, with the hashes of the guardfiles that it was made of.

import { createHash } from "node:crypto";
import type { Bytes } from "../policy/bytes.ts";
import { FORMAT } from "../policy/policy.ts";
import { VERSION } from "../version.ts";
import type { Compiled } from "./compile.ts";
import type { Manifest } from "./manifest.ts";
import type { ReadSource } from "./sources.ts";

/** The manifest of a build. */
export function manifestOf(compiled: Compiled, links: Bytes[], binary: Bytes, sources: readonly ReadSource[]): Manifest {
	const guardfiles = sources.map(({ path, file }) => {
		const sha256 = createHash("sha256").update(Buffer.from(file.content, "latin1")).digest("hex");
		return { path, sha256, mtime: file.mtime };
	});
	return { format: FORMAT, version: VERSION, binary, tools: compiled.tools, links, guardfiles };
}
