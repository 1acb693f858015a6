// What the floor of a session is made for: its roots, its policy, and the agent that it is about to become.

import { agents } from "../../agents/index.ts";
import { auditPath } from "../../audit.ts";
import type { Wish } from "../../floor/floor.ts";
import { stableBinary } from "../../guardfile/binary.ts";
import { floorSettings } from "../../guardfile/floor.ts";
import type { Unusable } from "../../guardfile/load.ts";
import { manifestIn } from "../../guardfile/manifest.ts";
import { configured } from "../../guardfile/sources.ts";
import type { Bytes } from "../../policy/bytes.ts";
import { baseOf } from "../../policy/resolve.ts";
import { kernelAbi, type Strength, strengthOf } from "../../sys/landlock.ts";
import type { System } from "../../sys/system.ts";
import type { Base } from "../policy.ts";

/** The program that stands for the floor on macOS (sandbox-exec(1)). */
export const SANDBOX = "/usr/bin/sandbox-exec";

/** How much of a floor this system gives, and by which version of Landlock. */
export interface Ground {
	strength: Strength;
	abi: number;
}

/** @param limit a version of Landlock beyond which the kernel's is not used */
export function groundHere(system: System, limit?: number): Ground {
	if (system.platform === "darwin") {
		const there = system.executable(SANDBOX);
		return { strength: there ? { kind: "full", why: "" } : { kind: "none", why: `there is no ${SANDBOX}` }, abi: 0 };
	}
	const kernel = kernelAbi();
	if (typeof kernel === "string") return { strength: { kind: "none", why: kernel }, abi: 0 };
	const abi = Math.min(kernel, limit ?? kernel);
	return { strength: strengthOf(abi), abi };
}

/** The policies that speak for all: of rm, and of what has no argv; else of any tool. */
const spokesmen = ({ policies }: Base) => {
	const named = [policies.get("rm"), policies.get("files")].filter((policy) => policy !== undefined);
	return named.length > 0 ? named : [...policies.values()].slice(0, 1);
};

/** What no session may write, or it could loosen what holds it. */
function guardsOf(system: System, { choice: { directory } }: Base): Bytes[] {
	const guardfiles = manifestIn(system, directory)?.guardfiles.map(({ path }) => path) ?? [];
	const home = system.env("HOME") ?? "";
	const installed = home.startsWith("/") ? [`${home}/.local/share/tmx`] : [];
	return [directory, ...guardfiles, configured(system), ...installed, stableBinary(system)];
}

/**
 * @param command the program that is about to start, by which an agent is known
 * @param own the session's own directory besides, "" where there is none
 */
export function wishFor(
	system: System,
	base: Base,
	roots: readonly Bytes[],
	command: Bytes,
	{ strength }: Ground,
	own: Bytes,
): Wish | Unusable {
	const settings = floorSettings(system, base.choice.directory);
	if ("unusable" in settings) return settings;
	const agent = agents.get(baseOf(command));
	const speaking = spokesmen(base);
	const uid = system.uid();
	const [first] = speaking;
	return {
		roots,
		fixed: [...new Set(speaking.flatMap(({ gates }) => gates.flatMap(({ settings: { root } }) => root ?? [])))],
		// A program that is no agent may start any of them.
		agents: agent === undefined ? [...agents.values()].flatMap(({ state }) => state) : agent.state,
		starts: agent !== undefined,
		settings,
		audit: first === undefined ? "" : auditPath(first, uid, system.passwdHome(uid)),
		inner: own === "" ? "" : `${own}/inner`,
		guards: own === "" ? guardsOf(system, base) : [own, ...guardsOf(system, base)],
		strength,
	};
}
