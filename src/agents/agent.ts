// What a coding agent's hook is to us: an event that says what the agent is about to do, and an answer in its own protocol.

import type { Bytes } from "../policy/bytes.ts";

/** A file that a tool of the agent is about to change. */
export interface Target {
	text: Bytes;
	role: "written" | "removed";
}

/** What an event asks. */
export type Asked =
	/** A command line for a shell. `unsure`: the directory is the turn's, and the command may run in another one. */
	| { kind: "command"; text: Bytes; cwd: Bytes | undefined; unsure?: boolean }
	/** Files that a tool of the agent's own changes. */
	| { kind: "files"; tool: Bytes; targets: Target[]; cwd: Bytes | undefined }
	/** Several of these at once. */
	| { kind: "several"; parts: Asked[] }
	/** Nothing that could change a file. */
	| { kind: "nothing" }
	/** A tool that is known, without what it must say; it is refused with these words. */
	| { kind: "malformed"; why: string };

/** What the hook prints, and its exit status. */
export interface Answer {
	stdout: string;
	stderr: string;
	status: number;
}

/** What came of something that the agent did. */
export interface Outcome {
	/** The command line, "" for a tool of the agent's own. */
	command: Bytes;
	/** All that it printed, and the error. */
	output: Bytes;
	cwd: Bytes | undefined;
	/** Tell the model something beside the result. */
	tell(words: string): Answer;
}

/** One event as JSON has it. */
export type Event = Readonly<Record<string, unknown>>;

/** What an agent keeps of its sessions, on which it cannot do without writing. */
export interface AgentState {
	/** Its directory, from `~`; a variable may name another. */
	home: string;
	variable?: string;
	/**
	 * Places in it ("" for the whole of it), or from `~` where they stand beside it. Only what is named may be written, so settings
	 * that name hooks are left out where the agent can live without writing them.
	 */
	keeps: readonly {
		path: string;
		/** A directory with all that is in it, or one file. */
		what: "tree" | "file";
		/** What a missing file is made with; without it the file is not made. */
		content?: string;
	}[];
}

/** Directories that an agent keeps. */
export const trees = (names: string): AgentState["keeps"] => names.split(" ").map((path) => ({ path, what: "tree" }));

/** Where an agent keeps notes of its work, plans and memories, which it writes with its own file tools. */
export interface NotePlace {
	/** Its directory, from `~`; a variable may name another. */
	home: string;
	variable?: string;
	/** Which files: a directory below that one, and what lies in it, both as regular expressions. */
	files: readonly { directory: string; names: string }[];
}

/** Texts at any depth, and those that lie straight in a directory. */
export const TEXTS = ".+\\.md";
export const TEXTS_IN = "[^/]+\\.md";

/** How one agent speaks. There is no form of approval: that would skip the person's own prompt. */
export interface Agent {
	name: string;
	/** What the agent is about to do. Never throws on any JSON object. */
	decode(event: Event): Asked;
	/** Refuse, with a reason for the model. The reason is never empty. */
	deny(reason: string): Answer;
	/** What came of it, where an event says that; undefined for an event that asks. */
	outcome?(event: Event): Outcome | undefined;
	/** What it keeps on disk. */
	state: readonly AgentState[];
	/** What of it its file tools write. */
	notes?(event: Event): readonly NotePlace[];
	/** Leave it to the person; undefined where the agent would take that for permission. */
	ask?(reason: string): Answer;
}

/** The status that stands for a refusal in Claude Code, Codex, Gemini CLI and Cursor; Copilot takes any but 0 for one. */
export const DENIED = 2;

/** No objection: nothing is printed, so that the agent's own rules and prompts stay in force. */
export const SILENCE: Answer = { stdout: "", stderr: "", status: 0 };

/** The refusal that every agent with command hooks honours in every version that was seen. */
export const byStatus = (reason: string): Answer => ({ stdout: "", stderr: reason, status: DENIED });
