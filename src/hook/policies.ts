// The policies that a hook judges by: of each guarded tool, and of what has no argv.

import { builtIn } from "../guardfile/built-in.ts";
import type { Choice } from "../guardfile/choose.ts";
import { isInert, policyFile, type Unusable } from "../guardfile/load.ts";
import type { Bytes } from "../policy/bytes.ts";
import type { ToolPolicy, World } from "../policy/policy.ts";
import type { System } from "../sys/system.ts";

/** The name of the policy of what has no argv, on disk and in the binary. */
const FILES = { onDisk: "files", builtIn: "" };

export class Policies {
	readonly #known = new Map<string, ToolPolicy | Unusable | undefined>();

	constructor(
		readonly system: System,
		readonly choice: Choice,
	) {}

	/** The policy of a tool, undefined when it is not guarded. */
	of(tool: string): ToolPolicy | Unusable | undefined {
		if (tool === "" || tool.includes("/") || tool === "manifest") return undefined;
		if (!this.#known.has(tool)) this.#known.set(tool, this.#load(tool, tool === FILES.onDisk ? FILES.builtIn : tool));
		return this.#known.get(tool);
	}

	/** The policy of redirections and file tools, undefined when the guardfile has none. */
	files(): ToolPolicy | Unusable | undefined {
		return this.of(FILES.onDisk);
	}

	/** A guarded tool other than the policy of what has no argv. */
	tool(tool: string): ToolPolicy | Unusable | undefined {
		return tool === FILES.onDisk ? undefined : this.of(tool);
	}

	/** The variables that roots are taken from. */
	rootVariables(): string[] {
		const names: string[] = [];
		for (const policy of [this.files(), this.tool("rm")])
			if (policy !== undefined && !("unusable" in policy))
				names.push(...settingsOf(policy, "root-env"), ...settingsOf(policy, "root-parent-env"));
		return names;
	}

	#load(onDisk: string, held: string): ToolPolicy | Unusable | undefined {
		const { system, choice } = this;
		return choice.directory === "" ? builtIn(held, system) : policyFile(system, choice.directory, onDisk);
	}

	/** Whether anything is switched on: a policy of a tool, or the one of files. */
	areOn(world: World): boolean {
		const isOn = (policy: ToolPolicy | Unusable | undefined) => policy !== undefined && !("unusable" in policy) && !isInert(policy, world);
		// Nearly always the first one says it, and the others need not be read.
		return isOn(this.files()) || ["rm", "mv", "find", "cp"].some((tool) => isOn(this.tool(tool)));
	}
}

/** The words of a gate's settings by the name of the option, of all gates of a policy. */
export const settingsOf = (policy: ToolPolicy, option: string): Bytes[] => policy.gates.flatMap(({ settings }) => settings[option] ?? []);
