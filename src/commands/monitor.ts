// tmx monitor: stops tool shells' scopes that are empty, and those that go over a threshold that somebody set.

import { statfsSync } from "node:fs";
import { homedir, totalmem } from "node:os";
import { setTimeout } from "node:timers/promises";
import { type Manager, textOf } from "../confine/manager.ts";
import { type Scope, scopesOf } from "../confine/scopes.ts";
import { dropEmpty, type Ended, stopScope } from "../confine/stop.ts";
import { causesOf, History, type Moment, type Thresholds } from "../confine/thresholds.ts";
import { EXIT } from "../sys/exit.ts";
import type { System } from "../sys/system.ts";
import { command, fail, print } from "./command.ts";
import { managerHere } from "./confine/here.ts";
import { Recorder } from "./confine/record.ts";
import { monitorOptions, readThresholds } from "./confine/settings.ts";

/** A scope is empty for a moment before its shell is moved into it. */
const YOUNG_S = 2;
const GRACE_MS = 5000;

function momentNow(): Moment {
	const { bavail, bsize } = statfsSync(homedir());
	const waits = /^some avg10=([\d.]+)/.exec(textOf("/proc/pressure/memory") ?? "")?.[1];
	return { at: performance.now(), pressure: Number(waits ?? 0) / 100, diskFree: bavail * bsize };
}

class Monitor {
	readonly #history = new History();
	readonly #record: Recorder;

	constructor(
		readonly system: System,
		readonly manager: Manager,
		readonly set: Thresholds,
	) {
		this.#record = new Recorder(system, "monitor");
	}

	/** Say and record what was done, or why it could not be. */
	#said({ unit, command: line }: Scope, why: string, allow: string, ended: Ended): void {
		if (typeof ended === "object") {
			fail(this.system, "monitor", "internal", `${unit} ${why}, and stays: ${"no" in ended ? ended.no : ended.failed}`);
			return;
		}
		if (ended === "gone") return;
		const about = line === "" ? "" : ` (${line.slice(0, 200)})`;
		const reason = `${why}; ${allow}`;
		print(this.system, `tmx: monitor: stopped ${unit}${about}: it ${reason}\n`);
		this.#record.stop(unit, reason);
	}

	/** Look once, and act. */
	async look(): Promise<void> {
		// We may run in a tool shell ourselves.
		const scopes = scopesOf(this.manager).filter(({ pids }) => !pids.includes(process.pid));
		const moment = momentNow();
		this.#history.note(scopes, moment.at, this.set.over);
		for (const scope of scopes) {
			if (scope.pids.length > 0 || scope.age < YOUNG_S) continue;
			this.#said(scope, "was empty", "a scope is made anew for each tool shell", dropEmpty(scope.unit, this.manager));
		}
		for (const { scope, why, allow } of causesOf(scopes, this.set, moment, this.#history)) {
			this.#said(scope, why, `to allow more, give the monitor a larger ${allow}`, await stopScope(scope.unit, this.manager, GRACE_MS));
		}
	}
}

export default command({
	args: monitorOptions,
	async run({ system, args }) {
		const set = readThresholds(args, totalmem());
		if ("wrong" in set) return fail(system, "monitor", "user_error", set.wrong);
		const manager = managerHere(system, "monitor");
		if (typeof manager === "number") return manager;
		const monitor = new Monitor(system, manager, set.thresholds);
		do {
			await monitor.look();
			if (!args.once) await setTimeout(set.every);
		} while (!args.once);
		return EXIT.ok;
	},
});
