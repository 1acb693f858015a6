// Our lines in a shell's start file: put in between two marks, found again, and taken out so that every other byte is as it was.

import type { Bytes } from "../policy/bytes.ts";

/**
 * How each block begins. The mark remembers what the file was like before: that its last line had no newline, or that there was
 * no file, so that taking the block out can give just that back.
 */
const OPENING = {
	plain: "# >>> tmx install >>>",
	joined: "# >>> tmx install, where no newline was >>>",
	own: "# >>> tmx install, in a file of its own >>>",
};
const CLOSING = "# <<< tmx install <<<";

type Kind = keyof typeof OPENING;
const KINDS = Object.keys(OPENING) as Kind[];

/** A block in a text. */
interface Found {
	kind: Kind;
	/** Where its first mark begins, and where what follows its last mark begins. */
	from: number;
	to: number;
}

/** A text after an edit, or why there is none, in words. */
export type Edited = { text: Bytes } | { wrong: string };

/** Editors may have made the marks' line ends those of DOS. */
const bare = (line: Bytes) => line.replace(/\r$/, "");

const BROKEN = { wrong: `the marks of tmx's lines in it do not pair: take out what is left between "${OPENING.plain}" and "${CLOSING}"` };

/** All blocks of a text in their order; undefined where a mark has no partner, for then nobody knows what is ours. */
function blocksIn(text: Bytes): Found[] | undefined {
	const found: Found[] = [];
	let open: Omit<Found, "to"> | undefined;
	for (let at = 0; at < text.length; ) {
		const newline = text.indexOf("\n", at);
		const next = newline < 0 ? text.length : newline + 1;
		const line = bare(text.slice(at, newline < 0 ? next : newline));
		const kind = KINDS.find((name) => OPENING[name] === line);
		if (kind !== undefined) {
			if (open !== undefined) return undefined;
			open = { kind, from: at };
		} else if (line === CLOSING) {
			if (open === undefined) return undefined;
			found.push({ ...open, to: next });
			open = undefined;
		}
		at = next;
	}
	return open === undefined ? found : undefined;
}

/** A text without one of its blocks. */
function without(text: Bytes, { kind, from, to }: Found): Bytes {
	const after = text.slice(to);
	// What somebody wrote behind the block keeps the newline that it now stands behind.
	const before = kind === "joined" && after === "" ? text.slice(0, from).replace(/\n$/, "") : text.slice(0, from);
	return before + after;
}

const blockOf = (kind: Kind, lines: Bytes): Bytes => `${OPENING[kind]}\n${lines}${CLOSING}\n`;

/**
 * The text with our lines in it, once; where they stand already, there.
 * @param text undefined where there is no file
 * @param lines ends in a newline
 */
export function putBlock(text: Bytes | undefined, lines: Bytes): Edited {
	if (text === undefined) return { text: blockOf("own", lines) };
	const blocks = blocksIn(text);
	if (blocks === undefined) return BROKEN;
	const [first, ...others] = blocks;
	if (first === undefined) {
		const joined = text !== "" && !text.endsWith("\n");
		return { text: joined ? `${text}\n${blockOf("joined", lines)}` : text + blockOf("plain", lines) };
	}
	const once = others.toReversed().reduce(without, text);
	return { text: once.slice(0, first.from) + blockOf(first.kind, lines) + once.slice(first.to) };
}

/** What taking our lines out came to; `gone` when nothing is left of a file that was not there before us. */
export type Taken = Edited | { gone: true };

/** The text without our lines. */
export function takeBlock(text: Bytes): Taken {
	const blocks = blocksIn(text);
	if (blocks === undefined) return BROKEN;
	const left = blocks.toReversed().reduce(without, text);
	return left === "" && blocks.some(({ kind }) => kind === "own") ? { gone: true } : { text: left };
}

/** Whether a text has lines of ours, or what is left of them. */
export const hasBlock = (text: Bytes): boolean => blocksIn(text)?.length !== 0;
