// tmx install --agent: our hook put into an agent's settings, and taken out of them again.

import { stableBinary } from "../../guardfile/binary.ts";
import { type Bytes, quote, toText } from "../../policy/bytes.ts";
import { baseOf } from "../../policy/resolve.ts";
import type { Registration } from "../../registration/agents.ts";
import { alone, backupOf, dropBackup, readSettings, removeSettings, sentenceOf, writeSettings } from "../../registration/file.ts";
import { isPlugin, pluginText } from "../../registration/plugin.ts";
import { type Edited, hasOurs, put, type Taken, take } from "../../registration/settings.ts";
import type { System } from "../../sys/system.ts";
import { print } from "../command.ts";
import { internal, type Problem, userError } from "../confine/problem.ts";
import { projectFiles, userFile } from "./places.ts";

/** Where the files of an agent lie, and up to which directory they are the agent's. */
export interface Where {
	file: Bytes;
	directory: Bytes;
}

/** The file to write, or why there is none. */
export function whereOf(system: System, row: Registration, project: boolean): Where | Problem {
	const file = project ? projectFiles(system, row)[0] : userFile(system, row);
	if (file === undefined) return internal(project ? "this directory has no name" : "this user has no home directory");
	const top = project ? row.project[0].slice(0, row.project[0].indexOf("/")) : undefined;
	const directory = top === undefined ? (row.home(system) ?? "/") : file.slice(0, file.length - row.project[0].length + top.length);
	return { file, directory };
}

/** The path that hooks call tmx by, or why none can be written down. */
function binaryHere(system: System): string | Problem {
	const binary = stableBinary(system);
	const text = toText(binary);
	if (binary === "") return internal("only the compiled binary can be a hook");
	if (!/^tmx(-|$)/.test(baseOf(binary))) return internal(`${quote(binary)} is not called tmx, so it would not know that it is the hook`);
	// JSON holds text; a byte that is none, and what would end a line, cannot be written there as a path.
	return /[\n\r\ud800-\udfff]/u.test(text)
		? internal(`${quote(binary)} cannot be written into settings: its name is not plain text`)
		: text;
}

function withHook(row: Registration, text: string | undefined, binary: string): Edited {
	if (row.list !== undefined) return put(row, text ?? "", binary);
	if (text !== undefined && text !== "" && !isPlugin(text)) return { wrong: "it is not tmx's, and stays as it is" };
	return { text: pluginText(binary) };
}

const isOurs = (row: Registration, text: string) => (row.list === undefined ? isPlugin(text) : hasOurs(row, text));

/** Failures of the file system as problems. */
function attempt(file: Bytes, act: () => Problem[]): Problem[] {
	try {
		return act();
	} catch (error) {
		const { words, callers } = sentenceOf(file, error);
		return [callers ? userError(words) : internal(words)];
	}
}

/** Put the hook into one file. Answers what went wrong. */
export function installHook(system: System, row: Registration, { file: named }: Where): Problem[] {
	const binary = binaryHere(system);
	if (typeof binary !== "string") return [binary];
	return attempt(named, () =>
		alone(system, named, true, () => {
			const file = readSettings(system, named);
			const edited = withHook(row, file.text, binary);
			if ("wrong" in edited) return [userError(`${quote(named)}: ${edited.wrong}; nothing was changed`)];
			const had = file.text !== undefined && isOurs(row, file.text);
			const same = edited.text === file.text;
			if (!same) writeSettings(system, file, edited.text, !had);
			const did = same ? "is there already, in" : had ? "is brought up to date in" : "is put into";
			print(system, `${row.title}: the hook ${did} ${quote(named)}\n`);
			return [];
		}),
	);
}

function withoutHook(row: Registration, text: string, before: string | undefined): Taken {
	return row.list === undefined ? { gone: true } : take(row, text, before);
}

/** Take the hook out of one file. Answers what went wrong. */
export function uninstallHook(system: System, row: Registration, { file: named, directory }: Where): Problem[] {
	return attempt(named, () =>
		alone(system, named, false, () => {
			const file = readSettings(system, named);
			if (file.text === undefined || !isOurs(row, file.text)) return [];
			const taken = withoutHook(row, file.text, backupOf(file));
			if ("wrong" in taken) return [userError(`${quote(named)}: ${taken.wrong}; nothing was changed`)];
			const shown = quote(named);
			// A link to settings is the person's, and must not come to lead nowhere.
			const isLinked = row.list !== undefined && system.kind(named, false) === "link";
			if ("gone" in taken && !isLinked) {
				removeSettings(system, file, directory);
				print(system, `${row.title}: removed ${shown}, which held nothing but the hook\n`);
				return [];
			}
			const text = "text" in taken ? taken.text : "{}\n";
			writeSettings(system, file, text, false);
			const kept = dropBackup(file, text);
			const also = kept === undefined ? "" : `; ${quote(kept)} stays, as there were other changes since`;
			print(system, `${row.title}: took the hook out of ${shown}${also}\n`);
			return [];
		}),
	);
}
