// Whether a command takes away all that there is where it stands: `rm -rf *`, `find . -delete`, `git clean`.

import type { Bytes } from "../policy/bytes.ts";
import { baseOf } from "../policy/resolve.ts";
import type { Word } from "./reading.ts";
import { shown } from "./words.ts";

/** Everything here, by a name or a pattern of all names. */
const ALL = /^(\.\/+)*(\.|\*|\.\*|\.\[[^/]*|\{[*.,]+\})?$/;

/** Tests of find that leave some of what it finds alone. */
const CHOOSING = /^-(i?(name|path|regex|wholename|lname)|newer.*|[acm](time|min)|size|user|group|perm|empty|maxdepth)$/;

const isAll = (text: Bytes): boolean => text !== "" && ALL.test(text);

const takesNamed = (words: readonly Bytes[]): boolean => words.some((word) => !word.startsWith("-") && isAll(word));

const TAKES: Readonly<Record<string, (words: readonly Bytes[]) => boolean>> = {
	rm: takesNamed,
	rmdir: takesNamed,
	shred: takesNamed,
	unlink: takesNamed,
	find: (words) => {
		const starts = words.slice(
			0,
			Math.max(
				0,
				words.findIndex((word) => /^[-(!]/.test(word)),
			),
		);
		const isHere = starts.length === 0 || starts.some(isAll);
		return isHere && words.includes("-delete") && !words.some((word) => CHOOSING.test(word));
	},
	git: (words) => words.find((word) => !word.startsWith("-")) === "clean",
};

export function takesAll(words: readonly Word[]): boolean {
	const [tool = "", ...rest] = words.map(shown);
	const name = baseOf(tool);
	return Object.hasOwn(TAKES, name) && TAKES[name]?.(rest) === true;
}
