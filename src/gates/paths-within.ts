// paths-within: every operand lies within the session's own directories, which are known only at run time.

import { type Bytes, quote } from "../policy/bytes.ts";
import type { Operand } from "../policy/call.ts";
import type { ActiveGate, Fixed, Gate, Root, Settings, World } from "../policy/policy.ts";
import { isBelow, join, namesDirectory, parentOf, type Resolver } from "../policy/resolve.ts";
import { type ForeignMount, foreignMounts, mountsBelow } from "./mounts.ts";

/** What a session's policy says instead of variables. A guardfile cannot: these are no options of the language. */
const SESSION = { roots: "session-root", home: "session-home", own: "session-own" } as const;

/** A root as it is written, before anything is resolved. `named` by a variable: worth a word when it is missing. */
interface Candidate {
	text: Bytes;
	from: string;
	named: boolean;
}

/** The directory beside which a launcher's variable puts the others: the parent of the name, also when the name is a link. */
function parentText(text: Bytes): Bytes {
	const name = text.replace(/\/+$/, "");
	return namesDirectory(name) ? `${text}/..` : parentOf(name);
}

function candidates(settings: Settings, world: World): Candidate[] {
	const found: Candidate[] = [];
	for (const text of settings[SESSION.roots] ?? []) found.push({ text, from: "session", named: true });
	for (const name of settings["root-env"] ?? []) {
		for (const text of world.env(name).split(":")) if (text !== "") found.push({ text, from: name, named: true });
	}
	for (const name of settings["root-parent-env"] ?? []) {
		const text = world.env(name);
		if (text === "") continue;
		found.push({ text: text.startsWith("/") ? parentText(text) : text, from: `parent of ${name}`, named: true });
	}
	for (const text of settings.root ?? []) {
		found.push({ text: text.replaceAll("{uid}", String(world.uid)), from: "fixed", named: false });
	}
	return found;
}

/** Why a directory does not count as a root; undefined when it does. */
function whyDropped(text: Bytes, real: Bytes, home: Bytes, passwdHome: Bytes): string | undefined {
	if (!text.startsWith("/")) return "it is relative, and the working directory is not to be trusted";
	if (real === "") return "there is no such directory";
	if (real === "/") return "it is the whole machine";
	if (real === home || real === passwdHome) return "it is the home directory";
	if (passwdHome !== "" && isBelow(passwdHome, real)) return "it contains the home directory";
	return undefined;
}

/** The roots of one call, kept and dropped. A fixed directory that does not exist is no root and no news. */
function resolveRoots(settings: Settings, world: World): Root[] {
	const { files } = world.look;
	const realHome = (home: Bytes) => (home.startsWith("/") ? (files.real(home, true) ?? home) : "");
	const own = settings[SESSION.home]?.[0] ?? world.home;
	const home = realHome(own);
	const passwdHome = world.passwdHome === own ? home : realHome(world.passwdHome);
	const roots: Root[] = [];
	for (const { text, from, named } of candidates(settings, world)) {
		const real = text.startsWith("/") ? (files.real(text, true) ?? "") : "";
		if (real === "" && !named) continue;
		const dropped = whyDropped(text, real, home, passwdHome);
		roots.push(dropped === undefined ? { text, from, real } : { text, from, real: "", dropped });
	}
	return roots;
}

/** Devices that take what is written to them and hold nothing (null(4), random(4), tty(4)); removing their node is another matter. */
const DEVICES = ["null", "zero", "full", "random", "urandom", "tty", "stdout", "stderr", "stdin"].map((name) => `/dev/${name}`);
/** Where /proc has no descriptors, /dev/fd/N is the descriptor itself and no way to open its file anew. */
const DEVICE_FORMS = /^\/dev\/(fd\/\d+|pts\/\d+|tty\d+)$/;

/** A descriptor among the files of a process (proc(5)): opening it anew opens what it leads to, with other rights. */
const DESCRIPTOR = /^\/proc\/(\d+)\/(?:task\/\d+\/)?fd\/(\d+)$/;

/** Whether an operand is opened, so that a device or a descriptor is only written to: no directory entry is replaced, no node changed. */
const isOpened = (operand: Operand) => operand.role === "written" && operand.leaf !== "entry" && !operand.node;

class PathsWithin implements ActiveGate {
	readonly reason: Bytes;
	readonly #roots: Root[];
	readonly #kept: Root[] = [];
	/** The directory of the session itself, "" outside of one. */
	readonly #own: Bytes;
	#table: Bytes | undefined;
	#foreign: ForeignMount[] | undefined;
	/** Directories within a root, with no mount below that root and no other root among their entries: any entry of them passes. */
	readonly #plain = new Set<Bytes>();

