// Sandboxes that are made of mounts, which the kernel forbids under any floor (Landlock, EPERM of mount(2)): who has one, and whether it is on.

import { type Bytes, quote } from "../../policy/bytes.ts";
import { baseOf, join } from "../../policy/resolve.ts";
import type { System } from "../../sys/system.ts";

/** A sandbox that is on. */
export type Sandbox = {
	/** In words. */
	what: string;
} & (
	| {
			/** The command with it switched off. */
			without: readonly Bytes[];
	  }
	| {
			/** What a person can do. */
			hint: string;
	  }
);

/** No settings that a person wrote are longer. */
const LIMIT = 1 << 20;

/** Programs that are a sandbox, whatever they run. */
const PROGRAMS: readonly string[] = ["bwrap", "srt", "flatpak", "firejail", "podman", "nsjail"];

/** What a word or the next one gives an option, in the spellings of getopt and clap: `-s V`, `-sV`, `--name V`, `--name=V`; the last counts. */
function givenFor(words: readonly Bytes[], long: string, short?: string): Bytes | undefined {
	let value: Bytes | undefined;
	for (let at = 1; at < words.length; at++) {
		const word = words[at] as Bytes;
		if (word === "--") break;
		if (word === long || word === short) value = words[at + 1];
		else if (word.startsWith(`${long}=`)) value = word.slice(long.length + 1);
		else if (short !== undefined && word.startsWith(short) && !word.startsWith("--")) value = word.slice(short.length).replace(/^=/, "");
	}
	return value;
}

const OFF = "danger-full-access";

/** A value of a TOML document's top level, or of `-c NAME=VALUE`: quotes taken away. */
const unquoted = (value: Bytes | undefined) => value?.trim().replace(/^(["'])(.*)\1$/, "$2");

/** Codex: its sandbox is on unless something says otherwise; an option wins over `-c`, and that over the file. */
function codex(system: System, command: readonly Bytes[]): Sandbox | undefined {
	if (command.some((word) => word === "--dangerously-bypass-approvals-and-sandbox" || word === "--yolo")) return undefined;
	const option = command.includes("--full-auto") ? "workspace-write" : givenFor(command, "--sandbox", "-s");
	if (option === OFF) return undefined;
	if (option !== undefined)
		return { what: `codex is told to use its own sandbox (${quote(option)})`, hint: "take that word away, or use --no-floor" };
	const settings = command.flatMap((word, k) =>
		word === "-c" || word === "--config" ? [command[k + 1] ?? ""] : word.startsWith("--config=") ? [word.slice(9)] : [],
	);
	const given = settings.findLast((setting) => setting.startsWith("sandbox_mode="));
	const home = system.env("CODEX_HOME") || `${system.env("HOME") ?? ""}/.codex`;
	const top = (system.read(join(home, "config.toml"), LIMIT) ?? "").split(/^[ \t]*\[/m)[0] ?? "";
	const mode = unquoted(given?.slice("sandbox_mode=".length)) ?? unquoted(/^[ \t]*sandbox_mode[ \t]*=[ \t]*([^#\n]*)/m.exec(top)?.[1]);
	if (mode === OFF) return undefined;
	if (given !== undefined)
		return { what: `codex is told to use its own sandbox (${quote(given)})`, hint: "take that word away, or use --no-floor" };
	const [program = "", ...rest] = command;
	return { what: "codex's own sandbox is on", without: [program, "-c", `sandbox_mode="${OFF}"`, ...rest] };
}

/** Whether a text of settings switches Claude Code's sandbox on or off; undefined where it says nothing. */
function enabledIn(text: Bytes | undefined): boolean | undefined {
	try {
		const { sandbox } = JSON.parse(text ?? "{}") as { sandbox?: { enabled?: unknown } };
		return typeof sandbox?.enabled === "boolean" ? sandbox.enabled : undefined;
	} catch {
		return undefined;
	}
}

/** Claude Code: its sandbox is off unless settings switch it on; those of the machine come first, then the command line's, the project's, the person's. */
function claude(system: System, command: readonly Bytes[]): Sandbox | undefined {
	const given = givenFor(command, "--settings");
	const read = (path: Bytes) => system.read(path, LIMIT);
	const here = system.real(".", true) ?? "";
	const home = system.env("CLAUDE_CONFIG_DIR") || `${system.env("HOME") ?? ""}/.claude`;
	const texts = [
		read("/etc/claude-code/managed-settings.json"),
		given === undefined ? undefined : given.trim().startsWith("{") ? given : read(given),
		read(join(here, ".claude/settings.local.json")),
		read(join(here, ".claude/settings.json")),
		read(join(home, "settings.json")),
	];
	const [machine, ...others] = texts.map(enabledIn);
	const on = [machine, ...others].find((enabled) => enabled !== undefined);
	if (on !== true) return undefined;
	const what = "Claude Code's own sandbox is on";
	// Its settings go through --settings, which those of the machine override.
	return machine === true ? { what, hint: "this machine's managed settings say so; use --no-floor" } : { what, without: command };
}

/** The sandbox that a command would start with; undefined where there is none. */
export function sandboxOf(system: System, command: readonly Bytes[]): Sandbox | undefined {
	const name = baseOf(command[0] ?? "");
	if (name === "codex") return codex(system, command);
	if (name === "claude") return claude(system, command);
	if (PROGRAMS.includes(name)) return { what: `${quote(name)} is a sandbox itself`, hint: "use --no-floor" };
	return undefined;
}
