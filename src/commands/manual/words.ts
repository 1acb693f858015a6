// What the manual page says besides the commands: what tmx is, exit status, environment and files.

import { EXIT } from "../../sys/exit.ts";

export interface Section {
	title: string;
	paragraphs?: readonly string[];
	terms?: readonly (readonly [term: string, about: string])[];
}

/** What stands before the commands. */
export const OPENING: readonly Section[] = [
	{
		title: "DESCRIPTION",
		paragraphs: [
			"Under the name of a guarded tool, such as rm, mv or find, tmx is that tool's shim: it reads the exact arguments, resolves each path as the kernel will, and either refuses the whole call before anything has run, or becomes the real tool.",
			"Under its own name it sets the guard up, explains it and shows what it did. The policy is a guardfile; each verdict leaves one line in the audit. It is no jail: it catches accidents, and says clearly what happened and what to do instead.",
			"Pages about its parts are shown by tmx help TOPIC.",
		],
	},
];

/** What stands behind the commands. */
export const CLOSING: readonly Section[] = [
	{
		title: "EXIT STATUS",
		paragraphs: ["A shim ends as the tool that it has become. Otherwise:"],
		terms: [
			[String(EXIT.ok), "it is done"],
			[String(EXIT.policy_denied), "refused by the policy (policy_denied); nothing was run"],
			[String(EXIT.internal), "a fault of tmx or of the machine (internal)"],
			[String(EXIT.user_error), "a wrong command line, guardfile or settings file (user_error)"],
			[`${EXIT.not_runnable}, ${EXIT.not_found}`, "the tool cannot be run, or is not found"],
		],
	},
	{
		title: "ENVIRONMENT",
		terms: [
			[
				"TMX_ROOTS",
				"the session's own directories, separated by colons; with the default guardfile nothing is judged while this, AOS_FS_GUARD_ROOTS and AOS_NATIVE_SESSION_PROJECTS are unset or empty",
			],
			["CONFINE_TOOL_SHELL", "0 switches the confinement of tool shells off"],
			["AGENT_TASKS_MAX", "how many tasks a confined tool shell may have"],
			["XDG_CONFIG_HOME, XDG_DATA_HOME, XDG_STATE_HOME", "where guardfiles, what is installed, and the audit lie"],
			["NO_COLOR", "nothing is coloured when it is set"],
		],
	},
	{
		title: "FILES",
		terms: [
			["~/.config/tmx/*.kdl", "the guardfiles that tmx build and tmx install read"],
			["~/.local/share/tmx/shims", "the shims and the policy of tmx install"],
			["~/.local/state/tmx/audit.jsonl", "the audit"],
		],
	},
];
