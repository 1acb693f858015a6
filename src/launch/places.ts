// Where sessions lie: in the runtime directory of this user, else among the state; a place that others could write is none.

import type { Bytes } from "../policy/bytes.ts";
import { isBelow, join } from "../policy/resolve.ts";
import { kindOf } from "../sys/mode.ts";
import type { System } from "../sys/system.ts";

/** Permission bits of group and others (S_IRWXG, S_IRWXO of <sys/stat.h>). */
const OTHERS = 0o077;
const OTHERS_WRITE = 0o022;

/** A place for sessions: a directory that is there, and the ones to make in it. */
export interface Place {
	base: Bytes;
	names: readonly Bytes[];
}

const pathOf = ({ base, names }: Place): Bytes => names.reduce((at, name) => join(at, name), base);

/** The places in the order of preference (XDG Base Directory: relative values are ignored). */
function candidates(system: System): Place[] {
	const uid = system.uid();
	const absolute = (path: Bytes | undefined): path is Bytes => path?.startsWith("/") === true;
	const runtime = [system.env("XDG_RUNTIME_DIR"), `/run/user/${uid}`].filter(absolute);
	const state = [system.env("XDG_STATE_HOME")].filter(absolute);
	const homes = [system.env("HOME"), system.passwdHome(uid)].filter(absolute);
	const all: Place[] = [
		...runtime.map((base) => ({ base, names: ["tmx", "sessions"] })),
		...state.map((base) => ({ base, names: ["tmx", "sessions"] })),
		...homes.map((base) => ({ base, names: [".local", "state", "tmx", "sessions"] })),
	];
	return all.filter((place, k) => all.findIndex((other) => pathOf(other) === pathOf(place)) === k);
}

/** Whether a directory is this user's, and nobody else may do there what `bits` say. */
function isOwn(system: System, path: Bytes, bits: number): boolean {
	const directory = system.identity(path);
	return (
		directory !== undefined && kindOf(directory.mode) === "directory" && directory.uid === system.uid() && (directory.mode & bits) === 0
	);
}

/** The directory of this login, by its real path, which a session with a floor may write: its own place is better elsewhere. */
export function runtimeDirectory(system: System): Bytes[] {
	const named = system.env("XDG_RUNTIME_DIR") ?? "";
	const real = named.startsWith("/") ? (system.real(named, true) ?? "") : "";
	return real === "" ? [] : [real];
}

/** Every place in which a session of this user may lie, whether it is there or not. */
export function everyPlace(system: System): Bytes[] {
	return candidates(system).map(pathOf);
}

/** Make the directories of a place that are missing, for this user alone; whether the place can be used. */
function make(system: System, { base, names }: Place): boolean {
	if (!isOwn(system, base, OTHERS_WRITE)) return false;
	let at = base;
	for (const name of names) {
		at = join(at, name);
		if (system.kind(at, true) === undefined) system.mkdir(at, 0o700);
		if (!isOwn(system, at, OTHERS_WRITE)) return false;
	}
	return isOwn(system, at, OTHERS);
}

/** Whether a place could be made, as far as can be said without doing it. */
function mayMake(system: System, { base, names }: Place): boolean {
	let at = base;
	if (!isOwn(system, at, OTHERS_WRITE)) return false;
	for (const name of names) {
		at = join(at, name);
		if (system.kind(at, true) === undefined) return true;
		if (!isOwn(system, at, OTHERS_WRITE)) return false;
	}
	return true;
}

/**
 * The place for a new session: one that no root holds, where there is such a one, so that no call of the session comes near it.
 * @param write whether to make it
 * @param first a place that comes before all others
 * @returns its real path, undefined when this user has none
 */
export function placeFor(system: System, roots: readonly Bytes[], write: boolean, first?: Place): Bytes | undefined {
	const within = (path: Bytes) => roots.some((root) => path === root || isBelow(path, root));
	const real = (place: Place) => system.real(place.base, true) ?? place.base;
	const all = candidates(system);
	const preferred = [
		...(first ? [first] : []),
		...all.filter((place) => !within(real(place))),
		...all.filter((place) => within(real(place))),
	];
	const found = preferred.find((place) => (write ? make(system, place) : mayMake(system, place)));
	return found && pathOf({ ...found, base: real(found) });
}
