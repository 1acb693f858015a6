// The floor of one session: each place that may be written, found on this machine, and what becomes of it.

import type { AgentState } from "../agents/agent.ts";
import { type Bytes, quote } from "../policy/bytes.ts";
import { baseOf, isBelow, join, type Kind, parentOf } from "../policy/resolve.ts";
import type { Grant, Strength } from "../sys/landlock.ts";
import type { System } from "../sys/system.ts";
import { gitPlace } from "./git.ts";
import { GROUPS, ROWS, type Row } from "./groups.ts";
import type { FloorSettings } from "./settings.ts";

/** What a floor is made for. */
export interface Wish {
	/** The session's own directories. */
	roots: readonly Bytes[];
	/** Directories that the gates of the policy allow to every session. */
	fixed: readonly Bytes[];
	/** What the agents keep that the session may start. */
	agents: readonly AgentState[];
	/** Whether their missing directories are made: that of an agent which is about to start, and of no other. */
	starts: boolean;
	settings: FloorSettings;
	/** The record of verdicts; "" where there is none. */
	audit: Bytes;
	/** Where the sessions lie that are started within this one; "" without a session. */
	inner: Bytes;
	/** What no session may write: the policy, the shims, the guardfiles, this binary. */
	guards: readonly Bytes[];
	/** How much of a floor this system gives. */
	strength: Strength;
}

/** What became of a place. `made`: it is missing, and is made at launch. */
export type Fate = "granted" | "made" | "missing" | "denied" | "dropped";

/** One place, as it stands on this machine. */
export interface Entry {
	group: string;
	/** As the row, the variable or the guardfile spells it. */
	text: Bytes;
	/** Its real path; where it is missing, the path that it would have. */
	path: Bytes;
	what: Grant["what"];
	fate: Fate;
	/** Why it is denied or dropped; what it holds when it is made. */
	note: string;
	/** The text of a missing file that is made. */
	content?: string;
}

export interface Floor {
	entries: Entry[];
	strength: Strength;
}

/** What rows are read with. */
interface Here {
	system: System;
	uid: number;
	home: Bytes;
	passwdHome: Bytes;
	/** The real paths of both homes, "" where there is none. */
	homes: [home: Bytes, passwdHome: Bytes];
	/** The real paths of directories that were looked up: many places stand in the same ones. */
	directories: Map<Bytes, Bytes>;
	/** The directories of PATH. */
	path: Bytes[];
}

function hereOf(system: System): Here {
	const uid = system.uid();
	const passwdHome = system.passwdHome(uid);
	const named = system.env("HOME") ?? "";
	const path = (system.env("PATH") ?? "").split(":").filter((directory) => directory.startsWith("/"));
	const home = named.startsWith("/") ? named : passwdHome;
	const real = (path: Bytes) => (path.startsWith("/") ? (system.real(path, true) ?? path) : "");
	return { system, uid, passwdHome, home, homes: [real(home), real(passwdHome)], directories: new Map(), path };
}

/** A path with `~` and `{uid}` in the place of what they stand for; "" where there is no home directory. */
function expanded(path: Bytes, { home, uid }: Here): Bytes {
	const named = path.replaceAll("{uid}", String(uid));
	if (named !== "~" && !named.startsWith("~/")) return named;
	return home.startsWith("/") ? join(home, named.slice(2)).replace(/(?<=.)\/+$/, "") : "";
}

/** Why a directory cannot be granted; undefined when it can. The same rules as for roots of a gate. */
function whyDropped(real: Bytes, { homes }: Here): string | undefined {
	if (real === "/") return "it is the whole machine";
	if (homes.includes(real)) return "it is the home directory";
	return homes[1] !== "" && isBelow(homes[1], real) ? "it contains the home directory" : undefined;
}

/** The real path of a directory, "" when there is none. */
function directoryOf({ system, directories }: Here, path: Bytes): Bytes {
	const known = directories.get(path) ?? system.real(path, true) ?? "";
	directories.set(path, known);
	return known;
}

