// The policy of one tool as it lies on disk, and the contract that a gate fills.

import type { Bytes } from "./bytes.ts";
import type { Operand } from "./call.ts";
import type { Resolver } from "./resolve.ts";

/** The format of the policy files that a build writes. */
export const FORMAT = 1;

/** The format of a session's policy, whose roots are values: an older tmx would take it for one that no variable has switched on. */
export const SESSION_FORMAT = 2;

/** The newest format that this binary reads; it reads every one from 1 on. */
export const NEWEST = SESSION_FORMAT;

/** The settings of a gate as the guardfile gave them: each option with all its values, in order. */
export type Settings = Record<string, Bytes[]>;

/** One `gate NAME { ... }` of a guardfile. */
export interface GateRule {
	gate: string;
	/** Line in the guardfile, from 1. */
	line: number;
	/** The guardfile that holds the gate, when it is not the tool's own. */
	settings: Settings;
	/** The name of the operand reader; absent in `files { }`. */
	operands?: string;
}

/** The policy of one tool: `DIR/policy/TOOL.json`. Strings in it are bytes as the file holds them. */
export interface ToolPolicy {
	format: number;
	/** The guarded name; "" in files.json. */
	tool: string;
	/** The real tool: a bare name is looked up on PATH, an absolute path is taken as it is. */
	exec: Bytes;
	/** Where the guardfile lies (`default.kdl` for the one in the binary). */
	guardfile: Bytes;
	gates: GateRule[];
	/** The audit file of the user `uid`. */
	audit: Bytes;
	/** Who built the policy, and the home directory in that user's passwd entry. */
	uid: number;
	home: Bytes;
	/** The session that the policy was written for, when it was written for one. */
	session?: string;
	/** Whether that session was started with a floor. */
	floor?: true;
}

/** What a gate may know of the process: values, never the process itself. */
export interface World {
	/** The value of an environment variable as bytes, "" when unset. */
	env(name: string): Bytes;
	/** The caller's home directories: $HOME, and the passwd entry's. "" when unknown. */
	home: Bytes;
	passwdHome: Bytes;
	uid: number;
	look: Resolver;
}

/** One directory that a gate allows, or dropped with the reason. */
export interface Root {
	/** As the guardfile or the variable spells it. */
	text: Bytes;
	/** The variable that it came from, or `fixed`. */
	from: string;
	/** Its real path, "" when dropped. */
	real: Bytes;
	/** Why it does not count. */
	dropped?: string;
}

/** A gate that is switched on for this call. */
export interface ActiveGate {
	/** Why `path` may not be acted on as `operand` asks, or undefined when it may. */
	refuses(operand: Operand, path: Bytes): string | undefined;
	/** Whether it is known already that every entry of a real directory may be acted on, in any role. */
	passesAny(directory: Bytes): boolean;
	/** The root that holds `path`, for people. */
	rootOf(path: Bytes): Root | undefined;
	/** All roots, kept and dropped, for people. */
	roots(): Root[];
	/** The text that the guardfile appends to a refusal. */
	reason: Bytes;
}

/** What a gate is told when its directories become those of one session. */
export interface Fixed {
	/** The directories that the session may change, by their real paths. */
	roots: Bytes[];
	/** $HOME when the session was started; what a child calls its home has no say. */
	home: Bytes;
	/** The directory of the session itself, which no root opens. */
	own: Bytes;
}

/** How the guardfile's options of a gate are spelled and checked. */
export interface GateOption {
	repeatable: boolean;
	required?: boolean;
	/** What its one argument is, for messages. */
	value: "variable" | "directory" | "text" | "choice";
	/** The words that a choice may be. */
	choices?: readonly string[];
}

/** A named predicate that a guardfile may ask for. */
export interface Gate {
	name: string;
	/** Its options, without `operands` and `roots`, which belong to the language. */
	options: Record<string, GateOption>;
	/** What is wrong with these settings beyond their types, in words, or undefined. */
	check(settings: Settings): string | undefined;
	/** Whether these settings are switched on in this world; a cheap question. */
	isOn(settings: Settings, world: World): boolean;
	/** The same settings for one session: no variable of a child switches them off, and none widens them. */
	fix(settings: Settings, fixed: Fixed): Settings;
	/** Switch it on for a call; undefined while it is inert. */
	activate(settings: Settings, world: World): ActiveGate | undefined;
}
