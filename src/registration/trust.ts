// Whether Codex will run a hook: it skips one in silence until the person has trusted it, by a hash of what the entry says.

import { createHash } from "node:crypto";

/** What became of the trust; `unknown` where we cannot read what Codex wrote. */
export type Trust = "trusted" | "untrusted" | "changed" | "off" | "unknown";

/** Sections of a TOML file by their headers, each with its lines `name = value` as they are written. */
function sections(toml: string): Map<string, Map<string, string>> {
	const found = new Map<string, Map<string, string>>();
	let lines = new Map<string, string>();
	found.set("", lines);
	for (const line of toml.split(/\r?\n/)) {
		const header = /^\s*\[([^[].*?)\]\s*(?:#.*)?$/.exec(line)?.[1];
		const pair = /^\s*([\w.-]+)\s*=\s*(.*?)\s*$/.exec(line);
		if (header !== undefined) {
			lines = new Map();
			found.set(header.trim(), lines);
		} else if (pair) lines.set(pair[1] as string, (pair[2] as string).replace(/\s+#.*$/, ""));
	}
	return found;
}

/** The hash that Codex 0.171 makes of an entry; undefined when something stands in it that we do not know. */
export function hashOf(matcher: string | undefined, hook: Readonly<Record<string, unknown>>, event = "pre_tool_use"): string | undefined {
	const { type, command, timeout = 600, ...more } = hook;
	if (type !== "command" || typeof command !== "string" || Object.keys(more).length > 0) return undefined;
	const entry = {
		event_name: event,
		hooks: [{ async: false, command, timeout, type }],
		...(matcher === undefined ? {} : { matcher }),
	};
	return `sha256:${createHash("sha256").update(JSON.stringify(entry)).digest("hex")}`;
}

/** The header of the section in which Codex keeps what it knows of a hook. */
const headerOf = (file: string, [group, hook]: readonly [number, number]) =>
	`hooks.state.${JSON.stringify(`${file}:pre_tool_use:${group}:${hook}`)}`;

/**
 * What config.toml says of a hook.
 * @param files the names under which Codex may know the file that the hook stands in
 */
export function trustOf(toml: string, files: readonly string[], at: readonly [number, number], hash: string | undefined): Trust {
	const all = sections(toml);
	const own = files.map((file) => all.get(headerOf(file, at))).find((lines) => lines !== undefined);
	const features = all.get("features");
	if (features?.get("hooks") === "false" || features?.get("codex_hooks") === "false" || own?.get("enabled") === "false") return "off";
	if (own === undefined) return files.some((file) => toml.includes(`${file}:pre_tool_use:`)) ? "unknown" : "untrusted";
	const written = /^["'](.*)["']$/.exec(own.get("trusted_hash") ?? "")?.[1];
	if (written === undefined) return "untrusted";
	if (hash === undefined) return "unknown";
	return written === hash ? "trusted" : "changed";
}
