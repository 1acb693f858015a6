// A session as it is written down in its own directory, and the ones that can be found.

import { untrusted } from "../guardfile/load.ts";
import type { Bytes } from "../policy/bytes.ts";
import { join } from "../policy/resolve.ts";
import type { System } from "../sys/system.ts";
import { everyPlace } from "./places.ts";
import { environOf, hereOf, pids, processOf } from "./processes.ts";

/** The person's own files for shells. */
export interface Own {
	bashEnv: Bytes;
	zdotdir: Bytes;
	claudeEnvFile: Bytes;
}

/** `session.json` of a session's directory. Strings in it are bytes as the file holds them. */
export interface Session {
	format: 1;
	/** Also the name of the directory: the number of the process that became COMMAND, and some random digits. */
	id: string;
	/** The process that became COMMAND. */
	pid: number;
	start: string;
	/** The boot and the pid namespace in which that number means something. */
	here: Bytes;
	/** The terminal that it was started on, as a device number; 0 without one. */
	terminal: number;
	/** $HOME at that time. */
	home: Bytes;
	/** The person's own values of variables that the session sets, "" when unset. */
	own: Own;
	/** The directories that it may change. */
	roots: Bytes[];
	/** Those of them that a person opened later. */
	opened?: Bytes[];
	/** Whether it was started with a floor. */
	floor?: true;
	command: Bytes[];
	/** The agent that COMMAND is, and the hook that it was started with. */
	agent?: string;
	hook?: string;
	cwd: Bytes;
	/** RFC 3339. */
	since: string;
}

/** A session, and where it lies. */
export interface Found {
	directory: Bytes;
	session: Session;
}

export const RECORD = "session.json";
/** The shims of a session, with `policy/` beside them. */
export const SHIMS = "shims";

const NAME = /^(\d+)-[0-9a-f]{6}$/;

/** A name for a session of this process. */
export function newName(system: System): string {
	const digits = Array.from(system.random().slice(0, 3), (byte) => byte.toString(16).padStart(2, "0"));
	return `${system.pid()}-${digits.join("")}`;
}

const areStrings = (value: unknown) => Array.isArray(value) && value.every((one) => typeof one === "string");

function isSession(value: unknown): value is Session {
	const one = value as Session | null;
	const texts = [
		one?.id,
		one?.start,
		one?.here,
		one?.cwd,
		one?.since,
		one?.home,
		one?.own?.bashEnv,
		one?.own?.zdotdir,
		one?.own?.claudeEnvFile,
	];
	return (
		texts.every((text) => typeof text === "string") &&
		typeof one?.pid === "number" &&
		areStrings(one.roots) &&
		areStrings(one.opened ?? []) &&
		areStrings(one.command)
	);
}

/** What stands in a session's record; undefined when there is none that can be read and trusted. */
function recordIn(system: System, directory: Bytes): Partial<Session> | undefined {
	const file = system.open(join(directory, RECORD));
	if (typeof file === "number" || untrusted(system, file)) return undefined;
	try {
		const value: unknown = JSON.parse(file.content);
		return typeof value === "object" && value !== null ? value : undefined;
	} catch {
		return undefined;
	}
}

/** The session in a directory; undefined when it is none, or somebody else could have written it. */
export function readSession(system: System, directory: Bytes): Session | undefined {
	const record = recordIn(system, directory);
	return isSession(record) ? record : undefined;
}

/** The directories of all sessions of this user, or of those that began with one of these processes. */
function directories(system: System, processes?: ReadonlySet<number>): Bytes[] {
	const isMeant = (name: Bytes) => {
		const pid = NAME.exec(name)?.[1];
		return pid !== undefined && (processes === undefined || processes.has(Number(pid)));
	};
	return everyPlace(system).flatMap((place) => {
		const names = (system.list(place) ?? []).map(({ name }) => name).filter(isMeant);
		return names.map((name) => join(place, name));
	});
}

/** Every session of this user that is written down anywhere; or those that began with one of these processes. */
export function allSessions(system: System, processes?: ReadonlySet<number>): Found[] {
	return directories(system, processes).flatMap((directory) => {
		const session = readSession(system, directory);
		return session ? [{ directory, session }] : [];
	});
}

/** What tells who uses a session; every version of a record has it. */
type Led = Pick<Session, "pid" | "start" | "here">;

/** Whether the process that became COMMAND still runs. */
export function isLed(system: System, { pid, start, here }: Led): boolean {
	return here === hereOf(system) && processOf(system, pid)?.start === start;
}

/** The boot out of the words of `hereOf`. */
const bootOf = (here: Bytes) => here.slice(0, here.indexOf(" "));

/** The environments of all processes that can be read, one after the other, for as long as one question is asked of several sessions. */
const environs = (system: System): (() => Bytes) => {
	let all: Bytes | undefined;
	return () => {
		all ??= pids(system)
			.map((pid) => environOf(system, pid))
			.join("\0");
		return all;
	};
};

/**
 * Whether anybody uses a session whose COMMAND is gone: a process that it left behind, and whose environment names the session.
 * From another pid namespace that cannot be seen; such a session lasts as long as the machine runs.
 */
function isUsed(system: System, directory: Bytes, session: Led, all: () => Bytes): boolean {
	// Without /proc nothing can be known, and what may be used stays.
	if (session.start === "") return true;
	const here = hereOf(system);
	if (session.here !== here) return bootOf(session.here) === bootOf(here);
	return all().includes(directory);
}

/** The sessions that somebody uses, the newest first. */
export function runningSessions(system: System): Found[] {
	const all = environs(system);
	const known = allSessions(system);
	const led = known.filter(({ session }) => isLed(system, session));
	const left = known.filter((one) => !led.includes(one) && isUsed(system, one.directory, one.session, all));
	const running = [...led, ...left];
	return running.sort((a, b) => (a.session.since < b.session.since ? 1 : -1));
}

/** A record that nobody can read is not being written for so many seconds: it is damaged. */
const DAMAGED = 60;

/** The directories of sessions that nobody uses. What every process has in its environment is asked after COMMAND is known to be gone. */
export function unusedSessions(system: System): Bytes[] {
	const ofRecord = ({ pid, start, here }: Partial<Session>): Led | undefined =>
		pid === undefined || start === undefined || here === undefined ? undefined : { pid, start, here };
	const known = directories(system).map((directory) => ({ directory, led: ofRecord(recordIn(system, directory) ?? {}) }));
	const gone = known.filter(({ led }) => led === undefined || !isLed(system, led));
	const all = environs(system);
	const isUnused = ({ directory, led }: (typeof gone)[number]) => {
		if (led !== undefined) return !isUsed(system, directory, led, all);
		const age = Date.now() / 1000 - (system.identity(directory)?.mtime ?? 0);
		return age > DAMAGED && !all().includes(directory);
	};
	return gone.filter(isUnused).map(({ directory }) => directory);
}
