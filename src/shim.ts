// The hot path, top to bottom: the call, its policy, the verdict, the audit, and then this process becomes the real tool.

import { record } from "./audit.ts";
import { bindIn, homeOf, isInert, passwdHomeUnder, policyOf } from "./guardfile/load.ts";
import { readersFor } from "./guardfile/readers.ts";
import { type Bytes, fromText, quote } from "./policy/bytes.ts";
import type { Call } from "./policy/call.ts";
import { judge } from "./policy/judge.ts";
import type { ToolPolicy, World } from "./policy/policy.ts";
import { refusalText } from "./policy/refusal.ts";
import { Resolver } from "./policy/resolve.ts";
import { EXIT, type Failure, message } from "./sys/exit.ts";
import { type Found, implementationOf, realTool, setChain } from "./sys/find-tool.ts";
import { E2BIG, EACCES, ENOENT, type System } from "./sys/system.ts";

/** What a process is asked to be: a tool's shim, in a directory that may hold the policy. */
export interface Shim {
	tool: string;
	directory: Bytes;
	/** Words of argv before the tool's own (a runtime and a script when there is no compiled binary). */
	skip: number;
}

function fail(system: System, tool: string, kind: Failure, words: string): number {
	system.write(2, fromText(message(quote(tool), kind, words)));
	return EXIT[kind];
}

/** The world that a gate sees: this process's. */
export function worldOf(system: System, { policy }: { policy: ToolPolicy }, cwd: Bytes = ""): World {
	const uid = system.uid();
	return {
		env: (name) => system.env(name) ?? "",
		home: system.env("HOME") ?? "",
		passwdHome: passwdHomeUnder(system, policy, uid),
		uid,
		look: new Resolver(system, cwd),
	};
}

/** The call as it stands in argv. BSD getopt stops at the first operand, as POSIXLY_CORRECT makes GNU's (getopt(3)). */
export function callOf(system: System, tool: string, argv: Bytes[], path: Bytes, cwd: Bytes = ""): Call {
	const env = (name: string) => system.env(name) ?? "";
	const posix = system.env("POSIXLY_CORRECT") !== undefined || (system.platform === "darwin" && implementationOf(system, path) === "bsd");
	return {
		tool,
		argv,
		cwd,
		posix,
		// Few readers ask, and the links of the path have to be followed for it.
		get implementation() {
			return implementationOf(system, path);
		},
		env,
	};
}

function missing(system: System, tool: string, found: Exclude<Found, { chain: unknown }>): number {
	if (found.missing === "not-executable") return fail(system, tool, "not_runnable", `${quote(found.path ?? "")} is not executable`);
	if (found.missing === "too-deep") return fail(system, tool, "internal", `the wrappers of ${tool} on PATH lead in a circle`);
	if (found.path) return fail(system, tool, "internal", `${quote(found.path)}, which the policy names, does not exist`);
	return fail(system, tool, "internal", `no other ${tool} on PATH; install it, or take the shim's directory off PATH`);
}

function become(system: System, shim: Shim, path: Bytes, chain: string | undefined): number {
	const plain = shim.skip === 0 || system.argv.length > shim.skip;
	if (!plain) return fail(system, shim.tool, "internal", "there is no argv to hand on");
	setChain(system, chain);
	const error = system.become(path, shim.skip);
	if (error === ENOENT)
		return fail(system, shim.tool, "not_found", `${quote(path)} cannot be executed: it or its interpreter does not exist`);
	const why = error === EACCES ? "permission denied" : error === E2BIG ? "argument list too long" : `error ${error}`;
	return fail(system, shim.tool, "not_runnable", `${quote(path)} cannot be executed: ${why}`);
}

/** Judge this process's call and become the real tool. Answers an exit status only when that did not happen. */
export async function runShim(system: System, shim: Shim): Promise<number> {
	const unusable = (why: string) => fail(system, shim.tool, "internal", `${why}; "tmx doctor" shows what is wrong`);
	const { directory, tool } = homeOf(system, shim.directory, shim.tool);
	const policy = policyOf(system, directory, tool);
	if ("unusable" in policy) return unusable(policy.unusable);
	const found = realTool(system, policy.exec);
	if ("missing" in found) return missing(system, shim.tool, found);
	const world = worldOf(system, { policy });
	if (isInert(policy, world)) return become(system, shim, found.path, found.chain);
	const bound = bindIn(system, directory, policy, await readersFor([policy]));
	if ("unusable" in bound) return unusable(bound.unusable);
	// The shim may have another name than the tool that it was made for.
	const call = callOf(system, policy.tool, system.argv.slice(shim.skip), found.path);
	const verdict = judge(bound, call, world);
	record(system, "shim", policy, call, verdict, world.passwdHome);
	if (verdict.decision === "deny") {
		system.write(2, fromText(refusalText(shim.tool, verdict, policy)));
		return EXIT.policy_denied;
	}
	return become(system, shim, found.path, found.chain);
}
