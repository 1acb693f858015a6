// One directory more for a session that runs: said by a person at a terminal of their own, written to the session's policy in one step, and to the audit.

import { append, auditPath, type Entry, uuid7 } from "../audit.ts";
import { gates } from "../gates/index.ts";
import { diskFailure } from "../guardfile/disk.ts";
import { policyOf } from "../guardfile/load.ts";
import { absolute } from "../guardfile/sources.ts";
import { type Bytes, fromText, quote, toText } from "../policy/bytes.ts";
import type { ToolPolicy } from "../policy/policy.ts";
import { isBelow, join } from "../policy/resolve.ts";
import type { System } from "../sys/system.ts";
import { VERSION } from "../version.ts";
import { isInToolScope, sessionsAround } from "./around.ts";
import type { Refused } from "./plan.ts";
import { processOf } from "./processes.ts";
import { type Found, RECORD, readSession, runningSessions, type Session, SHIMS } from "./record.ts";
import { OTHER_FILES, policyNames, replaceFile, replacePolicy } from "./replace.ts";
import { judgeRoot } from "./roots.ts";

/** What came of it: the directory's real path, and whether the session could change it already. */
export interface Allowed {
	session: Session;
	real: Bytes;
	already: boolean;
}

/** How often, and with which pause, the lock of a session is tried: whoever holds it writes a few small files. */
const TRIES = 40;
const PAUSE = 50;

const wrong = (why: string): Refused => ({ failure: "user_error", why });
const denied = (why: string): Refused => ({ failure: "policy_denied", why });

/** A session in one line. */
export function sessionWords({ id, command, cwd }: Session): string {
	return `${id} (${command.map(quote).join(" ").slice(0, 60)}, in ${quote(cwd)})`;
}

/** Why whoever asks is not a person beside the session; undefined when that may be so. */
function whyNotAPerson(system: System, terminal: number): Refused | undefined {
	const [around] = sessionsAround(system);
	if (around)
		return denied(
			`this runs within the session ${around.session.id}, and a session does not widen itself: a person does, in another terminal`,
		);
	if (isInToolScope(system)) return denied("this is the tool shell of an agent: a person does this, in a terminal of their own");
	if (terminal === 0) return denied("there is no terminal here, so nobody can be asked: a person does this, in a terminal of their own");
	return undefined;
}

/** The session that is meant. */
function chosen(system: System, id: string | undefined): Found | Refused {
	const running = runningSessions(system);
	if (running.length === 0) return wrong("no session runs: tmx wrap starts one");
	const list = running.map(({ session }) => sessionWords(session)).join(", ");
	if (id !== undefined)
		return running.find(({ session }) => session.id === id) ?? wrong(`there is no session ${quote(fromText(id))}; running: ${list}`);
	return running.length === 1 ? (running[0] as Found) : wrong(`several sessions run, so name one with --session ID: ${list}`);
}

/** The policy files of a session with other directories in them. */
function widened(system: System, { directory, session }: Found, roots: Bytes[]): Map<Bytes, Bytes> | Refused {
	const shims = join(directory, SHIMS);
	const files = new Map<Bytes, Bytes>();
	for (const name of policyNames(shims)) {
		const policy = policyOf(system, shims, name);
		if ("unusable" in policy) return { failure: "internal", why: policy.unusable };
		const fixed = { roots, home: session.home, own: directory };
		const rules = policy.gates.map((rule) => ({ ...rule, settings: gates.get(rule.gate)?.fix(rule.settings, fixed) ?? rule.settings }));
		files.set(`${name}.json`, `${JSON.stringify({ ...policy, gates: rules } satisfies ToolPolicy)}\n`);
	}
	for (const name of OTHER_FILES) {
		const other = system.open(join(join(shims, "policy"), name));
		if (typeof other === "object") files.set(name, other.content);
	}
	return files;
}

