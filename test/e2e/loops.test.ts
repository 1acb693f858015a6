// Other wrappers on PATH that skip only themselves: every chain ends in the real tool, or in exit 4 at once.

import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { copyFileSync, mkdirSync, symlinkSync } from "node:fs";
import { BINARY } from "../support/binary.ts";
import { type Box, makeBox, PATIENCE, policyOf, RAN, script, shims, stub, writePolicy } from "../support/box.ts";
import { records } from "../support/records.ts";
import { type Env, type Ran, run } from "../support/shell.ts";

setDefaultTimeout(PATIENCE);

/** The first rm on PATH that is not in this wrapper's own directory, as version managers look for it. */
// biome-ignore lint/suspicious/noTemplateCurlyInString: shell text
const NEXT = 'own=${0%/*}; IFS=:; for d in $PATH; do [ "$d" = "$own" ] && continue; [ -x "$d/rm" ] && next=$d/rm && break; done; unset IFS';

/** Ways in which a wrapper goes on. */
const WAYS: Readonly<Record<string, string>> = {
	"executes the next one": 'exec "$next" "$@"',
	"runs the next one as a child": '"$next" "$@"; exit $?',
	"runs the next one in a pipeline": '"$next" "$@" | while read -r line; do echo "$line"; done',
	"runs the next one in a command substitution": 'out=$("$next" "$@") || exit $?; [ -z "$out" ] || echo "$out"',
};

let box: Box;
let env: Env;

/** A directory with a wrapper of rm. */
function wrapper(name: string, way: string): string {
	script(`${box.base}/${name}/rm`, `${NEXT}\n${way}`);
	return `${box.base}/${name}`;
}

/** Call rm with these directories as PATH; a chain without an end is cut off. */
function rm(directories: string[], word = "a"): Promise<Ran> {
	const PATH = directories.join(":");
	const found = Bun.which("rm", { PATH }) ?? "rm";
	return run(["/usr/bin/timeout", "60", found, word], { ...env, PATH }, box.root);
}

beforeEach(() => {
	box = makeBox();
	shims(box, "", ["rm"]);
	mkdirSync(`${box.base}/tool`);
	symlinkSync(stub(box), `${box.base}/tool/rm`);
	env = { TMX_ROOTS: box.root, HOME: box.home };
});
afterEach(() => box.remove());

for (const [title, way] of Object.entries(WAYS)) {
	describe(`a wrapper that ${title}`, () => {
		test.each(["shims wrap tool", "wrap shims tool", "shims wrap wrap2 tool", "wrap shims wrap2 tool", "shims wrap shims tool wrap2"])(
			"PATH=%s ends in the real tool",
			async (order) => {
				for (const name of ["wrap", "wrap2"]) wrapper(name, way);
				const directories = order.split(" ").map((name) => `${box.base}/${name}`);
				expect(await rm(directories)).toEqual({ status: 0, stdout: RAN, stderr: "" });
				const refused = await rm(directories, "/no/such/file");
				expect(refused.stderr).toStartWith("tmx: rm: policy_denied: ");
				expect(refused.stdout).toBe("");
			},
		);
	});
}

test("the guard's variable stays out of the tool's environment while there is one candidate", async () => {
	symlinkSync("/usr/bin/env", `${box.base}/env`);
	const directory = shims(box, `${box.base}/env`, ["rm"], "shims-env");
	const { stdout } = await run([`${directory}/rm`], { ...env, PATH: directory, TMX_ROOTS: undefined }, box.root);
	expect(stdout.split("\n").filter((line) => line.startsWith("TMX_"))).toEqual([]);
});

test("a nested call starts a chain of its own", async () => {
	wrapper("wrap", WAYS["executes the next one"] as string);
	const again = script(`${box.base}/twice/rm`, `[ "$1" = a ] && exec ${box.base}/shims/rm b; printf 'again %s\\n' "$@"`);
	const directories = [`${box.base}/shims`, `${box.base}/wrap`, again.slice(0, -3)];
	expect((await rm(directories)).status).not.toBe(124);
});

describe("nothing but shims on PATH ends in exit 4 at once", () => {
	const ended = (ran: Ran) => {
		expect(ran.status).toBe(4);
		expect(ran.stderr).toMatch(/^tmx: rm: internal: /);
		expect(ran.stdout).toBe("");
	};

	test("one directory, also twice and under another name", async () => {
		symlinkSync(`${box.base}/shims`, `${box.base}/alias`);
		ended(await rm([`${box.base}/shims`]));
		ended(await rm([`${box.base}/shims`, `${box.base}/alias`, `${box.base}/shims`]));
		expect(records(box.audit)).toEqual([]);
	});

	test("two installations, each with a binary of its own", async () => {
		for (const name of ["one", "two"]) {
			mkdirSync(`${box.base}/${name}`);
			copyFileSync(BINARY, `${box.base}/${name}/tmx`);
			symlinkSync("tmx", `${box.base}/${name}/rm`);
			writePolicy(`${box.base}/${name}`, "rm", policyOf(box, "rm", "rm"));
		}
		const both = [`${box.base}/one`, `${box.base}/two`];
		ended(await rm(both));
		ended(await rm(both.reverse()));
		expect(await rm([...both, `${box.base}/tool`])).toEqual({ status: 0, stdout: RAN, stderr: "" });
	});
});
