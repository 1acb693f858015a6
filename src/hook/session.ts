// One hook event's world: the policies, the roots, what is protected, and the files as the command line changes them.

import type { Choice } from "../guardfile/choose.ts";
import type { Bytes } from "../policy/bytes.ts";
import type { Implementation } from "../policy/call.ts";
import type { ActiveGate, Gate, Root, Settings, ToolPolicy, World } from "../policy/policy.ts";
import { isBelow, join, parentOf, Resolver } from "../policy/resolve.ts";
import { implementationOf, realTool } from "../sys/find-tool.ts";
import type { System } from "../sys/system.ts";
import { FutureFiles } from "./files.ts";
import { type Policies, settingsOf } from "./policies.ts";
import { Protected } from "./protected.ts";

/** What to do about an operand that nobody can know from the text, where no shim will see it. */
export type OnUnknown = "pass" | "ask" | "deny";

export class Session {
	readonly policies: Policies;
	readonly files: FutureFiles;
	readonly protection: Protected;
	/** The real path of the directory that the agent stands in; "" when it is not known. */
	readonly directory: Bytes;
	readonly #implementations = new Map<string, Implementation>();
	/** Whether a call of a guarded tool was judged before, which may have changed something. */
	hasJudged = false;
	/** What was found out already: a line has hundreds of calls in the same few directories. */
	readonly #worlds = new Map<Bytes, World>();
	readonly #gates = new Map<string, ActiveGate | undefined>();

	constructor(
		readonly system: System,
		readonly choice: Choice,
		readonly world: World,
		readonly cwd: Bytes | undefined,
		policies: Policies,
	) {
		this.policies = policies;
		this.files = new FutureFiles(system);
		const policy = policies.files() ?? policies.tool("rm");
		const usable = policy === undefined || "unusable" in policy ? undefined : policy;
		this.protection = new Protected(system, choice.directory, usable, world);
		this.directory = cwd === undefined ? "" : (system.real(cwd, true) ?? "");
	}

	/** The world as it is seen from a working directory; one that is not known leaves relative paths unknown. */
	worldAt(cwd: Bytes = "\0"): World {
		const known = this.#worlds.get(cwd);
		if (known !== undefined) return known;
		const world = { ...this.world, look: new Resolver(this.files, cwd) };
		this.#worlds.set(cwd, world);
		return world;
	}

	/** A gate that is switched on for calls in the working directory of `world`; undefined while it is inert. */
	activate(gate: Gate, settings: Settings, world: World): ActiveGate | undefined {
		const key = [gate.name, world.look.cwd, JSON.stringify(settings)].join("\0");
		if (!this.#gates.has(key)) this.#gates.set(key, gate.activate(settings, world));
		return this.#gates.get(key);
	}

	/**
	 * A symbolic link will stand at a real path: whatever was seen before may look otherwise now.
	 * @param sure whether it surely will; if not, and another link stands there, the one counts that leads out of the roots
	 */
	link(at: Bytes, to: Bytes, sure: boolean, roots: readonly Root[]): void {
		const other = sure ? undefined : this.files.readlink(at);
		if (other !== undefined && this.#leadsOut(at, other, roots)) return;
		this.files.link(at, to);
		this.#forget();
	}

	/** Whether a link of this text at a real path leads to no root. */
	#leadsOut(at: Bytes, text: Bytes, roots: readonly Root[]): boolean {
		const to = new Resolver(this.files).target(text.startsWith("/") ? text : join(parentOf(at), text));
		return !roots.some(({ real, dropped }) => dropped === undefined && (to === real || isBelow(to, real)));
	}

	/** A symbolic link that stands there will be gone. */
	unlink(at: Bytes): void {
		if (this.files.unlink(at)) this.#forget();
	}

	#forget(): void {
		this.#worlds.clear();
		this.#gates.clear();
	}

	/** Whose grammar a tool has that would be called by this word. */
	implementation(word: Bytes, policy: ToolPolicy): Implementation {
		const known = this.#implementations.get(word);
		if (known !== undefined) return known;
		const found = word.includes("/") ? { path: word } : realTool(this.system, policy.exec);
		const implementation = found.path === undefined ? "gnu" : implementationOf(this.system, found.path);
		this.#implementations.set(word, implementation);
		return implementation;
	}

	/** Whether a shim will judge the real argv of a tool. */
	hasShim(tool: Bytes): boolean {
		return this.choice.directory !== "" && this.system.kind(`${this.choice.directory}/${tool}`, false) !== undefined;
	}

	/** What a policy says of what is not known. */
	onUnknown(policy: ToolPolicy): OnUnknown {
		return (settingsOf(policy, "on-unknown")[0] ?? "pass") as OnUnknown;
	}

	/** The variables that roots are taken from. */
	rootVariables(): string[] {
		const policies = [this.policies.files(), this.policies.tool("rm")];
		return policies.flatMap((policy) => {
			if (policy === undefined || "unusable" in policy) return [];
			return [...settingsOf(policy, "root-env"), ...settingsOf(policy, "root-parent-env")];
		});
	}
}
