// Bind mounts that show a directory from outside the roots at a place below one: no path tells of them, the mount table does.

import type { Bytes } from "../policy/bytes.ts";
import { isBelow, join } from "../policy/resolve.ts";

/** One line of /proc/self/mountinfo (proc(5)): which directory of which file system is seen where. */
interface Mount {
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
		const [, , device, root, at] = line.split(" ", 5);
		if (device && root && at) mounts.push({ device, root: decoded(root), at: decoded(at) });
	}
	return mounts;
}

/** What remains of `path` below `base`, "" when they are the same, undefined when it is elsewhere. */
function remainder(path: Bytes, base: Bytes): Bytes | undefined {
	if (path === base) return "";
	if (!isBelow(path, base)) return undefined;
	return base === "/" ? path.slice(1) : path.slice(base.length + 1);
}

/** A place where the directory of a mount can be reached, and the mount (its index) that shows it there. */
interface Source {
	at: Bytes;
	by: number;
}

/**
 * Where else the directory of a mount can be reached: through another mount of the same file system that shows it from
 * further up, or that shows exactly the same and is older (earlier in the table).
 */
function sources(mounts: Mount[], index: number): Source[] {
	const mount = mounts[index] as Mount;
	const found: Source[] = [];
	mounts.forEach((other, k) => {
		if (k === index || other.device !== mount.device) return;
		const rest = remainder(mount.root, other.root);
		if (rest === undefined || (rest === "" && k > index)) return;
		found.push({ at: rest === "" ? other.at : join(other.at, rest), by: k });
	});
	return found;
}

/**
 * The mounts at places that `inside` accepts and none of whose sources it accepts. A file system that is seen nowhere
 * else (a volume, a tmpfs) has no source and is not among them.
 * @param table the text of /proc/self/mountinfo
 */
export function foreignMounts(table: Bytes, inside: (path: Bytes) => boolean): ForeignMount[] {
	const mounts = parse(table);
	// A second mount of an outside directory has the first one for a source: a place inside, and as foreign itself. Sources
	// show more than the mount or are older, so this ends.
	const known = new Map<number, Bytes | undefined>();
	const foreignSource = (index: number): Bytes | undefined => {
		if (!inside((mounts[index] as Mount).at)) return undefined;
		if (known.has(index)) return known.get(index);
		const from = sources(mounts, index);
		const own = from.some(({ at, by }) => inside(at) && foreignSource(by) === undefined);
		const source = own ? undefined : from[0]?.at;
		known.set(index, source);
		return source;
	};
	return mounts.flatMap(({ at }, index) => {
		const source = foreignSource(index);
		return source === undefined ? [] : [{ at, source }];
	});
}
