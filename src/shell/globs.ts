// Pathname expansion: a pattern becomes the names that the file system has, or a directory and a hole below it.

import type { Bytes } from "../policy/bytes.ts";
import type { Machine } from "./machine.ts";
import { compile, isBytewise, isPattern, matches, type Pattern } from "./patterns.ts";
import type { Hole, Word } from "./reading.ts";
import type { Field } from "./segments.ts";
import type { Directories, State } from "./state.ts";
import { globbedAside } from "./vital.ts";
import { textOf, wordOf } from "./words.ts";

/** Beyond these a pattern is a hole. */
const MOST_MATCHES = 400;
const MOST_LISTINGS = 24;

/** A field cut at its slashes. */
function components(field: Field): Field[] {
	const parts: Field[] = [[]];
	for (const segment of field) {
		const texts = typeof segment.piece === "string" ? segment.piece.split("/") : [segment.piece];
		for (const [k, piece] of texts.entries()) {
			if (k > 0) parts.push([]);
			if (piece !== "") parts.at(-1)?.push({ ...segment, piece });
		}
	}
	return parts;
}

const wordOfField = (field: Field): Word => wordOf(field.map(({ piece }) => piece));

/** The directory before the first pattern, and a hole for what is below it. */
function heldOpen(parts: readonly Field[], first: number): Word {
	const before = parts.slice(0, first).flatMap((part): (Bytes | Hole)[] => [...wordOfField(part).pieces, "/"]);
	const open = parts.slice(first);
	const source = open.map((part) => part.map(({ piece }) => (typeof piece === "string" ? piece : piece.source)).join("")).join("/");
	const contained = open.every((part) => part.every(({ piece }) => typeof piece === "string") && textOf(wordOfField(part)) !== "..");
	const hole: Hole = { source, unquoted: true };
	return wordOf([...before, contained ? { ...hole, contained: true } : hole]);
}

/** Lists directories within the bounds of one word. */
class Walker {
	listings = 0;
	readonly #standing: Bytes | undefined;

	constructor(
		readonly machine: Machine,
		cwd: Directories,
		readonly hidden: boolean,
	) {
		this.#standing = cwd.length > 0 ? cwd[machine.choose("cwd", cwd.length)] : undefined;
	}

	/** The absolute path; undefined when it stands on a directory that is not known. */
	path(text: Bytes): Bytes | undefined {
		if (text.startsWith("/")) return text;
		return this.#standing === undefined ? undefined : `${this.#standing}/${text}`;
	}

	/** The names below `prefix` that a pattern matches; undefined when that cannot be told. */
	names(prefix: Bytes, pattern: Pattern, dot: boolean): Bytes[] | undefined {
		const path = this.path(prefix === "" ? "." : prefix);
		if (path === undefined || ++this.listings > MOST_LISTINGS) return undefined;
		const entries = this.machine.around.files.list(path);
		if (entries === undefined) return this.machine.around.files.kind(path, true) === "directory" ? undefined : [];
		this.machine.step(8 + (entries.length >> 3));
		const found: Bytes[] = [];
		for (const { name } of entries) {
			if (name.startsWith(".") && !dot && !this.hidden) continue;
			// In UTF-8 a `?` takes several bytes.
			if (isBytewise(pattern) && /[\x80-\xff]/.test(name)) return undefined;
			if (matches(pattern, name)) found.push(name);
		}
		return found.length > MOST_MATCHES ? undefined : found.sort();
	}
}

/** The paths that match; undefined when that cannot be told. */
function expandParts(walker: Walker, parts: readonly Field[], extended: boolean): Bytes[] | undefined {
	let prefixes: Bytes[] = [""];
	for (const [k, part] of parts.entries()) {
		const last = k === parts.length - 1;
		const end = last ? "" : "/";
		if (!isPattern(part, extended)) {
			const text = textOf(wordOfField(part)) as Bytes;
			prefixes = prefixes.map((prefix) => prefix + text + end);
			continue;
		}
		const pattern = compile(part, extended);
		if (pattern === undefined) return undefined;
		const next: Bytes[] = [];
		for (const prefix of prefixes) {
			const names = walker.names(prefix, pattern, pattern[0] === ".");
			if (names === undefined) return undefined;
			for (const name of names) next.push(prefix + name + end);
			if (next.length > MOST_MATCHES) return undefined;
		}
		prefixes = next;
	}
	const { files } = walker.machine.around;
	walker.machine.step(prefixes.length);
	const last = parts.at(-1) as Field;
	// A name that was listed is there.
	if (isPattern(last, extended)) return prefixes;
	return prefixes.filter((path) => files.kind(walker.path(path) ?? path, path.endsWith("/")) !== undefined);
}

/** Of an extended pattern in the last place, the names that much depends on. */
function asides(machine: Machine, state: State, parts: readonly Field[], first: number): Word[] {
	const last = parts[first] as Field;
	if (first < parts.length - 1 || last.some(({ quoted }) => quoted)) return [];
	const directory = parts.slice(0, first).map((part) => `${textOf(wordOfField(part))}/`);
	return globbedAside({ m: machine, state }, directory.join(""), textOf(wordOfField(last)) ?? "");
}

/** The paths that match in each directory that the shell may stand in, where none was chosen. */
function expandedIn(machine: Machine, state: State, parts: readonly Field[], extended: boolean): Bytes[] | undefined {
	const hidden = state.options.has("dotglob");
	if (machine.choosing || state.cwd.length < 2) return expandParts(new Walker(machine, state.cwd, hidden), parts, extended);
	const all = new Set<Bytes>();
	for (const directory of state.cwd) {
		const found = expandParts(new Walker(machine, [directory], hidden), parts, extended);
		if (found === undefined) return undefined;
		for (const path of found) all.add(path);
	}
	return [...all].sort();
}

/** The words that a field becomes in the file system. */
export function globbed(machine: Machine, state: State, field: Field): Word[] {
	const plain = wordOfField(field);
	if (state.options.has("noglob")) return [plain];
	const extended = field.some(({ piece, quoted }) => !quoted && typeof piece === "string" && /[@!+?*]\(/.test(piece));
	if (!isPattern(field, extended)) return [plain];
	const parts = components(field);
	const first = parts.findIndex((part) => isPattern(part, extended));
	const closed = parts.every((part) => part.every(({ piece }) => typeof piece === "string"));
	if (first < 0 || !closed || ["globstar", "nocaseglob", "GLOBIGNORE"].some((name) => state.options.has(name))) {
		return [first < 0 ? plain : heldOpen(parts, first)];
	}
	const found = expandedIn(machine, state, parts, extended);
	if (found === undefined) return [heldOpen(parts, first), ...(extended ? asides(machine, state, parts, first) : [])];
	const words = found.map((path) => wordOf([path]));
	// A link that the line put there has a name, too, and what comes behind it may be written through it.
	if (found.length > 0) return machine.world.linked ? [heldOpen(parts, first), ...words] : words;
	// What ran before may have made a name that matches.
	if (machine.world.made || machine.world.files.size > 0) return [heldOpen(parts, first)];
	return state.options.has("nullglob") ? [] : [plain];
}
