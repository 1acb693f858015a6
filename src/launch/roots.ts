// Which directories a session may change, judged before anything starts by the very gate that will judge its calls.

import { gates } from "../gates/index.ts";
import { absolute } from "../guardfile/sources.ts";
import { type Bytes, quote } from "../policy/bytes.ts";
import type { Gate, Root, World } from "../policy/policy.ts";
import { isBelow, join, parentOf, Resolver } from "../policy/resolve.ts";
import type { System } from "../sys/system.ts";

/** A directory of the session and who named it. */
export interface SessionRoot {
	real: Bytes;
	from: "--root" | "git" | "the working directory" | "TMPDIR";
}

/** The directories, and what a person should know of others. */
export interface Roots {
	roots: SessionRoot[];
	notes: string[];
}

const pathsWithin = gates.get("paths-within") as Gate;

let here: World | undefined;

/** The world as a gate sees it from here; asked often, and the passwd entry costs more than all the rest. */
export function worldHere(system: System): World {
	here ??= lookAround(system);
	return here;
}

function lookAround(system: System): World {
	const uid = system.uid();
	const env = (name: string) => system.env(name) ?? "";
	return { env, home: env("HOME"), passwdHome: system.passwdHome(uid), uid, look: new Resolver(system) };
}

/** What the gate makes of a directory: its real path, or why it does not count. */
export function judgeRoot(system: System, text: Bytes): Root {
	const world = worldHere(system);
	const settings = pathsWithin.fix({}, { roots: [text], home: world.home, own: "" });
	const root = pathsWithin.activate(settings, world)?.roots()[0] ?? { text, from: "", real: "", dropped: "there is no such directory" };
	// TMX_ROOTS is a list with colons between, for whoever asks.
	if (root.dropped === undefined && root.real.includes(":")) return { ...root, dropped: "a colon in its name ends it in TMX_ROOTS" };
	return root;
}

/** Whether a directory is the top of a git checkout: a repository, or the file that leads a worktree or submodule to one (gitrepository-layout(5)). */
function isCheckout(system: System, directory: Bytes): boolean {
	const git = join(directory, ".git");
	if (system.kind(git, true) === "directory") return system.kind(join(git, "HEAD"), false) !== undefined;
	return (system.read(git, 4096) ?? "").startsWith("gitdir:");
}

/** The top of the checkout that holds a directory; undefined outside of one. */
function checkoutOf(system: System, directory: Bytes): Bytes | undefined {
	for (let at = directory; ; at = parentOf(at)) {
		if (isCheckout(system, at)) return at;
		if (at === "/" || at === "") return undefined;
	}
}

/** The directories that the command line names; an error names the first that does not count. */
function given(system: System, texts: readonly Bytes[]): SessionRoot[] | { wrong: string } {
	const roots: SessionRoot[] = [];
	for (const text of texts) {
		const root = judgeRoot(system, absolute(system, text));
		if (root.dropped !== undefined) return { wrong: `--root ${quote(text)} does not count: ${root.dropped}` };
		roots.push({ real: root.real, from: "--root" });
	}
	return roots;
}

/** Without one that is named: the checkout that we stand in, else the working directory. */
function standing(system: System): SessionRoot[] | { wrong: string } {
	const here = system.real(".", true) ?? "";
	const hint = "name the directory that the session may change: tmx wrap --root DIR -- COMMAND";
	if (here === "") return { wrong: `the working directory is gone; ${hint}` };
	const top = checkoutOf(system, here);
	if (top !== undefined && judgeRoot(system, top).dropped === undefined) return [{ real: top, from: "git" }];
	const { dropped, real } = judgeRoot(system, here);
	if (dropped !== undefined) return { wrong: `${quote(here)}, the working directory, does not count: ${dropped}; ${hint}` };
	return [{ real, from: "the working directory" }];
}

/** The scratch directory that the environment names; one that does not count is worth a word and no more. */
function scratch(system: System): Roots {
	const text = system.env("TMPDIR") ?? "";
	if (text === "") return { roots: [], notes: [] };
	const { dropped, real } = judgeRoot(system, text);
	if (dropped !== undefined) return { roots: [], notes: [`TMPDIR, ${quote(text)}, is none of the session's directories: ${dropped}`] };
	return { roots: [{ real, from: "TMPDIR" }], notes: [] };
}

/** Each directory once; one within another adds nothing but a name that may not be removed. */
const once = (roots: SessionRoot[]) => roots.filter(({ real }, k) => roots.findIndex((other) => other.real === real) === k);

/**
 * The directories of a session: those that are given, else the checkout or the working directory; and the scratch directory.
 * @param outer what each session around this one allows; nothing beyond that is granted
 */
export function rootsFor(system: System, texts: readonly Bytes[], outer: readonly Bytes[][]): Roots | { wrong: string } {
	const named = texts.length > 0 ? given(system, texts) : standing(system);
	if ("wrong" in named) return named;
	const { roots: more, notes } = scratch(system);
	const within = ({ real }: SessionRoot) => outer.every((allowed) => allowed.some((root) => real === root || isBelow(real, root)));
	const beyond = named.find((root) => !within(root));
	if (beyond !== undefined) {
		const first = outer[0]?.[0];
		const hint = first === undefined ? "" : `: name a directory below ${quote(first)} with --root`;
		const why = "lies outside of the session that this is within, and a session within another can only be narrower";
		return { wrong: `${quote(beyond.real)} ${why}${hint}` };
	}
	return { roots: once([...named, ...more.filter(within)]), notes };
}
