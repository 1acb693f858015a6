// A scratch home with the compiled binary in it, for setting up the hooks of agents.

import { copyFileSync, existsSync, linkSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { BINARY } from "../support/binary.ts";
import { type Env, type Ran, run } from "../support/shell.ts";

/** Where each agent's settings lie below a home. */
export const SETTINGS: Readonly<Record<string, string>> = {
	claude: ".claude/settings.json",
	codex: ".codex/hooks.json",
	gemini: ".gemini/settings.json",
	copilot: ".copilot/hooks/tmx.json",
	cursor: ".cursor/hooks.json",
	opencode: ".config/opencode/plugins/tmx.js",
};

export interface Home {
	/** Holds the others. */
	base: string;
	home: string;
	/** A directory that is a project. */
	project: string;
	/** The path by which the binary is called. */
	tmx: string;
	env: Env;
	run(...words: string[]): Promise<Ran>;
	read(path: string): string | undefined;
	write(path: string, text: string | Uint8Array): void;
	remove(): void;
}

/** Make a home. @param name the directory of the binary, below the scratch directory */
export function makeHome(name = "bin"): Home {
	const base = realpathSync(mkdtempSync(join(tmpdir(), "tmx-home-")));
	const [home, project, tmx] = ["home", "project", `${name}/tmx`].map((path) => join(base, path)) as [string, string, string];
	for (const directory of [home, project, dirname(tmx)]) mkdirSync(directory);
	try {
		linkSync(BINARY, tmx);
	} catch {
		copyFileSync(BINARY, tmx);
	}
	const env: Env = { PATH: "/usr/bin:/bin", HOME: home };
	const at = (path: string) => join(home, path);
	return {
		base,
		home,
		project,
		tmx,
		env,
		run: (...words) => run([tmx, ...words], env, project),
		read: (path) => (existsSync(at(path)) ? readFileSync(at(path), "utf8") : undefined),
		write(path, text) {
			mkdirSync(dirname(at(path)), { recursive: true });
			writeFileSync(at(path), text);
		},
		remove: () => rmSync(base, { recursive: true, force: true }),
	};
}
