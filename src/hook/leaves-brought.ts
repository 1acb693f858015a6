// What tar, git and find leave for the calls behind them: links that come out of an archive or a repository, and those that find takes or moves.

import type { Bytes } from "../policy/bytes.ts";
import { baseOf, isBelow, join, parentOf, withoutSlashes } from "../policy/resolve.ts";
import type { LinkAt } from "./changes.ts";
import { brings, type Effect, type Standing, takes } from "./effects.ts";
import type { Judged } from "./finding.ts";
import { copied, moved } from "./leaves-moved.ts";

/** A call of tar in parts. */
interface Tar {
	letters: string;
	archive: Bytes;
	/** Operands, each with the directory that it stands on. */
	words: [directory: Bytes, word: Bytes][];
	directory: Bytes;
	strips: number;
}

/** Letters of tar that take a value (tar(1)). */
const TAKING = "bfgCFHIKLNTVX";

function tarOf(argv: readonly Bytes[]): Tar {
	const found: Tar = { letters: "", archive: "-", words: [], directory: ".", strips: 0 };
	const rest = argv.slice(1);
	let isFirst = true;
	for (let word = rest.shift(); word !== undefined; word = rest.shift(), isFirst = false) {
		const [, name, value] = /^--([a-z-]+)(?:=(.*))?$/s.exec(word) ?? [];
		if (name === "strip-components") found.strips = Number(value ?? rest.shift());
		else if (name === "file") found.archive = value ?? rest.shift() ?? "-";
		else if (name === "directory" || name === "cd") found.directory = join(found.directory, value ?? rest.shift() ?? ".");
		else if (name !== undefined)
			found.letters += /^(ext|get)/.test(name) ? "x" : /^cre/.test(name) ? "c" : name === "dereference" ? "h" : "";
		else if (!isFirst && !word.startsWith("-")) found.words.push([found.directory, word]);
		else {
			const isDashed = word.startsWith("-");
			for (let k = isDashed ? 1 : 0; k < word.length; k++) {
				const letter = word[k] as string;
				found.letters += letter;
				if (!TAKING.includes(letter)) continue;
				const taken = (isDashed && word.slice(k + 1)) || rest.shift() || "";
				if (letter === "f") found.archive = taken;
				if (letter === "C") found.directory = taken.startsWith("/") ? taken : join(found.directory, taken);
				if (isDashed) break;
			}
		}
	}
	return found;
}

/** A path within an archive: where it begins with a dot, that is a component. */
const inArchive = (path: Bytes): Bytes => path.replace(/^\/+/, "");

/** The links that tar puts into an archive, for a call that takes them out again. */
function unpacked(standing: Standing, argv: readonly Bytes[]): Effect[] {
	const { future, look } = standing;
	const { letters, archive, words, directory, strips } = tarOf(argv);
	const name = archive === "-" || archive.includes("\0") ? "-" : look.target(archive);
	if (letters.includes("x")) {
		const into = look.directory(directory);
		const links = (future.archives.get(name) ?? []).flatMap(([path, to]): LinkAt[] => {
			const rest = path.split("/").slice(strips);
			return rest.every((name) => name === ".") || into === "" ? [] : [[join(into, rest.filter((name) => name !== ".").join("/")), to]];
		});
		return links.length === 0 ? [] : [brings(links, false, false)];
	}
	if (!/[cru]/.test(letters) || letters.includes("h")) return [];
	const held = words.flatMap(([at, word]): LinkAt[] => {
		const text = word.startsWith("/") ? word : join(at, word);
		const own = look.files.readlink(look.standing(text));
		if (own !== undefined) return [[inArchive(word), own]];
		return look.isDirectory(text)
			? copied(standing, look.target(text), withoutSlashes(word)).map(([path, to]) => [inArchive(path), to])
			: [];
	});
	future.archives.set(name, [...(letters.includes("c") ? [] : (future.archives.get(name) ?? [])), ...held]);
	return [];
}

/** Subcommands of git that put files of the repository back where they were, and the option with which they do; for the others a path among the operands. */
const RESTORES: Readonly<Record<string, RegExp | undefined>> = {
	checkout: undefined,
	restore: undefined,
	reset: /^--hard$/,
	stash: /^(push|save|-.*|)$/,
	switch: /^(-f|--force|--discard-changes)$/,
};

/** The directory above or at a path that holds a repository. */
function repositoryOf({ future }: Standing, path: Bytes): Bytes {
	for (let at = path; at.length > 1; at = parentOf(at)) if (future.files.kind(join(at, ".git"), true) !== undefined) return at;
	return path;
}

