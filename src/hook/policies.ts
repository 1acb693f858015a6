// The policies that a hook judges by: of each guarded tool, and of what has no argv.

import { gates } from "../gates/index.ts";
import { builtIn } from "../guardfile/built-in.ts";
import type { Choice } from "../guardfile/choose.ts";
import { isInert, policyOf, type Unusable } from "../guardfile/load.ts";
import { readers } from "../operands/index.ts";
import type { Bytes } from "../policy/bytes.ts";
import type { Operand, Reader } from "../policy/call.ts";
import type { BoundPolicy, BoundRule } from "../policy/judge.ts";
import type { Root, ToolPolicy, World } from "../policy/policy.ts";
import { ENOENT, type System } from "../sys/system.ts";

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

	#load(onDisk: string, held: string): ToolPolicy | Unusable | undefined {
		const { system, choice } = this;
		if (choice.directory === "") return builtIn(held, system);
		const file = system.open(`${choice.directory}/policy/${onDisk}.json`);
		return file === ENOENT ? undefined : policyOf(system, choice.directory, onDisk);
	}

	/** Whether anything is switched on: a policy of a tool, or the one of files. */
	areOn(world: World): boolean {
		const isOn = (policy: ToolPolicy | Unusable | undefined) => policy !== undefined && !("unusable" in policy) && !isInert(policy, world);
		// Nearly always the first one says it, and the others need not be read.
		return isOn(this.files()) || ["rm", "mv", "find", "cp"].some((tool) => isOn(this.tool(tool)));
	}

	readerOf(tool: string): Reader | undefined {
		const policy = this.tool(tool);
		return policy === undefined || "unusable" in policy ? undefined : readers.get(policy.gates[0]?.operands ?? "");
	}
}

/** The roots of a policy's gates. */
export function rootsOf(policy: ToolPolicy, world: World): Root[] {
	return policy.gates.flatMap(({ gate, settings }) => gates.get(gate)?.activate(settings, world)?.roots() ?? []);
}

/** The words of a gate's settings by the name of the option, of all gates of a policy. */
export const settingsOf = (policy: ToolPolicy, option: string): Bytes[] => policy.gates.flatMap(({ settings }) => settings[option] ?? []);

/** Operands that are known already, for what has no argv. */
const given = (operands: Operand[]): Reader => ({ name: "given", read: () => ({ operands, unread: [] }) });

/**
 * A policy bound to code.
 * @param wrap what a tool's reader is made of; with operands in its place nothing is read
 */
export function bound(policies: Policies, policy: ToolPolicy, wrap: ((reader: Reader) => Reader) | Operand[]): BoundPolicy | Unusable {
	const rules: BoundRule[] = [];
	for (const rule of policy.gates) {
		const gate = gates.get(rule.gate);
		const reader = Array.isArray(wrap) ? given(wrap) : readers.get(rule.operands ?? "");
		if (!gate || !reader) return { unusable: `the policy asks for ${gate ? rule.operands : rule.gate}, which this tmx does not have` };
		rules.push({ rule, gate, reader: Array.isArray(wrap) ? reader : wrap(reader) });
	}
	return { policy, rules, readerOf: (tool) => policies.readerOf(tool) };
}
