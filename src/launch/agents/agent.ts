// How a coding agent is started within a session: what is added to its command line and environment, and to no file of the person's.

import type { Bytes } from "../../policy/bytes.ts";
import type { Confined } from "../carriers.ts";

/** What an agent's launch may know and ask. */
export interface Given {
	/** COMMAND and its words. */
	argv: readonly Bytes[];
	/** The command that the agent shall run as its hook; undefined with --no-hook. */
	hook: string | undefined;
	/** Where the session's files for shells are. */
	bash: Bytes;
	zsh: Bytes;
	claude: Bytes;
	/** A variable of the person's environment, "" when unset. */
	env(name: string): Bytes;
	/** The person's home directory, "" without one. */
	home: Bytes;
	/** The text of a regular file; undefined when it cannot be read. */
	read(path: Bytes): Bytes | undefined;
}

/** How the agent is started. */
export interface Launched {
	argv: Bytes[];
	/** Variables besides the session's own. */
	environment?: readonly (readonly [name: string, value: Bytes])[];
	/** Which of its shells are confined. */
	confine?: Confined;
	/** What a person should know: what cannot be reached. */
	notes?: string[];
}

/** One agent. */
export interface AgentLaunch {
	/** Its name, as `tmx hook` has it. */
	name: string;
	/** The names of its program. */
	programs: readonly string[];
	/** The command line with our hook in it, or why it cannot be made. */
	launch(given: Given): Launched | { wrong: string };
}
