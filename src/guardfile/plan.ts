// What a build would change in a directory of shims, and what there is not its own and stands in the way.

import { type Bytes, quote } from "../policy/bytes.ts";
import { join } from "../policy/resolve.ts";
import type { System } from "../sys/system.ts";
import { contentOf, kindAt, linkText, namesIn } from "./disk.ts";
import { isPolicyFile, MANIFEST, type Manifest, namesTmx, parseManifest } from "./manifest.ts";

/** What a directory shall hold. */
export interface Wanted {
	/** The names of the shims. */
	links: Bytes[];
	/** What they point at. */
	binary: Bytes;
	/** The policy files by name, given the shims that are ours to record. */
	files(links: Bytes[]): Map<Bytes, Bytes>;
}

/** The steps from what a directory holds to what it shall hold. */
export interface Plan {
	/** What stands in the way, in words; with any of them nothing is done. */
	conflicts: string[];
	/** The policy files to write; undefined when they stand there already. */
	files: Map<Bytes, Bytes> | undefined;
	/** Whether there is a policy to replace. */
	replaces: boolean;
	added: Bytes[];
	/** Shims that are there and point somewhere else. */
	pointed: Bytes[];
	removed: Bytes[];
	/** Names that an earlier build made a shim of and that are something else now. */
	left: Bytes[];
}

const modeOf = (system: System, path: Bytes) => (system.identity(path)?.mode ?? 0) & 0o7777;

/** Whether the policy files are there as they shall be, with their modes, and no others. */
function holds(system: System, policy: Bytes, files: Map<Bytes, Bytes>): boolean {
	if (namesIn(policy).length !== files.size || modeOf(system, policy) !== 0o755) return false;
	return [...files].every(([name, content]) => {
		const path = join(policy, name);
		return contentOf(path) === content && modeOf(system, path) === 0o644;
	});
}

/** What in `policy` no build wrote. */
function aliens(policy: Bytes): Bytes[] {
	const kind = kindAt(policy);
	if (kind === undefined) return [];
	if (kind !== "directory") return [policy];
	const paths = namesIn(policy).map((name) => join(policy, name));
	return paths.filter((path) => !path.endsWith(".json") || !isPolicyFile(contentOf(path)));
}

/** What stands at the name of a shim. */
type Standing = "nothing" | "right" | "ours" | "alien" | "hard link";

function standing(system: System, path: Bytes, binary: Bytes, listed: Manifest | undefined): Standing {
	const kind = kindAt(path);
	if (kind === undefined) return "nothing";
	const self = system.identity(binary)?.id;
	const leadsHere = self !== undefined && system.identity(path)?.id === self;
	if (kind !== "link") return leadsHere ? "hard link" : "alien";
	const text = linkText(path) ?? "";
	if (text === binary) return "right";
	return leadsHere || (listed && (text === listed.binary || namesTmx(text))) ? "ours" : "alien";
}

/** The shims of an earlier build that are not wanted any more: those to remove, and those that are something else by now. */
function outdated(directory: Bytes, manifest: Manifest, wanted: readonly Bytes[]): { removed: Bytes[]; left: Bytes[] } {
	const removed: Bytes[] = [];
	const left: Bytes[] = [];
	for (const name of manifest.links) {
		// A manifest names what stands beside it, and no path leads elsewhere from it.
		if (wanted.includes(name) || name.includes("/") || kindAt(join(directory, name)) === undefined) continue;
		const text = linkText(join(directory, name)) ?? "";
		if (text !== "" && (text === manifest.binary || namesTmx(text))) removed.push(name);
		else left.push(name);
	}
	return { removed, left };
}

/** Compare a directory with what it shall hold. */
export function planOf(system: System, directory: Bytes, wanted: Wanted): Plan {
	const { links, binary } = wanted;
	const policy = join(directory, "policy");
	const manifest = parseManifest(contentOf(join(policy, MANIFEST)));
	const states = links.map((name) => {
		const listed = manifest?.links.includes(name) ? manifest : undefined;
		return { name, state: standing(system, join(directory, name), binary, listed) };
	});
	const named = (state: Standing) => states.filter((one) => one.state === state).map((one) => one.name);
	const foreign = [...aliens(policy), ...named("alien").map((name) => join(directory, name))];
	const files = wanted.files(links.filter((name) => !named("hard link").includes(name)));
	return {
		conflicts: foreign.map((path) => `${quote(path)} is not tmx's own, and stays as it is; move it away first`),
		files: foreign.length === 0 && holds(system, policy, files) ? undefined : files,
		replaces: kindAt(policy) !== undefined,
		added: named("nothing"),
		pointed: named("ours"),
		...(manifest ? outdated(directory, manifest, links) : { removed: [], left: [] }),
	};
}
