// tmx check: say what is wrong with guardfiles, and write nothing.

import { readGuard } from "../guardfile/read.ts";
import { fromText } from "../policy/bytes.ts";
import { EXIT } from "../sys/exit.ts";
import { command, print } from "./command.ts";
import { counted, failWith } from "./problems.ts";

export default command({
	args: {},
	operands: {
		name: "FILE...",
		description: "guardfiles, read together as one policy",
		least: 1,
		most: Number.POSITIVE_INFINITY,
		choices: "file",
	},
	run({ system, operands }) {
		const read = readGuard(system, operands.map(fromText));
		if ("problems" in read) return failWith(system, "check", read.problems);
		const { wraps, files } = read.guard;
		const shims = wraps.filter(({ link }) => link !== undefined).length;
		const tools = `${counted(wraps.length, "tool")} (${counted(shims, "shim")})`;
		print(system, `good: ${counted(read.sources.length, "guardfile")}, ${tools}, ${files ? "and files" : "no files"}\n`);
		return EXIT.ok;
	},
});
