// One hook event's world: the policies, the roots, what is protected, and the files as the command line changes them.

import type { Choice } from "../guardfile/choose.ts";
import type { Readers } from "../guardfile/readers.ts";
import type { Bytes } from "../policy/bytes.ts";
import type { Implementation } from "../policy/call.ts";
import type { Root, ToolPolicy, World } from "../policy/policy.ts";
import { implementationOf, realTool } from "../sys/find-tool.ts";
import type { System } from "../sys/system.ts";
import { FutureFiles } from "./files.ts";
import { Future } from "./future.ts";
import { type Policies, settingsOf } from "./policies.ts";
import { Protected } from "./protected.ts";

/** What to do about an operand that nobody can know from the text, where no shim will see it. */
export type OnUnknown = "pass" | "ask" | "deny";

/** A line with more links that perhaps come or go is trying something. */
const MOST_FUTURES = 8;

export class Session {
	readonly policies: Policies;
	/** How the file system may look when the next call runs. */
	readonly futures: Future[];
	readonly protection: Protected;
	/** The real path of the directory that the agent stands in; "" when it is not known. */
	readonly directory: Bytes;
	#settings: Bytes[] | undefined;
	readonly #implementations = new Map<string, Implementation>();
	/** The operand readers that are at hand. */
	readers: Readers = new Map();
	/** Whether a call of a guarded tool was judged before, which may have changed something. */
	hasJudged = false;

	constructor(
		readonly system: System,
		readonly choice: Choice,
		readonly world: World,
		readonly cwd: Bytes | undefined,
		policies: Policies,
	) {
		this.policies = policies;
		this.futures = [new Future(world, new FutureFiles(system))];
		const policy = policies.files() ?? policies.tool("rm");
		const usable = policy === undefined || "unusable" in policy ? undefined : policy;
		this.directory = cwd === undefined ? "" : (system.real(cwd, true) ?? "");
		this.protection = new Protected(system, choice.directory, usable, world, this.directory);
	}

	/** What the session cannot do without: the directory that it works in, and the settings of its hooks. */
	get vital(): { directory: Bytes; files: readonly Bytes[] } {
		this.#settings ??= this.protection.settings();
		return { directory: this.directory, files: this.#settings };
	}

	/** What the files are when the line begins. */
	get files(): FutureFiles {
		return (this.futures[0] as Future).files;
	}

	/** Something becomes of a future; where that is not sure, it may stay as it was. */
	comes(future: Future, sure: boolean, change: (future: Future) => void): void {
		if (!sure) this.futures.push(future.fork());
		change(future);
	}

	/**
	 * A symbolic link will stand at a real path.
	 * @param sure whether it surely will; where that would make too many futures, the worse of two links counts
	 */
	link(future: Future, at: Bytes, to: Bytes, sure: boolean, roots: readonly Root[]): void {
		const other = sure ? undefined : future.files.readlink(at);
		if (other === to) return;
		const isFull = this.futures.length >= MOST_FUTURES;
		if (isFull && other !== undefined && future.harm(at, other, roots) >= future.harm(at, to, roots)) return;
		this.comes(future, sure || isFull, (one) => one.link(at, to));
	}

	/** A symbolic link that stands at a real path will be gone. */
	unlink(future: Future, at: Bytes, sure: boolean): void {
		if (future.files.readlink(at) === undefined) return;
		if (sure || this.futures.length < MOST_FUTURES) this.comes(future, sure, (one) => one.unlink(at));
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
}
