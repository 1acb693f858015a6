// Events in the compact notation of the corpus: one line each, known text as it is, holes in angle brackets.

import type { Hole, Output, ShellEvent, Word } from "../../src/shell/reading.ts";

function hole({ source, contained, unset, unquoted }: Hole): string {
	return `<${source}${contained ? " in" : ""}${unset ? " unset" : ""}${unquoted ? " words" : ""}>`;
}

/** A word: known text bare or in quotes, a hole as `<source marks>`. */
export function word({ pieces }: Word): string {
	if (pieces.length === 0) return "''";
	return pieces
		.map((piece) => {
			if (typeof piece !== "string") return hole(piece);
			return /^[\w@%+=:,./~*?![\]{}$#-]+$/.test(piece)
				? piece
				: `'${piece.replaceAll("\n", "\\n").replaceAll("\t", "\\t").replaceAll("\r", "\\r")}'`;
		})
		.join("");
}

function output(known: Output): string {
	if (known.kind === "unknown") return "?";
	return known.kind === "text" ? word(known.word) : known.names.map(word).join("|");
}

/** One event as a line; `cwd` is the directory that is not worth showing. */
export function line(event: ShellEvent, cwd: string): string {
	switch (event.kind) {
		case "assign":
			return `set ${event.name}=${word(event.value)}`;
		case "unclear":
			return `unclear ${event.why}`;
		case "test":
			return `test ${event.operator} ${word(event.operand)}`;
		default: {
			const marks = [];
			if (event.cwd.length !== 1 || event.cwd[0] !== cwd) marks.push(`in ${event.cwd.join("|") || "?"}`);
			if (event.astray) marks.push(`astray in ${event.astray.join("|")}`);
			if (event.kind === "call") {
				if (event.via.length > 0) marks.push(`via ${event.via.join(", ")}`);
				if (!event.onPath) marks.push("off PATH");
				if (event.env.length > 0) marks.push(`with ${event.env.map(({ name, value }) => `${name}=${word(value)}`).join(" ")}`);
				if (event.input !== undefined) marks.push(`fed ${output(event.input)}`);
			}
			if (event.conditional) marks.push("perhaps");
			const text =
				event.kind === "call"
					? event.words.map(word).join(" ")
					: `${event.writes ? "write" : "read"} ${event.fd ?? ""}${event.operator} ${word(event.target)}`;
			return marks.length > 0 ? `${text}   # ${marks.join("; ")}` : text;
		}
	}
}
