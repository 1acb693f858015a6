// A policy and its shims put into a directory, and what is said of it: what tmx build and tmx install do alike.

import { stableBinary } from "../../guardfile/binary.ts";
import { auditOf, type Builder, compile } from "../../guardfile/compile.ts";
import { diskFailure } from "../../guardfile/disk.ts";
import { FLOOR, floorFile } from "../../guardfile/floor.ts";
import { install, preview } from "../../guardfile/install.ts";
import { MANIFEST } from "../../guardfile/manifest.ts";
import { manifestOf } from "../../guardfile/manifest-of.ts";
import type { Plan, Wanted } from "../../guardfile/plan.ts";
import type { ReadGuard } from "../../guardfile/read.ts";
import { type Bytes, quote } from "../../policy/bytes.ts";
import { join } from "../../policy/resolve.ts";
import type { System } from "../../sys/system.ts";
import { print } from "../command.ts";
import { internal, type Problem, userError } from "../confine/problem.ts";
import { counted } from "../problems.ts";

/** This user as the builder of a policy. */
function builderOf(system: System): Builder {
	const uid = system.uid();
	const home = system.passwdHome(uid);
	return { uid, home, audit: auditOf((name) => system.env(name), home) };
}

const asFile = (value: unknown): Bytes => `${JSON.stringify(value)}\n`;

/** The files and shims of a guard. */
function wantedOf(system: System, { guard, sources }: ReadGuard, binary: Bytes): Wanted & { tools: number } {
	const compiled = compile(guard, builderOf(system));
	const files = (links: Bytes[]) => {
		const policies = [...compiled.policies].map(([name, policy]) => [`${name}.json`, asFile(policy)] as const);
		const floor = guard.floor === undefined ? [] : [[FLOOR, floorFile(guard.floor)] as const];
		return new Map<Bytes, Bytes>([...policies, ...floor, [MANIFEST, asFile(manifestOf(compiled, links, binary, sources))]]);
	};
	return { links: compiled.links, binary, files, tools: compiled.tools.length };
}

/** What was done, or would be, a line each. */
function report(out: Bytes, plan: Plan, tools: number, would: boolean): string {
	const lines: string[] = [];
	const names = (list: Bytes[]) => list.map(quote).join(" ");
	const verb = would ? "would " : "";
	if (plan.files) lines.push(`${verb}${would ? "write" : "wrote"} the policy of ${counted(tools, "tool")}: ${quote(join(out, "policy"))}`);
	if (plan.added.length > 0) lines.push(`${verb}${would ? "add" : "added"} shims: ${names(plan.added)}`);
	if (plan.pointed.length > 0) lines.push(`${verb}${would ? "point" : "pointed"} shims at this tmx: ${names(plan.pointed)}`);
	if (plan.removed.length > 0) lines.push(`${verb}${would ? "remove" : "removed"} shims: ${names(plan.removed)}`);
	if (lines.length === 0) lines.push(`nothing to do: ${quote(out)} is as the guardfile has it`);
	if (plan.left.length > 0) lines.push(`left alone, since they are no links to tmx any more: ${names(plan.left)}`);
	return `${lines.join("\n")}\n`;
}

/**
 * Make a directory hold the policy and the shims of a guard, or say what that would change.
 * @param read what the guardfiles say
 * @returns what went wrong; then nothing was written
 */
export function buildInto(system: System, read: ReadGuard, out: Bytes, would: boolean): Problem[] {
	const binary = stableBinary(system);
	const wanted = wantedOf(system, read, binary);
	if (binary === "" && wanted.links.length > 0) {
		return [userError("shims point at the compiled binary, and this tmx runs from its sources")];
	}
	const kind = system.kind(out, true);
	if (kind !== undefined && kind !== "directory") return [userError(`${quote(out)} is not a directory`)];
	try {
		const plan = would ? preview(system, out, wanted) : install(system, out, wanted);
		if (plan === "busy") return [internal(`another build works on ${quote(out)} and does not end`)];
		if (plan.conflicts.length > 0) return [...plan.conflicts, "nothing was written"].map(userError);
		print(system, report(out, plan, wanted.tools, would));
		return [];
	} catch (error) {
		const failure = diskFailure(error);
		if (failure === undefined) throw error;
		const words = `${quote(out)}: ${failure.words}; nothing was written`;
		return [failure.callers ? userError(words) : internal(words)];
	}
}
