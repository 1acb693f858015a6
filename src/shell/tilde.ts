// Tilde expansion (bash(1), Tilde Expansion): ~ is HOME, ~+ and ~- are directories, ~user is a home in the table of users.

import type { Bytes } from "../policy/bytes.ts";
import type { Machine } from "./machine.ts";
import type { Word } from "./reading.ts";
import { expandedTo, type Segment, written } from "./segments.ts";
import type { State } from "./state.ts";
import { held } from "./variables.ts";
import { known, unknown } from "./words.ts";

const NAMES: Readonly<Record<string, string>> = { "": "HOME", "+": "PWD", "-": "OLDPWD" };

/** A larger table of users is not read. */
const LARGEST = 65536;

/** The home of a user, where the table has it (passwd(5)); others a service may know. */
function homeOf(machine: Machine, user: Bytes): Word {
	const lines = machine.around.files.read?.("/etc/passwd", LARGEST)?.split("\n") ?? [];
	const home = lines.find((line) => line.startsWith(`${user}:`))?.split(":")[5];
	return home?.startsWith("/") ? known(home) : unknown(`~${user}`);
}

function valueFor(machine: Machine, state: State, name: Bytes): Word {
	if (/^[a-z_][\w.-]*$/i.test(name)) return homeOf(machine, name);
	if (!Object.hasOwn(NAMES, name)) return unknown(`~${name}`);
	// Without a HOME it is the one of the user.
	if (name === "" && state.cleared && state.variables.get("HOME") === undefined) return known(machine.around.home);
	const value = held(machine, state, NAMES[name] as string);
	return value.kind === "word" ? value.word : unknown(`~${name}`);
}

/**
 * The tildes of a word expanded.
 * @param place an assignment expands them behind colons too, an argument that looks like one likewise
 */
export function tilded(machine: Machine, state: State, segments: readonly Segment[], place: "argument" | "assignment" | "word"): Segment[] {
	if (!segments.some((segment) => segment !== null && isPlain(segment) && (segment.piece as Bytes).includes("~"))) return [...segments];
	const first = segments[0];
	const opening = first && isPlain(first) ? (/^[A-Za-z_]\w*\+?=/.exec(first.piece as Bytes)?.[0] ?? "") : "";
	const looksAssigned = place === "argument" && opening !== "";
	const pattern = place === "assignment" || looksAssigned ? /(^|:)~([^/:]*)(?=([/:]?))/g : /(^)~([^/]*)(?=([/]?))/g;
	return segments.flatMap((segment, k): Segment[] => {
		if (segment === null || !isPlain(segment)) return [segment];
		const text = segment.piece as Bytes;
		const skipped = k === 0 && looksAssigned ? opening.length : 0;
		const result: Segment[] = skipped > 0 ? [written(text.slice(0, skipped), false)] : [];
		let at = skipped;
		const rest = text.slice(skipped);
		for (const found of rest.matchAll(pattern)) {
			const [whole, colon, name, end] = found;
			const starts = colon === ":" || k === 0;
			// A tilde-prefix with a quoted character or an expansion in it is none.
			const ends = end !== "" || k === segments.length - 1;
			if (!starts || !ends || (name as Bytes).includes("\0")) continue;
			result.push(
				written(text.slice(at, skipped + found.index) + colon, false),
				...expandedTo(valueFor(machine, state, name as Bytes), true),
			);
			at = skipped + found.index + whole.length;
		}
		result.push(written(text.slice(at), false));
		return result.filter((each) => each === null || each.piece !== "" || each.quoted);
	});
}

const isPlain = (segment: Exclude<Segment, null>) => !segment.quoted && !segment.expanded && typeof segment.piece === "string";
