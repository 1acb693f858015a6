// What the tests before an action of find rule out: the starting point itself, or links.

import type { Bytes } from "../policy/bytes.ts";
import { baseOf } from "../policy/resolve.ts";
import type { Predicate } from "./find-expression.ts";

/** Whether a shell pattern of `*` and `?` matches a name: the last `*` is the only place to come back to, so this takes no exponential time. */
function matches(pattern: Bytes, name: Bytes): boolean {
	let at = 0;
	let star = -1;
	let taken = 0;
	for (let k = 0; k < name.length; ) {
		if (pattern[at] === "*") {
			star = at++;
			taken = k;
		} else if (at < pattern.length && (pattern[at] === "?" || pattern[at] === name[k])) {
			at++;
			k++;
		} else if (star >= 0) {
			at = star + 1;
			k = ++taken;
		} else return false;
	}
	while (pattern[at] === "*") at++;
	return at === pattern.length;
}

const ASCII = /^[ -~]*$/;

/** Whether `name` surely does not match a shell pattern (fnmatch(3)); with brackets, escapes or a `?` for more than a byte nothing is sure. */
function surelyDiffers(pattern: Bytes, name: Bytes): boolean {
	const unsure = /[[\\]/.test(pattern) || (pattern.includes("?") && !ASCII.test(name));
	return !unsure && !matches(pattern, name);
}

/** Whether a test of the name surely fails. */
function failsName({ name: test, args }: Predicate, name: Bytes): boolean {
	const value = args[0] ?? "";
	if (test === "-name") return surelyDiffers(value, name);
	return test === "-iname" && ASCII.test(value + name) && surelyDiffers(value.toLowerCase(), name.toLowerCase());
}

/** Whether a file of that name surely does not reach the action. */
export const sparesName = (conditions: Predicate[], name: Bytes): boolean => conditions.some((test) => failsName(test, name));

/** Whether a test surely fails for a starting point. */
function fails({ name, args }: Predicate, start: Bytes, directory: boolean): boolean {
	const value = args[0] ?? "";
	switch (name) {
		case "-type":
		case "-xtype":
			return directory && value !== "" && !value.split(",").includes("d");
		case "-name":
		case "-iname":
			return failsName({ name, args }, baseOf(start));
		case "-path":
		case "-wholename":
			return surelyDiffers(value, start);
		default:
			return false;
	}
}

/** What `-mindepth` or `-maxdepth` says, "" when it does not stand there. They hold for the whole expression, and the last one wins. */
export function lastDepth(all: Predicate[], option: "-mindepth" | "-maxdepth"): Bytes {
	return all.findLast(({ name }) => name === option)?.args[0] ?? "";
}

/** Whether the starting point itself surely does not reach the action. */
export function sparesStart(all: Predicate[], conditions: Predicate[], start: Bytes, directory: boolean): boolean {
	const deep = /^0*[1-9]\d*$/.test(lastDepth(all, "-mindepth"));
	return deep || conditions.some((test) => fails(test, start, directory));
}

/** Whether no symbolic link reaches the action, as the walk does not follow them. */
export function sparesLinks(conditions: Predicate[]): boolean {
	return conditions.some(({ name, args }) => name === "-type" && args[0] !== undefined && !args[0].split(",").includes("l"));
}
