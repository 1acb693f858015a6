// The line that puts the shims on PATH: shown, put into the start files of a person's shells, and taken out again.

import { cpus } from "node:os";
import { type Bytes, quote, toText } from "../../policy/bytes.ts";
import { baseOf, join } from "../../policy/resolve.ts";
import { hasBlock, putBlock, takeBlock } from "../../registration/block.ts";
import { alone, readSettings, removeSettings, sentenceOf, writeSettings } from "../../registration/file.ts";
import { possibleFiles, type StartFile, startFiles, startLine } from "../../registration/start-files.ts";
import type { System } from "../../sys/system.ts";
import { print } from "../command.ts";
import { internal, type Problem, userError } from "../confine/problem.ts";
import { shimsBelow } from "./places.ts";

/** Start files are bytes: no encoding is asked of them, and none is lost. */
const ENCODING = "latin1";

const lineFor = (home: Bytes): Bytes => startLine(shimsBelow(home), cpus().length);

/** Lines as they stand in a message. */
const indented = (lines: Bytes): string => toText(lines).trimEnd().replaceAll(/^/gm, "  ");

/** Do something to a start file, with failures of the file system as problems. */
function attempt(path: Bytes, act: () => Problem[]): Problem[] {
	try {
		return act();
	} catch (error) {
		const { words, callers } = sentenceOf(path, error);
		return [callers ? userError(words) : internal(words)];
	}
}

/** Put the line into one file. Answers what went wrong; then the file is as it was. */
function putInto(system: System, { path, why, lines }: StartFile): Problem[] {
	const shown = quote(path);
	const byHand = `; put this into it yourself, at its end:\n${indented(lines)}`;
	const change = () => {
		const file = readSettings(system, path, ENCODING);
		const edited = putBlock(file.text, lines);
		if ("wrong" in edited) return [userError(`${shown}: ${edited.wrong}; nothing was changed`)];
		if (edited.text === file.text) {
			print(system, `the line is in ${shown} already\n`);
			return [];
		}
		// A new file takes the place of the old one, and its other names would go on naming the old one.
		if ((file.stats?.nlink ?? 1) > 1) return [userError(`${shown} is a hard link, with other names that must stay the same file${byHand}`)];
		writeSettings(system, file, edited.text, false);
		print(system, `${file.text === undefined ? "wrote" : "put the line into"} ${shown}: ${why}\n`);
		return [];
	};
	return attempt(path, () => alone(system, path, true, change));
}

/** The line for fish, which reads the start files of no other shell. */
const forFish = (home: Bytes): string => `fish_add_path --global --move --prepend ${quote(shimsBelow(home))}`;

/** Show the lines, and where they belong; those that are the same for several files once. */
export function showLine(system: System, home: Bytes): void {
	const files = startFiles(system, home, lineFor(home));
	const texts = new Map<Bytes, Bytes[]>();
	for (const { path, lines } of files) texts.set(lines, [...(texts.get(lines) ?? []), path]);
	if (files.length === 0) texts.set(lineFor(home), []);
	for (const [lines, paths] of texts) {
		const where = paths.length > 0 ? paths.map(quote).join(" and ") : "your shell's start file";
		print(system, `next: put this at the end of ${where}; with --write tmx does it for you:\n\n${indented(lines)}\n\n`);
	}
	if (baseOf(system.env("SHELL") ?? "") === "fish") print(system, `in fish it is: ${forFish(home)}\n`);
}

/** Put the line into the start files of the shells that this person uses. Answers what went wrong. */
export function writeLine(system: System, home: Bytes): Problem[] {
	const line = lineFor(home);
	const files = startFiles(system, home, line);
	if (files.length === 0) return [userError(`neither bash nor zsh has a start file here; put this into your shell's:\n${indented(line)}`)];
	return files.flatMap((file) => putInto(system, file));
}

/** Take the line out of one file. */
function takeFrom(system: System, path: Bytes): Problem[] {
	const change = () => {
		const file = readSettings(system, path, ENCODING);
		if (file.text === undefined || !hasBlock(file.text)) return [];
		const taken = takeBlock(file.text);
		const shown = quote(path);
		if ("wrong" in taken) return [userError(`${shown}: ${taken.wrong}`)];
		// A link is the person's, and must not come to lead nowhere.
		if ("gone" in taken && system.kind(path, false) !== "link") {
			removeSettings(system, file, join(path, "none"));
			print(system, `removed ${shown}, which held nothing but tmx's line\n`);
			return [];
		}
		writeSettings(system, file, "text" in taken ? taken.text : "", false);
		print(system, `took the line out of ${shown}\n`);
		return [];
	};
	return attempt(path, () => alone(system, path, false, change));
}

/** Take the line out of every file that it may stand in. Answers what went wrong. */
export function takeLine(system: System, home: Bytes): Problem[] {
	// A link that leads nowhere holds no line, and is no failure. Where there is no file, there may be what a kill left of one.
	const leadsNowhere = (path: Bytes) => system.kind(path, false) === "link" && system.kind(path, true) === undefined;
	const there = possibleFiles(system, home).filter((path) => !leadsNowhere(path));
	return there.flatMap((path) => takeFrom(system, path));
}
