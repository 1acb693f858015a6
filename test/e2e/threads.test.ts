// A shim and a hook are one thread: starting others takes longer than they live.

import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { makeWorld, type World } from "../hook/world.ts";
import { BINARY } from "../support/binary.ts";
import { PATIENCE } from "../support/box.ts";
import { run } from "../support/shell.ts";

setDefaultTimeout(PATIENCE);

let world: World;
beforeAll(() => {
	world = makeWorld();
});
afterAll(() => world.box.remove());

/** A line for each thread that is started. */
async function threadsOf(words: string[], input = ""): Promise<string[]> {
	const env = { PATH: `${world.shims}:/usr/bin:/bin`, HOME: world.box.home, TMX_ROOTS: world.box.root };
	const { stderr } = await run(["strace", "-f", "-e", "trace=clone,clone3", ...words], env, world.box.root, input);
	expect(stderr).toContain("+++ exited with");
	return stderr.split("\n").filter((line) => /\bclone3?\(/.test(line));
}

const LINES = {
	"nothing is guarded": "npm test 2>&1 | tail -n 20",
	"one call is guarded": "cd proj && rm -rf build",
	"the line has to be read":
		'for f in a b c d e f g h; do cp "$f" "x-$f"; rm -rf ../build/*.o "$f.o"; done; (cd sub && git add -A) && git commit -qm "$(date)" > out.txt',
};

describe.skipIf(!Bun.which("strace"))("no thread is started (skipped without strace)", () => {
	test.each(Object.entries(LINES))("by a hook, where %s", async (_, command) => {
		const event = { session_id: "s", cwd: world.box.root, hook_event_name: "PreToolUse", tool_name: "Bash", tool_input: { command } };
		expect(await threadsOf([BINARY, "hook", "claude", "--policy", world.shims], JSON.stringify(event))).toEqual([]);
	});

	test("by a shim that refuses", async () => {
		expect(await threadsOf([`${world.shims}/rm`, "-rf", `${world.box.outside}/dir`])).toEqual([]);
	});
});
