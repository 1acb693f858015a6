// Which policy a command speaks of: the one it is told, else that of the shims on PATH, else the installed one, else the built-in one.

import { type Bytes, quote } from "../policy/bytes.ts";
import type { System } from "../sys/system.ts";
import { DEFAULT_POLICIES } from "./default.compiled.ts";
import type { Unusable } from "./load.ts";
import { absolute } from "./sources.ts";

/** A shim directory with its `policy/`, and how it was found. */
export interface Choice {
	/** "" for the policy in the binary. */
	directory: Bytes;
	how: "named" | "on PATH" | "installed" | "built-in";
}

/** Names in a policy that are no tool's: `files`, and what the binary holds under no name, are for what has no argv. */
const NO_TOOL = ["files", "floor", "manifest", ""];

/** The tools that a directory of policy files speaks of. */
function filesIn(system: System, directory: Bytes): Bytes[] {
	const names = system.list(`${directory}/policy`)?.map(({ name }) => name) ?? [];
	return names.filter((name) => name.endsWith(".json")).map((name) => name.slice(0, -".json".length));
}

/** Whether a directory has a shim and its policy; one that only has a `policy/` of something else has not. */
function holdsPolicy(system: System, directory: Bytes): boolean {
	return filesIn(system, directory).some((name) => system.kind(`${directory}/${name}`, false) !== undefined);
}

/** Where `tmx install` puts the shims, for whoever's home it is. */
function installed(system: System): Bytes[] {
	const homes = [system.env("HOME") ?? "", system.passwdHome(system.uid())];
	return homes.filter((home) => home.startsWith("/")).map((home) => `${home}/.local/share/tmx/shims`);
}

/**
 * Choose the policy.
 * @param named the directory that the command line names
 */
export function choosePolicy(system: System, named: Bytes | undefined): Choice | Unusable {
	if (named !== undefined) {
		if (system.kind(`${named}/policy`, true) === "directory") return { directory: absolute(system, named), how: "named" };
		return { unusable: `${quote(named)} holds no policy; "tmx build --out DIR" makes one` };
	}
	const onPath = (system.env("PATH") ?? "").split(":").find((element) => element.startsWith("/") && holdsPolicy(system, element));
	if (onPath !== undefined) return { directory: onPath, how: "on PATH" };
	const there = installed(system).find((directory) => holdsPolicy(system, directory));
	return there === undefined ? { directory: "", how: "built-in" } : { directory: there, how: "installed" };
}

/** The names of the tools that a policy guards. */
export function guardedTools(system: System, { directory }: Choice): string[] {
	const names = directory === "" ? Object.keys(JSON.parse(DEFAULT_POLICIES)) : filesIn(system, directory);
	return names.filter((name) => !NO_TOOL.includes(name)).sort();
}
