// Programs in other languages than the shell's, where their text is known: awk and sed from a file, curl's settings, and interpreters.

import { baseOf } from "../policy/resolve.ts";
import { programOf } from "../tools/programs.ts";
import type { Call } from "./call.ts";
import { keptAt } from "./places.ts";
import type { Word } from "./reading.ts";
import { fileOutput, wholeInput } from "./redirections.ts";
import { scriptOf } from "./shells.ts";
import { beginning, known, shown, textOf, withoutFirst } from "./words.ts";

/** The text of a file that this line wrote or feeds in; undefined where it is not known. */
function contentOf({ m, state }: Call, file: Word | undefined): Word | undefined {
	if (file === undefined) return undefined;
	return scriptOf(textOf(file) === "-" ? wholeInput(m) : fileOutput(m, state, file));
}

/** No longer program is read in the place of its file. */
const LONGEST = 8000;

/** The words of awk or sed with the texts of programs in the place of files that hold them. */
export function withPrograms(call: Call): Word[] {
	const found: Word[] = [];
	const { words } = call;
	for (let at = 0; at < words.length; at++) {
		const word = words[at] as Word;
		const [, flags, glued] = /^(?:-([nrEsuz]*)f|-E|--file=?|--exec=?)(.*)$/s.exec(beginning(word)) ?? [];
		if (at === 0 || glued === undefined) {
			found.push(word);
			continue;
		}
		const own = glued !== "" || word.pieces.length > 1;
		const text = contentOf(call, own ? withoutFirst(word, beginning(word).length - glued.length) : words[at + 1]);
		if (text === undefined || call.m.marked(text).length > LONGEST) {
			if (text !== undefined) call.m.unclear("a program that is too long to be read");
			found.push(word);
			continue;
		}
		if (flags) found.push(known(`-${flags}`));
		found.push(known("-e"), text);
		if (!own) at++;
	}
	return found;
}

/** A line of curl's settings: an option with or without its dashes, and a value in quotes or without (curl(1), --config). */
const SETTING = /^\s*-{0,2}([\w.-]+)(?:\s*[=:]\s*|\s+|$)(?:"((?:[^"\\]|\\.)*)"|(\S*))/;

/** The words of curl with what its settings say. */
export function withSettings(call: Call): Word[] {
	const { words } = call;
	return words.flatMap((word, k) => {
		const glued = k > 0 ? /^(-[a-zA-Z]*K|--config=)(?=.)/.exec(beginning(word))?.[0] : undefined;
		if (glued === undefined && !/^(-[a-zA-Z]*K|--config)$/.test(textOf(words[k - 1]) ?? "")) return [word];
		const text = textOf(contentOf(call, glued === undefined ? word : withoutFirst(word, glued.length)));
		const options = (text ?? "").split("\n").flatMap((line) => {
			const [, name, quoted, value] = /^\s*(#|$)/.test(line) ? [] : (SETTING.exec(line) ?? []);
			if (name === undefined) return [];
			const given = quoted?.replace(/\\(.)/g, "$1") ?? value ?? "";
			return [known(name.length === 1 ? `-${name}` : `--${name}`), ...(given === "" ? [] : [known(given)])];
		});
		return [word, ...options];
	});
}

/** The words of a script that names its interpreter in its first line, where this line wrote it (execve(2), Interpreter scripts). */
function withInterpreter(call: Call): readonly Word[] {
	const { m, state, words } = call;
	const own = beginning(words[0]).includes("/") ? keptAt(m.world.files, state, textOf(words[0])) : undefined;
	const [, line] = own?.kind === "text" ? (/^#!\s*(?:\S*\/env\s+(?:-S\s+)?)?(.*)/.exec(beginning(own.word)) ?? []) : [];
	return line === undefined ? words : [...line.trim().split(/\s+/).map(known), ...words];
}

/** Names an interpreter's program that changes files or runs others: what it does to which is nobody's to know. */
export function nameProgram(call: Call): void {
	const { m, state } = call;
	const words = withInterpreter(call);
	const name = baseOf(textOf(words[0]) ?? "");
	const program = programOf(
		name,
		words.slice(1).map((word) => textOf(word) ?? ""),
	);
	if (program === undefined) return;
	const file = program.file === undefined ? undefined : words[program.file + 1];
	const isFed = program.file !== undefined && (file === undefined || textOf(file) === "-") && m.input !== undefined;
	const own = isFed
		? scriptOf(wholeInput(m))
		: keptAt(m.world.files, state, textOf(file)) === undefined
			? undefined
			: contentOf(call, file);
	const texts = [...program.texts, own === undefined ? "" : m.marked(own)];
	if (texts.some((text) => program.changes(text)))
		m.unclear(`a program of ${name} that changes files or runs others`, shown(words[0] as Word));
	else if (isFed && own === undefined) m.unclear(`${name} of a text that is not known`, shown(words[0] as Word));
}
