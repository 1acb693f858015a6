// One hook event's world: the policies, the roots, what is protected, and the files as the command line changes them.

import type { Choice } from "../guardfile/choose.ts";
import type { Readers } from "../guardfile/readers.ts";
import type { Bytes } from "../policy/bytes.ts";
import type { Implementation } from "../policy/call.ts";
import type { Root, ToolPolicy, World } from "../policy/policy.ts";
import type { Facts } from "../shell/facts.ts";
import { implementationOf, realTool } from "../sys/find-tool.ts";
import type { System } from "../sys/system.ts";
import { FutureFiles } from "./files.ts";
import { type Change, Future } from "./future.ts";
import { type Policies, settingsOf } from "./policies.ts";
import { Protected } from "./protected.ts";

/** What to do about an operand that nobody can know from the text, where no shim will see it. */
export type OnUnknown = "pass" | "ask" | "deny";

/** A line with more links that perhaps come or go is trying something. */
const MOST_FUTURES = 8;

export class Session {
	readonly policies: Policies;
	readonly protection: Protected;
	/** The real path of the directory that the agent stands in; "" when it is not known. */
	readonly directory: Bytes;
	#settings: Bytes[] | undefined;
	readonly #implementations = new Map<string, Implementation>();
	/** The operand readers that are at hand. */
	readers: Readers = new Map();
	#futures: Future[];
	#hasJudged = false;
	#left: (() => void) | undefined;

	constructor(
		readonly system: System,
		readonly choice: Choice,
		readonly world: World,
		readonly cwd: Bytes | undefined,
		policies: Policies,
	) {
		this.policies = policies;
		this.#futures = [new Future(world, new FutureFiles(system))];
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

	/** How the file system may look when the next call runs. */
	get futures(): readonly Future[] {
		this.#settle();
		return this.#futures;
	}

	/** Those in which something happens that is only done when earlier commands end so; all of them where that is none. */
	futuresAfter(after: Facts | undefined): readonly Future[] {
		const { futures } = this;
		if (after === undefined) return futures;
		const allowed = futures.filter((future) => future.allows(after));
		return allowed.length === 0 ? futures : allowed;
	}

	/** What the files are when the line begins. */
	get files(): FutureFiles {
		return (this.futures[0] as Future).files;
	}

	/** Whether a call of a guarded tool was judged before, which may have changed something. */
	get hasJudged(): boolean {
		this.#settle();
		return this.#hasJudged;
	}

	/** What a call leaves is worked out when the next one is judged: most lines have one. */
	later(leave: () => void): void {
		this.#settle();
		this.#left = leave;
	}

	#settle(): void {
		const leave = this.#left;
		if (leave === undefined) return;
		this.#left = undefined;
		leave();
		this.#hasJudged = true;
		if (this.#futures.length > 1) this.#join();
	}

	/** Futures that are alike are one. */
	#join(): void {
		const kept: Future[] = [];
		for (const future of this.#futures) if (!kept.some((one) => one.takes(future))) kept.push(future);
		this.#futures = kept;
	}

	/**
	 * A call changes something in a future; where that is not sure, it may stay as it was.
	 * @param told the number of the call where it works only if it does that; `alone` where it also does that only if it works
	 */
	comes(future: Future, change: Change, sure: boolean, told: { step: number; alone: boolean }, roots: readonly Root[]): void {
		if (!sure && this.#futures.length >= MOST_FUTURES) this.#comesToMany(future, change, roots);
		else {
			const other = sure ? undefined : future.fork();
			future.change(change);
			if (told.alone) future.tell(told.step, true);
			if (other === undefined) return;
			other.tell(told.step, false);
			this.#futures.push(other);
		}
	}

	/** Where it would make too many futures, nothing goes, and the worse of two links counts. */
	#comesToMany(future: Future, { links }: Change, roots: readonly Root[]): void {
		const worse = links.filter(([at, to]) => {
			const other = future.files.readlink(at);
			return other === undefined || future.harm(at, other, roots) < future.harm(at, to, roots);
		});
		future.change({ links: worse, taken: [], directories: [] });
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
