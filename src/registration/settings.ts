// Our entry put into the text of a settings file, and taken out of it.

import type { Registration } from "./agents.ts";
import { commandOf, withBinary } from "./command.ts";
import { insert, remove, replace, treeOf } from "./edit.ts";
import { type Entry, entriesIn, entriesOf, isAlone, listOf, narrowed } from "./entries.ts";
import { members, memberValue, type Node, plain, readTree, valueNode, withoutMark } from "./tree.ts";

/** A text, or why there is none, in words. */
export type Edited = { text: string } | { wrong: string };

/** What a file that nobody has written yet is taken for. */
const NOTHING = "{}\n";

/** Why a text cannot be edited; undefined when it can. */
function whyNot(row: Registration, text: string): string | undefined {
	const root = readTree(text);
	return typeof root === "string" ? root : listOf(row, root).wrong;
}

/** What a member of the list says: the entry, or a group with it. */
function memberOf({ list }: Registration, command: string): unknown {
	const { type, ...rest } = list?.entry ?? {};
	const hook = { ...(type === undefined ? {} : { type }), [list?.command ?? ""]: command, ...rest };
	return list?.matcher === undefined ? hook : { matcher: list.matcher.ours, hooks: [hook] };
}

/** Put a new entry at the end of the list, so that the places of the others stay as they are. */
function added(row: Registration, text: string, command: string): string {
	const path = row.list?.path ?? [];
	let now = text;
	const isNew = treeOf(text).children?.length === 0;
	if (isNew) for (const [name, value] of Object.entries(row.list?.head ?? {})) now = insert(now, treeOf(now), name, value);
	let node: Node = treeOf(now);
	for (const [k, name] of path.entries()) {
		const next = memberValue(node, name);
		if (next === undefined) {
			const inner = path.slice(k + 1).reduceRight<unknown>((value, key) => ({ [key]: value }), [memberOf(row, command)]);
			return insert(now, node, name, inner);
		}
		node = next;
	}
	return insert(now, node, undefined, memberOf(row, command));
}

/** Take one entry away, with its group when nothing else is in it. */
function without(text: string, entry: Entry): string {
	if (entry.group !== undefined && isAlone(entry)) return remove(text, entry.list, entry.group);
	return remove(text, entry.within, entry.hook);
}

/** The text with the first entries of ours alone. */
function withAtMost(row: Registration, text: string, count: number): string {
	let now = text;
	for (let own = entriesIn(row, now); own.length > count; own = entriesIn(row, now)) now = without(now, own.at(-1) as Entry);
	return now;
}

/** The entry as it must be: the command's binary, what is missing in it, and the tools that it is for. */
function mended(row: Registration, text: string, binary: string): string {
	let now = text;
	const entry = () => entriesIn(row, now)[0] as Entry;
	const { own, words, written } = entry();
	const command = words ? binary : withBinary(own, binary, row.agent);
	if (own.binary !== binary) now = replace(now, written, command);
	for (const [name, value] of Object.entries(row.list?.entry ?? {})) {
		if (memberValue(entry().hook, name) === undefined) now = insert(now, entry().hook, name, value);
	}
	const found = entry();
	if (narrowed(row, found) === undefined) return now;
	const matcher = memberValue(found.group, "matcher");
	if (isAlone(found) && matcher !== undefined) return replace(now, matcher, row.list?.matcher?.ours);
	// Somebody else's hook is in that group, and is meant for these tools.
	return added(row, without(now, found), found.words ? commandOf(binary, row.agent) : withBinary(own, binary, row.agent));
}

/** What a text says besides our entries, for comparison. */
function othersIn(row: Registration, text: string): unknown {
	const prune = (value: unknown): unknown => {
		if (typeof value !== "object" || value === null) return value;
		if (Array.isArray(value)) return value.map(prune);
		const kept = Object.entries(value).map(([name, inner]) => [name, prune(inner)] as const);
		return Object.fromEntries(kept.filter(([name, inner]) => !isEmpty(inner) && row.list?.head?.[name] !== inner));
	};
	return JSON.stringify(prune(plain(treeOf(withAtMost(row, text, 0)))));
}

const isEmpty = (value: unknown) => typeof value === "object" && value !== null && Object.keys(value).length === 0;

