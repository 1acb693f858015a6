// Limits for all tool shells together: a drop-in of agent.slice, and what of it the kernel enforces here.

import { cpus } from "node:os";
import { managerOf, textOf } from "../../confine/manager.ts";
import { propertiesOf, putFile, SLICE, type SliceLimits, sliceFile, systemctl } from "../../confine/units.ts";
import { shareOf } from "../../confine/words.ts";
import { fromText, quote } from "../../policy/bytes.ts";
import type { System } from "../../sys/system.ts";
import { print } from "../command.ts";
import { unitDirectory } from "./places.ts";
import { internal, type Problem, userError } from "./problem.ts";

export const sliceOptions = {
	"tasks-max": { type: "string", valueHint: "N", description: "with --slice: tasks of all tool shells" },
	"memory-max": { type: "string", valueHint: "SIZE", default: "75%", description: "with --slice: memory of all tool shells" },
	"memory-swap-max": { type: "string", valueHint: "SIZE", default: "1G", description: "with --slice: swap of all tool shells" },
	"cpu-weight": { type: "string", valueHint: "1-10000", default: "50", description: "with --slice: against the desktop's 100" },
	"io-weight": { type: "string", valueHint: "1-10000", default: "50", description: "with --slice: against the desktop's 100" },
} as const;

type Given = { [name in keyof typeof sliceOptions]?: string | undefined };

const isSize = (text: string) => text === "infinity" || shareOf(text) !== undefined || /^\d{1,15}[KMGT]?$/.test(text);
const isWeight = (text: string) => /^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= 10_000;
const isCount = (text: string) => text === "infinity" || shareOf(text) !== undefined || /^[1-9]\d{0,9}$/.test(text);

/** Each limit: its option, how it is checked, the controller and the file that enforce it (cgroups v2). */
const LIMITS: readonly [
	property: keyof SliceLimits,
	option: keyof Given,
	isGood: (text: string) => boolean,
	controller: string,
	file: string,
][] = [
	["TasksMax", "tasks-max", isCount, "pids", "pids.max"],
	["MemoryMax", "memory-max", isSize, "memory", "memory.max"],
	["MemorySwapMax", "memory-swap-max", isSize, "memory", "memory.swap.max"],
	["CPUWeight", "cpu-weight", isWeight, "cpu", "cpu.weight"],
	["IOWeight", "io-weight", isWeight, "io", "io.weight"],
];

/** One line a limit: what the manager has, and what the kernel does with it. */
function report(system: System): void {
	const manager = managerOf(system.uid());
	const names = LIMITS.map(([property]) => property);
	const effective = propertiesOf("agent.slice", names) ?? {};
	const delegated = manager ? (textOf(`${manager.mount}${manager.path}/cgroup.controllers`)?.trim().split(" ") ?? []) : [];
	for (const [property, , , controller, file] of LIMITS) {
		const value = textOf(`${manager?.mount}${manager?.path}/agent.slice/${file}`)?.trim();
		const why = delegated.includes(controller)
			? "no tool shell runs, so it stands nowhere yet"
			: `not enforced: the ${controller} controller is not handed to this user's manager (see Delegate= in user@.service, or cgroup v1 holds it)`;
		print(
			system,
			`agent.slice: ${property}=${effective[property] ?? "?"}: ${value === undefined ? why : `the kernel has ${value.split("\n")[0]}`}\n`,
		);
	}
}

/** Write the drop-in, have it read, and say what came of it. Answers what went wrong. */
export function installSlice(system: System, given: Given): Problem[] {
	const directory = unitDirectory(system);
	if (directory === undefined) return [internal("this user has no home directory for unit files")];
	const limits = {} as SliceLimits;
	for (const [property, option, isGood] of LIMITS) {
		const text = given[option] ?? String(Math.max(8192, 128 * cpus().length));
		if (!isGood(text)) return [userError(`--${option} ${quote(fromText(text))} is no value of ${property} (systemd.resource-control(5))`)];
		limits[property] = text;
	}
	const put = putFile(directory, sliceFile(limits));
	if (put === "foreign") return [internal(`${quote(fromText(`${directory}/${SLICE}`))} is not tmx's, and stays as it is`)];
	print(system, `${put === "written" ? "wrote" : "there is"} ${quote(fromText(`${directory}/${SLICE}`))}\n`);
	// A slice that no shell is in has no cgroup, and so no file to read the effective value from.
	const failed = systemctl("daemon-reload") ?? systemctl("start", "agent.slice");
	if (failed !== undefined) return [internal(`it holds from the next login on: ${failed}`)];
	report(system);
	return [];
}