/** A record of what a person asked for a session. A failing audit changes nothing. */
function record(
	system: System,
	{ directory, session }: Found,
	words: readonly Bytes[],
	decision: "accept" | "reject",
	reason?: string,
): void {
	const shims = join(directory, SHIMS);
	const policy = policyOf(system, shims, policyNames(shims)[0] ?? "");
	if ("unusable" in policy) return;
	const now = Date.now();
	const entry: Entry = {
		id: uuid7(now, system.random()),
		ts: new Date(now).toISOString(),
		version: VERSION,
		decision,
		door: "person",
		tool: "allow",
		argv: ["allow", ...words.map(toText)],
		cwd: toText(system.real(".", true) ?? ""),
		pid: system.pid(),
		ppid: system.ppid(),
		session: session.id,
		...(reason !== undefined && { reason }),
	};
	const uid = system.uid();
	append(system, auditPath(policy, uid, system.passwdHome(uid)), `${fromText(JSON.stringify(entry))}\n`);
}

/** Widen the session while its lock is held. */
function widen(system: System, found: Found, real: Bytes): Allowed | Refused {
	const session = readSession(system, found.directory);
	if (session === undefined) return wrong(`the session ${found.session.id} has ended`);
	if (session.roots.some((root) => real === root || isBelow(real, root))) return { session, real, already: true };
	// A directory that was opened before and lies in this one is from now on like all else in it: it may go as a whole.
	const opened = session.opened ?? [];
	const roots = [...session.roots.filter((root) => !(opened.includes(root) && isBelow(root, real))), real];
	const files = widened(system, { ...found, session }, roots);
	if ("failure" in files) return files;
	const mark = `${system.pid()}`;
	const failed = replacePolicy(system, join(found.directory, SHIMS), mark, files);
	if (failed !== undefined) return { failure: "internal", why: `the session's policy cannot be written: ${failed}; it is as it was` };
	const next = { ...session, roots, opened: [...opened, real] };
	replaceFile(join(found.directory, RECORD), mark, `${JSON.stringify(next)}\n`);
	return { session: next, real, already: false };
}

function alone(system: System, found: Found, act: () => void): boolean {
	const lock = join(found.directory, SHIMS);
	for (let k = 0; k < TRIES; k++) {
		if (system.locked(lock, act)) return true;
		Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE);
	}
	return false;
}

/** Why a directory is not opened for a session by whoever asks; else its real path. */
function judged(system: System, text: Bytes, found: Found, terminal: number): { real: Bytes } | Refused {
	if (found.session.terminal === terminal) {
		return denied(`this is the terminal that the session ${found.session.id} was started on: do it in another one`);
	}
	const root = judgeRoot(system, absolute(system, text));
	return root.dropped === undefined ? { real: root.real } : wrong(`${quote(text)} does not count: ${root.dropped}`);
}

/**
 * Let a session that runs change one directory more.
 * @param text the directory as a person named it
 * @param id the session; needed where several run
 */
export function allow(system: System, text: Bytes, id: string | undefined): Allowed | Refused {
	const terminal = processOf(system, system.pid())?.terminal ?? 0;
	const nobody = whyNotAPerson(system, terminal);
	if (nobody) {
		const [around] = sessionsAround(system);
		if (around) record(system, around, [text], "reject", nobody.why);
		return nobody;
	}
	const found = chosen(system, id);
	if ("failure" in found) return found;
	const root = judged(system, text, found, terminal);
	if ("failure" in root) {
		record(system, found, [text], "reject", root.why);
		return root;
	}
	let result: Allowed | Refused = { failure: "internal", why: `another command works on the session ${found.session.id} and does not end` };
	try {
		alone(system, found, () => {
			result = widen(system, found, root.real);
		});
	} catch (error) {
		const failure = diskFailure(error);
		if (failure === undefined) throw error;
		return { failure: "internal", why: `the session's policy cannot be written: ${failure.words}; it is as it was` };
	}
	if (!("failure" in result)) record(system, found, [root.real], "accept");
	return result;
}
