// One hook event's world: the policies, the roots, what is protected, and the files as the command line changes them.

import type { Choice } from "../guardfile/choose.ts";
import type { Bytes } from "../policy/bytes.ts";
import type { Implementation } from "../policy/call.ts";
import type { ToolPolicy, World } from "../policy/policy.ts";
import { Resolver } from "../policy/resolve.ts";
import { implementationOf, realTool } from "../sys/find-tool.ts";
import type { System } from "../sys/system.ts";
import { FutureFiles } from "./files.ts";
import { type Policies, settingsOf } from "./policies.ts";
import { Protected } from "./protected.ts";

/** What to do about an operand that nobody can know from the text, where no shim will see it. */
export type OnUnknown = "pass" | "ask" | "deny";

/** What the gates see: this process's environment and user. */
export function worldOfText(system: System): World {
	const uid = system.uid();
	const env = (name: string) => system.env(name) ?? "";
	return { env, home: env("HOME"), passwdHome: system.passwdHome(uid), uid, look: new Resolver(system) };
}

export class Session {
	readonly policies: Policies;
	readonly files: FutureFiles;
	readonly protection: Protected;
	/** The real path of the directory that the agent stands in; "" when it is not known. */
	readonly directory: Bytes;
	readonly #implementations = new Map<string, Implementation>();

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

	/** The file system from a working directory; one that is not known leaves relative paths unknown. */
	look(cwd: Bytes | undefined): Resolver {
		return new Resolver(this.files, cwd ?? "\0");
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
