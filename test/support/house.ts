// The rules of the house as checks over source texts: floors, the hot path, who may say what, and how a room looks.

import { readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { ROOT } from "./binary.ts";

/** Source files by their path from `src/`, with their text. */
export type Sources = ReadonlyMap<string, string>;

/** All sources below src/. */
export function readSources(): Map<string, string> {
	const names = readdirSync(join(ROOT, "src"), { recursive: true, encoding: "utf8" });
	const files = names.filter((name) => name.endsWith(".ts") && statSync(join(ROOT, "src", name)).isFile());
	return new Map(files.sort().map((name) => [name, readFileSync(join(ROOT, "src", name), "utf8")]));
}

/** One import: from which file, of what, and whether it is there when the program runs, at once or later. */
interface Import {
	from: string;
	/** A path from `src/`, or the name of a package or module. */
	to: string;
	kind: "type" | "static" | "dynamic";
}

/** The members of `#ffi`; Bun's counts here. */
const CONDITIONS: Readonly<Record<string, string>> = { "#ffi": "sys/ffi.bun.ts" };

const transpiler = new Bun.Transpiler({ loader: "ts" });

function importsOf(from: string, text: string): Import[] {
	const target = (path: string) => (path.startsWith(".") ? normalize(join(dirname(from), path)) : (CONDITIONS[path] ?? path));
	const found: Import[] = transpiler.scanImports(text).map(({ path, kind }) => {
		return { from, to: target(path), kind: kind === "import-statement" ? "static" : "dynamic" };
	});
	const seen = new Set(found.map(({ to }) => to));
	for (const match of text.matchAll(/^(?:import|export)\b[^"';]*?\bfrom\s+"([^"]+)"/gm)) {
		const to = target(match[1] as string);
		if (!seen.has(to)) found.push({ from, to, kind: "type" });
	}
	return found;
}

export function allImports(sources: Sources): Import[] {
	return [...sources].flatMap(([path, text]) => importsOf(path, text));
}

/** The room of a file: its folder, or the file itself at the top (`audit-read.ts` belongs to `audit.ts`). */
const roomOf = (path: string) => (path.includes("/") ? path.slice(0, path.indexOf("/")) : path.replace(/(-.*)?\.[a-z]+$/, ""));

/** The floors from the top; a room imports from floors below its own and from itself. */
const FLOORS: readonly string[][] = [
	["main"],
	["commands"],
	["shadow"],
	["launch"],
	["shim", "hook", "registration"],
	["guardfile"],
	["floor"],
	["agents", "shell", "audit", "confine", "operands", "gates"],
	["sys"],
	["policy", "tools"],
	["version"],
];

const floorOf = (room: string) => FLOORS.findIndex((rooms) => rooms.includes(room));

/** Imports that go up or sideways, and rooms that stand on no floor. */
export function againstTheFloors(sources: Sources): string[] {
	const rooms = new Set([...sources.keys()].map(roomOf));
	const homeless = [...rooms].filter((room) => floorOf(room) < 0).map((room) => `${room} stands on no floor`);
	const inside = allImports(sources).filter(({ to }) => sources.has(to) || (to.includes("/") && to.endsWith(".ts")));
	const wrong = inside.filter(({ from, to }) => roomOf(from) !== roomOf(to) && floorOf(roomOf(from)) >= floorOf(roomOf(to)));
	return [...homeless, ...wrong.map(({ from, to }) => `${from} imports ${to}`)];
}

/** The files that are loaded when the shim runs: what main.ts reaches by imports that are not put off. Or another entry. */
export function hotPath(sources: Sources, entry = "main.ts"): string[] {
	const reached = new Set<string>();
	const pending = [entry];
	for (let path = pending.pop(); path !== undefined; path = pending.pop()) {
		if (reached.has(path)) continue;
		reached.add(path);
		const text = sources.get(path);
		if (text !== undefined) for (const { to, kind } of importsOf(path, text)) if (kind === "static") pending.push(to);
	}
	return [...reached].sort();
}

/** What the files of the hot path load later. */
export function putOff(sources: Sources): string[] {
	const hot = new Set(hotPath(sources));
	return allImports(sources)
		.filter(({ from, kind }) => kind === "dynamic" && hot.has(from))
		.map(({ from, to }) => `${from} loads ${to}`)
		.sort();
}

/** Who may import which package or module; a pattern of the importing file. */
const ALLOWED: readonly [what: RegExp, where: RegExp][] = [
	[/^(citty|consola)(\/|$)/, /^commands\//],
	[/^@bgotink\/kdl(\/|$)/, /^guardfile\/(kdl|syntax)\.ts$/],
	[/^unbash$/, /^shell\/parse\.ts$/],
	[/^jsonc-parser$/, /^registration\/tree\.ts$/],
	[/^node:/, /^(commands|shadow|launch|guardfile|registration|agents|shell|confine)\/|^audit-read\.ts$|^sys\/without-ffi\.ts$/],
	[/\.(ts|md|kdl|sh|json)$/, /./],
];

/** Imports of packages and modules by files that may not have them. */
export function forbiddenPackages(sources: Sources): string[] {
	const wrong = allImports(sources).filter(({ from, to }) => !ALLOWED.some(([what, where]) => what.test(to) && where.test(from)));
	return wrong.map(({ from, to }) => `${from} imports ${to}`);
}

/** A text without its comments. */
const code = (text: string) => text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/(^|\s)\/\/.*$/gm, "$1");

/** Words that only some rooms may say. */
const WORDS: readonly [what: string, words: RegExp, where: RegExp][] = [
	["a runtime", /\b(Bun|Deno)\b/, /^sys\//],
	["the process", /\bprocess\.(env|argv|cwd|stdin|stdout|stderr|exit|pid)\b/, /^(?!(policy|operands|gates|shell)\/)/],
	["the clock", /\b(Date\.now|new Date|performance\.now)\b/, /^(?!(policy|operands|gates|shell)\/)/],
	["the console", /\bconsole\./, /^commands\//],
];

/** Files that say what belongs to other rooms. */
export function wordsOutOfPlace(sources: Sources): string[] {
	return [...sources].flatMap(([path, text]) => {
		const found = WORDS.filter(([, words, where]) => !where.test(path) && words.test(code(text)));
		return found.map(([what]) => `${path} speaks of ${what}`);
	});
}

/** Folders in which a member is a file and a line of index.ts. */
const REGISTRIES = ["operands", "gates", "agents", "launch/agents", "commands"];

/** Members that know each other or their registry, and files that neither the registry nor a member reaches. */
export function againstTheRegistries(sources: Sources): string[] {
	return REGISTRIES.flatMap((folder) => {
		const index = `${folder}/index.ts`;
		if (!sources.has(index)) return [];
		const imports = allImports(sources).filter(({ from, to }) => from.startsWith(`${folder}/`) && to.startsWith(`${folder}/`));
		const registries = [index, `${folder}/everyday.ts`];
		const listed = imports.filter(
			({ from, kind, to }) => registries.includes(from) && !registries.includes(to) && isMember(folder, kind, to),
		);
		const members = new Set(listed.map(({ to }) => to));
		const sideways = imports.filter(({ from, to }) => members.has(from) && (members.has(to) || registries.includes(to)));
		const reached = new Set(imports.map(({ to }) => to));
		const orphans = [...sources.keys()].filter(
			(path) => path.startsWith(`${folder}/`) && !path.endsWith(".d.ts") && path !== index && !reached.has(path),
		);
		return [...sideways.map(({ from, to }) => `${from} imports ${to}`), ...orphans.map((path) => `${path} is in no registry`)];
	});
}

/** Commands are loaded when they are called, the members of other registries at once. */
function isMember(folder: string, kind: Import["kind"], to: string): boolean {
	if (folder !== "commands") return kind === "static";
	return (
		kind === "dynamic" && !["options", "usage"].includes(to.slice(folder.length + 1, -3)) && !to.slice(folder.length + 1).includes("/")
	);
}

/** Files that do not open with one sentence on what they are for. */
export function withoutCaption(sources: Sources): string[] {
	return [...sources].filter(([, text]) => !/^(#!.*\n)?\/\/ \S.*\.\n(?!\/\/)/.test(text)).map(([path]) => path);
}

const OPENS =
	/^(\t*)(?!.*\b(?:if|for|while|switch|catch|else|do|try|return new|describe|test)\b\s*\(?).*(?:\bfunction\b|=> |\)(?:: [^=]*)? )\{$/;

/** The functions of a file that are longer than `limit` lines. Formatted code ends a block with a brace at its own depth. */
export function longFunctions(sources: Sources, limit: number): string[] {
	return [...sources].flatMap(([path, text]) => {
		const lines = text.split("\n");
		return lines.flatMap((line, start) => {
			const opened = OPENS.exec(line);
			if (!opened) return [];
			const end = lines.findIndex((other, k) => k > start && other.startsWith(`${opened[1]}}`));
			return end - start + 1 > limit ? [`${path}:${start + 1} has ${end - start + 1} lines`] : [];
		});
	});
}
