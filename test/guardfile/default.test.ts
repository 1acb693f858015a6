// The default guardfile, the one of the document, and those on the pages.

import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { check } from "../../src/guardfile/check.ts";
import { compile, fromHeld } from "../../src/guardfile/compile.ts";
import { DEFAULT_POLICIES } from "../../src/guardfile/default.compiled.ts";
import { defaultModule } from "../../src/guardfile/generate.ts";
import { render } from "../../src/guardfile/problem.ts";
import { ROOT } from "../support/binary.ts";

const read = (path: string) => readFileSync(join(ROOT, path), "utf8");
const builder = { uid: 1000, home: "/home/u", audit: "/home/u/audit.jsonl" };

/** The guard in a text, or the problems as a failure. */
function guardOf(text: string) {
	const result = check([{ name: "test.kdl", path: "/test.kdl", text }]);
	if ("problems" in result) throw new Error(result.problems.map((problem) => render(problem, "check")).join(""));
	return result.guard;
}

test("the binary holds what default.kdl compiles to", () => {
	expect(read("src/guardfile/default.compiled.ts")).toBe(defaultModule(read("src/guardfile/default.kdl")));
});

test("what the binary holds gives the same policies as the text", () => {
	const text = compile({ ...guardOf(read("src/guardfile/default.kdl")) }, builder);
	const held = compile(fromHeld(DEFAULT_POLICIES, "/test.kdl"), builder);
	expect(held).toEqual(text);
});

test("the default guardfile guards the tools of the design, the first seven with shims", () => {
	const { tools, links, policies } = compile(fromHeld(DEFAULT_POLICIES, "default.kdl"), builder);
	const shims = ["find", "mv", "rm", "rmdir", "shred", "truncate", "unlink"];
	const writers = ["chgrp", "chmod", "chown", "cp", "dd", "install", "ln", "mkdir", "rsync", "tee", "touch"];
	const makers = "bunzip2 bzip2 csplit gunzip gzip mkfifo mknod mktemp shuf split sponge uniq unxz unzstd xz zstd".split(" ");
	const programs = ["awk", "gawk", "mawk", "perl", "sed"];
	const others = [...writers, ...makers, ...programs, "curl", "git", "patch", "sort", "tar", "unzip", "wget"];
	expect(links).toEqual(shims);
	expect(tools).toEqual([...shims, ...others].sort());
	expect([...policies.keys()].sort()).toEqual([...tools, "files"].sort());
	for (const { gates } of policies.values()) {
		expect(gates.map(({ settings }) => settings)).toEqual([
			{
				"root-env": ["TMX_ROOTS", "AOS_FS_GUARD_ROOTS"],
				"root-parent-env": ["AOS_NATIVE_SESSION_PROJECTS"],
				root: ["/tmp", "/var/tmp", "/private/tmp", "/dev/shm"],
			},
		]);
	}
});

/** As the first users of the dialect write it. */
const DOCUMENT = `wrap rm {
    exec rm
    replace
    can run "*" {
        gate paths-within {
            operands "positional"
            root-parent-env "AOS_NATIVE_SESSION_PROJECTS"
            root-env "AOS_FS_GUARD_ROOTS"
            root "/private/tmp/claude-{uid}"
            reason "work on a copy inside the shadow, or hand the operation to Kai"
        }
    }
}
`;

test("the example of the document compiles verbatim", () => {
	const { policies, links } = compile(guardOf(DOCUMENT), builder);
	expect(links).toEqual(["rm"]);
	expect([...policies]).toEqual([
		[
			"rm",
			{
				format: 1,
				tool: "rm",
				exec: "rm",
				guardfile: "/test.kdl",
				gates: [
					{
						gate: "paths-within",
						line: 5,
						operands: "positional",
						settings: {
							"root-parent-env": ["AOS_NATIVE_SESSION_PROJECTS"],
							"root-env": ["AOS_FS_GUARD_ROOTS"],
							root: ["/private/tmp/claude-{uid}"],
							reason: ["work on a copy inside the shadow, or hand the operation to Kai"],
						},
					},
				],
				audit: "/home/u/audit.jsonl",
				uid: 1000,
				home: "/home/u",
			},
		],
	]);
});

test("names that are not ASCII are kept as their bytes", () => {
	const guard = guardOf(
		'wrap "löschen" { exec "/opt/ä"; replace "日"; can run "*" { gate paths-within { operands positional; root-env R; root "/ö"; reason "nö 👍"; }; }; }',
	);
	const bytes = (text: string) => Buffer.from(text).toString("latin1");
	const { policies, links } = compile(guard, builder);
	expect(links).toEqual([bytes("日")]);
	expect([...policies.keys()]).toEqual([bytes("löschen"), bytes("日")]);
	const policy = policies.get(bytes("日"));
	expect(policy?.tool).toBe(bytes("löschen"));
	expect(policy?.exec).toBe(bytes("/opt/ä"));
	expect(policy?.gates[0]?.settings).toEqual({ "root-env": ["R"], root: [bytes("/ö")], reason: [bytes("nö 👍")] });
});

test("a set of roots stands in place of its name, in order, also from another file and from below", () => {
	const wrap = (gate: string) => `wrap rm { exec rm; can run "*" { gate paths-within { operands positional; ${gate} }; }; }\n`;
	const result = check([
		{ name: "a", path: "/a", text: wrap('root-env A; roots first; root "/b"; roots second; root-env C;') },
		{
			name: "b",
			path: "/b",
			text: 'roots second { root-env "Y"; root-parent-env "Z"; }\nroots first { root-env "X"; root "/x"; }\nroots unused { root "/u"; }',
		},
	]);
	const settings = "guard" in result ? result.guard.wraps[0]?.gates[0]?.settings : result.problems;
	expect(settings).toEqual({ "root-env": ["A", "X", "Y", "C"], root: ["/x", "/b"], "root-parent-env": ["Z"] });
});

for (const page of ["src/guardfile/guardfile.md", "README.md"]) {
	const blocks = [...read(page).matchAll(/^```kdl\n([\s\S]*?)^```/gm)].map((match) => match[1] as string);
	test(`the guardfiles in ${page} are good`, () => {
		expect(blocks.length).toBeGreaterThan(0);
		for (const block of blocks) expect(() => guardOf(block)).not.toThrow();
	});
}
