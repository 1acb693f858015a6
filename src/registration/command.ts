// The command that an agent runs as our hook: how it is written, and how one of ours is told from others.

import { isAscii } from "../policy/bytes.ts";

/** A word that a shell reads as it is written. */
const PLAIN = /^[\w@%+=:,./-]+$/;

/** A word for a shell, in quotes where it needs them. */
export const word = (text: string) =>
	PLAIN.test(text) || (!isAscii(text) && !/[\s'"\\$`!*?[\](){}<>|&;#~]/.test(text)) ? text : `'${text.replaceAll("'", "'\\''")}'`;

/** The command of a hook. */
export const commandOf = (binary: string, agent: string): string => `${word(binary)} hook ${agent}`;

/** A command of ours, taken apart. */
export interface OwnCommand {
	/** Assignments that somebody put in front. */
	before: string;
	/** The path of the binary. */
	binary: string;
	/** Options that somebody put behind. */
	after: string;
}

const ASSIGNMENTS = /^(?:[A-Za-z_]\w*=(?:'[^']*'|"[^"$`\\]*"|[^\s'"$`\\;|&<>()])*[ \t]+)*/;
/** A word, with quotes in it or not. */
const WORD = /^(?:'[^']*'|"[^"$`\\]*"|\\.|[^\s'"$`\\;|&<>()])+/;

/** The text of a word that a shell would read. */
function unquoted(written: string): string {
	return written.replaceAll(/'([^']*)'|"([^"]*)"|\\(.)/g, (_, single, double, escaped) => single ?? double ?? escaped);
}

/** The name of the binary, also with a version or a platform behind it. */
const isTmx = (path: string) => /(^|\/)tmx(-[^/]*)?$/.test(path);

/** A command as ours for an agent; undefined when it is somebody else's. */
export function ownCommand(command: string, agent: string): OwnCommand | undefined {
	const trimmed = command.trim();
	const before = ASSIGNMENTS.exec(trimmed)?.[0] ?? "";
	const rest = trimmed.slice(before.length);
	const written = WORD.exec(rest)?.[0] ?? "";
	const binary = unquoted(written);
	const after = /^[ \t]+hook[ \t]+(\S+)(.*)$/s.exec(rest.slice(written.length));
	return isTmx(binary) && after?.[1] === agent ? { before, binary, after: after[2] ?? "" } : undefined;
}

/** The same command with another binary. */
export const withBinary = ({ before, after }: OwnCommand, binary: string, agent: string): string =>
	before + commandOf(binary, agent) + after;
