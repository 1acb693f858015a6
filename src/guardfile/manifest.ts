// What a build left behind: which tools, which shims, from which guardfiles; so that the next one and doctor know what is ours.

import type { Bytes } from "../policy/bytes.ts";
import { baseOf } from "../policy/resolve.ts";
import type { System } from "../sys/system.ts";

/** `DIR/policy/manifest.json`. Strings in it are bytes as the file holds them. */
export interface Manifest {
	format: number;
	/** The tmx that built it. */
	version: string;
	/** What the shims point at. */
	binary: Bytes;
	tools: Bytes[];
	/** The shims that the build made. */
	links: Bytes[];
	/** The guardfiles; none for the built-in one. */
	guardfiles: { path: Bytes; sha256: string; mtime: number }[];
}

/** The name of the manifest among the policy files. */
export const MANIFEST = "manifest.json";

const areStrings = (value: unknown) => Array.isArray(value) && value.every((one) => typeof one === "string");

/** The manifest in the text of a file; undefined when it is none. */
export function parseManifest(content: Bytes | undefined): Manifest | undefined {
	try {
		const value = JSON.parse(content ?? "") as Manifest | null;
		const right = areStrings(value?.tools) && areStrings(value?.links) && typeof value?.binary === "string";
		return right && value ? value : undefined;
	} catch {
		return undefined;
	}
}

/** What the build of a policy wrote down; undefined when there is no such file, or none that can be read. */
export function manifestIn(system: System, directory: Bytes): Manifest | undefined {
	const file = directory === "" ? undefined : system.open(`${directory}/policy/${MANIFEST}`);
	return typeof file === "object" ? parseManifest(file.content) : undefined;
}

/** Whether the content of a file in `policy/` is one that a build writes. */
export function isPolicyFile(content: Bytes | undefined): boolean {
	if (parseManifest(content)) return true;
	try {
		const value = JSON.parse(content ?? "") as { format?: unknown; gates?: unknown; floor?: unknown } | null;
		return typeof value?.format === "number" && (Array.isArray(value.gates) || typeof value.floor === "object");
	} catch {
		return false;
	}
}

/** Whether the text of a link names a tmx, also one with a version or a platform behind its name. */
export function namesTmx(text: Bytes): boolean {
	const name = baseOf(text);
	return name === "tmx" || name.startsWith("tmx-");
}
