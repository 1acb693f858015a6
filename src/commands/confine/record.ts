// What the monitor stopped, as a record of the audit.

import { append, type Entry, uuid7 } from "../../audit.ts";
import { choosePolicy } from "../../guardfile/choose.ts";
import { fromText, toText } from "../../policy/bytes.ts";
import type { System } from "../../sys/system.ts";
import { VERSION } from "../../version.ts";
import { auditFile } from "../audit/where.ts";
import { note } from "../note.ts";

/** Appends to the audit of the policy that is meant; says once when there is none. */
export class Recorder {
	readonly #path: string | undefined;

	constructor(
		readonly system: System,
		command: string,
	) {
		const choice = choosePolicy(system, undefined);
		const path = "unusable" in choice ? choice : auditFile(system, choice);
		if (typeof path === "object") note(system, command, `nothing is recorded: ${path.unusable}`);
		this.#path = typeof path === "string" ? path : undefined;
	}

	/** Record that a scope was stopped. A failing audit changes nothing. */
	stop(unit: string, reason: string): void {
		if (this.#path === undefined) return;
		const { system } = this;
		const now = Date.now();
		const entry: Entry = {
			id: uuid7(now, system.random()),
			ts: new Date(now).toISOString(),
			version: VERSION,
			decision: "stop",
			door: "monitor",
			tool: "scope",
			argv: [unit],
			cwd: toText(system.real(".", true) ?? ""),
			pid: system.pid(),
			ppid: system.ppid(),
			reason,
		};
		append(system, this.#path, `${fromText(JSON.stringify(entry))}\n`);
	}
}
