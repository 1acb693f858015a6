// What Codex knows of our hook, and what the person has to do about it.

import { readFileSync } from "node:fs";
import { type Bytes, toText } from "../../policy/bytes.ts";
import { join } from "../../policy/resolve.ts";
import type { Registration } from "../../registration/agents.ts";
import { type Entry, entriesIn } from "../../registration/entries.ts";
import { readSettings } from "../../registration/file.ts";
import { memberValue, plain, withoutMark } from "../../registration/tree.ts";
import { hashOf, type Trust, trustOf } from "../../registration/trust.ts";
import type { System } from "../../sys/system.ts";
import { note } from "../note.ts";

/** Whether Codex would run an entry; undefined for an agent that asks for no trust. */
export function trustIn(system: System, row: Registration, file: Bytes, entry: Entry): Trust | undefined {
	if (row.agent !== "codex") return undefined;
	let toml = "";
	try {
		toml = readFileSync(Buffer.from(join(row.home(system) ?? "/", "config.toml"), "latin1"), "utf8");
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code !== "ENOENT") return "unknown";
	}
	const matcher = plain(memberValue(entry.group, "matcher"));
	const hash = hashOf(matcher as string | undefined, plain(entry.hook) as Record<string, unknown>);
	const names = [file, system.real(file, false) ?? file].map(toText);
	return trustOf(toml, names, entry.at, hash);
}

/** Say that the hook does nothing yet. */
export function noteOnTrust(system: System, row: Registration, file: Bytes): void {
	if (row.agent !== "codex") return;
	try {
		const { text = "" } = readSettings(system, file);
		const [entry] = entriesIn(row, withoutMark(text).body);
		if (entry && trustIn(system, row, file, entry) === "trusted") return;
	} catch {
		// Then it is not trusted either.
	}
	note(
		system,
		"install",
		'Codex skips a hook without a word until you trust it: start codex, type /hooks, and trust this one, again after each change; "tmx hook --test codex" says whether it is trusted',
	);
}
