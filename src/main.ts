// The executed name decides: a guarded tool's name is its shim, `tmx` is the command line.

import { compiled } from "#ffi";
import type { Bytes } from "./policy/bytes.ts";
import { baseOf } from "./policy/resolve.ts";
import { runShim, type Shim } from "./shim.ts";
import { system } from "./sys/index.ts";

/** The name of the command line, also with a version or a platform behind it. */
const isTmx = (name: Bytes) => name === "tmx" || name.startsWith("tmx-");

const shimOf = (path: Bytes, skip: number): Shim => {
	const slash = path.lastIndexOf("/");
	return { tool: baseOf(path), directory: slash < 0 ? "." : path.slice(0, slash) || "/", skip };
};

/** A descriptor that was executed (fexecve(3)) has no name of its own; then what the caller says is all there is. */
function isDescriptor(path: Bytes): boolean {
	const [, top, second, third] = path.split("/");
	return top === "dev" ? second === "fd" : top === "proc" && third === "fd";
}

/** Which shim this process is; undefined for the command line. */
function dispatch(): Shim | undefined {
	if (!compiled) {
		// Sources under a runtime have no name of their own: `main.ts shim DIR/TOOL ARG...` says which they act as.
		const at = system.argv.findIndex((word) => word.endsWith("/main.ts") || word === "main.ts");
		return at > 0 && system.argv[at + 1] === "shim" ? shimOf(system.argv[at + 2] ?? "", at + 2) : undefined;
	}
	const executed = system.executed();
	const name = baseOf(executed);
	if (executed === "" || isDescriptor(executed)) {
		const said = system.argv[0] ?? "";
		return isTmx(baseOf(said)) ? undefined : shimOf(said, 0);
	}
	return isTmx(name) ? undefined : shimOf(executed, 0);
}

/** The words behind `tmx`, without what the kernel and a runtime put in front. */
function ownWords({ argv }: typeof system): Bytes[] {
	return argv.slice(compiled ? 1 : argv.findIndex((word) => word.endsWith("main.ts")) + 1);
}

/** What a person asks of `tmx hook`; an agent does not, and for its sake a word that is not known is a refusal. */
const PERSONS = ["--help", "-h", "--test", "--json"];

function isOfAgent(words: readonly Bytes[]): boolean {
	if (words[0] !== "hook") return false;
	for (const word of words) if (PERSONS.includes(word)) return false;
	return true;
}

const shim = dispatch();
if (shim) process.exit(await runShim(system, shim));
// An agent waits for its hook at each step, so it has a way of its own past the command line.
const own = ownWords(system);
const wrapped = own[0] === "wrap" ? await (await import("./launch/door.ts")).startOf(system, own.slice(1)) : undefined;
if (wrapped !== undefined) process.exit(wrapped);
if (isOfAgent(own)) {
	process.exit(await (await import("./hook.ts")).runHook(system, own.slice(1)));
} else process.exit(await (await import("./commands/index.ts")).main(system));
