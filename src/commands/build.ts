// tmx build: guardfiles into policy files and shims, all of them or none.

import { stableBinary } from "../guardfile/binary.ts";
import { auditOf, type Builder, compile } from "../guardfile/compile.ts";
import { diskFailure } from "../guardfile/disk.ts";
import { FLOOR, floorFile } from "../guardfile/floor.ts";
import { install, preview } from "../guardfile/install.ts";
import { MANIFEST } from "../guardfile/manifest.ts";
import { manifestOf } from "../guardfile/manifest-of.ts";
import type { Plan, Wanted } from "../guardfile/plan.ts";
import { type ReadGuard, readGuard } from "../guardfile/read.ts";
import { absolute } from "../guardfile/sources.ts";
import { type Bytes, fromText, quote } from "../policy/bytes.ts";
import { join } from "../policy/resolve.ts";
import { EXIT, message } from "../sys/exit.ts";
import type { System } from "../sys/system.ts";
import { command, fail, print } from "./command.ts";
import { counted, failWith } from "./problems.ts";

function builderOf(system: System): Builder {
	const uid = system.uid();
	const home = system.passwdHome(uid);
	return { uid, home, audit: auditOf((name) => system.env(name), home) };
}

const asFile = (value: unknown): Bytes => `${JSON.stringify(value)}\n`;

/** The files and shims of a guard. */
function wantedOf(system: System, { guard, sources }: ReadGuard, binary: Bytes): Wanted & { tools: number } {
	const compiled = compile(guard, builderOf(system));
	const files = (links: Bytes[]) => {
		const policies = [...compiled.policies].map(([name, policy]) => [`${name}.json`, asFile(policy)] as const);
		const floor = guard.floor === undefined ? [] : [[FLOOR, floorFile(guard.floor)] as const];
		return new Map<Bytes, Bytes>([...policies, ...floor, [MANIFEST, asFile(manifestOf(compiled, links, binary, sources))]]);
	};
	return { links: compiled.links, binary, files, tools: compiled.tools.length };
}

function onPath(system: System, directory: Bytes): boolean {
	const id = system.identity(directory)?.id;
	return (system.env("PATH") ?? "").split(":").some((element) => element.startsWith("/") && system.identity(element)?.id === id);
}

/** What was done, or would be, a line each. */
function report(system: System, out: Bytes, plan: Plan, tools: number, would: boolean): string {
	const lines: string[] = [];
	const names = (list: Bytes[]) => list.map(quote).join(" ");
	const verb = would ? "would " : "";
	if (plan.files) lines.push(`${verb}${would ? "write" : "wrote"} the policy of ${counted(tools, "tool")}: ${quote(join(out, "policy"))}`);
	if (plan.added.length > 0) lines.push(`${verb}${would ? "add" : "added"} shims: ${names(plan.added)}`);
	if (plan.pointed.length > 0) lines.push(`${verb}${would ? "point" : "pointed"} shims at this tmx: ${names(plan.pointed)}`);
	if (plan.removed.length > 0) lines.push(`${verb}${would ? "remove" : "removed"} shims: ${names(plan.removed)}`);
	if (lines.length === 0) lines.push(`nothing to do: ${quote(out)} is as the guardfile has it`);
	if (plan.left.length > 0) lines.push(`left alone, since they are no links to tmx any more: ${names(plan.left)}`);
	if (!would && !onPath(system, out)) lines.push(`next: put ${quote(out)} first on PATH`);
	return `${lines.join("\n")}\n`;
}

/** Say every conflict; nothing was written. */
function conflicts(system: System, plan: Plan): number {
	const words = [...plan.conflicts, "nothing was written"];
	system.write(2, fromText(words.map((one) => message("build", "user_error", one)).join("")));
	return EXIT.user_error;
}

function build(system: System, read: ReadGuard, out: Bytes, would: boolean): number {
	const binary = stableBinary(system);
	const wanted = wantedOf(system, read, binary);
	if (binary === "" && wanted.links.length > 0) {
		return fail(system, "build", "user_error", "shims point at the compiled binary, and this tmx runs from its sources");
	}
	const kind = system.kind(out, true);
	if (kind !== undefined && kind !== "directory") return fail(system, "build", "user_error", `${quote(out)} is not a directory`);
	try {
		const plan = would ? preview(system, out, wanted) : install(system, out, wanted);
		if (plan === "busy") return fail(system, "build", "internal", `another build works on ${quote(out)} and does not end`);
		if (plan.conflicts.length > 0) return conflicts(system, plan);
		print(system, report(system, out, plan, wanted.tools, would));
		return EXIT.ok;
	} catch (error) {
		const failure = diskFailure(error);
		if (failure === undefined) throw error;
		return fail(system, "build", failure.callers ? "user_error" : "internal", `${quote(out)}: ${failure.words}; nothing was written`);
	}
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
	},
	run({ system, args, operands }) {
		const read = readGuard(system, operands.map(fromText));
		if ("problems" in read) return failWith(system, "build", read.problems, "nothing was written");
		const out = absolute(system, fromText(String(args.out))).replace(/(?<=.)\/+$/, "");
		return build(system, read, out, args.check === true);
	},
});
