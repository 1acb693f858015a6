// What stands for the guard itself: its policy, shims, binary and audit, and the settings that name its hook; no gate's root opens them.

import { auditPath } from "../audit.ts";
import type { Bytes } from "../policy/bytes.ts";
import type { Operand } from "../policy/call.ts";
import type { ToolPolicy, World } from "../policy/policy.ts";
import { baseOf, isBelow, join, parentOf, type Resolver } from "../policy/resolve.ts";
import type { Evidence } from "../policy/verdict.ts";
import type { System } from "../sys/system.ts";

/** Where agents keep the settings that name hooks, below a home or a project (the agents' documentation). */
const SETTINGS = [
	"/.claude/settings.json",
	"/.claude/settings.local.json",
	"/.codex/config.toml",
	"/.codex/hooks.json",
	"/.gemini/settings.json",
	"/.cursor/hooks.json",
	"/.copilot/hooks",
	"/.github/hooks",
	"/.opencode/plugin",
	"/.opencode/plugins",
	"/.config/opencode/plugin",
	"/.config/opencode/plugins",
	"/.config/opencode/opencode.json",
];

/** Whether a path is one of them, or below one. All of them have a name that starts with a dot, and few other paths do. */
const isSetting = (path: Bytes) => path.includes("/.") && SETTINGS.some((place) => path.endsWith(place) || path.includes(`${place}/`));

const SETTLED = "it is where an agent's hooks are set up";

/** No settings are longer. */
const MOST_READ = 1 << 20;

const isOrBelow = (path: Bytes, directory: Bytes) => path === directory || isBelow(path, directory);

/** Whether acting on a path takes away what lies below it. */
const takesTree = ({ operand }: Evidence) => {
	const { role, self, below } = operand;
	return role === "removed" || role === "moved" || (role === "started" && !self) || below !== undefined;
};

export class Protected {
	readonly #system: System;
	readonly #directory: Bytes;
	readonly #files: Bytes[] = [];
	/** Below which agents keep the settings of this session. */
	readonly #places: Bytes[];

	constructor(system: System, directory: Bytes, policy: ToolPolicy | undefined, world: World, project: Bytes) {
		this.#places = [project, world.home];
		this.#system = system;
		const real = (path: Bytes) => (path === "" ? "" : (system.real(path, false) ?? path));
		this.#directory = real(directory);
		const audit = policy === undefined ? "" : auditPath(policy, world.uid, world.passwdHome);
		// Where the binary and the audit lie others lie too, so these are files.
		for (const path of [real(audit), real("/proc/self/exe")]) if (path !== "") this.#files.push(path);
	}

	/** Whether a path is one of ours, or an older file of the audit beside it. */
	#isOurs(path: Bytes): boolean {
		if (this.#directory !== "" && isOrBelow(path, this.#directory)) return true;
		for (const file of this.#files)
			if (path === file || (path.startsWith(`${file}.`) && /^\d+$/.test(path.slice(file.length + 1)))) return true;
		return false;
	}

	#holdsOurs(path: Bytes): boolean {
		if (this.#directory !== "" && isBelow(this.#directory, path)) return true;
		for (const file of this.#files) if (isBelow(file, path)) return true;
		return false;
	}

	/** The settings of the project and of the home, by their real paths. */
	#settings(): Bytes[] {
		return this.#places.flatMap((directory) => (directory === "" ? [] : SETTINGS.map((place) => directory + place)));
	}

	/** Those of them that are there. */
	settings(): Bytes[] {
		return this.#settings().filter((path) => this.#system.kind(path, false) !== undefined);
	}

	/** Whether a path is the directory of such settings, and they are there. */
	#holdsSettings(path: Bytes): boolean {
		if (!path.includes("/.")) return false;
		return SETTINGS.some((place) => path.endsWith(parentOf(place)) && this.#system.kind(`${path}/${baseOf(place)}`, false) !== undefined);
	}

	/** Whether a starting point is one of such a directory, or what is done there asks for one of them by its name. */
	#isAskedFor(resolved: Bytes, reaches: NonNullable<Operand["reaches"]>, path: Bytes): boolean {
		const reached = reaches(path);
		if (reached?.named || (reached && this.#holdsSettings(resolved) && this.#system.kind(path, false) !== undefined)) return true;
		const directory = reaches(parentOf(path));
		return directory?.named === true && directory.goes && this.#system.kind(path, false) !== undefined;
	}

	/** Whether a tree that is put over another one holds other settings than those that stand there. */
	#isReplaced(resolved: Bytes, trees: readonly Bytes[], look: Resolver): boolean {
		return this.#settings().some((path) => {
			if (!isBelow(path, resolved)) return false;
			const now = this.#system.read(path, MOST_READ);
			return trees.some((tree) => {
				const other = join(tree, path.slice(resolved.length + 1));
				return look.kind(other, true) !== undefined && (now === undefined || look.read(other, MOST_READ) !== now);
			});
		});
	}

	/** What is protected below a directory and there: under a second name it is the same file. */
	below(directory: Bytes): Bytes[] {
		const settings = [...this.settings(), ...SETTINGS.flatMap((place) => [directory + place, parentOf(directory) + place])];
		const all = new Set([this.#directory, ...this.#files, ...settings]);
		return [...all].filter((path) => isBelow(path, directory) && this.#system.kind(path, false) !== undefined);
	}

	/** Why an operand may not be touched although its gate lets it pass; undefined when it may. @param look how the call sees the files */
	why(evidence: Evidence, look: Resolver): string | undefined {
		const { resolved } = evidence;
		if (this.#isOurs(resolved) || (takesTree(evidence) && this.#holdsOurs(resolved))) return "it belongs to the guard itself";
		const { role, reaches, deep } = evidence.operand;
		// Who takes all files of a project means none of them; who asks for names means those.
		if (reaches && this.#settings().some((path) => this.#isAskedFor(resolved, reaches, path))) return SETTLED;
		const goes = role === "removed" || role === "moved" || (deep !== undefined && deep.like === undefined);
		if (role !== "started" && (isSetting(resolved) || (goes && this.#holdsSettings(resolved)))) return SETTLED;
		if (role === "written" && deep?.like !== undefined && this.#isReplaced(resolved, deep.like, look)) return SETTLED;
		return undefined;
	}
}

/** Variables whose value decides where the guard stands or whether it does. */
const GUARDING = [
	"BASH_ENV",
	"ZDOTDIR",
	"TMX_ZDOTDIR",
	"TMX_BASH_ENV",
	"CLAUDE_ENV_FILE",
	"CONFINE_TOOL_SHELL",
	"TMX_SESSION",
	"TMX_ROOTS",
];

/** Why a command may not set a variable; undefined when it may. @param variables the ones that the policy takes roots from */
export function whyNotAssigned(name: string, variables: readonly string[]): string | undefined {
	if (variables.includes(name) || name === "TMX_ROOTS") return "the session's directories are taken from it";
	if (GUARDING.includes(name) || name.startsWith("BUN_")) return "it decides how the guard starts";
	return undefined;
}
