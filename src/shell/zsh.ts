// What zsh writes shorter than other shells: loops over `(words)`, and functions without a name (zshmisc(1), ALTERNATE FORMS, ANONYMOUS FUNCTIONS).

import type { Bytes } from "../policy/bytes.ts";
import type { Machine } from "./machine.ts";

/** Whether zsh reads this: as the person's own shell, or started here. */
export function isZsh(machine: Machine): boolean {
	const shell = machine.via.findLast((each) => /^(ba|da|z|k|mk|a)?sh\b/.test(each));
	return shell === undefined ? /\bzsh$/.test(machine.around.env("SHELL") ?? "") : shell.startsWith("zsh");
}

const QUOTED = /\\[\s\S]|'[^']*'|"(?:[^"\\]|\\[\s\S])*"/y;
const LOOP = /(?<![^\s;&|({])for\s+(\w+)\s*\((?!\()/y;
const NAMELESS = /(?<![^\s;&|({])(?:\(\s*\)|function)\s*\{/y;
/** What the function without a name is called here. */
const NAME = "anonymous_function";

function at(pattern: RegExp, text: Bytes, place: number): RegExpExecArray | null {
	pattern.lastIndex = place;
	return pattern.exec(text);
}

/** Where a part ends: at one of `stops`, or at a bracket that closes none within it. */
function endOf(text: Bytes, from: number, stops: string): number {
	let depth = 0;
	for (let place = from; place < text.length; place++) {
		const quoted = at(QUOTED, text, place);
		const character = text[place] as string;
		if (quoted !== null) place += quoted[0].length - 1;
		else if (text.startsWith("&&", place) || text.startsWith("||", place)) place++;
		else if (depth === 0 && stops.includes(character)) return place;
		else if ("({".includes(character)) depth++;
		else if (")}".includes(character) && depth-- === 0) return place;
	}
	return text.length;
}

/** A loop as other shells write it, and where it ends. */
function loop(text: Bytes, [head, name]: RegExpExecArray, from: number): { plain: Bytes; end: number } {
	const close = endOf(text, from + (head as string).length, "");
	const opening = `for ${name} in ${text.slice(from + (head as string).length, close)};`;
	const body = close + 1 + (/^[\s;]*/.exec(text.slice(close + 1))?.[0].length ?? 0);
	if (/^do\b/.test(text.slice(body))) return { plain: `${opening} `, end: body };
	const braced = text[body] === "{";
	const end = braced ? endOf(text, body + 1, "") : endOf(text, body, ";\n&");
	const commands = withoutShortForms(text.slice(braced ? body + 1 : body, end));
	return { plain: `${opening} do ${commands}\ndone`, end: braced ? end + 1 : end };
}

/** A function without a name as one that has a name and is called. */
function nameless(text: Bytes, [head]: RegExpExecArray, from: number): { plain: Bytes; end: number } {
	const close = endOf(text, from + (head as string).length, "");
	const end = endOf(text, close + 1, ";\n&|");
	const body = withoutShortForms(text.slice(from + (head as string).length, close));
	return { plain: `{ ${NAME}() {\n${body}\n}; ${NAME}${text.slice(close + 1, end)}\n}`, end };
}

/** A script of zsh in the words of other shells. */
export function withoutShortForms(text: Bytes): Bytes {
	let plain = "";
	for (let place = 0; place < text.length; ) {
		const quoted = at(QUOTED, text, place);
		const [found, written] = [at(LOOP, text, place), at(NAMELESS, text, place)];
		const form = found ? loop(text, found, place) : written ? nameless(text, written, place) : undefined;
		plain += form?.plain ?? quoted?.[0] ?? text[place];
		place = form?.end ?? place + (quoted?.[0].length ?? 1);
	}
	return plain;
}
