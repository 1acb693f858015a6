// The profile for macOS out of the same places, as a text: it cannot run here.

import { expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { profileOf } from "../../src/floor/seatbelt.ts";
import type { Grant } from "../../src/sys/landlock.ts";

const GOLDEN = join(import.meta.dir, "seatbelt.sb");

/** Places as they lie on a Mac; those of them that are files. */
const GRANTS: readonly Grant[] = [
	{ path: "/Users/ann/project", what: "tree" },
	{ path: "/Users/ann/main/.git", what: "tree" },
	{ path: "/private/tmp", what: "tree" },
	{ path: "/private/var/folders", what: "tree" },
	{ path: "/dev/null", what: "file" },
	{ path: "/dev/ttys001", what: "file" },
	{ path: '/Users/ann/odd "name" \\ here', what: "tree" },
	{ path: "/Users/ann/caf\xc3\xa9", what: "tree" },
	{ path: "/Users/ann/.claude.json", what: "file" },
	{ path: "/Users/ann/notes.txt", what: "tree" },
	{ path: "/Users/ann/.local/state/tmx/audit.jsonl", what: "keep" },
];

const system = { kind: (path: string) => (path.endsWith(".txt") ? ("file" as const) : ("directory" as const)) };

test("the profile is as it was read by a person", () => {
	const profile = profileOf(system, GRANTS);
	// `WRITE_PROFILE=1 bun test seatbelt.test.ts` writes it anew, for a person to read what changed.
	if (process.env.WRITE_PROFILE === "1") writeFileSync(GOLDEN, profile);
	expect(profile).toBe(readFileSync(GOLDEN, "utf8"));
});

test("with no places at all it still denies every write", () => {
	expect(profileOf(system, [])).toBe('(version 1)\n(allow default)\n(deny file-write* (subpath "/"))\n');
});
