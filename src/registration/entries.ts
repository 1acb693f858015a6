// The hooks in a settings file: the list that an agent reads, and which of its entries are ours.

import type { HookList, Registration } from "./agents.ts";
import { commandOf, type OwnCommand, ownCommand } from "./command.ts";
import { members, memberValue, type Node, plain, readTree, valueNode } from "./tree.ts";

/** One entry of ours. */
export interface Entry {
	/** The list of groups, or of entries where there are no groups. */
	list: Node;
	/** The group that the entry is in; undefined where there are none. */
	group: Node | undefined;
	/** The entry itself, and what it is a member of. */
	hook: Node;
	within: Node;
	/** The command as a shell takes it, and the node of it. */
	command: string;
	written: Node;
	/** The command's words where the agent starts it without a shell. */
	words?: string[];
	own: OwnCommand;
	/** Where it stands: the number of the group and of the entry in it. */
	at: readonly [group: number, hook: number];
}

/** The command of an entry; some agents take the words behind it as a list. */
function commandIn(hook: Node, { command: name }: HookList): { command: string; words?: string[]; written: Node } | undefined {
	const written = memberValue(hook, name);
	if (typeof written?.value !== "string") return undefined;
	const args = plain(memberValue(hook, "args"));
	if (!Array.isArray(args) || !args.every((word) => typeof word === "string")) return { command: written.value, written };
	const [verb = "", agent = "", ...more] = args as string[];
	const command = verb === "hook" ? `${commandOf(written.value, agent)}${more.map((word) => ` ${word}`).join("")}` : "";
	return { command, words: [written.value, ...(args as string[])], written };
}

function entryIn(row: Registration, hook: Node, place: Pick<Entry, "list" | "group" | "within" | "at">): Entry[] {
	const found = row.list && hook.type === "object" ? commandIn(hook, row.list) : undefined;
	const own = found && ownCommand(found.command, row.agent);
	return found && own ? [{ ...place, ...found, hook, own }] : [];
}

/** What stands at the end of the path to the list, or why nothing can be added there. */
export function listOf(row: Registration, root: Node): { list: Node | undefined; wrong?: string } {
	const path = row.list?.path ?? [];
	let node = root;
	for (const [k, name] of path.entries()) {
		const found = members(node, name);
		const [property] = found;
		if (property === undefined) return { list: undefined };
		const value = valueNode(property);
		const wanted = k === path.length - 1 ? "array" : "object";
		const shown = path.slice(0, k + 1).join(".");
		if (found.length > 1) return { list: undefined, wrong: `${shown} stands in it more than once` };
		if (value?.type !== wanted) return { list: undefined, wrong: `${shown} is no ${wanted === "array" ? "list" : "object"}` };
		node = value;
	}
	return { list: node };
}

/** Our entries in a tree, in their order. */
export function entriesOf(row: Registration, root: Node): Entry[] {
	const { list } = listOf(row, root);
	if (list === undefined) return [];
	return (list.children ?? []).flatMap((member, k) => {
		if (row.list?.matcher === undefined) return entryIn(row, member, { list, group: undefined, within: list, at: [k, 0] });
		const hooks = memberValue(member, "hooks");
		if (hooks?.type !== "array") return [];
		return (hooks.children ?? []).flatMap((hook, h) => entryIn(row, hook, { list, group: member, within: hooks, at: [k, h] }));
	});
}

/** Our entries in a text that can be read. */
export function entriesIn(row: Registration, text: string): Entry[] {
	const root = readTree(text);
	return typeof root === "string" ? [] : entriesOf(row, root);
}

/** Whether the group of an entry leaves a tool out, and which tools it is for. */
export function narrowed({ list }: Registration, { group }: Entry): string | undefined {
	const matcher = plain(memberValue(group, "matcher"));
	if (list?.matcher === undefined || matcher === undefined) return undefined;
	return list.matcher.all.includes(String(matcher)) ? undefined : String(matcher);
}

/** Whether a group holds nothing but an entry. */
export const isAlone = ({ within }: Entry): boolean => within.children?.length === 1;