	constructor(
		settings: Settings,
		readonly world: World,
	) {
		this.reason = settings.reason?.[0] ?? "";
		this.#own = settings[SESSION.own]?.[0] ?? "";
		this.#roots = resolveRoots(settings, world);
		for (const root of this.#roots) if (root.dropped === undefined) this.#kept.push(root);
	}

	roots(): Root[] {
		return this.#roots;
	}

	rootOf(path: Bytes): Root | undefined {
		for (const root of this.#kept) if (path === root.real || isBelow(path, root.real)) return root;
		return undefined;
	}

	passesAny(directory: Bytes): boolean {
		return this.#plain.has(directory);
	}

	refuses(operand: Operand, path: Bytes): string | undefined {
		const parent = parentOf(path);
		if (this.#plain.has(parent)) return undefined;
		const why = this.#why(operand, path, parent);
		return why !== undefined && isOpened(operand) && this.#losesNothing(operand, path) ? undefined : why;
	}

	#why(operand: Operand, path: Bytes, parent: Bytes): string | undefined {
		if (path === "") return "where it leads cannot be seen from here";
		const root = this.rootOf(path);
		if (root === undefined) return "it is outside the session's directories";
		if (this.#own !== "" && this.#touchesOwn(operand, path)) return "it belongs to the guard of this session";
		const why = this.#whyRoot(operand, path) ?? this.#whyMount(operand, path, root);
		if (why === undefined) this.#remember(parent, root);
		return why;
	}

	/** Whether writing there loses no file: a device, a pipe or socket that is open already, or this process's own entries in /proc. */
	#losesNothing(operand: Operand, path: Bytes): boolean {
		if (path !== "" && path.charCodeAt(0) !== 47) return true;
		if (path.startsWith("/dev/") && (DEVICES.includes(path) || DEVICE_FORMS.test(path))) return true;
		const { files } = this.world.look;
		const self = files.readlink("/proc/self") ?? "-";
		if (path.startsWith(`/proc/${self}/`)) return true;
		const [, process, number] = DESCRIPTOR.exec(this.#placeOf(operand).walk(operand.text, true).links.at(-1)?.at ?? "") ?? [];
		if (process !== self) return false;
		// What was opened for writing the shell has opened; what was only opened for reading would be opened anew.
		const openness = files.opened(Number(number));
		return openness === "stream" || openness === "writable";
	}

	/** Whether an operand is the session's own directory, lies in it, or could take it away. */
	#touchesOwn({ role, deep, below }: Operand, path: Bytes): boolean {
		if (path === this.#own || isBelow(path, this.#own)) return true;
		const takes = role === "removed" || role === "moved" || role === "started" || deep !== undefined || below !== undefined;
		return takes && isBelow(this.#own, path);
	}

	/** A root may be written below and started from, but not removed, moved or emptied away. */
	#whyRoot(operand: Operand, path: Bytes): string | undefined {
		const taken = operand.role === "removed" || operand.role === "moved" || operand.role === "started";
		if (!taken || operand.self) return undefined;
		for (const root of this.#kept) {
			if (root.real === path) return "it is one of the session's directories itself, not something in it";
		}
		return undefined;
	}

	#hasMounts(root: Root): boolean {
		this.#table ??= this.world.look.files.mounts();
		return mountsBelow(this.#table, root.real);
	}

	#whyMount(operand: Operand, path: Bytes, root: Root): string | undefined {
		if (!this.#hasMounts(root)) return undefined;
		this.#foreign ??= foreignMounts(this.#table ?? "", (path) => this.rootOf(path) !== undefined);
		for (const mount of this.#foreign) {
			const what = `mounted at ${quote(mount.at)} is ${quote(mount.source)}, which is outside the session's directories`;
			if (path === mount.at || isBelow(path, mount.at)) return what;
			if (isBelow(mount.at, path) && this.#reaches(operand, mount.at.slice(path.length + 1))) return `below it, ${what}`;
		}
		return undefined;
	}

	/** Whether what the tool does at an operand goes down to `rest` below it. */
	#reaches(operand: Operand, rest: Bytes): boolean {
		const { role, deep } = operand;
		if (role === "removed" || role === "moved" || role === "started") return true;
		const stands = (like: Bytes) => this.#placeOf(operand).kind(join(like, rest), true) !== undefined;
		return deep !== undefined && (deep.like === undefined || deep.like.some(stands));
	}

	/** Where the text of an operand stands. */
	#placeOf({ at, look }: Operand): Resolver {
		return look ?? (at === undefined ? this.world.look : this.world.look.from(at));
	}

	#remember(parent: Bytes, root: Root): void {
		const within = parent === root.real || isBelow(parent, root.real);
		for (const other of this.#kept) if (parentOf(other.real) === parent) return;
		if (this.#own !== "" && (isBelow(this.#own, parent) || parent === this.#own || isBelow(parent, this.#own))) return;
		if (within && !this.#hasMounts(root)) this.#plain.add(parent);
	}
}

export const pathsWithin: Gate = {
	name: "paths-within",
	options: {
		"root-env": { repeatable: true, value: "variable" },
		"root-parent-env": { repeatable: true, value: "variable" },
		root: { repeatable: true, value: "directory" },
		reason: { repeatable: false, value: "text" },
		"on-unknown": { repeatable: false, value: "choice", choices: ["pass", "ask", "deny"] },
	},
	check(settings) {
		if (settings["root-env"]?.length || settings["root-parent-env"]?.length) return undefined;
		return 'needs at least one "root-env" or "root-parent-env": a gate that no variable can switch on never fires';
	},
	isOn(settings, world) {
		if (settings[SESSION.roots] !== undefined) return true;
		for (const names of [settings["root-env"], settings["root-parent-env"]]) {
			for (const name of names ?? []) if (world.env(name) !== "") return true;
		}
		return false;
	},
	fix(settings, { roots, home, own }: Fixed) {
		const { "root-env": _variables, "root-parent-env": _parents, ...rest } = settings;
		return { ...rest, [SESSION.roots]: roots, [SESSION.home]: [home], [SESSION.own]: [own] };
	},
	activate(settings, world) {
		return this.isOn(settings, world) ? new PathsWithin(settings, world) : undefined;
	},
};
