// A command that the floor refused looks like one that lacks permission: the hook tells the model what it was, and only then.

import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { BINARY } from "../support/binary.ts";
import { PATIENCE } from "../support/box.ts";
import { makeStage, noFloor, type Stage, users } from "./stage.ts";

setDefaultTimeout(PATIENCE);

/** Lines that fail for the floor, with the name outside that the model must read of; `$O` is outside. */
const REFUSED: readonly [needs: string, line: string, named: string][] = [
	["sh", "echo x >$O/new", "new"],
	["bash", "bash -c 'cd $O && echo x >new'", ""],
	["rm", "/bin/rm $O/file", "file"],
	["rm", "cd $O; /bin/rm -rf tree", ""],
	["mv", "mv $O/file .", "file"],
	["mv", "mv mine $O/put", "put"],
	["ln", "ln $O/file hard", "file"],
	["touch", "touch $O/new", "new"],
	["touch", "LC_ALL=C.UTF-8 touch ../outside/new", "new"],
	["mkdir", "mkdir -p $O/a/b", "a"],
	["sed", "sed -i s/a/b/ $O/file", ""],
	["cp", "cp mine $O/file", "file"],
	["tee", "echo x | tee $O/file", "file"],
	["awk", 'awk \'BEGIN { print "x" > ENVIRON["O"] "/new" }\'', "new"],
	["busybox", "busybox rm $O/file", "file"],
	["busybox", "busybox touch $O/new", "new"],
	["/usr/bin/python3", '/usr/bin/python3 -c \'import os; os.unlink(os.environ["O"] + "/file")\'', "file"],
	["/usr/bin/python3", '/usr/bin/python3 -c \'import os; os.rename("mine", os.environ["O"] + "/put")\'', "put"],
	["node", 'node -e \'require("fs").unlinkSync(process.env.O + "/file")\'', "file"],
	["node", 'node -e \'require("fs").renameSync("mine", process.env.O + "/put")\'', "put"],
	["perl", 'perl -e \'unlink("$ENV{O}/file") or die "cannot unlink $ENV{O}/file: $!"\'', "file"],
	["git", "git init $O/repository", "repository"],
	["make", "printf 'all:\\n\\t/bin/rm -rf $(O)/tree\\n' | make -f -", "tree/leaf"],
	["npm", "mkdir -p p && cd p && echo '{}' >package.json && npm install --offline --prefix $O/npm .", ""],
];

/** Lines that fail, or do not, and not for the floor. */
const OTHERS: readonly string[] = [
	"echo x >new",
	"cat closed",
	"echo x >closed/new",
	"rm missing",
	"echo 'ssh: Permission denied (publickey).' >&2; false",
	"echo 'Permission denied' >&2; false",
	"echo \"error: '/': Permission denied\" >&2; false",
	"ls /nowhere/at/all",
];

