// What find runs, where only a command line's reader knows it: scripts that the line wrote, tools read as others, links that are made or moved.

import { baseOf } from "../policy/resolve.ts";
import { programOf } from "../tools/programs.ts";
import type { Call } from "./call.ts";
import { namesBelow } from "./found.ts";
import { isHandsOn } from "./handed.ts";
import { invokeFile } from "./invoke.ts";
import { keptAt } from "./places.ts";
import type { Word } from "./reading.ts";
import { fileOutput } from "./redirections.ts";
import { SHELLS, scriptOf } from "./shells.ts";
import { INSTEAD } from "./stand-ins.ts";
import { known, linesOf, shown, textOf, unknown, wordOf } from "./words.ts";

/** Commands that the reader of find does not read by itself as the direct call is read. */
const isReadHere = (tool: string) =>
	isHandsOn(tool) || (Object.hasOwn(INSTEAD, tool) && !/^(rimraf|del-cli|trash|trash-put|dos2unix)$/.test(tool));

/** Whether a command runs a file that this line wrote. */
function runsOwn({ m, state }: Call, command: readonly Word[]): boolean {
	if (m.world.files.size === 0) return false;
	const [name, ...rest] = command.map((word) => textOf(word) ?? "");
	const tool = baseOf(name ?? "");
	const isOwn = (text: string | undefined) => keptAt(m.world.files, state, text) !== undefined;
	if (isOwn(name)) return true;
	const runs = SHELLS.has(tool) || /^([gmn]?awk|g?make|env|nice|timeout)$/.test(tool) || programOf(tool, rest) !== undefined;
	return runs && rest.some(isOwn);
}

const LINKERS = /^(ln|mv|cp)$/;

/** Whether links are in play: it makes one that does not depend on what is met, or moves some behind an `ln` of this line. */
function carriesLinks({ m }: Call, command: readonly Word[]): boolean {
	const tool = baseOf(textOf(command[0]) ?? "");
	if (!LINKERS.test(tool)) return false;
	if (tool === "ln") return !command.some((word) => textOf(word)?.includes("{}"));
	return m.events.some((event) => event.kind === "call" && baseOf(textOf(event.words[0]) ?? "") === "ln");
}

/** The commands of an expression, and whether each runs in the directory of what is met. */
function commandsOf(words: readonly Word[]): { command: Word[]; inDirectory: boolean }[] {
	const found: { command: Word[]; inDirectory: boolean }[] = [];
	for (let at = 1; at < words.length; at++) {
		const text = textOf(words[at]) ?? "";
		if (!/^-(exec|ok)(dir)?$/.test(text)) continue;
		const rest = words.slice(at + 1);
		const end = rest.findIndex((word, k) => textOf(word) === ";" || (textOf(word) === "+" && textOf(rest[k - 1]) === "{}"));
		if (end > 0) found.push({ command: rest.slice(0, end), inDirectory: text.endsWith("dir") });
	}
	return found;
}

/** A word with what is met in the place of each `{}`. */
const filled = (word: Word, met: Word): Word =>
	wordOf(
		word.pieces.flatMap((piece) =>
			typeof piece === "string" ? piece.split("{}").flatMap((part, k) => (k === 0 ? [part] : [...met.pieces, part])) : [piece],
		),
	);

/** The commands of find that are read here. */
export function readCommands(call: Call): void {
	const { m, state, words } = call;
	for (const { command, inDirectory } of commandsOf(words)) {
		const tool = baseOf(textOf(command[0]) ?? "");
		if (!isReadHere(tool) && !runsOwn(call, command) && !carriesLinks(call, command)) continue;
		const name = { source: "(a name that find prints)", contained: true } as const;
		for (const met of inDirectory ? [wordOf(["./", name])] : namesBelow(words)) {
			const inner = state.fork();
			if (inDirectory) inner.cwd = [];
			const input = { output: { kind: "unknown" } as const, lines: undefined, taken: 0 };
			const run = () => invokeFile({ m, state: inner, words: command.map((word) => filled(word, met)) });
			m.within({ via: [...m.via, "find"], input }, () => m.perhaps(true, run));
		}
	}
}

/** The words of find with the starting points of a list that this line wrote or feeds in (find(1), -files0-from). */
export function withStarts({ m, state, words }: Call): Word[] {
	const at = words.findIndex((word) => textOf(word) === "-files0-from");
	const file = at < 0 ? undefined : words[at + 1];
	if (file === undefined) return words;
	const isFed = textOf(file) === "-";
	if (!isFed && keptAt(m.world.files, state, textOf(file)) === undefined) return words;
	const list = scriptOf(fileOutput(m, state, isFed ? known("/dev/stdin") : file));
	if (list === undefined) {
		if (isFed) return words;
		m.unclear("starting points that are not known", shown(file));
	}
	const starts =
		list === undefined ? [unknown(`(the list in ${shown(file)})`)] : linesOf(list, "\0").filter(({ pieces }) => pieces.length > 0);
	// A list without a name has find do nothing at all.
	if (starts.length === 0) return words;
	return [words[0] as Word, ...starts, ...words.slice(1, at), ...words.slice(at + 2)];
}
