// What a launch puts on the command line of COMMAND: an agent's hook and settings, and the session's file for a person's bash.

import { type Bytes, quote, toText } from "../policy/bytes.ts";
import { join } from "../policy/resolve.ts";
import { commandOf, word } from "../registration/command.ts";
import type { System } from "../sys/system.ts";
import type { AgentLaunch, Launched } from "./agents/agent.ts";
import { SESSION_VARIABLE } from "./around.ts";
import { bashrcFile, type Carried, FILES } from "./carriers.ts";
import type { FloorChoice } from "./floor/choice.ts";
import { notesOn, readsBashrc } from "./person-shell.ts";
import { worldHere } from "./roots.ts";

/** The variable in which zsh's files hand on the person's own ZDOTDIR. */
export const OWN_ZDOTDIR = "TMX_ZDOTDIR";

/** A name that JSON and TOML can hold: text, without what would end a line. */
const isText = (bytes: Bytes) => !/[\n\r\ud800-\udfff]/u.test(toText(bytes));

/** The command of an agent's hook; undefined where it shall have none. */
export function hookOf(hook: boolean, agent: AgentLaunch, shims: Bytes, binary: Bytes): string | undefined {
	return hook ? `${commandOf(toText(binary), agent.name)} --policy ${word(toText(shims))}` : undefined;
}

/** What an agent adds to its command line and environment. */
export function launched(
	system: System,
	hook: boolean,
	floor: FloorChoice,
	agent: AgentLaunch,
	carried: Carried,
	binary: Bytes,
): Launched | { wrong: string } {
	const env = (name: string) => system.env(name) ?? "";
	const { directory, shims, own } = carried;
	if (!isText(directory) || !isText(binary))
		return { wrong: `${quote(isText(binary) ? directory : binary)} is no plain text, and cannot be told to ${agent.name}` };
	return agent.launch({
		argv: [...floor.command],
		floor: floor.floor !== "off",
		unboxed: floor.unboxed,
		hook: hookOf(hook, agent, shims, binary),
		binary,
		directory,
		session: { [SESSION_VARIABLE]: directory, [OWN_ZDOTDIR]: own.zdotdir },
		bash: join(directory, FILES.bash),
		zsh: join(directory, FILES.zsh),
		claude: join(directory, FILES.claude),
		own,
		env,
		home: env("HOME") || worldHere(system).passwdHome,
		read: (path) => system.read(path, 4 << 20),
	});
}

/** A person's shell: its own files have the first word, and the session's the last, where that can be. */
export function shellOf(argv: Bytes[], carried: Carried): Launched {
	const [program = "", ...words] = argv;
	const notes = notesOn(program, words);
	if (!readsBashrc(program, words)) return { argv, notes };
	return {
		argv: [program, "--rcfile", join(carried.directory, FILES.bashrc), ...words],
		files: [[FILES.bashrc, bashrcFile(carried)]],
		notes,
	};
}