/** Where a path leads, and the type of what is there; of something missing, where it would be. One system call, where no link is on the way. */
function placeOf(here: Here, path: Bytes): { real: Bytes; kind: Kind | undefined } {
	const parent = directoryOf(here, parentOf(path));
	const name = baseOf(path);
	if (parent === "" || name === "." || name === "..") {
		const real = here.system.real(path, false);
		return real === undefined || real === "" ? { real: path, kind: undefined } : { real, kind: here.system.kind(real, true) };
	}
	const kind = here.system.kind(path, false);
	if (kind !== "link") return { real: path === "/" ? path : join(parent, name), kind };
	const real = here.system.real(path, false);
	return real === undefined || real === "" ? { real: path, kind: undefined } : { real, kind: here.system.kind(real, true) };
}

/** A place that a row, a variable or a guardfile names, looked at. */
function look(here: Here, group: string, text: Bytes, path: Bytes, what: Grant["what"]): Entry {
	const { real, kind } = placeOf(here, path);
	const entry = { group, text, path: real, what, note: "" };
	if (kind === undefined) return { ...entry, fate: "missing" };
	const dropped = what === "tree" ? whyDropped(real, here) : undefined;
	if (dropped !== undefined) return { ...entry, fate: "dropped", note: dropped };
	if (kind === "directory" && what !== "tree") return { ...entry, fate: "dropped", note: "it is a directory, and a file is meant" };
	return { ...entry, fate: "granted" };
}

/** Whether a program of that name stands on PATH. */
const onPath = ({ system, path }: Here, name: string) => path.some((directory) => system.executable(`${directory}/${name}`));

/** A directory that is missing is made where the row says so, and what it stands in is there. */
function orMade(entry: Entry, made: boolean, content?: string): Entry {
	if (entry.fate !== "missing" || !made) return entry;
	return { ...entry, fate: "made", ...(content !== undefined && { content }) };
}

/** The names in a directory that begin with the last component of a path that ends in `*`. */
function matches(system: System, pattern: Bytes): Bytes[] {
	const directory = parentOf(pattern);
	const start = baseOf(pattern).slice(0, -1);
	const names = system.list(directory)?.map(({ name }) => name) ?? [];
	return names
		.filter((name) => name.startsWith(start))
		.sort()
		.map((name) => join(directory, name));
}

function entriesOf(here: Here, row: Row): Entry[] {
	const { system } = here;
	if (row.on !== undefined && row.on !== system.platform) return [];
	const set = row.variable === undefined ? "" : (system.env(row.variable) ?? "");
	const variable = set.startsWith("/");
	if (!variable && row.path === "") return [];
	if (!variable && row.path.endsWith("*")) return matches(system, row.path).map((path) => look(here, row.group, path, path, row.what));
	const text = variable ? `$${row.variable}` : row.path;
	const path = variable ? set.replace(/(?<=.)\/+$/, "") : expanded(row.path, here);
	if (path === "") return [];
	const entry = look(here, row.group, text, path, row.what);
	return [orMade(entry, row.madeFor !== undefined && onPath(here, row.madeFor))];
}

/** The directories and files that an agent keeps. */
function stateOf(here: Here, state: AgentState, starts: boolean): Entry[] {
	const { system } = here;
	const set = state.variable === undefined ? "" : (system.env(state.variable) ?? "");
	const named = set.startsWith("/");
	const home = named ? set : expanded(state.home, here);
	if (home === "") return [];
	// Of an agent that is not here, nothing is made or shown.
	const there = system.kind(home, true) === "directory";
	if (!there && !starts) return [];
	return state.keeps.map(({ path, what, content }) => {
		const beside = path.startsWith("~");
		const text = beside || path === "" ? path || state.home : `${named ? `$${state.variable}` : state.home}/${path}`;
		const full = beside ? (named ? join(home, path.slice(2)) : expanded(path, here)) : path === "" ? home : join(home, path);
		const entry = look(here, "agent", text, full, what);
		return orMade(entry, starts && (what === "tree" || content !== undefined), content);
	});
}

/** The files that standard output and error are open on for writing: by their names they would be outside. */
function outputs(here: Here): Entry[] {
	const { system } = here;
	return [1, 2].flatMap((descriptor) => {
		const path = `/proc/self/fd/${descriptor}`;
		if (system.opened(descriptor) !== "writable" || system.kind(path, true) !== "file") return [];
		return [look(here, "output", descriptor === 1 ? "standard output" : "standard error", path, "file")];
	});
}

