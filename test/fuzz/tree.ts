// A model of the trees that a case stands on: what a pathname leads to by the kernel's rules, and what each system call does to it.

import type { Bytes } from "../../src/policy/bytes.ts";
import type { Kind } from "../../src/policy/resolve.ts";

/** A file of the model; a name stands in its directory, so one file may have several. */
export interface Node {
	kind: Kind;
	/** Names in a directory. */
	entries: Map<Bytes, Node>;
	/** The directory that holds it (one of them, when a file has several names), where it really lies and not where it may be mounted. */
	parent: Node | undefined;
	/** The text of a link. */
	to: Bytes;
	/** What is mounted over it. */
	mounted?: Node;
}

/** Where a pathname leads: the directory, the name in it, and what stands there. A directory named by `.` has no name. */
export interface Place {
	directory: Node;
	name: Bytes;
	node: Node | undefined;
}

/** Why it leads nowhere; `system` is a place that the model does not hold. */
export type Nowhere = "ENOENT" | "ENOTDIR" | "ELOOP" | "system";

/** The kernel's limit (path_resolution(7)). */
const MAX_LINKS = 40;

export function newNode(kind: Kind, to: Bytes = ""): Node {
	return { kind, entries: new Map(), parent: undefined, to };
}

/** The components of a path, last first. A trailing slash asks for a directory, as `.` does. */
function components(path: Bytes): Bytes[] {
	const parts = path.split("/").filter((part) => part !== "");
	if (path.endsWith("/")) parts.push(".");
	return parts.reverse();
}

/** What a walk sees at a node: what is mounted there, else itself. */
function seen(node: Node): Node {
	let at = node;
	while (at.mounted) at = at.mounted;
	return at;
}

export class Tree {
	readonly root = newNode("directory");

	/** Put a file at `name`. */
	add(directory: Node, name: Bytes, node: Node): Node {
		directory.entries.set(name, node);
		node.parent = directory;
		return node;
	}

	remove(place: Place): void {
		place.directory.entries.delete(place.name);
	}

	rename(from: Place, to: Place, exchange: boolean): void {
		const { node } = from;
		if (node === undefined || node === to.node) return;
		this.remove(from);
		if (exchange && to.node) this.add(from.directory, from.name, to.node);
		this.add(to.directory, to.name, node);
	}

	/** unlink, rename, mkdir and their like: the last component is a name, a slash behind it aside. */
	entry(path: Bytes): Place | Nowhere {
		return this.#walk(components(path.replace(/(?<=.)\/+$/, "")), false);
	}

	/** open, chmod and their like: the last component is followed unless the call says not to. */
	target(path: Bytes, follow = true): Place | Nowhere {
		return this.#walk(components(path), follow);
	}

	#walk(rest: Bytes[], follow: boolean): Place | Nowhere {
		let way = [this.root];
		let links = 0;
		while (rest.length > 0) {
			const name = rest.pop() as Bytes;
			const directory = way.at(-1) as Node;
			if (directory.kind !== "directory") return "ENOTDIR";
			if (name === ".") continue;
			if (name === "..") {
				if (way.length > 1) way.pop();
				continue;
			}
			const found = directory.entries.get(name);
			if (found === undefined && directory === this.root) return "system";
			const node = found && seen(found);
			if (node?.kind === "link" && (follow || rest.length > 0)) {
				if (++links > MAX_LINKS) return "ELOOP";
				if (node.to.startsWith("/")) way = [this.root];
				rest.push(...components(node.to));
			} else if (rest.length === 0) return { directory, name, node };
			else if (node === undefined) return "ENOENT";
			else way.push(node);
		}
		const itself = way.at(-1) as Node;
		return itself.kind === "directory" ? { directory: itself, name: "", node: itself } : "ENOTDIR";
	}
}

/** Whether a directory is one of `roots` or lies below one. */
export function within(node: Node, roots: ReadonlySet<Node>): boolean {
	for (let at: Node | undefined = node; at; at = at.parent) if (roots.has(at)) return true;
	return false;
}

/** The path at which a directory really lies. */
export function pathOf(root: Node, node: Node): Bytes {
	const names: Bytes[] = [];
	for (let at = node; at !== root && at.parent; at = at.parent) {
		for (const [name, child] of at.parent.entries) if (child === at) names.unshift(name);
	}
	return `/${names.join("/")}`;
}

/** Every name below a directory with its path, mounts not entered. */
export function* everything(node: Node, path: Bytes): Generator<{ path: Bytes; node: Node; directory: Node; name: Bytes }> {
	for (const [name, child] of node.entries) {
		const here = `${path}/${name}`;
		yield { path: here, node: child, directory: node, name };
		if (child.kind === "directory" && !child.mounted) yield* everything(child, here);
	}
}
