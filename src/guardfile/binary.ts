// The path of this binary that shims point at: one that still leads to tmx after an upgrade.

import { compiled } from "#ffi";
import type { Bytes } from "../policy/bytes.ts";
import { join } from "../policy/resolve.ts";
import type { System } from "../sys/system.ts";

const SELF = "/proc/self/exe";

/** The path that was executed, made absolute. `..` is physical, so the way up is resolved and not only spelled shorter. */
function invoked(system: System): Bytes {
	const executed = system.executed();
	if (executed === "" || /^\/(proc|dev)\//.test(executed)) return "";
	const path = executed.startsWith("/") ? executed : join(system.real(".", true) ?? "", executed.replace(/^(\.\/+)+/, ""));
	if (!path.startsWith("/")) return "";
	if (!/\/\.\.?(\/|$)/.test(path)) return path;
	const slash = path.lastIndexOf("/");
	return join(system.real(path.slice(0, slash + 1), true) ?? "", path.slice(slash + 1));
}

/** A directory of one release, which the next one does not use: tmx-1.2.3, versions/0.4.0, a store path with a hash. */
const isVersioned = (path: Bytes) => /\/[^/]*(\d+\.\d+|[0-9a-z]{32})[^/]*\//.test(path);

/** The files called tmx on PATH. */
function onPath(system: System): Bytes[] {
	const directories = (system.env("PATH") ?? "").split(":").filter((directory) => directory.startsWith("/"));
	return directories.map((directory) => join(directory, "tmx"));
}

/**
 * The path for shims: the one that tmx was called by, unless that is a release's own directory and PATH has another way to
 * the same file; the file's real path when neither leads to it. "" when there is no binary (sources under a runtime).
 */
export function stableBinary(system: System): Bytes {
	if (!compiled) return "";
	const self = system.identity(SELF)?.id ?? system.identity(invoked(system))?.id;
	const leadsHere = (path: Bytes) => path !== "" && system.identity(path)?.id === self;
	const called = invoked(system);
	const candidates = [called, ...onPath(system)].filter((path) => leadsHere(path));
	return candidates.find((path) => !isVersioned(path)) ?? candidates[0] ?? system.real(SELF, false) ?? "";
}
