// What a floor is made for: the roots, the policy and the agent that a command line names.

import { agents } from "../../agents/index.ts";
import type { Wish } from "../../floor/floor.ts";
import { stableBinary } from "../../guardfile/binary.ts";
import { type Choice, loadChosen } from "../../guardfile/choose.ts";
import { floorSettings } from "../../guardfile/floor.ts";
import { policyOf, type Unusable } from "../../guardfile/load.ts";
import { manifestIn } from "../../guardfile/manifest.ts";
import { configured } from "../../guardfile/sources.ts";
import type { Bytes } from "../../policy/bytes.ts";
import { baseOf } from "../../policy/resolve.ts";
import { kernelAbi, type Strength, strengthOf } from "../../sys/landlock.ts";
import type { System } from "../../sys/system.ts";
import { auditFile } from "../audit/where.ts";

/** The program that stands for the floor on macOS (sandbox-exec(1)). */
export const SANDBOX = "/usr/bin/sandbox-exec";

/** How much of a floor this system gives, and by which version of Landlock. */
export interface Here {
	strength: Strength;
	abi: number;
}

/** @param limit a version of Landlock beyond which the kernel's is not used */
export function strengthHere(system: System, limit?: number): Here {
	if (system.platform === "darwin") {
		const there = system.executable(SANDBOX);
		return { strength: there ? { kind: "full", why: "" } : { kind: "none", why: `there is no ${SANDBOX}` }, abi: 0 };
	}
	const kernel = kernelAbi();
	if (typeof kernel === "string") return { strength: { kind: "none", why: kernel }, abi: 0 };
	const abi = Math.min(kernel, limit ?? kernel);
	return { strength: strengthOf(abi), abi };
}

/** The directories that the policy's gates allow to every session. */
function fixedRoots(system: System, choice: Choice): Bytes[] {
	const bound = loadChosen(system, choice, "rm");
	const rm = bound === undefined || "unusable" in bound ? undefined : bound.policy;
	const files = choice.directory === "" ? undefined : policyOf(system, choice.directory, "files");
	const policies = [rm, files === undefined || "unusable" in files ? undefined : files];
	return [...new Set(policies.flatMap((policy) => policy?.gates.flatMap(({ settings }) => settings.root ?? []) ?? []))];
}

/** What no session may write, or it could loosen what holds it. */
function guardsOf(system: System, { directory }: Choice): Bytes[] {
	const guardfiles = manifestIn(system, directory)?.guardfiles.map(({ path }) => path) ?? [];
	const home = system.env("HOME") ?? "";
	const installed = home.startsWith("/") ? [`${home}/.local/share/tmx`] : [];
	return [directory, ...guardfiles, configured(system), ...installed, stableBinary(system)];
}

/**
 * What the floor of a session is made for.
 * @param command the program that it is about to become, by which an agent is known
 * @param roots the session's own directories
 */
export function wishFor(system: System, choice: Choice, roots: readonly Bytes[], command: Bytes, { strength }: Here): Wish | Unusable {
	const settings = floorSettings(system, choice.directory);
	if ("unusable" in settings) return settings;
	const agent = agents.get(baseOf(command));
	const audit = auditFile(system, choice);
	return {
		roots,
		fixed: fixedRoots(system, choice),
		// A program that is no agent may start any of them.
		agents: agent === undefined ? [...agents.values()].flatMap(({ state }) => state) : agent.state,
		starts: agent !== undefined,
		settings,
		audit: typeof audit === "string" ? audit : "",
		guards: guardsOf(system, choice),
		strength,
	};
}
