// tmx build: guardfiles into policy files and shims, all of them or none.

import { readGuard } from "../guardfile/read.ts";
import { absolute } from "../guardfile/sources.ts";
import { type Bytes, fromText, quote } from "../policy/bytes.ts";
import type { System } from "../sys/system.ts";
import { buildInto } from "./build/into.ts";
import { command, print } from "./command.ts";
import { failAll } from "./confine/problem.ts";
import { failWith } from "./problems.ts";

function onPath(system: System, directory: Bytes): boolean {
	const id = system.identity(directory)?.id;
	return (system.env("PATH") ?? "").split(":").some((element) => element.startsWith("/") && system.identity(element)?.id === id);
}

export default command({
	args: {
		out: { type: "string", description: "the directory of the shims and of policy/", valueHint: "DIR", required: true },
		check: { type: "boolean", description: "write nothing, and say what would change" },
	},
	operands: {
		name: "FILE...",
		description: "guardfiles, read together as one policy; else ~/.config/tmx/*.kdl, else the built-in one",
		least: 0,
		most: Number.POSITIVE_INFINITY,
		choices: "file",
	},
	run({ system, args, operands }) {
		const read = readGuard(system, operands.map(fromText));
		if ("problems" in read) return failWith(system, "build", read.problems, "nothing was written");
		const out = absolute(system, fromText(String(args.out))).replace(/(?<=.)\/+$/, "");
		const would = args.check === true;
		const problems = buildInto(system, read, out, would);
		if (problems.length === 0 && !would && !onPath(system, out)) print(system, `next: put ${quote(out)} first on PATH\n`);
		return failAll(system, "build", problems);
	},
});
