// Bind mounts that show a directory from outside the roots at a place below one: no path tells of them, the mount table does.

import type { Bytes } from "../policy/bytes.ts";
import { isBelow, join } from "../policy/resolve.ts";

/** One line of /proc/self/mountinfo (proc(5)): which directory of which file system is seen where, and on which mount. */
interface Mount {
	id: Bytes;
	parent: Bytes;
	device: Bytes;
	root: Bytes;
	at: Bytes;
}

/** A mount below a root, and where else what it shows can be reached. */
export interface ForeignMount {
	at: Bytes;
	source: Bytes;
}

/** Spaces, tabs, newlines and backslashes stand as three octal digits. */
const decoded = (field: Bytes) => field.replace(/\\([0-7]{3})/g, (_, octal) => String.fromCharCode(Number.parseInt(octal, 8)));
const encoded = (path: Bytes) => {
	// Nearly no path has any of them, and looking costs less than the first use of a regular expression.
	for (let k = 0; k < path.length; k++) if (path.charCodeAt(k) <= 32 || path.charCodeAt(k) === 92) return encodedBytes(path);
	return path;
};
const encodedBytes = (path: Bytes) => path.replace(/[ \t\n\\]/g, (byte) => `\\${byte.charCodeAt(0).toString(8).padStart(3, "0")}`);

/** Whether any mount point lies below `root`: a look at the text, since nearly always there is none. */
export function mountsBelow(table: Bytes, root: Bytes): boolean {
	return table.includes(` ${encoded(root)}/`);
}

function parse(table: Bytes): Mount[] {
	const mounts: Mount[] = [];
	for (const line of table.split("\n")) {
		const [id, parent, device, root, at] = line.split(" ", 5);
		if (id && parent && device && root && at) mounts.push({ id, parent, device, root: decoded(root), at: decoded(at) });
	}
	// What another mount stands on at the same place is out of sight.
	const covered = new Set<Bytes>();
	for (const { parent, at } of mounts) covered.add(`${parent} ${at}`);
	return mounts.filter(({ id, at }) => !covered.has(`${id} ${at}`));
}

/** What remains of `path` below `base`, "" when they are the same, undefined when it is elsewhere. */
function remainder(path: Bytes, base: Bytes): Bytes | undefined {
	if (path === base) return "";
	if (!isBelow(path, base)) return undefined;
	return base === "/" ? path.slice(1) : path.slice(base.length + 1);
}

/**
 * Whether `other` is surely younger than `mount`. The table is in the order of age where a namespace grew; a copied one has
 * it tree by tree, and only mounts on the same parent are still in their order.
 */
function isYounger(mounts: Mount[], other: Mount, mount: Mount): boolean {
	return other.parent === mount.parent && mounts.indexOf(other) > mounts.indexOf(mount);
}

/**
 * The mounts at places that `inside` accepts and whose directory can be reached elsewhere only: through a mount of the same
 * file system that shows it from further up, or that shows exactly the same and may be older. A file system that is seen
 * nowhere else (a volume, a tmpfs) has no such source and is not among them.
 * @param table the text of /proc/self/mountinfo
 */
export function foreignMounts(table: Bytes, inside: (path: Bytes) => boolean): ForeignMount[] {
	const mounts = parse(table);
	// What shows the same directory is as foreign, so the answer is of the directory. Wider ones have shorter roots, so this ends.
	const known = new Map<Bytes, Bytes | undefined>();
	const isForeign = (mount: Mount) => inside(mount.at) && sourceOf(mount) !== undefined;

	function find(mount: Mount): Bytes | undefined {
		const alike = mounts.filter(({ device }) => device === mount.device);
		const wider = alike.flatMap((by) => {
			const rest = remainder(mount.root, by.root);
			return rest ? [{ by, at: join(by.at, rest) }] : [];
		});
		if (wider.some(({ by, at }) => inside(at) && !isForeign(by))) return undefined;
		if (wider.length > 0) return (wider.find(({ at }) => !inside(at)) ?? wider[0])?.at;
		const same = alike.filter(({ root }) => root === mount.root);
		const outside = same.filter(({ at }) => !inside(at));
		const first = same.some((one) => inside(one.at) && outside.every((other) => isYounger(mounts, other, one)));
		return first ? undefined : outside[0]?.at;
	}

	function sourceOf(mount: Mount): Bytes | undefined {
		const key = `${mount.device} ${mount.root}`;
		if (!known.has(key)) known.set(key, find(mount));
		return known.get(key);
	}

	return mounts.flatMap((mount) => {
		const source = inside(mount.at) ? sourceOf(mount) : undefined;
		return source === undefined ? [] : [{ at: mount.at, source }];
	});
}
