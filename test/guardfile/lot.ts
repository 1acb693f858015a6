// A lot to build on: a scratch directory with a home, guardfiles that nobody else may write, and the compiled tmx.

import {
	chmodSync,
	lstatSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	readlinkSync,
	realpathSync,
	rmSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { BINARY } from "../support/binary.ts";
import type { Env, Ran } from "../support/shell.ts";

/** Run an argv with exactly this environment and wait for it; what it says as bytes. */
export function run(argv: string[], env: Env, cwd: string): Ran {
	const done = Bun.spawnSync(argv, { env, cwd, stdin: "ignore", stdout: "pipe", stderr: "pipe" });
	return { status: done.exitCode ?? 128, stdout: done.stdout.toString("latin1"), stderr: done.stderr.toString("latin1") };
}

export interface Lot {
	base: string;
	home: string;
	/** Where the shims go, not yet made. */
	out: string;
	env: Env;
	/** Write a file that is nobody else's, and answer its path. */
	write(name: string, text: string | Uint8Array): string;
	/** Run tmx in the lot. */
	tmx(...argv: string[]): Ran;
	remove(): void;
}

export function makeLot(): Lot {
	const base = realpathSync(mkdtempSync(join(tmpdir(), "tmx-lot-")));
	const home = join(base, "home");
	mkdirSync(home);
	const env: Env = { HOME: home, PATH: "/usr/bin:/bin" };
	const write = (name: string, text: string | Uint8Array) => {
		const path = join(base, name);
		mkdirSync(dirname(path), { recursive: true });
		writeFileSync(path, text);
		chmodSync(path, 0o644);
		return path;
	};
	return {
		base,
		home,
		out: join(base, "shims"),
		env,
		write,
		tmx: (...argv) => run([BINARY, ...argv], env, base),
		remove: () => rmSync(base, { recursive: true, force: true }),
	};
}

/** A guardfile that wraps these tools, `name` for a shim and `-name` for none. */
export function guardfile(...tools: string[]): string {
	return tools
		.map((tool) => {
			const name = tool.replace(/^-/, "");
			const replace = tool.startsWith("-") ? "" : "replace\n    ";
			return `wrap "${name}" {
    exec "${name}"
    ${replace}can run "*" {
        gate paths-within {
            operands "positional"
            root-env "TMX_ROOTS"
        }
    }
}
`;
		})
		.join("");
}

/** Everything below a directory as lines `NAME MODE CONTENT`, links by their text: to see that nothing was touched. */
export function picture(directory: string): string[] {
	const lines: string[] = [];
	const visit = (path: string, name: string) => {
		const stats = lstatSync(path);
		const mode = (stats.mode & 0o7777).toString(8);
		if (stats.isSymbolicLink()) lines.push(`${name} -> ${readlinkSync(path)}`);
		else if (stats.isFile()) lines.push(`${name} ${mode} ${readFileSync(path, "latin1")}`);
		else {
			lines.push(`${name}/ ${mode}`);
			for (const entry of readdirSync(path).sort()) visit(join(path, entry), `${name}/${entry}`);
		}
	};
	visit(directory, ".");
	return lines;
}
