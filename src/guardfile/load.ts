// A tool's policy file, read, refused when others could have written it, and its names bound to code.

import { gates } from "../gates/index.ts";
import { type Bytes, quote } from "../policy/bytes.ts";
import type { Reader } from "../policy/call.ts";
import type { BoundPolicy, BoundRule } from "../policy/judge.ts";
import { NEWEST, type ToolPolicy, type World } from "../policy/policy.ts";
import { join } from "../policy/resolve.ts";
import { ENOENT, type Opened, type System } from "../sys/system.ts";
import { builtIn } from "./built-in.ts";
import type { Readers } from "./readers.ts";

/** A policy that cannot be used, with the reason in words. */
export interface Unusable {
	unusable: string;
}

export type Loaded = BoundPolicy | Unusable;

/** The write permission of group and others (S_IWGRP, S_IWOTH of <sys/stat.h>). */
const WRITABLE_BY_OTHERS = 0o022;

/** The owner that stands for everybody whom a user namespace does not know (user_namespaces(7), overflowuid). */
const NOBODY = 65534;

/** The initial user namespace maps every id to itself (user_namespaces(7), /proc/PID/uid_map). */
const IDENTITY = /^\s*0\s+0\s+4294967295\s*$/;

/** Whether root and any other user look alike from here: in a sandbox with a user namespace of its own. */
function hidesOwner(system: System, uid: number): boolean {
	if (uid !== NOBODY) return false;
	const map = system.open("/proc/self/uid_map");
	return typeof map === "object" && !IDENTITY.test(map.content);
}

/** Whether others than root and the caller could have written the file. */
export function untrusted(system: System, file: { uid: number; mode: number }): string | undefined {
	const known = file.uid === 0 || file.uid === system.uid() || hidesOwner(system, file.uid);
	if (!known) return `is owned by user ${file.uid}, neither root nor the caller`;
	return file.mode & WRITABLE_BY_OTHERS ? "can be written by group or others" : undefined;
}

function isPolicy(value: unknown): value is ToolPolicy {
	const policy = value as ToolPolicy | null;
	for (const field of [policy?.tool, policy?.exec, policy?.guardfile, policy?.audit, policy?.home]) {
		if (typeof field !== "string") return false;
	}
	return typeof policy?.uid === "number" && Array.isArray(policy.gates);
}

function parse(system: System, path: Bytes, file: Opened): ToolPolicy | Unusable {
	const distrust = untrusted(system, file);
	if (distrust) return { unusable: `the policy file ${quote(path)} ${distrust}` };
	let value: unknown;
	try {
		value = JSON.parse(file.content);
	} catch {
		return { unusable: `the policy file ${quote(path)} is not valid JSON` };
	}
	const format = (value as ToolPolicy | null)?.format;
	if (typeof format !== "number" || format < 1 || format > NEWEST) {
		return { unusable: `the policy file ${quote(path)} has format ${format}, and this tmx reads 1 to ${NEWEST}` };
	}
	return isPolicy(value) ? value : { unusable: `the policy file ${quote(path)} lacks a field` };
}

/** The home of a user's passwd entry: the policy holds its builder's, since asking the user database costs time, and a name service may be slow. */
export const passwdHomeUnder = (system: System, policy: ToolPolicy, uid: number): Bytes =>
	policy.uid === uid || policy.uid < 0 ? policy.home : system.passwdHome(uid);

/** Whether no gate of the policy is switched on, so that nothing need be known of a call. */
export function isInert(policy: ToolPolicy, world: World): boolean {
	for (const { gate, settings } of policy.gates) if (gates.get(gate)?.isOn(settings, world) !== false) return false;
	return true;
}

/** Bind the names of a policy to code. */
export function bind(policy: ToolPolicy, readers: Readers, readerOf: (tool: string) => Reader | undefined): Loaded {
	const rules: BoundRule[] = [];
	for (const rule of policy.gates) {
		const gate = gates.get(rule.gate);
		const reader = readers.get(rule.operands ?? "");
		if (!gate) return { unusable: `the policy asks for gate "${quote(rule.gate)}", which this tmx does not have` };
		if (!reader) return { unusable: `the policy asks for operand reader "${quote(rule.operands ?? "")}", which this tmx does not have` };
		rules.push({ rule, gate, reader });
	}
	return { policy, rules, readerOf };
}

/** The policy file of one tool below a shim directory; undefined where there is none. */
export function policyFile(system: System, directory: Bytes, tool: string): ToolPolicy | Unusable | undefined {
	const path = `${directory}/policy/${tool}.json`;
	const file = system.open(path);
	if (typeof file === "object") return parse(system, path, file);
	return file === ENOENT ? undefined : { unusable: `the policy file ${quote(path)} cannot be read (error ${file})` };
}

function readTool(system: System, directory: Bytes, tool: string): ToolPolicy | Unusable | undefined {
	const found = policyFile(system, directory, tool);
	if (found !== undefined) return found;
	if (system.identity(`${directory}/policy`) !== undefined) return undefined;
	return builtIn(tool, system);
}

/**
 * The policy of one tool.
 * @param directory the shim's directory, which holds `policy/`; without one the guardfile in the binary applies
 */
export function policyOf(system: System, directory: Bytes, tool: string): ToolPolicy | Unusable {
	return readTool(system, directory, tool) ?? { unusable: `there is no policy for ${quote(tool)} in ${quote(`${directory}/policy`)}` };
}

/** How many links a name of a shim may stand behind (MAXSYMLINKS, path_resolution(7)). */
const MAX_LINKS = 40;

/**
 * The directory and the name under which a shim has its policy: its own, or, where no `policy/` stands beside it, those of the
 * link that it leads to. A link to a shim from another directory keeps the shim's policy.
 */
export function homeOf(system: System, directory: Bytes, tool: Bytes): { directory: Bytes; tool: Bytes } {
	const own = { directory, tool };
	if (system.identity(`${directory}/policy`) !== undefined) return own;
	let at = own;
	for (let k = 0; k < MAX_LINKS; k++) {
		const to = system.readlink(`${at.directory}/${at.tool}`);
		if (to === undefined) return own;
		const path = to.charCodeAt(0) === 47 ? to : join(at.directory, to);
		const slash = path.lastIndexOf("/");
		at = { directory: path.slice(0, slash) || "/", tool: path.slice(slash + 1) };
		if (system.identity(`${at.directory}/policy/${at.tool}.json`) !== undefined) return at;
	}
	return own;
}

/** A policy of a directory bound to code; the readers of its other guarded tools are looked up when they are asked for. */
export function bindIn(system: System, directory: Bytes, policy: ToolPolicy, readers: Readers): Loaded {
	return bind(policy, readers, (tool) => {
		const other = readTool(system, directory, tool);
		return other === undefined || "unusable" in other ? undefined : readers.get(other.gates[0]?.operands ?? "");
	});
}
