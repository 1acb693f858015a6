// The tree that command lines are judged against, and asking the compiled hook about one.

import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { BINARY } from "../support/binary.ts";
import { type Box, makeBox, policyOf, shims, writePolicy } from "../support/box.ts";
import { type Env, type Ran, run } from "../support/shell.ts";

export interface World {
	box: Box;
	/** The directory of the shims and the policy. */
	shims: string;
	/** A text with the names of the world's directories put in. */
	fill(text: string): string;
	/** Ask the hook of an agent about an event. */
	ask(agent: string, event: unknown, env?: Env): Promise<Ran>;
	/** Ask it about a command line, as Claude Code does. */
	command(text: string, env?: Env): Promise<Ran>;
}

/** Make the tree. @param unknown what the policy says of what cannot be known */
export function makeWorld(unknown?: "pass" | "ask" | "deny"): World {
	const box = makeBox();
	const { root, outside, home, audit } = box;
	for (const directory of ["proj/sub", "proj/build", "proj/.claude", "tmp"]) mkdirSync(`${root}/${directory}`, { recursive: true });
	mkdirSync(`${outside}/dir`);
	mkdirSync(`${home}/Downloads`);
	for (const file of ["proj/a", "proj/b", "proj/list", "proj/.claude/settings.json"]) writeFileSync(`${root}/${file}`, "x\n");
	for (const file of ["keep.txt", "dir/f1", "dir/f2"]) writeFileSync(`${outside}/${file}`, "x\n");
	writeFileSync(`${home}/Downloads/a.md`, "");
	symlinkSync(`${outside}/keep.txt`, `${root}/proj/filelink`);
	symlinkSync(`${outside}/newfile`, `${root}/proj/dang`);
	symlinkSync(`${outside}/dir`, `${root}/proj/link`);
	symlinkSync("build", `${root}/proj/lin`);
	symlinkSync(root, `${outside}/alias`);
	const directory = shims(box, "");
	const { gates, ...rest } = policyOf(box, "rm", "");
	const rules = gates.map(({ operands, settings, ...rule }) => {
		return { ...rule, settings: { ...settings, ...(unknown && { "on-unknown": [unknown] }) } };
	});
	writePolicy(directory, "files", { ...rest, tool: "", exec: "", gates: rules });
	if (unknown)
		for (const tool of ["cp", "tee"])
			writePolicy(directory, tool, { ...policyOf(box, tool, tool), gates: rules.map((rule) => ({ ...rule, operands: tool })) });
	const names: Record<string, string> = { ROOT: root, OUT: outside, HOME: home, SHIMS: directory, AUDIT: audit };
	const fill = (text: string) => text.replace(/\{(ROOT|OUT|HOME|SHIMS|AUDIT)\}/g, (_, name) => names[name] as string);
	const base: Env = { PATH: `${directory}:/usr/bin:/bin`, HOME: home, TMX_ROOTS: root };
	const ask = (agent: string, event: unknown, env: Env = {}) =>
		run(
			[BINARY, "hook", agent, "--policy", directory],
			{ ...base, ...env },
			"/",
			typeof event === "string" ? event : JSON.stringify(event),
		);
	const command = (text: string, env: Env = {}) =>
		ask(
			"claude",
			{ session_id: "s", cwd: `${root}/proj`, hook_event_name: "PreToolUse", tool_name: "Bash", tool_input: { command: text } },
			env,
		);
	return { box, shims: directory, fill, ask, command };
}
