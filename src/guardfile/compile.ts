// Checked rules become policy files: one a tool, one under a shim's other name, and one for what has no argv.

import type { Bytes } from "../policy/bytes.ts";
import { FORMAT, type GateRule, type ToolPolicy } from "../policy/policy.ts";
import type { Guard } from "./check.ts";

/** Who builds: the audit's place is fixed now, since an agent's HOME may be another. */
export interface Builder {
	uid: number;
	/** The home directory of the passwd entry. */
	home: Bytes;
	audit: Bytes;
}

/** What a guard comes to. */
export interface Compiled {
	/** The policies by the names that they are found under: the tool's, and the shim's where that is another. */
	policies: Map<Bytes, ToolPolicy>;
	/** The guarded tools. */
	tools: Bytes[];
	/** The names of the shims. */
	links: Bytes[];
}

/** The name of the policy of what has no argv. */
const FILES = "files";

/** Where the audit of the builder lies (XDG Base Directory: relative values are ignored). */
export function auditOf(env: (name: string) => Bytes | undefined, passwdHome: Bytes): Bytes {
	const state = env("XDG_STATE_HOME") ?? "";
	if (state.startsWith("/")) return `${state}/tmx/audit.jsonl`;
	const home = [env("HOME") ?? "", passwdHome].find((directory) => directory.startsWith("/"));
	return home === undefined ? "" : `${home.replace(/\/+$/, "")}/.local/state/tmx/audit.jsonl`;
}

/** Compile a guard. */
export function compile(guard: Guard, { uid, home, audit }: Builder): Compiled {
	const policies = new Map<Bytes, ToolPolicy>();
	const policy = (tool: Bytes, exec: Bytes, gates: GateRule[], guardfile: Bytes): ToolPolicy => {
		return { format: FORMAT, tool, exec, guardfile, gates, audit, uid, home };
	};
	for (const { tool, exec, link, gates, path } of guard.wraps) {
		const compiled = policy(tool, exec, gates, path);
		policies.set(tool, compiled);
		if (link !== undefined) policies.set(link, compiled);
	}
	if (guard.files) policies.set(FILES, policy("", "", guard.files.gates, guard.files.path));
	const links = guard.wraps.flatMap(({ link }) => link ?? []).sort();
	return { policies, tools: guard.wraps.map(({ tool }) => tool).sort(), links };
}

/** What the binary holds of one tool of the default guardfile; under "" what has no argv. */
interface Held {
	exec: Bytes;
	gates: GateRule[];
	link?: Bytes;
}

/** The default guardfile as the binary holds it. */
export function toHeld(guard: Guard): Record<string, Held> {
	const held: Record<string, Held> = {};
	for (const { tool, exec, link, gates } of guard.wraps) held[tool] = { exec, gates, ...(link !== undefined && { link }) };
	if (guard.files) held[""] = { exec: "", gates: guard.files.gates };
	return held;
}

/** The guard that the binary holds. */
export function fromHeld(json: string, path: Bytes): Guard {
	const held = Object.entries(JSON.parse(json) as Record<string, Held>);
	const files = held.find(([tool]) => tool === "");
	return {
		wraps: held.filter(([tool]) => tool !== "").map(([tool, { exec, gates, link }]) => ({ tool, exec, gates, link, path })),
		files: files && { gates: files[1].gates, path },
	};
}
