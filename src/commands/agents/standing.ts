// How our hook stands in an agent's settings: in which files, with which command, and whether the agent will run it.

import { type Bytes, quote } from "../../policy/bytes.ts";
import type { Registration } from "../../registration/agents.ts";
import { type Entry, entriesOf, narrowed } from "../../registration/entries.ts";
import { readSettings, sentenceOf } from "../../registration/file.ts";
import { isPlugin, pluginCommand } from "../../registration/plugin.ts";
import { memberValue, type Node, plain, readTree, withoutMark } from "../../registration/tree.ts";
import type { Trust } from "../../registration/trust.ts";
import type { System } from "../../sys/system.ts";
import { allFiles } from "./places.ts";
import { trustIn } from "./trust.ts";

/** A hook of ours that is set up. */
export interface Hook {
	file: Bytes;
	/** The binary in its command. */
	binary: string;
	/** The command for a shell, or its words where no shell starts it. */
	command: string | string[];
	/** The shim directory that it names. */
	policy: string | undefined;
	/** The tools that it is for, where that is not all of them. */
	only: string | undefined;
	/** Whether the agent takes a hook that fails for permission although it need not. */
	failsOpen: boolean;
	trust: Trust | undefined;
}

/** What an agent's settings say of our hook. */
export interface Standing {
	hooks: Hook[];
	/** Files that cannot be read, in words. */
	unreadable: string[];
	/** Settings that switch all hooks off, in words. */
	off: string[];
}

/** The directory behind `--policy` in what follows the agent's name. */
function policyIn(after: string): string | undefined {
	const found = /(?:^|\s)--policy(?:=|\s+)(?:'([^']*)'|"([^"]*)"|(\S+))/.exec(after);
	return found?.[1] ?? found?.[2] ?? found?.[3];
}

function hookOf(system: System, row: Registration, file: Bytes, entry: Entry): Hook {
	const wanted = row.list?.entry.onFailure;
	return {
		file,
		binary: entry.own.binary,
		command: entry.words ?? entry.command,
		policy: policyIn(entry.own.after),
		only: narrowed(row, entry),
		failsOpen: wanted !== undefined && memberValue(entry.hook, "onFailure")?.value !== wanted,
		trust: trustIn(system, row, file, entry),
	};
}

/** The settings of a tree that switch hooks off. */
function offIn(row: Registration, file: Bytes, root: Node): string[] {
	const set = (row.off ?? []).filter(([name, value]) => {
		const node = name.split(".").reduce<Node | undefined>((at, part) => memberValue(at, part), root);
		return node !== undefined && plain(node) === value;
	});
	return set.map(([name, value]) => `${name} is ${value} in ${quote(file)}`);
}

function read(system: System, row: Registration, file: Bytes, standing: Standing): void {
	const { text } = readSettings(system, file);
	if (text === undefined) return;
	if (row.list === undefined && isPlugin(text)) {
		const words = pluginCommand(text);
		if (words === undefined) standing.unreadable.push(`${quote(file)}: its command is not to be found`);
		else
			standing.hooks.push({
				file,
				binary: words[0] ?? "",
				command: words,
				policy: undefined,
				only: undefined,
				failsOpen: false,
				trust: undefined,
			});
	}
	if (row.list === undefined) return;
	const root = readTree(withoutMark(text).body);
	if (typeof root === "string") {
		standing.unreadable.push(`${quote(file)}: ${root}`);
		return;
	}
	standing.off.push(...offIn(row, file, root));
	if (file !== row.machine) standing.hooks.push(...entriesOf(row, root).map((entry) => hookOf(system, row, file, entry)));
}

/** Read all settings of an agent, for the person and for the project in this directory. */
export function standingOf(system: System, row: Registration): Standing {
	const standing: Standing = { hooks: [], unreadable: [], off: [] };
	for (const file of [...allFiles(system, row), ...(row.machine === undefined ? [] : [row.machine])]) {
		try {
			read(system, row, file, standing);
		} catch (error) {
			standing.unreadable.push(sentenceOf(file, error).words);
		}
	}
	return standing;
}
