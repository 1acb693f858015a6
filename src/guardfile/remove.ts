// Taking away what builds made in a directory: the shims, the policy, and the directory when nothing else is in it.

import type { Bytes } from "../policy/bytes.ts";
import { join } from "../policy/resolve.ts";
import type { System } from "../sys/system.ts";
import * as disk from "./disk.ts";
import { alone, isStage } from "./install.ts";
import { isPolicyFile, MANIFEST, namesTmx, parseManifest } from "./manifest.ts";

/** What was taken away and what is left, by name; `none` where no build was, `busy` where one is at work. */
export type Removed = { shims: Bytes[]; left: Bytes[] } | "none" | "busy";

/** The shims that the manifest lists and that still are links to tmx. */
function ownLinks(directory: Bytes): Bytes[] {
	const manifest = parseManifest(disk.contentOf(join(directory, `policy/${MANIFEST}`)));
	return (manifest?.links ?? []).filter((name) => {
		const text = name.includes("/") ? undefined : disk.linkText(join(directory, name));
		return text !== undefined && (text === manifest?.binary || namesTmx(text));
	});
}

/** The policy files, the manifest last: as long as it is there, what was cut short can be gone on with. */
function removePolicy(policy: Bytes): void {
	const own = disk.namesIn(policy).filter((name) => name.endsWith(".json") && isPolicyFile(disk.contentOf(join(policy, name))));
	for (const name of [...own.filter((one) => one !== MANIFEST), ...own.filter((one) => one === MANIFEST)]) {
		disk.removeName(join(policy, name));
	}
	if (disk.kindAt(policy) === "directory" && disk.namesIn(policy).length === 0) disk.removeEmpty(policy);
}

function removeFrom(directory: Bytes): Removed {
	const shims = ownLinks(directory);
	// A shim without its policy would judge by another, so the shims go first.
	for (const name of shims) disk.removeName(join(directory, name));
	removePolicy(join(directory, "policy"));
	for (const name of disk.namesIn(directory)) if (isStage(name)) disk.removeTree(join(directory, name));
	const left = disk.namesIn(directory);
	if (left.length === 0) disk.removeEmpty(directory);
	return { shims, left };
}

/** Take away what builds made below a path. Throws what node:fs throws. */
export function removeShims(system: System, path: Bytes): Removed {
	const directory = system.real(path, true);
	if (directory === undefined || !disk.namesIn(directory).some((name) => name === "policy" || isStage(name))) return "none";
	let removed: Removed = "busy";
	const act = () => {
		removed = removeFrom(directory);
	};
	if (system.exact) alone(system, directory, act);
	else act();
	return removed;
}
