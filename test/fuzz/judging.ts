// The verdict of a case: judged by the sources in this process, as the shim does it and as whoever knows the working directory does it.

import { bind } from "../../src/guardfile/load.ts";
import { readers } from "../../src/operands/index.ts";
import { type BoundPolicy, judge } from "../../src/policy/judge.ts";
import type { ToolPolicy } from "../../src/policy/policy.ts";
import { Resolver } from "../../src/policy/resolve.ts";
import type { Verdict } from "../../src/policy/verdict.ts";
import { system } from "../../src/sys/index.ts";
import type { Case } from "./case.ts";

/** The readers that have another name than their tool. */
const READERS: Record<string, string> = { rm: "positional", unlink: "positional", mv: "positional-and-target" };

/** Every tool that is guarded: what `find -exec` runs is read by its own reader. */
const GUARDED = "rm rmdir unlink shred mv find truncate cp ln install tee dd touch mkdir chmod chown chgrp rsync".split(" ");

const HOME = "/fz/c/H";

/** The policy of a tool, as a guardfile without fixed roots would have it. */
export function policyOf(tool: string, exec: string): ToolPolicy {
	const settings = { "root-env": ["TMX_ROOTS"], "root-parent-env": ["TMX_PARENT"] };
	const rule = { gate: "paths-within", line: 1, settings, operands: READERS[tool] ?? tool };
	return { format: 1, tool, exec, guardfile: "fuzz.kdl", gates: [rule], audit: "", uid: 0, home: "/root" };
}

function boundOf(tool: string): BoundPolicy {
	const bound = bind(policyOf(tool, "true"), readers, (other) =>
		GUARDED.includes(other) ? readers.get(READERS[other] ?? other) : undefined,
	);
	if ("unusable" in bound) throw new Error(bound.unusable);
	return bound;
}

export const environmentOf = (found: Case) => ({ HOME, ...found.env });

/** Judge a case in its working directory, which is this process's. */
export function verdictOf(found: Case, cwd: string): Verdict {
	const env = (name: string) => (environmentOf(found) as Record<string, string>)[name] ?? "";
	const call = {
		tool: found.tool,
		argv: found.argv,
		cwd,
		posix: found.env.POSIXLY_CORRECT !== undefined,
		implementation: "gnu" as const,
		env,
	};
	const world = { env, home: HOME, passwdHome: "/root", uid: 0, look: new Resolver(system, cwd) };
	return judge(boundOf(found.tool), call, world);
}

export { GUARDED };
