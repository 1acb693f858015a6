// The audit: one record a verdict, appended with one write before anything runs, never read to decide.

import { type Bytes, fromText, toText } from "./policy/bytes.ts";
import type { Call } from "./policy/call.ts";
import type { ToolPolicy } from "./policy/policy.ts";
import type { Evidence, Verdict } from "./policy/verdict.ts";
import { ENOENT, type System } from "./sys/system.ts";
import { VERSION } from "./version.ts";

/** A file that grew to this many bytes is renamed away. */
const ROTATE_AT = 16 * 1024 * 1024;
/** How many renamed files stay: NAME.1 (the newest) to NAME.8. */
const KEPT = 8;
/** A record holds this many bytes of argv at the most; a longer one says how many words it left out. */
const ARGV_LIMIT = 32 * 1024;
/** And this many refused operands. */
const OPERANDS_LIMIT = 100;

/** Which door a verdict was given at; `person` where somebody widened a session. */
export type Door = "shim" | "hook" | "files" | "monitor" | "person";

/** The record as it lies in the file, one JSON object a line. */
export interface Entry {
	id: string;
	ts: string;
	version: string;
	decision: "accept" | "reject" | "stop";
	door: Door;
	tool: string;
	argv: string[];
	/** Words of argv that the record left out. */
	omitted?: number;
	cwd: string;
	pid: number;
	ppid: number;
	session?: string;
	gate?: string;
	operands?: { text: string; role: string; resolved: string }[];
	unknown?: string[];
	reason?: string;
}

/** A UUID of version 7 (RFC 9562, 5.7): 48 bits of time in milliseconds, then random bits. */
export function uuid7(time: number, random: Uint8Array): string {
	let digits = time.toString(16).padStart(12, "0");
	for (let k = 0; k < 10; k++) {
		const byte = random[k] ?? 0;
		// The version stands in the upper half of the seventh byte, the variant in the upper two bits of the ninth.
		const fixed = k === 0 ? 0x70 | (byte & 0x0f) : k === 2 ? 0x80 | (byte & 0x3f) : byte;
		digits += (0x100 + fixed).toString(16).slice(1);
	}
	return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-${digits.slice(12, 16)}-${digits.slice(16, 20)}-${digits.slice(20)}`;
}

/** Where the audit of this user lies: the policy's own file for the user who built it, else below the passwd entry's home. */
export function auditPath(policy: ToolPolicy, uid: number, home: Bytes): Bytes {
	if (policy.uid === uid && policy.audit !== "") return policy.audit;
	return home.startsWith("/") ? `${home}/.local/state/tmx/audit.jsonl` : "";
}

/** As much of argv as a record holds; of a longer one always the first word. */
function argvOf(call: Call): { argv: string[]; omitted?: number } {
	const argv: string[] = [];
	let size = 0;
	for (const word of call.argv) {
		size += word.length;
		if (size > ARGV_LIMIT && argv.length > 0) return { argv, omitted: call.argv.length - argv.length };
		argv.push(toText(word.slice(0, ARGV_LIMIT)));
	}
	return { argv };
}

function operandsOf(refused: Evidence[]): NonNullable<Entry["operands"]> {
	const found: NonNullable<Entry["operands"]> = [];
	for (const { operand, resolved } of refused.slice(0, OPERANDS_LIMIT)) {
		found.push({ text: toText(operand.text), role: operand.role, resolved: toText(resolved) });
	}
	return found;
}

/** The record of a verdict; undefined when there is nothing to record. */
export function entryOf(system: System, door: Door, policy: ToolPolicy, call: Call, verdict: Verdict): Entry | undefined {
	if (verdict.decision === "inert") return undefined;
	const now = Date.now();
	const denied = verdict.decision === "deny";
	return {
		id: uuid7(now, system.random()),
		ts: new Date(now).toISOString(),
		version: VERSION,
		decision: denied ? "reject" : "accept",
		door,
		tool: toText(call.tool),
		...argvOf(call),
		cwd: toText(call.cwd || (system.real(".", true) ?? "")),
		pid: system.pid(),
		ppid: system.ppid(),
		...(policy.session && { session: policy.session }),
		...(verdict.decision !== "abstain" && { gate: verdict.gate }),
		...(verdict.decision === "abstain" && { unknown: verdict.unknown }),
		...(denied && { operands: operandsOf(verdict.refused), reason: verdict.refused[0]?.why ?? "" }),
	};
}

/** Append a line; makes the directory when it is missing. A failing audit is nobody's verdict, so the answer is only for doctor. */
export function append(system: System, path: Bytes, line: Bytes, limit = ROTATE_AT): boolean {
	if (path === "") return false;
	let size = system.append(path, line);
	if (size === -ENOENT) {
		makeParents(system, path);
		size = system.append(path, line);
	}
	if (size > limit) rotate(system, path, limit);
	return size >= 0;
}

/** mkdir -p of the directory of `path`, for this user alone (XDG Base Directory: 0700). */
function makeParents(system: System, path: Bytes): void {
	for (let at = path.indexOf("/", 1); at > 0; at = path.indexOf("/", at + 1)) system.mkdir(path.slice(0, at), 0o700);
}

/**
 * Rename the file away: NAME becomes NAME.1, NAME.1 becomes NAME.2 and so on. Only the holder of the file's lock does it,
 * and only while NAME is still the locked file; whoever has it open goes on writing to NAME.1, so no record is lost.
 */
function rotate(system: System, path: Bytes, limit: number): void {
	system.locked(path, () => {
		// Who wrote to the old file last saw it too long as well, and comes here when the new one is still short.
		if ((system.identity(path)?.size ?? 0) <= limit) return;
		for (let k = KEPT; k > 1; k--) system.rename(`${path}.${k - 1}`, `${path}.${k}`);
		system.rename(path, `${path}.1`);
	});
}

/** Rotate a file that is too long, before somebody starts who cannot; `fresh` makes the new one. */
export function rotateIfLong(system: System, path: Bytes, fresh: () => void, limit = ROTATE_AT): void {
	if ((system.identity(path)?.size ?? 0) <= limit) return;
	rotate(system, path, limit);
	fresh();
}

/** Record a verdict. */
export function record(system: System, door: Door, policy: ToolPolicy, call: Call, verdict: Verdict, home: Bytes): void {
	const entry = entryOf(system, door, policy, call, verdict);
	if (entry) append(system, auditPath(policy, system.uid(), home), `${fromText(JSON.stringify(entry))}\n`);
}