describe.skipIf(noFloor !== "")(`the model is told (skipped where there is no floor${noFloor && `: ${noFloor}`})`, () => {
	// For root nothing is ever a matter of permission bits.
	const user = users.at(-1) as (typeof users)[number];
	let stage: Stage;
	beforeAll(async () => {
		stage = await makeStage(user);
		await stage.run(["/bin/sh", "-c", "mkdir closed && chmod 000 closed"]);
	});
	afterAll(async () => {
		await stage.run(["/bin/sh", "-c", "chmod 700 closed"]);
		stage.remove();
	});

	/** What an agent's hook answers after a line. */
	async function told(agent: string, line: string): Promise<string> {
		const env = { O: stage.outside, TMX_ROOTS: stage.root };
		const ran = await stage.under(["/bin/sh", "-c", line], [], env);
		const printed = ran.stderr + ran.stdout;
		const text = Buffer.from(printed, "latin1").toString();
		const failed = agent === "claude" && ran.status !== 0;
		const event = {
			session_id: "s",
			cwd: stage.root,
			hook_event_name: failed ? "PostToolUseFailure" : "PostToolUse",
			tool_name: "Bash",
			tool_input: { command: line.replaceAll("$O", stage.outside) },
			...(failed
				? { error: `Exit code ${ran.status}\n${text}` }
				: { tool_response: agent === "codex" ? text : { stdout: text, stderr: "" } }),
		};
		const answer = await stage.under([BINARY, "hook", agent, "--policy", stage.shims], [], env, JSON.stringify(event));
		expect(answer.status).toBe(0);
		if (answer.stdout === "") return "";
		const { hookSpecificOutput } = JSON.parse(answer.stdout) as {
			hookSpecificOutput: { hookEventName: string; additionalContext: string };
		};
		expect(hookSpecificOutput.hookEventName).toBe(event.hook_event_name);
		return hookSpecificOutput.additionalContext;
	}

	for (const [needs, line, named] of REFUSED) {
		const there = Bun.which(needs, { PATH: "/usr/bin:/bin" }) !== null;
		test.skipIf(!there)(`${line}${there ? "" : ` (there is no ${needs})`}`, async () => {
			const said = await told("claude", line);
			expect(said).toStartWith(`tmx: floor: ${join(stage.outside, named)}`);
			expect(said).toContain(`outside this session's roots, ${stage.root}; the kernel refuses`);
			expect(said).toContain(`Instead, work below ${stage.root}`);
			expect(said).not.toContain("\n");
		});
	}

	test("codex is told in its own words", async () => {
		expect(await told("codex", "rm $O/file")).toStartWith(`tmx: floor: ${stage.outside}/file: outside`);
	});

	test("an agent's own tool that fails is explained too", async () => {
		const event = {
			hook_event_name: "PostToolUseFailure",
			cwd: stage.root,
			tool_name: "Write",
			tool_input: { file_path: `${stage.outside}/new`, content: "x" },
			error: `EACCES: permission denied, open '${stage.outside}/new'`,
		};
		const answer = await stage.under([BINARY, "hook", "claude", "--policy", stage.shims], [], {}, JSON.stringify(event));
		expect(answer.stdout).toContain(`tmx: floor: ${stage.outside}/new: outside this session's roots; the kernel`);
	});

	for (const line of OTHERS) test(`nothing of it: ${line}`, async () => expect(await told("claude", line)).toBe(""));

	test("nothing without a floor, whatever the event says", async () => {
		const event = JSON.stringify({
			hook_event_name: "PostToolUse",
			cwd: stage.root,
			tool_name: "Bash",
			tool_input: { command: "rm x" },
			tool_response: `rm: cannot remove '${stage.outside}/file': Permission denied`,
		});
		const words = [BINARY, "hook", "claude", "--policy", stage.shims];
		expect(await stage.run(words, stage.root, { TMX_ROOTS: stage.root }, event)).toEqual({ status: 0, stdout: "", stderr: "" });
		// The mark alone, without a floor in force, blames nothing.
		expect(await stage.run(words, stage.root, { TMX_FLOOR: "7:0" }, event)).toEqual({ status: 0, stdout: "", stderr: "" });
	});

	test("an output that is huge, hostile or no text is read in time", async () => {
		mkdirSync(join(stage.base, "events"));
		const noise = `${"x'\"` /a Permission denied ".repeat(200_000)}\u0000\ud800`;
		writeFileSync(join(stage.base, "events/one"), noise);
		const event = JSON.stringify({
			hook_event_name: "PostToolUse",
			cwd: stage.root,
			tool_name: "Bash",
			tool_input: 7,
			tool_response: [noise, { a: noise }],
		});
		const started = Date.now();
		const answer = await stage.under([BINARY, "hook", "claude", "--policy", stage.shims], [], {}, event);
		expect(answer.status).toBe(0);
		expect(Date.now() - started).toBeLessThan(5000);
	});
});
