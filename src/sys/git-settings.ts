// What git itself reads before it does anything: where its repository lies, and what the files of its configuration say (git-config(1)).

import type { Bytes } from "../policy/bytes.ts";
import { type Files, join, parentOf } from "../policy/resolve.ts";

/** What is asked of the files. */
type Looked = Pick<Files, "kind" | "read">;

/** No file of settings is longer. */
const LONGEST = 256 * 1024;

/** A repository by its absolute paths. */
export interface Repository {
	/** The top of the work tree. */
	top: Bytes;
	/** Its own directory, and the one that it shares with other work trees. */
	directory: Bytes;
	common: Bytes;
}

const standing = (at: Bytes, path: Bytes): Bytes => (path.startsWith("/") ? path : join(at, path));

/** The line of a file that holds nothing but a path. */
const pathIn = (files: Looked, file: Bytes): Bytes | undefined => files.read(file, LONGEST)?.trim() || undefined;

function repositoryOf(files: Looked, top: Bytes, directory: Bytes): Repository {
	const common = pathIn(files, join(directory, "commondir"));
	return { top, directory, common: common === undefined ? directory : standing(directory, common) };
}

/** The repository that git finds from a real directory upwards (gitrepository-layout(5)). */
export function repositoryAt(files: Looked, at: Bytes): Repository | undefined {
	for (let top = at; top !== ""; top = parentOf(top)) {
		const path = join(top, ".git");
		const kind = files.kind(path, true);
		if (kind === "directory") return repositoryOf(files, top, path);
		const named = kind === "file" ? /^gitdir: (.+)/.exec(pathIn(files, path) ?? "")?.[1] : undefined;
		if (named !== undefined) return repositoryOf(files, top, standing(top, named));
		if (top === "/") break;
	}
	return undefined;
}

/** Values by their names, the later one behind the earlier: `remote.origin.url`, with the letters of all but the middle part made small. */
export type Settings = Map<Bytes, Bytes[]>;

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", t: "\t", b: "\b" };

/** A value without its quotes and its comment. */
function unquoted(text: Bytes): Bytes {
	let value = "";
	for (const [, quoted, escaped, comment, plain] of text.matchAll(/"((?:[^"\\]|\\.)*)"|\\(.)|([#;].*$)|([^"\\#;]+)/gs)) {
		if (comment !== undefined) break;
		value +=
			quoted?.replace(/\\(.)/gs, (_, letter) => ESCAPES[letter] ?? letter) ?? (escaped && (ESCAPES[escaped] ?? escaped)) ?? plain ?? "";
	}
	return value.trim();
}

/** A setting's name as settings are kept by. */
export function settingName(name: Bytes): Bytes {
	const [first, last] = [name.indexOf("."), name.lastIndexOf(".")];
	return name.slice(0, first).toLowerCase() + name.slice(first, last) + name.slice(last).toLowerCase();
}

/** Puts a setting behind those of its name. */
export function addSetting(settings: Settings, name: Bytes, value: Bytes): void {
	const key = settingName(name);
	settings.set(key, [...(settings.get(key) ?? []), value]);
}

/** The settings in a text. What it includes is not followed. */
export function readSettings(text: Bytes, settings: Settings = new Map()): Settings {
	let section = "";
	for (const line of text.replace(/\\\n/g, "").split("\n")) {
		const head = /^\s*\[\s*([\w.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\](.*)$/s.exec(line);
		if (head !== null) section = head[2] === undefined ? (head[1] as string) : `${head[1]}.${head[2].replace(/\\(.)/g, "$1")}`;
		const [, name, , value] = /^\s*([A-Za-z][\w-]*)\s*(=\s*(.*))?$/s.exec(head === null ? line : (head[3] as string)) ?? [];
		if (name !== undefined && section !== "") addSetting(settings, `${section}.${name}`, value === undefined ? "true" : unquoted(value));
	}
	return settings;
}

/** The settings of a repository, those of its own work tree among them. */
export function settingsOf(files: Looked, { directory, common }: Repository): Settings {
	const settings: Settings = new Map();
	for (const file of [join(common, "config"), join(directory, "config.worktree")]) readSettings(files.read(file, LONGEST) ?? "", settings);
	return settings;
}

/** The settings of the user, in the files that git takes them from. */
export function userSettings(files: Looked, env: (name: string) => Bytes | undefined, home: Bytes): Settings {
	const settings: Settings = new Map();
	const own = env("GIT_CONFIG_GLOBAL");
	const places = own ? [own] : [join(env("XDG_CONFIG_HOME") || join(home, ".config"), "git/config"), join(home, ".gitconfig")];
	for (const file of places) readSettings(files.read(file, LONGEST) ?? "", settings);
	return settings;
}

/** The value of a setting that counts: the last one. */
export const setting = (settings: Settings, name: Bytes): Bytes | undefined => settings.get(name)?.at(-1);

/** The branch that a work tree is on. */
const branchOf = (files: Looked, { directory }: Repository): Bytes | undefined =>
	/^ref: refs\/heads\/(.+)/.exec(pathIn(files, join(directory, "HEAD")) ?? "")?.[1];

/** The remote that a push without a name goes to (git-push(1), DESCRIPTION; remote.c). */
export function pushedTo(files: Looked, repository: Repository | undefined, settings: Settings): Bytes {
	const branch = repository && branchOf(files, repository);
	const named = [`branch.${branch}.pushremote`, "remote.pushdefault", `branch.${branch}.remote`];
	const found = named.map((name) => setting(settings, name)).find((value) => value !== undefined);
	if (found !== undefined) return found;
	const remotes = new Set<Bytes>();
	for (const name of settings.keys()) if (/^remote\..*\.url$/s.test(name)) remotes.add(name.slice("remote.".length, -".url".length));
	return remotes.size === 1 ? ([...remotes][0] as Bytes) : "origin";
}

/** An address with its beginning replaced as settings say (git-config(1), url.BASE.insteadOf). */
function rewritten(address: Bytes, settings: Settings, names: readonly string[]): Bytes {
	for (const name of names) {
		let best: { base: Bytes; length: number } | undefined;
		for (const [key, values] of settings) {
			if (!key.startsWith("url.") || !key.endsWith(`.${name}`)) continue;
			for (const value of values)
				if (address.startsWith(value) && value.length > (best?.length ?? 0))
					best = { base: key.slice("url.".length, -name.length - 1), length: value.length };
		}
		if (best !== undefined) return best.base + address.slice(best.length);
	}
	return address;
}

/** The addresses that a push to a remote goes to; a name that no setting knows is an address itself. */
export function addressesOf(remote: Bytes, settings: Settings): Bytes[] {
	const pushed = settings.get(`remote.${remote}.pushurl`);
	if (pushed !== undefined) return pushed.map((address) => rewritten(address, settings, ["insteadof"]));
	const addresses = settings.get(`remote.${remote}.url`) ?? [remote];
	return addresses.map((address) => rewritten(address, settings, ["pushinsteadof", "insteadof"]));
}

/** The path of a repository on this machine, of an address (git-push(1), GIT URLS). */
export function pathOfAddress(address: Bytes): Bytes | undefined {
	if (address.startsWith("file://")) return address.slice("file://".length).replace(/^localhost(?=\/)/, "");
	return /^[^/]*:/.test(address) ? undefined : address;
}