const RISK = { wrong: "it cannot be changed without a risk to what else is in it" };

/** An edit, or that it cannot be made. Whatever else is in a text must say afterwards what it said before. */
function safely(row: Registration, text: string, edit: () => string, count: number): string | undefined {
	try {
		const now = edit();
		return entriesIn(row, now).length === count && othersIn(row, now) === othersIn(row, text) ? now : undefined;
	} catch {
		// A text that an edit spoilt.
		return undefined;
	}
}

/** The text with our entry in it, once. */
export function put(row: Registration, before: string, binary: string): Edited {
	const { mark, body } = withoutMark(before);
	const text = body.trim() === "" ? NOTHING : body;
	const wrong = whyNot(row, text);
	if (wrong !== undefined) return { wrong };
	const edit = () => {
		const one = withAtMost(row, text, 1);
		return entriesIn(row, one).length === 0 ? added(row, one, commandOf(binary, row.agent)) : mended(row, one, binary);
	};
	const now = safely(row, text, edit, 1);
	return now === undefined ? RISK : { text: mark + now };
}

/** Take containers on the path away that nothing is in, from the innermost out. @param kept how many of them stay in any case */
function withoutEmpty(row: Registration, text: string, kept: number): string {
	const path = row.list?.path ?? [];
	let now = text;
	for (let depth = path.length; depth > kept; depth--) {
		const root = treeOf(now);
		const parent = path.slice(0, depth - 1).reduce<Node | undefined>((node, name) => memberValue(node, name), root);
		const property = parent && members(parent, path[depth - 1] as string)[0];
		const value = property && valueNode(property);
		if (parent === undefined || property === undefined || (value?.children?.length ?? 0) > 0) break;
		now = remove(now, parent, property);
	}
	return now;
}

/** How many of the containers on the path a text has. */
function depthOf(row: Registration, text: string): number {
	let node: Node | undefined = treeOf(text);
	let depth = 0;
	for (const name of row.list?.path ?? []) {
		node = memberValue(node, name);
		if (node === undefined) break;
		depth++;
	}
	return depth;
}

/** Take what a new file had to say first away, when nothing else is left. */
function withoutHead(row: Registration, text: string): string {
	const root = treeOf(text);
	const head = row.list?.head ?? {};
	const isLeft = (root.children ?? []).every(({ children }) => {
		const name = children?.[0]?.value as string;
		return Object.hasOwn(head, name) && head[name] === children?.[1]?.value;
	});
	if (!isLeft) return text;
	return Object.keys(head).reduce((now) => {
		const tree = treeOf(now);
		const [property] = tree.children ?? [];
		return property ? remove(now, tree, property) : now;
	}, text);
}

/** What taking our entry out came to; `gone` when nothing is left in a file that we made. */
export type Taken = { text: string } | { gone: true } | { wrong: string };

/**
 * The text without our entry.
 * @param before the text as it was when the entry came in; undefined when there was no file
 */
export function take(row: Registration, present: string, before: string | undefined): Taken {
	const { mark, body } = withoutMark(present);
	const wrong = whyNot(row, body);
	if (wrong !== undefined) return { wrong };
	const [own] = entriesIn(row, body);
	if (own === undefined) return { text: present };
	const original = before === undefined ? undefined : withoutMark(before).body;
	const hadNone = original !== undefined && entriesIn(row, original).length === 0;
	if (before !== undefined && hadNone) {
		const again = put(row, before, own.own.binary);
		if ("text" in again && again.text === present) return { text: before };
	}
	const known = original !== undefined && typeof readTree(original) !== "string" ? original : undefined;
	const edit = () => {
		const bare = withoutEmpty(row, withAtMost(row, body, 0), known !== undefined && hadNone ? depthOf(row, known) : 0);
		return known === undefined ? withoutHead(row, bare) : bare;
	};
	const now = safely(row, body, edit, 0);
	if (now === undefined) return RISK;
	if (before === undefined && treeOf(now).children?.length === 0 && !/\/[/*]/.test(now)) return { gone: true };
	return { text: mark + now };
}

/** Whether a text has our entry. */
export const hasOurs = (row: Registration, text: string): boolean => {
	const root = readTree(withoutMark(text).body);
	return typeof root !== "string" && entriesOf(row, root).length > 0;
};
