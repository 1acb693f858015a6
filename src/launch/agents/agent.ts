// How a coding agent is started within a session: what is added to its command line and environment, and to no file of the person's.

import type { Bytes } from "../../policy/bytes.ts";
import type { Confined } from "../carriers.ts";
import type { Own } from "../record.ts";

/** What an agent's launch may know and ask. */
export interface Given {
	/** COMMAND and its words. */
	argv: readonly Bytes[];
	/** The command that the agent shall run as its hook; undefined with --no-hook. */
	hook: string | undefined;
	/** Whether a floor comes with it, so that the hook is asked after each tool too; and whether the agent's own sandbox is to be off. */
	floor: boolean;
	unboxed: boolean;
	/** This binary, and the session's directory. */
	binary: Bytes;
	directory: Bytes;
	/** What else a shell needs that is handed few variables. */
	session: Readonly<Record<string, Bytes>>;
	/** Where the session's files for shells are. */
	bash: Bytes;
	zsh: Bytes;
	claude: Bytes;
	/** The person's own files for shells, as the environment has them. */
	own: Own;
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
	/** Files to write below the session's directory. */
	files?: readonly (readonly [name: string, content: Bytes])[];
	/** The person's own values, where the agent has others than the environment. */
	own?: Own;
	/** False where the hook could not be given to it. */
	hooked?: boolean;
	/** Which of its shells are confined. */
	confine?: Confined;
	/** What a person should know: what cannot be reached. */
	notes?: string[];
}

/** One agent. */
export interface AgentLaunch {
	/** Its name, as `tmx hook` has it. */
	name: string;
	/** The command line with our hook in it, or why it cannot be made. */
	launch(given: Given): Launched | { wrong: string };
}