/** Links that git brings back, brings to a new tree, takes or moves. */
function ofGit(standing: Standing, { argv, verdict }: Judged): Effect[] {
	const { future, look } = standing;
	const at = argv.findIndex((word, k) => k > 0 && !word.startsWith("-") && !/^-[cC]$|^--(git-dir|work-tree)$/.test(argv[k - 1] as Bytes));
	if (at < 0 || verdict.decision !== "allow") return [];
	const subcommand = argv[at] as Bytes;
	const rest = argv.slice(at + 1);
	const operands = rest.filter((word) => !word.startsWith("-"));
	const names = (path: Bytes) =>
		operands.some((word) => [look.entry(word), look.directory(word)].some((one) => one === path || isBelow(path, one)));
	if (Object.hasOwn(RESTORES, subcommand)) {
		const option = RESTORES[subcommand];
		const all = option !== undefined && (rest.length === 0 ? option.test("") : rest.some((word) => option.test(word)));
		const links = future.files.lost().filter(([path]) => all || rest.includes("-f") || names(path));
		return links.length === 0 ? [] : [brings(links, false, false)];
	}
	if (subcommand === "clone" || (subcommand === "worktree" && operands[0] === "add")) {
		const into = verdict.seen.find(({ operand }) => operand.role === "into" || operand.role === "written")?.resolved ?? "";
		const tree = subcommand === "clone" ? look.directory(operands[0] ?? "") : repositoryOf(standing, look.directory("."));
		const links = into === "" || tree === "" ? [] : copied(standing, tree, into).filter(([path]) => !path.startsWith(`${into}/.git/`));
		return links.length === 0 ? [] : [brings(links, false, false)];
	}
	if (subcommand === "mv") return moved(standing, "mv", ["mv", ...rest]);
	if (subcommand !== "rm" || rest.includes("--cached") || rest.some((word) => /^(-[a-zA-Z]*n|--dry-run)/.test(word))) return [];
	const gone = operands.map((word) => look.entry(word)).filter((path) => future.files.readlink(path) !== undefined);
	return gone.length === 0 ? [] : [takes(gone, !standing.conditional, true)];
}

/** The commands of a find, with the words of its starting points. */
function commandsOf(argv: readonly Bytes[]): { starts: Bytes[]; commands: Bytes[][] } {
	const first = argv.findIndex((word, k) => k > 0 && /^(-(?![HLP]$)|[(!])/.test(word));
	const starts = argv.slice(1, first < 0 ? undefined : first).filter((word) => !/^-[HLP]$/.test(word));
	const commands: Bytes[][] = [];
	for (let at = 0; at < argv.length; at++) {
		if (!/^-(exec|ok)(dir)?$/.test(argv[at] as Bytes)) continue;
		const end = argv.findIndex((word, k) => k > at && (word === ";" || (word === "+" && argv[k - 1] === "{}")));
		commands.push(argv.slice(at + 1, end < 0 ? undefined : end));
	}
	return { starts: starts.length === 0 ? ["."] : starts, commands };
}

/** No more links that a find comes to are followed to another place. */
const MOST_FOUND = 32;

/** Links that find removes, moves or copies. */
function ofFind(standing: Standing, { argv, verdict }: Judged): Effect[] {
	if (verdict.decision !== "allow") return [];
	const { future, look, conditional } = standing;
	const { starts, commands } = commandsOf(argv);
	const movers = commands.filter(([word = ""]) => baseOf(word) === "mv" || baseOf(word) === "cp");
	const effects: Effect[] = [];
	for (const start of starts) {
		const base = look.directory(start);
		if (base === "") continue;
		const links = future.files.linksBelow(base);
		for (const { operand } of verdict.seen) {
			if (operand.reaches === undefined || look.directory(operand.text) !== base) continue;
			for (const [path] of links) {
				const reached = operand.reaches(path);
				if (reached?.goes && movers.length === 0) effects.push(takes([path], !conditional && reached.sure === true, reached.sure === true));
			}
		}
		if (movers.length > 0)
			for (const [path] of links.slice(0, MOST_FOUND)) {
				const text = join(start, path.slice(base === "/" ? 1 : base.length + 1));
				for (const command of movers)
					effects.push(
						...moved(
							{ ...standing, conditional: true },
							baseOf(command[0] as Bytes),
							command.map((word) => word.replaceAll("{}", () => text)),
						),
					);
			}
	}
	return effects;
}

/** What a call of one of these tools does to links. */
export function brought(standing: Standing, tool: Bytes, judged: Judged): Effect[] {
	if (tool === "tar") return unpacked(standing, judged.argv);
	return tool === "git" ? ofGit(standing, judged) : ofFind(standing, judged);
}
