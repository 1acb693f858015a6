// The nouns of a read command line: words with holes, and the events that running it would bring.

import type { Bytes } from "../policy/bytes.ts";
import type { Files } from "../policy/resolve.ts";
import type { Facts, Given } from "./facts.ts";

/** A part of a word that is not known before the command runs. */
export interface Hole {
	/** As written: `$X`, `$(git rev-parse HEAD)`, `*.o`. */
	source: Bytes;
	/** It can hold no `..` and does not begin with `/`: a glob that was not expanded, what find prints below its start, a number. */
	contained?: true;
	/** A variable that is neither in the environment nor assigned: empty unless somebody else sets it. */
	unset?: true;
	/** It stands outside quotes, so that it may become several words (each contained when it is), or none when it stands alone. */
	unquoted?: true;
}

/** A word as the tool gets it: known text and holes. The empty word has no pieces. */
export interface Word {
	pieces: (Bytes | Hole)[];
	/** One name among others, told apart because much depends on it: whatever may leave out some of the names leaves out this one. */
	aside?: true;
}

/** What is known of what a command prints. */
export type Output =
	/** All of it, byte by byte, holes where a part is not known. */
	| { kind: "text"; word: Word }
	/** Any number of entries of these shapes, each ended by the separator. */
	| { kind: "names"; names: Word[]; separator: Bytes }
	| { kind: "unknown" };

/** Where something happens, and when, as far as that depends on how earlier commands end. */
export interface Course {
	/** The working directories that are possible, absolute; none when it is not known. */
	cwd: Bytes[];
	/** Those where it runs as well if a `cd` fails that presumably works. */
	astray?: readonly Bytes[];
	/** It stands in a branch that may not be taken. */
	conditional: boolean;
	/** What is known of these where it happens. */
	after: Facts | undefined;
	/** What decides whether it happens. */
	given: readonly Given[];
	/** Something else decides about that, too. */
	undecided: boolean;
}

/** A command that would run. */
export interface CallEvent extends Course {
	kind: "call";
	/** words[0] is the tool. */
	words: Word[];
	/** What was taken off on the way here, outermost first: `sudo`, `sh -c`, `function f`, `uncalled function f`, `trap EXIT`. */
	via: string[];
	/** Whether the caller's PATH is where the tool is looked up. */
	onPath: boolean;
	/** Variables set for this call alone. */
	env: { name: string; value: Word }[];
	/** What is known of its standard input; nothing when it is the caller's. */
	input?: Output;
	/** The file that this is, where its text is not known. */
	inputFile?: Word;
	source: Bytes;
	/** Its number, by which it is known how it ended. */
	step: number;
}

/** A question about a file, by an operator of test(1). */
export interface TestEvent extends Course {
	kind: "test";
	operator: string;
	operand: Word;
	source: Bytes;
	step: number;
}

/** A file that the shell opens. */
export interface RedirectEvent extends Course {
	kind: "redirect";
	operator: string;
	/** The descriptor, or the name of the variable that gets one. */
	fd?: number | string;
	target: Word;
	writes: boolean;
	source: Bytes;
}

/** A variable that gets a value: in the shell, or for one command. */
export interface AssignEvent {
	kind: "assign";
	name: string;
	value: Word;
	source: Bytes;
}

/** Something that is not understood, by name. */
export interface UnclearEvent {
	kind: "unclear";
	why: string;
	source: Bytes;
}

export type ShellEvent = CallEvent | TestEvent | RedirectEvent | AssignEvent | UnclearEvent;

/** What a command line would do. */
export interface Reading {
	/** In the order in which they would happen. */
	events: ShellEvent[];
	/** Whether reading stopped at a bound, so that events are missing. */
	exhausted: boolean;
}

/** What reading may cost. A step is a node, a word or a line of input; 64 bytes of text cost one more. */
export interface Limits {
	/** Bytes of the command line. */
	text: number;
	steps: number;
	/** Scripts, functions and compounds within each other. */
	depth: number;
}

/** What the command line is read against. */
export interface Surroundings {
	/** The absolute working directory it would run in; undefined when it is not known. */
	cwd: Bytes | undefined;
	env(name: string): Bytes | undefined;
	/** The home directory where HOME is not set. */
	home: Bytes;
	files: Pick<Files, "kind" | "list" | "readlink" | "real"> & Partial<Pick<Files, "read">>;
	/** Real paths that the session cannot do without: its directory, and files below it or elsewhere. */
	vital?(): { directory: Bytes; files: readonly Bytes[] };
	/** What uname prints where the command line will run, where that is known. */
	system?: "Linux" | "Darwin";
	limits?: Partial<Limits>;
}
