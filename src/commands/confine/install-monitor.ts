// The monitor as a service of the user's manager, with the thresholds that are given.

import { totalmem } from "node:os";
import { MONITOR, monitorFile, putFile, systemctl } from "../../confine/units.ts";
import { fromText, quote } from "../../policy/bytes.ts";
import type { System } from "../../sys/system.ts";
import { print } from "../command.ts";
import { binaryOf } from "./binary.ts";
import { unitDirectory } from "./places.ts";
import { internal, type Problem, userError } from "./problem.ts";
import { readThresholds, thresholdOptions } from "./settings.ts";

type Given = { [name in keyof typeof thresholdOptions]?: string | undefined };

/** Write the service and start it. Answers what went wrong. */
export function installMonitor(system: System, given: Given): Problem[] {
	const read = readThresholds(given, totalmem());
	if ("wrong" in read) return [userError(read.wrong)];
	const directory = unitDirectory(system);
	const binary = binaryOf(system);
	if (directory === undefined) return [internal("this user has no home directory for unit files")];
	if (binary === undefined) return [internal("only the compiled binary can be a service")];
	const names = Object.keys(thresholdOptions) as (keyof Given)[];
	const options = names.filter((name) => given[name] !== undefined).map((name) => `--${name}=${given[name]}`);
	const put = putFile(directory, monitorFile(binary, options));
	const shown = quote(fromText(`${directory}/${MONITOR}`));
	if (put === "foreign") return [internal(`${shown} is not tmx's, and stays as it is`)];
	print(system, `${put === "written" ? "wrote" : "there is"} ${shown}\n`);
	const failed = systemctl("daemon-reload") ?? systemctl("enable", MONITOR) ?? systemctl("restart", MONITOR);
	return failed === undefined ? [] : [internal(`${MONITOR} does not run: ${failed}`)];
}