function rootEntries(here: Here, roots: readonly Bytes[], name: "roots" | "git"): Entry[] {
	if (name === "roots") return roots.map((root) => look(here, "roots", root, root, "tree"));
	return roots.flatMap((root): Entry[] => {
		const found = gitPlace(here.system, here.system.real(root, true) ?? root);
		if (found === undefined) return [];
		if (!("doubt" in found)) return [look(here, "git", found.path, found.path, "tree")];
		return [{ group: "git", text: found.path, path: found.path, what: "tree", fate: "dropped", note: found.doubt }];
	});
}

function written(here: Here, { write, guardfile }: FloorSettings): Entry[] {
	return write.map(({ path, line }) => {
		const full = expanded(path, here).replace(/(?<=.)\/+$/, "");
		const entry = look(here, "guardfile", path, full, "tree");
		return { ...entry, note: entry.note || `${quote(guardfile)}:${line}` };
	});
}

function groupEntries(here: Here, group: string, wish: Wish): Entry[] {
	if (group === "roots" || group === "git") return rootEntries(here, wish.roots, group);
	if (group === "fixed") return wish.fixed.map((path) => look(here, group, path, expanded(path, here), "tree"));
	if (group === "output") return outputs(here);
	if (group === "agent") return wish.agents.flatMap((agent) => stateOf(here, agent, wish.starts));
	if (group === "audit") {
		return wish.audit === "" ? [] : [orMade(look(here, group, wish.audit, wish.audit, "keep"), true, "")];
	}
	if (group === "inner") return wish.inner === "" ? [] : [orMade(look(here, group, wish.inner, wish.inner, "tree"), true)];
	if (group === "guardfile") return written(here, wish.settings);
	return ROWS.filter((row) => row.group === group).flatMap((row) => entriesOf(here, row));
}

/** The same place named twice counts once, in the group that comes first. */
function once(entries: readonly Entry[]): Entry[] {
	const seen = new Set<string>();
	return entries.filter(({ path, fate, what }) => {
		const key = `${fate} ${what} ${path}`;
		return !seen.has(key) && seen.add(key);
	});
}

const counts = ({ fate }: Entry) => fate === "granted" || fate === "made";

/** What of the guard itself could be written: the grant that holds it. */
function openGuard(system: System, entries: readonly Entry[], guards: readonly Bytes[]): string | undefined {
	for (const guard of guards) {
		const real = guard === "" ? "" : (system.real(guard, false) ?? "");
		const holder = real === "" ? undefined : entries.find((entry) => counts(entry) && (entry.path === real || isBelow(real, entry.path)));
		if (holder !== undefined) return `${quote(real)}, which the guard stands on, lies in ${quote(holder.path)} and can be written`;
	}
	return undefined;
}

/** The entries with those denied that the guardfile denies; a directory of the gates' too, where it is one of a denied group. */
function withoutDenied(entries: readonly Entry[], { denied, guardfile }: FloorSettings): Entry[] {
	const lineOf = ({ group, path }: Entry) => {
		const same = group === "fixed" ? entries.filter((other) => other.path === path).map((other) => other.group) : [group];
		return denied.find((one) => same.includes(one.group))?.line;
	};
	return entries.map((entry) => {
		const line = lineOf(entry);
		if (line === undefined || !(counts(entry) || entry.fate === "missing")) return entry;
		return { ...entry, fate: "denied", note: `${quote(guardfile)}:${line}` };
	});
}

/** What a floor for these wishes would be here. Nothing is made or changed. */
export function floorOf(system: System, wish: Wish): Floor {
	const here = hereOf(system);
	const entries = withoutDenied(
		GROUPS.flatMap(({ name }) => groupEntries(here, name, wish)),
		wish.settings,
	);
	const { strength } = wish;
	const open = strength.kind === "none" ? undefined : openGuard(system, entries, wish.guards);
	const weaker: Strength = open === undefined ? strength : { kind: "partial", why: [strength.why, open].filter(Boolean).join("; ") };
	return { entries: once(entries), strength: weaker };
}

/** The grants of a floor. */
export function grantsOf({ entries }: Floor): Grant[] {
	return entries.filter(counts).map(({ path, what }) => ({ path, what }));
}
