// A session of tmx wrap for tests: a box with a policy of its own that fixes no directory, a home and a runtime directory.

import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { BINARY } from "./binary.ts";
import { type Box, makeBox, shims } from "./box.ts";

export interface Ran {
	status: number;
	stdout: string;
	stderr: string;
}

export interface Sessions {
	box: Box;
	/** The shim directory whose policy the sessions take. */
	policy: string;
	/** Where the sessions lie. */
	place: string;
	/** A file outside of every session. */
	keep: string;
	env: Record<string, string>;
	/** Run `tmx wrap` with these words before and behind the dashes. */
	wrap(options: string[], command: string[], more?: { env?: Record<string, string>; cwd?: string }): Ran;
	/** The names of the sessions that are there. */
	names(): string[];
	remove(): void;
}

export function makeSessions(tools = ["rm", "find", "mv"]): Sessions {
	const box = makeBox();
	const policy = shims(box, "", tools);
	const run = join(box.base, "run");
	mkdirSync(run, { mode: 0o700 });
	const place = join(run, "tmx/sessions");
	const keep = join(box.outside, "keep");
	writeFileSync(keep, "kept\n");
	const env = { PATH: "/usr/local/bin:/usr/bin:/bin", HOME: box.home, XDG_RUNTIME_DIR: run, LANG: "C.UTF-8" };
	return {
		box,
		policy,
		place,
		keep,
		env,
		wrap(options, command, more = {}) {
			const words = ["wrap", "--policy", policy, ...options, "--", ...command];
			return runIn(words, { ...env, ...more.env }, more.cwd ?? box.root);
		},
		names: () => (existsSync(place) ? readdirSync(place).filter((name) => !name.startsWith(".")) : []),
		remove: () => box.remove(),
	};
}

/** Run the binary. */
export function runIn(words: string[], env: Record<string, string>, cwd: string): Ran {
	const { exitCode, signalCode, stdout, stderr } = Bun.spawnSync([BINARY, ...words], {
		env,
		cwd,
		stdin: null,
		stdout: "pipe",
		stderr: "pipe",
	});
	return { status: signalCode ? 128 : exitCode, stdout: stdout.toString(), stderr: stderr.toString() };
}
