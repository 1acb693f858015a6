// Getting a floor ready for the program that this process is about to become: what is missing is made, and the rules wait for the exec.

import { rotateIfLong } from "../../audit.ts";
import { type Entry, type Floor, grantsOf } from "../../floor/floor.ts";
import { profileOf } from "../../floor/seatbelt.ts";
import { type Bytes, fromText, quote } from "../../policy/bytes.ts";
import { isBelow, parentOf } from "../../policy/resolve.ts";
import { enforce, type Grant, isRefusedIn, makeRuleset } from "../../sys/landlock.ts";
import { E2BIG, type System } from "../../sys/system.ts";
import { SANDBOX } from "./wish.ts";

/** The variable by which a session within another one knows which floor holds already. */
const MARK = "TMX_FLOOR";

/** A floor that waits for the exec. */
export interface Ready {
	/** What a person should know: what is missing of the floor, and of what the guardfile opens. */
	notes: string[];
	/** What to execute in the place of a program and its words. */
	around(path: Bytes, words: Bytes[]): { path: Bytes; words: Bytes[] };
	/** Done right before the exec; false when the program must not start, and then it has said why. */
	last(): boolean;
}

/** Make the directories of a path that are missing, for this user alone. */
function makeDirectories(system: System, path: Bytes): void {
	for (let at = path.indexOf("/", 1); at > 0; at = path.indexOf("/", at + 1)) system.mkdir(path.slice(0, at), 0o700);
	system.mkdir(path, 0o700);
}

/** How often the lock of a directory is tried: whoever holds it makes one small file. */
const TRIES = 100;

/** Make one missing place: a directory, or a file with its first text. Of two who do so at once only one writes it. */
function make(system: System, { path, what, content }: Pick<Entry, "path" | "what" | "content">): void {
	if (what === "tree") {
		makeDirectories(system, path);
		return;
	}
	const parent = parentOf(path);
	makeDirectories(system, parent);
	const write = () => {
		if (system.kind(path, false) === undefined) system.append(path, fromText(content ?? ""));
	};
	for (let k = 0; k < TRIES && system.kind(path, false) === undefined; k++) system.locked(parent, write);
}

/** FNV-1a over bytes, twice with different starts: who forges a mark deceives himself alone. */
function hash(text: Bytes, start: number): string {
	let sum = start;
	for (let k = 0; k < text.length; k++) sum = Math.imul(sum ^ text.charCodeAt(k), 0x01000193);
	return (sum >>> 0).toString(16).padStart(8, "0");
}

/** What tells one floor from another. */
function markOf(grants: readonly Grant[], abi: number): string {
	const text = grants
		.map(({ path, what }) => `${what} ${path}\0`)
		.sort()
		.join("");
	return `${abi}:${hash(text, 0x811c9dc5)}${hash(text, 0x1234567)}`;
}

/** Directories in which a floor would show, if it is there: this user may write in them, and no grant holds them. */
function probes(system: System, grants: readonly Grant[], audit: Bytes): Bytes[] {
	const home = system.env("HOME") ?? "";
	const all = [audit === "" ? "" : parentOf(audit), home, system.passwdHome(system.uid()), "/"];
	const open = (path: Bytes) => grants.some((grant) => path === grant.path || isBelow(path, grant.path));
	return all.map((path) => (path.startsWith("/") ? (system.real(path, true) ?? "") : "")).filter((path) => path !== "" && !open(path));
}

const AS_IT_IS: Ready = { notes: [], around: (path, words) => ({ path, words }), last: () => true };

/** macOS: the profile is handed to the program that puts it in force. */
function readyOnMac(system: System, floor: Floor): Ready {
	const profile = profileOf(system, grantsOf(floor));
	return { ...AS_IT_IS, around: (path, words) => ({ path: SANDBOX, words: ["sandbox-exec", "-p", profile, path, ...words.slice(1)] }) };
}

/** What the floor lacks, in words. */
function weakness({ strength: { kind, why } }: Floor): string {
	if (kind === "full") return "";
	return kind === "none" ? `there is no floor: ${why}` : `the floor is partial: ${why}`;
}

/** What somebody asked for and does not get: each place of the guardfile that is not there. */
function absences({ entries }: Floor): string[] {
	const absent = entries.filter(({ group, fate }) => group === "guardfile" && (fate === "missing" || fate === "dropped"));
	return absent.map(({ text, fate, note }) => `${quote(text)} is not opened: ${fate === "missing" ? "it is not there" : note}`);
}

/**
 * Get a floor ready.
 * @param abi the version of Landlock to use
 * @param required whether the program must not start without a full one
 * @param say tells a person what goes wrong at the last moment
 * @returns what to do at the exec, or why nothing may start
 */
export function readyFloor(
	system: System,
	floor: Floor,
	abi: number,
	required: boolean,
	say: (words: string) => void,
): Ready | { refused: string } {
	const { kind } = floor.strength;
	const weak = weakness(floor);
	if (required && weak !== "") return { refused: weak };
	if (kind === "none") return { ...AS_IT_IS, notes: [weak] };
	const notes = [...absences(floor), ...(weak === "" ? [] : [weak])];
	for (const entry of floor.entries) if (entry.fate === "made") make(system, entry);
	const audit = floor.entries.find(({ group }) => group === "audit")?.path ?? "";
	// Under the floor nothing can be renamed there, so what is long by now is put away now.
	rotateIfLong(system, audit, () => make(system, { path: audit, what: "keep" }));
	if (system.platform === "darwin") return { ...readyOnMac(system, floor), notes };
	const grants = grantsOf(floor);
	const mark = markOf(grants, abi);
	const stands = system.env(MARK) === mark && probes(system, grants, audit).some(isRefusedIn);
	if (stands) return { ...AS_IT_IS, notes };
	const ruleset = makeRuleset(abi, grants);
	if (typeof ruleset === "number") {
		const words = `there is no floor: its rules cannot be made (error ${ruleset})`;
		return required ? { refused: words } : { ...AS_IT_IS, notes: [words] };
	}
	system.setenv(MARK, mark);
	const last = () => {
		const error = enforce(ruleset);
		if (error === 0) return true;
		const why = error === E2BIG ? "16 floors hold here already, and no other can be added" : `it cannot be put in force (error ${error})`;
		say(`there is no floor of this session's own: ${why}`);
		return !required;
	};
	return { ...AS_IT_IS, notes, last };
}
