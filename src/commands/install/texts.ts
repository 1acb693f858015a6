// The completions and the manual page in the places where shells and man(1) look, and away from there again.

import { type Bytes, quote } from "../../policy/bytes.ts";
import { join } from "../../policy/resolve.ts";
import { sentenceOf } from "../../registration/file.ts";
import { type OwnFile, putOwn, takeOwn } from "../../registration/own-file.ts";
import { shellsOf, zshFunctions } from "../../registration/start-files.ts";
import type { System } from "../../sys/system.ts";
import { type Listed, print } from "../command.ts";
import { rowsOf } from "../completions/rows.ts";
import { headOf, type Shell, scriptFor, shellNames } from "../completions/scripts.ts";
import { internal, type Problem, userError } from "../confine/problem.ts";
import { MANUAL_HEAD, manualPage } from "../manual/roff.ts";

/** A text, its place, and how it is made. */
interface Text {
	what: string;
	file: OwnFile;
	make(listed: readonly Listed[]): string;
}

/** The data directory of the person (XDG Base Directory: relative values are ignored). */
function dataOf(system: System, home: Bytes): Bytes {
	const set = system.env("XDG_DATA_HOME") ?? "";
	return set.startsWith("/") ? set : join(home, ".local/share");
}

/**
 * Where each shell looks by itself, below the data directory: bash-completion(README), fish (Where to put completions). Zsh has no
 * such place of a person's; there the line in .zshrc names the directory.
 */
const PLACES: Readonly<Record<Shell, (system: System, home: Bytes) => [directory: Bytes, below: string]>> = {
	bash: (system, home) => [join(dataOf(system, home), "bash-completion"), "completions/tmx"],
	zsh: (_, home) => [zshFunctions(home), "_tmx"],
	fish: (system, home) => [join(dataOf(system, home), "fish"), "vendor_completions.d/tmx.fish"],
};

function completionsFor(system: System, home: Bytes, shell: Shell): Text {
	const [directory, below] = PLACES[shell](system, home);
	return {
		what: `the completions for ${shell}`,
		file: { path: join(directory, below), head: headOf(shell), upTo: directory },
		make: (listed) => scriptFor(shell, listed),
	};
}

/** Man finds it when ~/.local/bin is on PATH, which stands beside share/man (manpath(1)). */
function manualFor(home: Bytes): Text {
	const directory = join(home, ".local/share/man");
	return {
		what: "the manual page",
		file: { path: join(directory, "man1/tmx.1"), head: MANUAL_HEAD, upTo: directory },
		make: (listed) => manualPage(rowsOf(listed)),
	};
}

/** Do something about a text, with failures of the file system as problems. */
function attempt(path: Bytes, act: () => void): Problem[] {
	try {
		act();
		return [];
	} catch (error) {
		const { words, callers } = sentenceOf(path, error);
		return [callers ? userError(words) : internal(words)];
	}
}

/** Write the completions for the shells that this person uses, and the manual page. Answers what went wrong. */
export function installTexts(system: System, home: Bytes, listed: readonly Listed[]): Problem[] {
	const used = shellsOf(system, home);
	const shells = shellNames.filter((shell) => used.includes(shell));
	const texts = [...shells.map((shell) => completionsFor(system, home, shell)), manualFor(home)];
	return texts.flatMap(({ what, file, make }) =>
		attempt(file.path, () => {
			const put = putOwn(system, file, make(listed));
			print(system, `${put === "written" ? `wrote ${what}` : `there is ${what}`}: ${quote(file.path)}\n`);
		}),
	);
}

/** Take them away. Answers what went wrong. */
export function uninstallTexts(system: System, home: Bytes): Problem[] {
	const texts = [...shellNames.map((shell) => completionsFor(system, home, shell)), manualFor(home)];
	return texts.flatMap(({ what, file }) =>
		attempt(file.path, () => {
			if (takeOwn(system, file)) print(system, `removed ${what}: ${quote(file.path)}\n`);
		}),
	);
}
