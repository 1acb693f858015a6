// A scratch box: a session's root and an outside under one directory, a home, and shims of the compiled binary with their policy.

import {
	chmodSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	realpathSync,
	rmSync,
	statSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ToolPolicy } from "../../src/policy/policy.ts";
import { BINARY } from "./binary.ts";

/** The operand reader of each tool that the tests guard. */
export const READERS: Readonly<Record<string, string>> = {
	rm: "positional",
	unlink: "positional",
	rmdir: "rmdir",
	mv: "positional-and-target",
	find: "find",
	cp: "cp",
	ln: "ln",
	install: "install",
	tee: "tee",
	dd: "dd",
	touch: "touch",
	truncate: "truncate",
	shred: "shred",
	mkdir: "mkdir",
	chmod: "chmod",
	chown: "chown",
	chgrp: "chgrp",
	rsync: "rsync",
	tar: "tar",
	unzip: "unzip",
	sed: "sed",
	sort: "sort",
	patch: "patch",
	curl: "curl",
	wget: "wget",
	gzip: "makers",
	gunzip: "makers",
	bzip2: "makers",
	bunzip2: "makers",
	xz: "makers",
	unxz: "makers",
	zstd: "makers",
	unzstd: "makers",
	split: "makers",
	csplit: "makers",
	uniq: "makers",
	shuf: "makers",
	mkfifo: "makers",
	mknod: "makers",
	sponge: "makers",
	mktemp: "makers",
	awk: "awk",
	gawk: "awk",
	mawk: "awk",
	perl: "perl",
	git: "git",
};

/** How long a test may take, in milliseconds: a machine with other work on it is no reason to fail. */
export const PATIENCE = 120_000;

/** What the stub of a real tool prints. */
export const RAN = "the real tool ran\n";

/** The directories of a box; every path is real. */
export interface Box {
	/** Holds all the others but `other`. */
	base: string;
	root: string;
	outside: string;
	home: string;
	/** On another file system, or undefined when none can be had. */
	other: string | undefined;
	audit: string;
	remove(): void;
}

/** A directory of its own below `parent`, with its real path. */
function scratch(parent: string): string {
	return realpathSync(mkdtempSync(join(parent, "tmx-")));
}

/** A directory on another file system than `base`. */
function elsewhere(base: string): string | undefined {
	try {
		const other = scratch("/dev/shm");
		if (statSync(other).dev !== statSync(base).dev) return other;
		rmSync(other, { recursive: true });
	} catch {
		// No /dev/shm, or not for this user.
	}
	return undefined;
}

/** Make a box. Nothing in it is under a root that a policy fixes, since the policies of tests fix none. */
export function makeBox(): Box {
	const base = scratch(tmpdir());
	const other = elsewhere(base);
	const [root, outside, home] = ["R", "O", "home"].map((name) => join(base, name)) as [string, string, string];
	for (const directory of [root, outside, home]) mkdirSync(directory);
	const remove = () => {
		for (const directory of [base, other]) if (directory) rmSync(directory, { recursive: true, force: true });
	};
	return { base, root, outside, home, other, audit: join(base, "audit.jsonl"), remove };
}

/** The policy of one tool in a box. */
export function policyOf(box: Box, tool: string, exec: string): ToolPolicy {
	return {
		format: 1,
		tool,
		exec,
		guardfile: join(box.base, "test.kdl"),
		gates: [
			{
				gate: "paths-within",
				line: 3,
				operands: READERS[tool] as string,
				settings: { "root-env": ["TMX_ROOTS"], "root-parent-env": ["AOS_NATIVE_SESSION_PROJECTS"] },
			},
		],
		audit: box.audit,
		uid: process.getuid?.() ?? 0,
		home: box.home,
	};
}

/** Write a program that is a shell script. */
export function script(path: string, text: string): string {
	mkdirSync(join(path, ".."), { recursive: true });
	writeFileSync(path, `#!/bin/sh\n${text}\n`);
	chmodSync(path, 0o755);
	return path;
}

/** A stub that says that it ran; its file name says whose implementation it passes for. */
export function stub(box: Box, implementation = "gnu"): string {
	return script(join(box.base, "real", implementation), `printf '${RAN.replace("\n", "\\n")}'`);
}

/** A program that leaves a mark: its argv, each word ended by NUL. */
export interface Fake {
	path: string;
	/** The words that it was called with, or undefined when it did not run. */
	argv(): string[] | undefined;
}

/** Make a program under a tool's name in a directory of the box. */
export function fake(box: Box, name: string, directory = "real"): Fake {
	const mark = join(box.base, `${directory}-${name}.mark`);
	const path = script(join(box.base, directory, name), `printf '%s\\0' "$@" >'${mark}'`);
	const argv = () => (existsSync(mark) ? readFileSync(mark, "latin1").split("\0").slice(0, -1) : undefined);
	return { path, argv };
}

/** Write a policy file as `tmx build` does. */
export function writePolicy(directory: string, tool: string, policy: unknown): string {
	const path = join(directory, "policy", `${tool}.json`);
	mkdirSync(join(directory, "policy"), { recursive: true });
	writeFileSync(path, JSON.stringify(policy), { mode: 0o644 });
	return path;
}

/** A directory of shims: a link to the binary and a policy file for each tool. `exec` is a program, or "" for the tool's own name. */
export function shims(box: Box, exec: string, tools = Object.keys(READERS), name = "shims"): string {
	const directory = join(box.base, name);
	mkdirSync(directory);
	for (const tool of tools) {
		symlinkSync(BINARY, join(directory, tool));
		writePolicy(directory, tool, policyOf(box, tool, exec || tool));
	}
	return directory;
}
