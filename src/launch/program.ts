// The program that COMMAND names, as execvp(3) finds it and env(1) says that it cannot.

import { type Bytes, quote } from "../policy/bytes.ts";
import { join } from "../policy/resolve.ts";
import { kindOf } from "../sys/mode.ts";
import type { System } from "../sys/system.ts";

/** Where to look when PATH is unset (confstr(3), _CS_PATH). */
const DEFAULT_PATH = "/bin:/usr/bin";

/** The path of a program, or why there is none. */
export type Program = { path: Bytes } | { missing: "not_found" | "not_runnable"; why: string };

/** Whether a path leads to a program that this user may run. */
function stateOf(system: System, path: Bytes): "runs" | "blocked" | "none" {
	const file = system.identity(path);
	if (file === undefined) return "none";
	return kindOf(file.mode) !== "directory" && system.executable(path) ? "runs" : "blocked";
}

/** @param path the value of PATH */
export function programOf(system: System, word: Bytes, path: Bytes | undefined): Program {
	const blocked = (at: Bytes): Program => ({
		missing: "not_runnable",
		why: `${quote(at)} cannot be executed: it is no program, or this user may not run it`,
	});
	if (word.includes("/")) {
		const state = stateOf(system, word);
		if (state === "none") return { missing: "not_found", why: `${quote(word)} does not exist` };
		return state === "runs" ? { path: word } : blocked(word);
	}
	let seen: Bytes | undefined;
	for (const directory of word === "" ? [] : (path ?? DEFAULT_PATH).split(":")) {
		const at = join(directory === "" ? "." : directory, word);
		const state = stateOf(system, at);
		if (state === "runs") return { path: at };
		if (state === "blocked" && kindOf(system.identity(at)?.mode ?? 0) === "file") seen ??= at;
	}
	return seen === undefined ? { missing: "not_found", why: `there is no ${quote(word)} on PATH` } : blocked(seen);
}
